"""A strong bot at Coyote: it says the least number, and calls what is less likely than not, always alike."""

from random import Random

from hardware.twin.bots.actions import BotAction, asks_by_key, options_of, say_action
from hardware.twin.bots.coyote import least_number, seen_odds
from hardware.twin.tabletop import Places
from referee.contract import Choice, Number, Option
from referee.games.coyote.odds import Odds
from referee.games.coyote.state import Bidding
from referee.match import Match

DOUBTED = 0.4
"""The likelihood of a number below which it is called."""
TIGHT = 0.6
"""The likelihood up to which both a call and the least number are too risky: then a power is used."""
SURE = 0.3
"""The highest likelihood of a number that is doubted out of turn."""
ESCAPES = ("skip", "approve", "reverse", "restart", "next")
"""Powers that pass a number on to others, the best first."""


def choose_action(match: Match, seat: int, places: Places, rng: Random) -> BotAction | None:
    """Say the least number, doubt the last one, or get out of a tight place by a power."""
    asks, state = asks_by_key(match, seat), match.state
    if not isinstance(state.stage, Bidding):
        return None
    chances, number, bids = seen_odds(state, seat, places), asks.get("announce"), state.stage.bids
    if chances is None:
        return None
    if isinstance(number, Number):
        return _turn_action(match, seat, number, chances, rng)
    contest = asks.get("contest")
    if isinstance(contest, Choice) and bids and chances.at_least(bids[-1].number) < SURE:
        return say_action(match, "contest", contest.options[0], seat)
    return None


def _turn_action(match: Match, seat: int, number: Number, chances: Odds, rng: Random) -> BotAction:
    least, options = least_number(number), options_of(asks_by_key(match, seat).get("turn"))
    holds, right = float(chances.at_least(least)), 1 - float(chances.at_least(number.least - 1))
    may_call = "coyote" in options
    if max(holds, right if may_call else 0) < TIGHT:
        escape = _escape(options, rng)
        if escape is not None:
            return say_action(match, "turn", escape, seat)
    if may_call and 1 - right < DOUBTED:
        return say_action(match, "turn", options["coyote"][0], seat)
    return say_action(match, number.key, least, seat)


def _escape(options: dict[str, tuple[Option, ...]], rng: Random) -> Option | None:
    word = next((word for word in ESCAPES if word in options), None)
    return None if word is None else rng.choice(options[word])
