"""A bot: it wins tricks as cheaply as it can, or plays its lowest card; with a good hand it doubles."""

from random import Random

from hardware.twin.bots.actions import BotAction, asks_by_key, say_action
from hardware.twin.tabletop import Places
from high_card.rules import DECK, trick_of
from referee.contract import Option, hand_of
from referee.match import Match


def choose_action(match: Match, seat: int, places: Places, _rng: Random) -> BotAction | None:
    """Choose from the bot's own hand; `places` contains no other hidden cards."""
    hand = sorted(places.get(hand_of(seat), ()), key=int)
    asks = asks_by_key(match, seat)
    if "worth" in asks:
        is_good = sum(map(int, hand)) > len(hand) * DECK.size / 2
        return say_action(match, "worth", Option("double" if is_good else "single"), seat)
    if "card" not in asks or not hand:
        return None
    best = max(map(int, trick_of(match.state)), default=0)
    return BotAction(lays=(next((card for card in hand if int(card) > best), hand[0]),))
