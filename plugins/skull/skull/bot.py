"""A bot: it bids on its own flowers and a few more; with its skull down, it may lure others."""

from random import Random

from hardware.twin.bots.actions import BotAction, asks_by_key, say_action
from hardware.twin.tabletop import Places
from referee.contract import Choice, Done, Number, hand_of
from referee.match import Match
from skull.table import stack

LAYS_SKULL, DARES, LURES, OPENS = 0.3, 0.45, 0.3, 0.4


def choose_action(match: Match, seat: int, places: Places, rng: Random) -> BotAction | None:
    """Choose from the bot's own discs; it places, or loses, the last disc of its hand, usually a flower."""
    asks, flower_last = asks_by_key(match, seat), tuple(sorted(places.get(hand_of(seat), ()), reverse=True))
    own, is_lure = places.get(stack(seat), ()), rng.random() < LAYS_SKULL
    for key, ask in asks.items():
        if isinstance(ask, Number) and (len(asks) == 1 or rng.random() < _nerve(ask, own, match.state.bid)):
            return say_action(match, key, ask.least, seat)
        if isinstance(ask, Choice | Done):
            value = rng.choice(ask.options) if isinstance(ask, Choice) else None
            hand = flower_last[::-1] if key == "lay" and is_lure else flower_last
            return BotAction(say_action(match, key, value, seat).answer, hand=hand)
    return None


def _nerve(ask: Number, own: tuple[str, ...], bid: int) -> float:
    """Return the probability of bidding: certain for its own flowers, lower with each disc of others."""
    if "skull" in own:
        return LURES if ask.least < ask.most else 0.0
    beyond = ask.least - len(own)
    return DARES**beyond if beyond > 0 else 1.0 if bid else OPENS
