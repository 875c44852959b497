"""A bot: it ducks where it can, and discards the queen of spades and high hearts."""

from collections.abc import Sequence
from random import Random

from hardware.twin.bots.actions import BotAction, asks_by_key, say_action
from hardware.twin.tabletop import Places
from hearts.rules import FIRST, MINE, ONLY, QUEEN, WORTH, State, barred_now, trick_of
from referee.contract import hand_of
from referee.kit.french_cards import STRENGTH, SUIT
from referee.match import Match


def choose_action(match: Match, seat: int, places: Places, _rng: Random) -> BotAction | None:
    """Choose from the bot's own hand; `places` contains no other hidden cards."""
    hand, asks, state = places.get(hand_of(seat), ()), asks_by_key(match, seat), match.state
    if "pass" in asks:
        said = say_action(match, "pass", None, seat)
        # the most dangerous cards come last and are passed on: high cards, and finally the queen
        dangerous_last = sorted(hand, key=lambda card: (card == QUEEN, STRENGTH[card]))
        return BotAction(said.answer, hand=tuple(dangerous_last))
    if "first" in asks:
        return say_action(match, "first", MINE, seat) if FIRST in hand else None
    if "card" not in asks:
        return None
    barred = {} if state.has_only_barred else barred_now(state)
    suit = SUIT[trick_of(state)[0]] if trick_of(state) else ""
    following = [card for card in hand if SUIT[card] == suit]
    cards = following or [card for card in hand if card not in barred]
    if "only" in asks and not cards:
        return say_action(match, "only", ONLY, seat)
    return BotAction(lays=(_choose(state, cards or hand, suit),)) if hand else None


def _choose(state: State, cards: Sequence[str], suit: str) -> str:
    """Lead low; follow just below the best card; otherwise discard the most dangerous card."""
    low_first = sorted(cards, key=STRENGTH.__getitem__)
    if not suit:
        return low_first[0]
    if SUIT[cards[0]] != suit:
        return max(cards, key=lambda card: (card == QUEEN, WORTH[card], STRENGTH[card]))
    best = max(STRENGTH[card] for card in trick_of(state) if SUIT[card] == suit)
    ducking = [card for card in low_first if STRENGTH[card] < best]
    return ducking[-1] if ducking else low_first[0]
