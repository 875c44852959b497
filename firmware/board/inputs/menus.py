"""The dial's menu: numbers, "done" and, if several seats are asked for these, the seat that answers.

Everything else is chosen on a phone.
"""

from msgspec import Struct

from firmware.board_events import DialState, Pick
from referee.contract import TABLE, Answer, Done, Number
from referee.match import Match


class Menu(Struct, frozen=True):
    """The items of the dial: numbers rise clockwise, and other items precede the lowest number."""

    picks: tuple[Pick, ...]
    number: Number | None = None
    seat: int | None = None  # the seat that answers


def menu(match: Match, seat: int | None = None) -> Menu:
    """Return the items for a chosen seat; by default for the only seat, or else the seats to choose from."""
    asks = [ask for ask in match.asks if isinstance(ask, Number | Done)]
    seats = tuple(dict.fromkeys(each for ask in asks for each in ask.seats))
    if len(seats) == 1:
        seat = seats[0]
    own = [ask for ask in asks if ask.seats == TABLE or seat in ask.seats]
    done = [Pick("done", seat if ask.seats else None, ask.key) for ask in own if isinstance(ask, Done)]
    others = [Pick("who", each) for each in seats] if seat is None else []
    number = next((ask for ask in own if isinstance(ask, Number)), None)
    return Menu((*done, *others), number, seat)


# turning and pushing


def turn_dial(match: Match, dial: DialState, steps: int) -> DialState:
    """Turn the dial; it stops at both ends, so that they can be found without looking."""
    found = menu(match, dial.seat)
    if found.number is None:
        return DialState(dial.seat, _next(found.picks, dial.at, steps))
    return DialState(dial.seat, _next_number(found, found.number, dial.at, steps))


def _next(picks: tuple[Pick, ...], at: Pick | None, steps: int) -> Pick | None:
    """Move by one entry, however fast the turn; only numbers use larger steps."""
    if at not in picks:
        return picks[0] if picks else None
    place = picks.index(at) + (1 if steps > 0 else -1)
    return picks[min(max(place, 0), len(picks) - 1)]


def _next_number(found: Menu, ask: Number, at: Pick | None, steps: int) -> Pick:
    """Move through the numbers; the other entries follow below the lowest number, the first one nearest."""
    seat = found.seat if ask.seats else None
    least = Pick("number", seat, ask.key, turn_number(ask, None, steps))
    if at is None:
        return least
    if at in found.picks:
        place = found.picks.index(at) + (1 if steps < 0 else -1)
        return least if place < 0 else found.picks[min(place, len(found.picks) - 1)]
    number = turn_number(ask, at.number, steps)
    if number == at.number and steps < 0 and found.picks:
        return found.picks[0]
    return Pick("number", seat, ask.key, number)


def turn_number(ask: Number, number: int | None, steps: int) -> int:
    """Return the next allowed number: the lowest at first, then `steps` away within the range."""
    if number is None:
        return _nearest_allowed(ask, ask.least, 1)
    return _nearest_allowed(ask, min(max(number + steps, ask.least), ask.most), 1 if steps > 0 else -1)


def _nearest_allowed(ask: Number, number: int, way: int) -> int:
    """Return the next number that isn't barred, or else the nearest in the other direction."""
    for step in (way, -way):
        here = number
        while here in ask.barred:
            here += step
        if ask.least <= here <= ask.most:
            return here
    return number


def push_dial(match: Match, dial: DialState) -> DialState | Answer | None:
    at = dial.at
    if at is None:
        return None
    if at.step == "who":
        return turn_dial(match, DialState(at.seat), 1)
    return Answer(match.number, at.ask, at.number, at.seat, "dial")


def step_back(dial: DialState) -> DialState:
    return dial if dial.seat is None else DialState(None, Pick("who", dial.seat))
