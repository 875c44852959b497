"""A bot at Coyote: it computes from the foreheads it sees how likely a number is."""

from random import Random

from hardware.twin.bots.actions import BotAction, asks_by_key, options_of, say_action
from hardware.twin.bots.tempers import EVEN, Temper, lean
from hardware.twin.tabletop import Places
from referee.contract import Number
from referee.games.coyote.coaching import Odds, odds
from referee.games.coyote.hands import forehead
from referee.games.coyote.state import Bidding, State, alive
from referee.match import Match

DOUBT = (0.28, 0.46)
"""The highest likelihood of a number that a bot doubts, from bold to careful."""
DARE = (0.5, 0.85)
"""The likelihood that a bot wants for its own number."""
SURE = 0.08
"""The highest likelihood that a bot doubts out of turn: hardly possible."""
PLAYFUL = 0.12
"""How often a bot uses a power it has."""


def choose_action(
    match: Match, seat: int, places: Places, rng: Random, temper: Temper = EVEN
) -> BotAction | None:
    """Say a number, doubt the last one, or now and then use a power."""
    asks, state = asks_by_key(match, seat), match.state
    if not isinstance(state.stage, Bidding):
        return None
    chances = seen_odds(state, seat, places)
    last = state.stage.bids[-1].number if state.stage.bids else 0
    number = asks.get("announce")
    if isinstance(number, Number):
        return _turn_action(match, seat, number, chances, temper, rng)
    if "contest" in asks and chances and chances.at_least(last) < lean(SURE, temper.doubts):
        return say_action(match, "contest", asks["contest"].options[0], seat)  # type: ignore[union-attr]
    return _power_action(match, seat, "after", rng)


def _turn_action(
    match: Match, seat: int, number: Number, chances: Odds | None, temper: Temper, rng: Random
) -> BotAction | None:
    may_doubt = "coyote" in options_of(asks_by_key(match, seat).get("turn"))
    last = number.least - 1
    doubted = lean(rng.uniform(*DOUBT), temper.doubts)
    if may_doubt and (chances is None or chances.at_least(last) < doubted):
        return say_action(match, "turn", options_of(asks_by_key(match, seat)["turn"])["coyote"][0], seat)
    return _power_action(match, seat, "turn", rng) or say_action(
        match, number.key, _bid(number, chances, temper.dares, rng), seat
    )


def _bid(number: Number, chances: Odds | None, dares: float, rng: Random) -> int:
    wanted, legal = 1 - lean(1 - rng.uniform(*DARE), dares), [least_number(number)]
    if chances is not None:
        most = min(number.most, max(chances.chances))
        likely = (n for n in range(number.least, most + 1) if chances.at_least(n) >= wanted)
        legal += [n for n in likely if n not in number.barred]
    # don't jump to the highest possible number at once
    return legal[int(len(legal) * rng.random() ** 2)]


def least_number(number: Number) -> int:
    """Give the least number that may be said."""
    return next(n for n in range(number.least, number.most + 1) if n not in number.barred)


def _power_action(match: Match, seat: int, key: str, rng: Random) -> BotAction | None:
    options = [
        option
        for word, same in options_of(asks_by_key(match, seat).get(key)).items()
        for option in same
        if word not in {"coyote", "guess"}
    ]
    return say_action(match, key, rng.choice(options), seat) if options and rng.random() < PLAYFUL else None


def seen_odds(state: State, seat: int, places: Places) -> Odds | None:
    """Compute the odds of the total; None if the visible cards contradict the record."""
    bidding = state.stage
    if not isinstance(bidding, Bidding):
        return None
    seen = [card for other in alive(state) if other != seat for card in places.get(forehead(other), ())]
    hidden = (seat not in bidding.stayed) + bidding.extras.count(seat)
    try:
        return odds(state.house, hidden, (*seen, *bidding.opened), state.discard)
    except ValueError:
        return None
