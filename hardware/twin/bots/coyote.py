"""Bots at Coyote: the plain one computes a number's probability from the foreheads it sees.

The strong one also infers its own card from others' bids, and calls when that pays.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from random import Random

from msgspec import Struct

from hardware.twin.bots.actions import BotAction, asks_by_key, options_of, say_action
from hardware.twin.strengths import EVEN, Temper, lean
from hardware.twin.tabletop import Places
from referee.contract import Choice, Number
from referee.contract.cards import without
from referee.games.coyote.coaching import Odds, odds
from referee.games.coyote.hands import forehead
from referee.games.coyote.state import Bid, Bidding, House, State
from referee.match import Match

DOUBT = (0.28, 0.46)  # maximum probability of a number that a bot doubts, from bold to careful
DARE = (0.5, 0.85)  # probability that a bot requires of its own number
SURE = 0.08  # maximum probability of a number that a bot doubts out of turn
PLAYFUL = 0.12  # probability of using an available power


def choose_action(
    match: Match, seat: int, places: Places, rng: Random, temper: Temper = EVEN
) -> BotAction | None:
    asks, state = asks_by_key(match, seat), match.state
    if not isinstance(state.stage, Bidding):
        return None
    chances = seen_odds(state, seat, places)
    last = state.stage.bids[-1].number if state.stage.bids else 0
    number = asks.get("announce")
    if isinstance(number, Number):
        may_doubt = "coyote" in options_of(asks_by_key(match, seat).get("turn"))
        doubted = lean(rng.uniform(*DOUBT), temper.doubts)
        if may_doubt and (chances is None or chances.at_least(number.least - 1) < doubted):
            return say_action(match, "turn", options_of(asks_by_key(match, seat)["turn"])["coyote"][0], seat)
        wanted, legal = 1 - lean(1 - rng.uniform(*DARE), temper.dares), [least_number(number)]
        if chances is not None:
            most = min(number.most, max(chances.chances))
            likely = (n for n in range(number.least, most + 1) if chances.at_least(n) >= wanted)
            legal += [n for n in likely if n not in number.barred]
        # avoid jumping to the highest possible number at once
        return _power_action(match, seat, "turn", rng) or say_action(
            match, number.key, legal[int(len(legal) * rng.random() ** 2)], seat
        )
    if "contest" in asks and chances and chances.at_least(last) < lean(SURE, temper.doubts):
        return say_action(match, "contest", asks["contest"].options[0], seat)  # type: ignore[union-attr]
    return _power_action(match, seat, "after", rng)


def least_number(number: Number) -> int:
    return next(n for n in range(number.least, number.most + 1) if n not in number.barred)


def _power_action(match: Match, seat: int, key: str, rng: Random) -> BotAction | None:
    words = options_of(asks_by_key(match, seat).get(key))
    options = [option for word in words if word not in {"coyote", "guess"} for option in words[word]]
    return say_action(match, key, rng.choice(options), seat) if options and rng.random() < PLAYFUL else None


def seen_odds(state: State, seat: int, places: Places) -> Odds | None:
    """Return the odds of the total; None if the visible cards contradict the record."""
    bidding = state.stage
    if not isinstance(bidding, Bidding):
        return None
    view = view_of(state, bidding, seat, places)
    try:
        return odds(view.house, view.hidden, view.seen(), view.discard)
    except ValueError:
        return None


# the strong bot

CALLED = 0.85  # estimated probability that the next player calls a number that is too high
TIGHT = 0.6
"""Probability below which both a call and the lowest number are too risky, so a power is used."""
STRONG_SURE = 0.3  # maximum probability of a number that is doubted out of turn
ESCAPES = ("skip", "approve", "reverse", "restart", "next")
"""Powers that pass a number on to others, best first."""
SLIP = 0.1  # probability of bids that contradict the bidder's view
LET_PASS, RAISED = (0.2, 0.45), (0.35, 0.6)
"""Probabilities of a number between which others' readiness rises from never to always: to pass, to jump."""

REMEMBERED = 4096


