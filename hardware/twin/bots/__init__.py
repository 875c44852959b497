"""The bots: a seat's action at a moment, from its own knowledge; pure, given a source of chance."""

from collections.abc import Callable, Mapping
from functools import partial
from random import Random

from msgspec.structs import replace

from hardware.twin.bots.actions import BotAction, say_action
from hardware.twin.player import any_answer
from hardware.twin.strengths import EVEN, Strength, Temper
from hardware.twin.tabletop import Places
from referee.contract import TABLE, Answer, Ask, Show, Zone
from referee.match import Match

TRIES = 50

Bot = Callable[[Match, int, Places, Random], BotAction | None]
"""A bot; games with visible tempers also pass their bot a `temper`."""
BOTS: dict[str, Callable[[], Callable[..., BotAction | None] | None]] = {}
"""Functions that return the plain bots of the games in use."""
STRONG_BOTS: dict[str, Callable[[], Bot | None]] = {}
"""Functions that return the strong bots, for games that have one."""
SLIPS = 0.35  # probability that a beginner gives any legal and fair answer instead

__all__ = ["BotAction", "answer_for_table", "any_action", "bot_action"]


def bot_action(
    match: Match, seat: int, places: Places, rng: Random, strength: Strength = "plain", temper: Temper = EVEN
) -> BotAction | None:
    """Return a bot's action, given the cards that it knows (`places`); None if it needn't act."""
    if not any(seat in ask.seats for ask in match.asks):
        return None
    action = _bot_of(match, strength, temper)(match, seat, places, rng)
    if strength == "beginner" and action is not None and rng.random() < SLIPS:
        # a beginner chooses another fair card or word
        other = any_action(match, seat, places, rng)
        is_choice = (action.answer is not None or bool(action.lays)) and not action.hand
        if other is not None and is_choice and bool(other.lays) == bool(action.lays):
            return other
    return action


def _bot_of(match: Match, strength: Strength, temper: Temper) -> Bot:
    """Return a game's bot of this strength; games without bots get random fair answers."""
    game = match.setup.game
    strong = STRONG_BOTS[game.name]() if strength == "strong" and game.name in STRONG_BOTS else None
    plain = BOTS[game.name]() if strong is None and game.name in BOTS else None
    if plain is not None and game.play.traits:
        return partial(plain, temper=temper)
    return strong or plain or any_action


def answer_for_table(match: Match, truth: Mapping[Zone, tuple[str, ...]], rng: Random) -> Answer | None:
    """Answer an ask of the whole table, which bots may do together, as they know all cards."""
    asks = tuple(ask for ask in match.asks if ask.seats == TABLE and not isinstance(ask, Show))
    for _try in range(TRIES if asks else 0):
        answer = any_answer(asks, match.number, rng)
        if match.setup.game.play.is_fair(match.state, answer, truth):
            return answer
    return None


def _choose_cards(ask: Show, cards: list[str], rng: Random) -> tuple[str, ...]:
    left, chosen = dict(ask.among), list[str]()
    for card in sorted(rng.sample(cards, len(cards)), key=lambda card: card not in ask.must):
        if len(chosen) < ask.count and left.get(card, 0) > 0:
            left[card] -= 1
            chosen.append(card)
    return tuple(chosen)


def any_action(match: Match, seat: int, places: Places, rng: Random) -> BotAction | None:
    """Return a random legal and fair action, in a game without its own bot."""
    # bots enter each action individually, so the table's own asks aren't for them
    asks = match.game_asks
    mine: tuple[Ask, ...] = tuple(replace(ask, seats=(seat,)) for ask in asks if seat in ask.seats)
    game = match.setup.game
    for ask in mine:
        if not isinstance(ask, Show):
            continue
        cards = [card for zone in game.table.sources(match.state, ask) for card in places.get(zone, ())]
        one = ((card, Answer(0, ask.key, (card,), seat)) for card in cards)
        fair = [card for card, answer in one if game.play.is_fair(match.state, answer, places)]
        lays = _choose_cards(ask, fair, rng)
        if len(lays) == ask.count:
            return BotAction(lays=lays)
    says = tuple(ask for ask in mine if not isinstance(ask, Show))
    for _try in range(TRIES if says else 0):
        answer = any_answer(says, match.number, rng)
        if game.play.is_fair(match.state, answer, places):
            return say_action(match, answer.ask, answer.value, seat)
    return None
