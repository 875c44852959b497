"""A strong bot at Plenty Coups: it defends its herd before all else, and lets it grow beyond five horses."""

from collections.abc import Mapping
from random import Random

from hardware.twin.bots.actions import BotAction, asks_by_key, say_action
from hardware.twin.bots.plenty_coups import choose_action as choose_plainly
from hardware.twin.bots.plenty_coups import is_fair_now, liking
from hardware.twin.tabletop import Places
from referee.contract import Answer, Choice, Option
from referee.games.plenty_coups.score import FREE
from referee.games.plenty_coups.state import MARKERS, Acting, State
from referee.match import Match

MORE: Mapping[str, float] = {"defend": 6.0, "double-defend": 6.0, "feat": 5.0, "raid": 2.0, "double-raid": 2.0}
"""What is liked more than the plain bot likes it."""
RENOWN = 10.0
"""How much more is liked what brings renown at once."""


def choose_action(match: Match, seat: int, places: Places, rng: Random) -> BotAction | None:
    """Choose an action by what it brings; all else is done as the plain bot does it."""
    ask, state = asks_by_key(match, seat).get("action"), match.state
    if not isinstance(ask, Choice):
        return choose_plainly(match, seat, places, rng)
    answers = (Answer(match.number, ask.key, option, seat) for option in ask.options)
    worth = {
        answer.value: _worth(state, answer.value, rng)
        for answer in answers
        if isinstance(answer.value, Option) and is_fair_now(match, answer, places)
    }
    if not worth:
        return choose_plainly(match, seat, places, rng)
    return say_action(match, ask.key, max(worth, key=lambda option: worth[option]), seat)


def _worth(state: State, option: Option, rng: Random) -> float:
    """Rate an action: a horse beside five brings renown, and so do two given away while a marker is left."""
    liked = liking(state, option, rng) + MORE.get(option.word, 0.0)
    if not isinstance(state.stage, Acting):
        return liked
    clan = state.clans[state.stage.turn.seat]
    if option.word == "breed" and clan.herd >= FREE:
        return liked + RENOWN
    if option.word == "donate" and (clan.feats >= MARKERS or clan.herd > FREE + 1):
        return liked - RENOWN
    return liked