def choose_strongly(match: Match, seat: int, places: Places, rng: Random) -> BotAction | None:
    asks, state = asks_by_key(match, seat), match.state
    if not isinstance(state.stage, Bidding) or seen_odds(state, seat, places) is None:
        return None
    reaches = read_total(view_of(state, state.stage, seat, places))
    number, bids = asks.get("announce"), state.stage.bids
    if isinstance(number, Number):
        least, options = least_number(number), options_of(asks_by_key(match, seat).get("turn"))
        holds, right = reaches(least), 1 - reaches(number.least - 1)
        may_call = "coyote" in options
        if max(holds, right if may_call else 0) < TIGHT:
            escape = next((word for word in ESCAPES if word in options), None)
            if escape is not None:
                return say_action(match, "turn", rng.choice(options[escape]), seat)
        if may_call and 1 - right < (1 - holds) * CALLED:
            return say_action(match, "turn", options["coyote"][0], seat)
        return say_action(match, number.key, least, seat)
    contest = asks.get("contest")
    if isinstance(contest, Choice) and bids and reaches(bids[-1].number) < STRONG_SURE:
        return say_action(match, "contest", contest.options[0], seat)
    return None


class View(Struct, frozen=True):
    """A seat's view of a round: others' cards by seat, and the number of cards it can't see."""

    house: House
    discard: tuple[str, ...]
    bidding: Bidding
    worn: Mapping[int, tuple[str, ...]]
    hidden: int

    def seen(self, without: int | None = None) -> tuple[str, ...]:
        """Return the cards that are open or worn by others, except one seat's."""
        worn = [card for seat, cards in self.worn.items() if seat != without for card in cards]
        return (*worn, *self.bidding.opened)


def view_of(state: State, bidding: Bidding, seat: int, places: Places) -> View:
    """Return a seat's view."""
    worn = {other: tuple(places.get(forehead(other), ())) for other in state.alive if other != seat}
    hidden = (seat not in bidding.stayed) + bidding.extras.count(seat)
    return View(state.house, state.discard, bidding, worn, hidden)


def read_total(view: View) -> Callable[[int], float]:
    """Return a function for the probability that the total reaches a number, using others' bids."""
    if view.hidden != 1:
        return partial(_chance, view, view.hidden, view.seen())
    weights = _own_card(view)

    def reaches(number: int) -> float:
        totals = ((weight, (*view.seen(), face)) for face, weight in weights.items())
        return sum(weight * _chance(view, 0, seen, number) for weight, seen in totals)

    return reaches


def _own_card(view: View) -> Mapping[str, float]:
    unseen = without(view.house.deck.counts, (*view.seen(), *view.discard))
    weights = {face: count * _likelihood(view, face) for face, count in unseen.items() if count}
    whole = sum(weights.values())
    return {face: weight / whole for face, weight in weights.items()}


def _likelihood(view: View, face: str) -> float:
    """Return the probability of the others' bids if the seat has this card."""
    likely, last = 1.0, 0
    for bid in view.bidding.bids:
        if bid.seat in view.worn:
            likely *= _likelihood_of_bid(view, bid, last, face)
        last = bid.number
    return likely


def _likelihood_of_bid(view: View, bid: Bid, last: int, face: str) -> float:
    """Return the probability that a player who sees this card passes the last number and bids the next."""
    reaches = partial(_chance, view, len(view.worn[bid.seat]), (*view.seen(bid.seat), face))
    passed = _ramp(reaches(last), LET_PASS) if last else 1.0
    return passed * (_ramp(reaches(bid.number), RAISED) if bid.number > last + 1 else 1.0)


def _ramp(chance: float, between: tuple[float, float]) -> float:
    """Rise linearly from SLIP to 1 between two probabilities."""
    low, high = between
    return SLIP + (1 - SLIP) * min(1.0, max(0.0, (chance - low) / (high - low)))


def _chance(view: View, hidden: int, seen: tuple[str, ...], number: int) -> float:
    totals = _totals(view.house, hidden, tuple(sorted(seen)), tuple(sorted(view.discard)))
    return sum(share for total, share in totals if total >= number)


@lru_cache(REMEMBERED)
def _totals(
    house: House, hidden: int, seen: tuple[str, ...], discarded: tuple[str, ...]
) -> tuple[tuple[int, float], ...]:
    """Return the distribution of the total; cached, because the same cards recur for each number."""
    chances = odds(house, hidden, seen, discarded).chances
    return tuple((total, float(share)) for total, share in chances.items())
