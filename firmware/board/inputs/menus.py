"""The dial's menus: every possible answer, selected by turning and pushing in steps.

The asks determine the entries: first a word, then the target seat, the face and the cell. Steps with a single
entry are skipped. Cards are chosen one after another.
"""

from collections.abc import Iterable

from firmware.board_events import DialState, Menu, Path, Pick, Step
from referee.contract import TABLE, Answer, Ask, Choice, Done, Number, Option, Show, Value
from referee.contract.cards import without
from referee.legal import ask_named
from referee.match import Match

AIMS: tuple[Step, ...] = ("word", "seat", "face", "cell")
"""Properties in which options differ, in the order of the steps."""


# entries of a menu


def menu(match: Match, path: Path = ()) -> Menu:
    if not path:
        # options of the seat in turn come first, then the other asked seats
        lead = _lead(match)
        others = tuple(Pick("who", seat) for seat in _seats(match) if seat != lead)
        own = () if lead is None else _entries(match, lead)
        return _skip_forced_step(Menu((*own, *others, *_entries(match, None)), _number(match, (lead, None))))
    last = path[-1]
    if last.step == "who":
        return _skip_forced_step(Menu(_entries(match, last.seat), _number(match, (last.seat,))))
    ask = ask_named(match.asks, last.ask)
    if isinstance(ask, Show):
        return Menu(_cards(ask, last.seat, cards(path)))
    return Menu(_aims(last))


def cards(path: Path) -> tuple[str, ...]:
    return tuple(str(pick.value) for pick in path if pick.step == "card")


def _skip_forced_step(found: Menu) -> Menu:
    if found.number is not None or len(found.picks) != 1 or len(found.picks[0].options) < 2:
        return found
    return Menu(_aims(found.picks[0]))


def _lead(match: Match) -> int | None:
    """Return the seat that the dial answers for at first: the only one asked, or the one in turn."""
    seats = _seats(match)
    if len(seats) == 1:
        return seats[0]
    first = match.asks[0] if match.asks else None
    is_turn = first is not None and len(first.seats) == 1 and _window(first) is None
    return seats[0] if is_turn else None


def _seats(match: Match) -> tuple[int, ...]:
    return tuple(dict.fromkeys(seat for ask in match.asks for seat in ask.seats))


def _asks_for(match: Match, seat: int | None) -> Iterable[Ask]:
    return (ask for ask in match.asks if (ask.seats == TABLE if seat is None else seat in ask.seats))


def _number(match: Match, seats: tuple[int | None, ...]) -> Number | None:
    asked = (ask for seat in seats for ask in _asks_for(match, seat))
    return next((ask for ask in asked if isinstance(ask, Number)), None)


def _entries(match: Match, seat: int | None) -> tuple[Pick, ...]:
    return tuple(pick for ask in _asks_for(match, seat) for pick in _picks_of(ask, seat))


def _picks_of(ask: Ask, seat: int | None) -> Iterable[Pick]:
    match ask:
        case Choice():
            return _split_options(Pick("word", seat, ask.key, None, ask.options), "word")
        case Show():
            return _cards(ask, seat, ())
        case Done():
            return (Pick("done", seat, ask.key),)
        case Number():
            return ()


def _aims(pick: Pick) -> tuple[Pick, ...]:
    """Split the remaining options by the first property in which they differ."""
    for step in AIMS:
        parts = _split_options(pick, step)
        if len(parts) > 1:
            return parts
    return (pick,)


def _split_options(pick: Pick, step: Step) -> tuple[Pick, ...]:
    parts: dict[object, list[Option]] = {}
    for option in pick.options:
        parts.setdefault(getattr(option, step), []).append(option)
    return tuple(Pick(step, pick.seat, pick.ask, None, tuple(options)) for options in parts.values())


def _cards(ask: Show, seat: int | None, chosen: tuple[str, ...]) -> tuple[Pick, ...]:
    missing = list(ask.must)
    for face in chosen:
        if face in missing:
            missing.remove(face)
    left = without(ask.among, chosen)
    is_full = len(missing) >= ask.count - len(chosen)
    faces = dict.fromkeys(missing) if is_full else [face for face in left if face not in ask.barred]
    return tuple(Pick("card", seat, ask.key, face) for face in faces if left[face] > 0)


