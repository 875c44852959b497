"""How likely a claim is true: all hands that a player may hold are enumerated, nothing is sampled.

Two models of the player: one whose claims tell nothing, so that only open cards count; and one who is honest
but for a share of bluffs, so that each claim since the last change of hand makes the character likelier.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations_with_replacement
from math import comb, prod

from referee.contract import Option, Ruling
from referee.contract.cards import without
from referee.games.coup.actions import ACTIONS
from referee.games.coup.deck import COUP
from referee.games.coup.state import State, Window, claimant, influence, open_cards

PLAIN_BLUFF = 0.12
"""How often the plain bot bluffs, and the honest player of the model."""
SAYS_NOTHING = 1.0
"""The share of bluffs at which a claim says nothing."""
HAND_CHANGES = frozenset({"swaps", "returns"})
"""Rulings after which a hand has other cards."""

Faces = frozenset[str]


def claimed_face(window: Window) -> str:
    """Name the character that a window is about; none for an action that all may take."""
    return window.block.face if window.block is not None else ACTIONS[window.deed.word].claim or ""


def claim_chance(
    state: State, window: Window, own: Iterable[str], earlier: Faces = frozenset(), bluff: float = SAYS_NOTHING
) -> float:
    """Tell how likely the claim of a window is true, for a viewer who holds cards of their own."""
    face, seat = claimed_face(window), claimant(window.deed, window.block)
    unseen = without(COUP.counts, (*open_cards(state), *own))
    return chance_to_hold(unseen, influence(state, seat), face, earlier | {face}, bluff)


def chance_to_hold(
    unseen: Mapping[str, int], count: int, face: str, claimed: Faces = frozenset(), bluff: float = SAYS_NOTHING
) -> float:
    """Tell how likely a hand of so many unseen cards has a character, given what its player claimed."""
    weights = {
        hand: _ways(unseen, hand) * likelihood(hand, claimed, bluff)
        for hand in combinations_with_replacement(sorted(unseen), count)
    }
    whole = sum(weights.values())
    return sum(weight for hand, weight in weights.items() if face in hand) / whole if whole else 0.0


def likelihood(hand: Iterable[str], claimed: Faces, bluff: float) -> float:
    """Tell how likely a player with this hand makes such claims, of whom a share of bluffs is known."""
    return float(bluff ** len(claimed.difference(hand)))


def _ways(unseen: Mapping[str, int], hand: tuple[str, ...]) -> int:
    return prod(comb(unseen[face], count) for face, count in Counter(hand).items())


def claims_after(claims: Mapping[int, Faces], rulings: Iterable[Ruling]) -> Mapping[int, Faces]:
    """Note what was claimed, and forget it where a hand changed or the card came to light."""
    noted = dict(claims)
    for ruling in rulings:
        seat = ruling.values.get("seat")
        if not isinstance(seat, int):
            continue
        before = noted.get(seat, frozenset())
        if ruling.key in HAND_CHANGES:
            noted[seat] = frozenset()
        elif ruling.key in {"loses", "concedes", "disproved"}:
            # a card that was claimed and has come to light is hidden no more; nor was a claim true that failed
            noted[seat] = before - {str(ruling.values.get("card")), str(ruling.values.get("face"))}
        else:
            noted[seat] = before | frozenset(_faces_claimed(ruling))
    return noted


def _faces_claimed(ruling: Ruling) -> Iterator[str]:
    if ruling.key == "blocks":
        yield str(ruling.values["face"])
    yield from (action.claim for action in ACTIONS.values() if action.claim and action.said == ruling.key)


def is_challenge_option(option: object) -> bool:
    """Tell whether an answer challenges a claim or lets it pass."""
    return option in (Option("challenge"), Option("pass"))
