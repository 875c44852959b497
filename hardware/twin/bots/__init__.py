"""The bots: what a seat does at a moment, by what it may know; pure, given a source of chance."""

from collections.abc import Callable, Mapping
from random import Random

from msgspec.structs import replace

from hardware.twin.bots.actions import BotAction, say_action
from hardware.twin.player import any_answer
from hardware.twin.tabletop import Places
from referee.contract import TABLE, Answer, Ask, Show, Zone
from referee.match import Match

TRIES = 50

Bot = Callable[[Match, int, Places, Random], BotAction | None]
BOTS: dict[str, Callable[[], Bot | None]] = {}
"""The functions that find the bots of the games in use."""

__all__ = ["BotAction", "answer_for_table", "bot_action"]


def bot_action(match: Match, seat: int, places: Places, rng: Random) -> BotAction | None:
    """Choose a bot's action by the cards that it knows (`places`); None if it needn't act."""
    if not any(seat in ask.seats for ask in match.asks):
        return None
    find_bot = BOTS.get(match.setup.game.name)
    choose = (find_bot() if find_bot else None) or _plain_action
    return choose(match, seat, places, rng)


def answer_for_table(match: Match, truth: Mapping[Zone, tuple[str, ...]], rng: Random) -> Answer | None:
    """Answer an ask of the whole table, if only bots sit there: together they know all cards."""
    asks = tuple(ask for ask in match.asks if ask.seats == TABLE and not isinstance(ask, Show))
    for _try in range(TRIES if asks else 0):
        answer = any_answer(asks, match.number, rng)
        if match.setup.game.is_fair(match.state, answer, truth):
            return answer
    return None


def _choose_cards(ask: Show, cards: list[str], rng: Random) -> tuple[str, ...]:
    """Choose the required cards, and any of the other possible ones."""
    left, chosen = dict(ask.among), list[str]()
    for card in sorted(rng.sample(cards, len(cards)), key=lambda card: card not in ask.must):
        if len(chosen) < ask.count and left.get(card, 0) > 0:
            left[card] -= 1
            chosen.append(card)
    return tuple(chosen)


def _plain_action(match: Match, seat: int, places: Places, rng: Random) -> BotAction | None:
    """Say anything that is legal and fair, in a game without a bot of its own; else lay fair cards."""
    mine: tuple[Ask, ...] = tuple(replace(ask, seats=(seat,)) for ask in match.asks if seat in ask.seats)
    game = match.setup.game
    for ask in mine:
        if not isinstance(ask, Show):
            continue
        cards = [card for zone in game.sources(match.state, ask) for card in places.get(zone, ())]
        fair = [card for card in cards if game.is_fair(match.state, Answer(0, ask.key, (card,), seat), places)]
        lays = _choose_cards(ask, fair, rng)
        if len(lays) == ask.count:
            return BotAction(lays=lays)
    says = tuple(ask for ask in mine if not isinstance(ask, Show))
    for _try in range(TRIES if says else 0):
        answer = any_answer(says, match.number, rng)
        if game.is_fair(match.state, answer, places):
            return say_action(match, answer.ask, answer.value, seat)
    return None
