"""A bot: it bids its sure tricks, then takes what it needs and ducks the rest."""

from random import Random

from hardware.twin.bots.actions import BotAction, asks_by_key, say_action
from hardware.twin.tabletop import Places
from oh_hell.rules import State, bid_of, order_of, trick_of
from referee.contract import Number, hand_of
from referee.kit.french_cards import STRENGTH, SUIT
from referee.kit.tricks import taker_of
from referee.match import Match


def choose_action(match: Match, seat: int, places: Places, _rng: Random) -> BotAction | None:
    """Choose from the bot's own hand; `places` contains no other hidden cards."""
    hand, asks, state = places.get(hand_of(seat), ()), asks_by_key(match, seat), match.state
    bid = asks.get("bid")
    if isinstance(bid, Number):
        sure = sum(1 for card in hand if card[:-1] == "A" or SUIT[card] == SUIT[state.trump])
        allowed = [number for number in range(bid.least, bid.most + 1) if number not in bid.barred]
        return say_action(match, "bid", min(allowed, key=lambda number: (abs(number - sure), number)), seat)
    if "card" not in asks or not hand:
        return None
    trick = trick_of(state)
    suit = SUIT[trick[0]] if trick else ""
    cards = [card for card in hand if SUIT[card] == suit] or list(hand)
    return BotAction(lays=(_choose(state, seat, cards),))


def _choose(state: State, seat: int, cards: list[str]) -> str:
    """Win as cheaply as possible while tricks are needed; otherwise lose with the highest card possible."""
    order, trick = order_of(state), trick_of(state)

    def wins(card: str) -> bool:
        led = SUIT[trick[0] if trick else card]
        return taker_of(order, state.leader, (*trick, card), led, len(state.points)) == seat

    low_first = sorted(cards, key=lambda card: (card in order.trumps, STRENGTH[card]))
    winning = [card for card in low_first if wins(card)]
    losing = [card for card in low_first if card not in winning]
    is_short = state.won[seat] < (bid_of(state, seat) or 0)
    if is_short:
        return (winning or low_first)[0]
    return losing[-1] if losing else low_first[0]
