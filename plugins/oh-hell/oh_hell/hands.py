"""Card moves, and fair play for the simulated table."""

from collections.abc import Mapping

from oh_hell.rules import State, order_of, size, trick_of, turn_of
from referee.contract import PILE, PROOF, Answer, Move, Ruling, Zone, hand_of
from referee.kit.french_cards import SUIT
from referee.kit.hidden_hands import moves_of_tricks
from referee.kit.tricks import follows


def moves(state: State, ruling: Ruling) -> tuple[Move, ...]:
    """Deal, turn up the trump card, lay a card in the middle, clear a trick."""
    if ruling.key == "trump":
        return (Move(PILE, PROOF, 1, faces=(str(ruling.values["card"]),)),)
    moved = moves_of_tricks(len(state.points), size(state), ruling)
    return (Move(PROOF, PILE), *moved) if ruling.key == "deal" else moved


def is_fair(state: State, answer: Answer, places: Mapping[Zone, tuple[str, ...]]) -> bool:
    """Return whether a fair player may lay this card: they follow suit if they can."""
    if answer.ask != "card" or not isinstance(answer.value, tuple):
        return True
    (card,), trick, held = answer.value, trick_of(state), places.get(hand_of(turn_of(state)), ())
    return card in held and follows(order_of(state), card, SUIT[trick[0]] if trick else "", held)
