"""Bots at Plenty Coups: the plain one breeds and raids, saves feat cards, discards the least useful.

The strong one protects its herd first, and lets it grow beyond five horses.
"""

import math
from collections.abc import Mapping
from random import Random

from hardware.twin.bots.actions import BotAction, asks_by_key, say_action
from hardware.twin.strengths import EVEN, Temper
from hardware.twin.tabletop import Places
from referee.contract import Answer, Ask, Choice, Done, Option, Show
from referee.games.plenty_coups.hands import hand
from referee.games.plenty_coups.rules import FREE
from referee.games.plenty_coups.state import CLAN, HORSE, MARKERS, STAFF, VALUE, Acting, Gifting, Proving, State
from referee.match import Match

LIKED: Mapping[str, float] = {
    "feat": 9,
    "score": 9,
    "breed": 6,
    "accept": 6,
    "raid": 5,
    "defend": 4.5,
    "propose": 4,
    "taunt": 3.5,
    "donate": 3,
    "double-raid": 3,
    "ally": 2.5,
    "double-defend": 2,
    "hunt": 1.5,
    "gift": 0.5,
}
"""Preference for each action; others are chosen only without alternatives."""
WHIM = 2.0  # random variation of the preferences
RAIDS = frozenset({"raid", "double-raid"})
STRONG = frozenset({"raid-rider", "first-rider", "second-rider"})
"""Asks for the strongest card; for others the least useful one is laid."""
MORE: Mapping[str, float] = {"defend": 6.0, "double-defend": 6.0, "feat": 5.0, "raid": 2.0, "double-raid": 2.0}
"""Preferences added to the plain bot's."""
RENOWN = 10.0  # preference added to actions that yield renown at once


def choose_action(
    match: Match, seat: int, places: Places, rng: Random, temper: Temper = EVEN
) -> BotAction | None:
    asks = [ask for ask in asks_by_key(match, seat).values() if ask not in match.beside]
    for ask in sorted(asks, key=lambda ask: not isinstance(ask, Show)):
        done = _answer_action(match, seat, ask, places, temper, rng)
        if done is not None:
            return done
    return None


def _answer_action(
    match: Match, seat: int, ask: Ask, places: Places, temper: Temper, rng: Random
) -> BotAction | None:
    if isinstance(ask, Show):
        # lay the requested cards, if the hand has them
        state: State = match.state
        held = places.get(hand(state, _holder(state)), ())
        fair = [card for card in held if is_fair_now(match, Answer(0, ask.key, (card,)), places)]
        fair.sort(key=lambda card: _worth(state, card), reverse=ask.key in STRONG)
        return BotAction(lays=tuple(fair[: ask.count])) if len(fair) >= ask.count else None
    if isinstance(ask, Choice):
        return _say_action(match, seat, ask, places, temper, rng)
    return say_action(match, ask.key, None, seat) if isinstance(ask, Done) else None


def _holder(state: State) -> int:
    """Return the seat whose cards are requested: the clan with a feat, or else the clan in turn."""
    turn = state.turn
    if isinstance(state.stage, Proving | Gifting):
        return state.stage.target
    return 0 if turn is None else turn.seat


def _worth(state: State, card: str) -> float:
    turn = state.turn
    clan = "" if turn is None else state.clans[turn.seat].colour
    if card == HORSE:
        return 5.0 if state.plain else 0.0
    if card == STAFF:
        return 4.5
    return VALUE[card] + (0.5 if card in CLAN else 0.0) + (1.0 if CLAN.get(card) == clan else 0.0)


def _say_action(
    match: Match, seat: int, ask: Choice, places: Places, temper: Temper, rng: Random
) -> BotAction | None:
    answers = ((option, Answer(match.number, ask.key, option, seat)) for option in ask.options)
    fair = [option for option, answer in answers if is_fair_now(match, answer, places)]
    liked = {option: _liking(match.state, option, rng, temper.dares) for option in fair}
    return say_action(match, ask.key, max(liked, key=lambda option: liked[option]), seat) if liked else None


def _liking(state: State, option: Option, rng: Random, dares: float = 1.0) -> float:
    if option.word == "take":
        turn, face = state.turn, option.face or ""
        is_raided = turn is not None and state.raid_on(turn.seat) is not None
        needed = 3.0 if is_raided and face in VALUE and face not in CLAN else 0.0
        return _worth(state, face) + needed + rng.random()
    liked = LIKED.get(option.word, 0.0)
    clans, target = state.clans, option.seat
    if target is not None and option.word in RAIDS:
        liked += WHIM * math.log(dares)
        liked += 1.0 if clans[target].herd > FREE else -3.0 if not clans[target].herd else 0.0
    if target is not None and option.word == "taunt":
        liked -= 0.0 if clans[target].feats else 3.0
    return liked + WHIM * rng.random()


def is_fair_now(match: Match, answer: Answer, places: Places) -> bool:
    """Return whether the hand allows an answer."""
    return match.setup.game.play.is_fair(match.state, answer, places)


# the strong bot


def choose_strongly(match: Match, seat: int, places: Places, rng: Random) -> BotAction | None:
    ask, state = asks_by_key(match, seat).get("action"), match.state
    if not isinstance(ask, Choice):
        return choose_action(match, seat, places, rng)
    answers = (Answer(match.number, ask.key, option, seat) for option in ask.options)
    worth = {
        answer.value: _gain(state, answer.value, rng)
        for answer in answers
        if isinstance(answer.value, Option) and is_fair_now(match, answer, places)
    }
    if not worth:
        return choose_action(match, seat, places, rng)
    return say_action(match, ask.key, max(worth, key=lambda option: worth[option]), seat)


def _gain(state: State, option: Option, rng: Random) -> float:
    """Rate an action; a horse beyond five yields renown, as do two given away while a marker is left."""
    liked = _liking(state, option, rng) + MORE.get(option.word, 0.0)
    if not isinstance(state.stage, Acting):
        return liked
    clan = state.clans[state.stage.turn.seat]
    if option.word == "breed" and clan.herd >= FREE:
        return liked + RENOWN
    if option.word == "donate" and (clan.feats >= MARKERS or clan.herd > FREE + 1):
        return liked - RENOWN
    return liked
