"""A mostly honest bot: it plays cards it can't claim soon, and challenges impossible claims."""

from collections.abc import Sequence
from random import Random

from cheat.rules import MAX_CLAIMED, ORDER, State, rank_due
from hardware.twin.bots.actions import BotAction, asks_by_key, say_action
from hardware.twin.strengths import EVEN, Temper, lean
from hardware.twin.tabletop import Places
from referee.contract import hand_of
from referee.kit.claims import CHALLENGE, PASS
from referee.match import Match

ONE_MORE = 0.15  # probability of adding a card that doesn't match the claim
DOUBTS = (0.0, 0.02, 0.05, 0.12, 0.2)
"""Probability of challenging a plausible claim, by number of cards."""
LAST = 0.5  # the same for a claim that would win the match


def choose_action(
    match: Match, seat: int, places: Places, rng: Random, temper: Temper = EVEN
) -> BotAction | None:
    """Choose from the bot's own hand; `places` contains no other hidden cards."""
    hand, asks, state = places.get(hand_of(seat), ()), asks_by_key(match, seat), match.state
    if "claim" in asks:
        laid = _cards_to_lay(state, hand, rng)
        rest = (card for card in hand if card not in laid)
        return BotAction(say_action(match, "claim", len(laid), seat).answer, hand=(*rest, *laid))
    if "doubt" in asks:
        chance = lean(_doubt(state, hand), temper.doubts)
        return say_action(match, "doubt", CHALLENGE if rng.random() < chance else PASS, seat)
    return None


def _cards_to_lay(state: State, hand: Sequence[str], rng: Random) -> tuple[str, ...]:
    """Return cards of the current rank; without any, or at times in addition, a card to be claimed late."""
    true = tuple(card for card in hand if card[:-1] == rank_due(state))
    others = sorted((card for card in hand if card not in true), key=lambda card: _turns_until(state, card))
    is_more = len(true) < MAX_CLAIMED and rng.random() < ONE_MORE
    return (*true, *others[len(others) - (is_more + (not true)) :])[:MAX_CLAIMED] if others else true


def _turns_until(state: State, card: str) -> int:
    places = range(state.number, state.number + len(ORDER) * len(state.cards), len(state.cards))
    return [ORDER[place % len(ORDER)] for place in places].index(card[:-1])


def _doubt(state: State, hand: Sequence[str]) -> float:
    claim = state.claim
    if claim is None:
        return 0.0
    own = sum(1 for card in hand if card[:-1] == rank_due(state))
    if own + claim.count > MAX_CLAIMED:
        return 1.0
    return DOUBTS[claim.count] if state.cards[claim.seat] else LAST
