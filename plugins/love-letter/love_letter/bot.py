"""A bot: it plays its lower card, answers truthfully, and picks random targets."""

from random import Random

from hardware.twin.bots import BotAction, any_action
from hardware.twin.tabletop import Places
from love_letter.rules import FACES
from love_letter.table import is_fair
from referee.contract import Answer, hand_of
from referee.match import Match


def choose_action(match: Match, seat: int, places: Places, rng: Random) -> BotAction | None:
    """Choose from the bot's own hand, and from cards shown by a priest or a baron."""
    if match.state.stage != "card":
        return any_action(match, seat, places, rng)
    held = [card for card in FACES if card in places[hand_of(seat)]]
    return BotAction(
        lays=next((card,) for card in held if is_fair(match.state, Answer(0, "card", (card,)), places))
    )