# turning and pushing


def turn_dial(match: Match, dial: DialState, steps: int) -> DialState:
    """Turn the dial; it stops at both ends, so that they can be found without looking."""
    found = menu(match, dial.path)
    if found.number is None:
        return DialState(dial.path, _next(found.picks, dial.at, steps))
    return DialState(dial.path, _next_number(found, found.number, dial.at, steps))


def _next(picks: tuple[Pick, ...], at: Pick | None, steps: int) -> Pick | None:
    """Move by one entry, however fast the turn; only numbers use larger steps."""
    if at not in picks:
        return picks[0] if picks else None
    place = picks.index(at) + (1 if steps > 0 else -1)
    return picks[min(max(place, 0), len(picks) - 1)]


def _next_number(found: Menu, ask: Number, at: Pick | None, steps: int) -> Pick:
    """Move through the numbers; the other entries follow below the lowest number, the first one nearest."""
    seat = ask.seats[0] if ask.seats else None
    least = Pick("number", seat, ask.key, turn_number(ask, None, steps))
    if at is None:
        return least
    if at in found.picks:
        place = found.picks.index(at) + (1 if steps < 0 else -1)
        return least if place < 0 else found.picks[min(place, len(found.picks) - 1)]
    number = turn_number(ask, at.value if isinstance(at.value, int) else None, steps)
    if number == at.value and steps < 0 and found.picks:
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
    if dial.at is None:
        return None
    path = (*dial.path, dial.at)
    if is_whole(match, path):
        return Answer(match.number, dial.at.ask, _value(path), dial.at.seat, "dial")
    return turn_dial(match, DialState(path), 1)


def is_whole(match: Match, path: Path) -> bool:
    last = path[-1]
    if last.step == "card":
        ask = ask_named(match.asks, last.ask)
        return isinstance(ask, Show) and len(cards(path)) == ask.count
    return last.step in {"number", "done"} or len(last.options) == 1


def _value(path: Path) -> Value:
    last = path[-1]
    if last.step == "card":
        return cards(path)
    return last.options[0] if last.options else last.value if isinstance(last.value, int) else None


def step_back(dial: DialState) -> DialState:
    return DialState(dial.path[:-1], dial.path[-1]) if dial.path else dial


def dial_for_word(match: Match, seat: int, ask: str, word: str) -> DialState:
    """Select a word of a seat's choice on the dial, so that its targets come next."""
    who = Pick("who", seat)
    path: Path = (who,) if who in menu(match).picks else ()
    picks = menu(match, path).picks
    same = [pick for pick in picks if pick.step == "word" and pick.ask == ask and pick.options[0].word == word]
    return turn_dial(match, DialState((*path, *same[:1])), 1)


# validity of a choice


def can_be_said(match: Match, dial: DialState) -> bool:
    """Return whether the path and the current entry can still be answered."""
    picks = dial.path if dial.at is None else (*dial.path, dial.at)
    return all(_is_in(menu(match, picks[:place]), pick) for place, pick in enumerate(picks))


def _is_in(found: Menu, pick: Pick) -> bool:
    ask, number = found.number, pick.value
    if pick.step != "number" or ask is None:
        return pick in found.picks
    return isinstance(number, int) and ask.least <= number <= ask.most and number not in ask.barred


def asked_since(match: Match) -> Match:
    """Return the match in which the current asks began; a window is the same while others answer."""
    first, windows = match, _windows(match)
    while windows is not None and isinstance(first.entry, Answer) and first.before is not None:
        if _windows(first.before) != windows:
            break
        first = first.before
    return first


def _windows(match: Match) -> frozenset[int] | None:
    windows = [_window(ask) for ask in match.asks]
    numbers = frozenset(window for window in windows if window is not None)
    return numbers if windows and None not in windows else None


def _window(ask: Ask) -> int | None:
    return ask.window if isinstance(ask, Choice | Done) else None
