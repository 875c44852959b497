"""Where the cards are: display, discards, pile; and what a hand can hold, by what all have seen."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from msgspec.structs import replace

from referee.contract import Ruling, make_ruling, without
from referee.games.plenty_coups.state import (
    FACES,
    GOODS,
    KIND,
    PLENTY_COUPS,
    RIDER_PAIRS,
    STAFF,
    WEAPON_PAIRS,
    State,
    holder,
    with_clan,
)

Rulings = tuple[Ruling, ...]
Pairs = Iterable[tuple[str, ...]]

SHOWN = 4
"""Cards of the display."""
ALIKE = 3
"""Cards alike that sweep the display away."""
HAND = 3
_ORDER = {face: place for place, face in enumerate(FACES)}
REMEMBERED = 256
"""Counts of discards that are kept: a few of them are asked for again and again."""


def unseen_cards(state: State) -> dict[str, int]:
    """Count the cards that lie in the pile, or in a hand that hasn't been seen to take them."""
    left = without(_undiscarded(state.discard), state.display)
    for raid in state.raids:
        for face in raid.riders:
            left[face] -= 1
    for proposal in state.proposals:
        left[proposal.card] -= 1
    for clan in state.clans:
        if clan.bond:
            left[clan.bond] -= 1
        left[STAFF] -= clan.is_taunted
        for face in clan.known:
            left[face] -= 1
    return left


@lru_cache(REMEMBERED)
def _undiscarded(discard: tuple[str, ...]) -> Mapping[str, int]:
    """Count the cards that aren't among the discards, which grow by one now and then."""
    return without(PLENTY_COUPS.counts, discard)


def most_held(state: State, seat: int) -> dict[str, int]:
    """Count of each face how many a clan can hold at most, by what all have seen."""
    clan = state.clans[holder(state, seat)]
    hidden = clan.cards - len(clan.known)
    most = unseen_cards(state) if hidden else dict.fromkeys(FACES, 0)
    for face in GOODS:
        most[face] = min(most[face], hidden)
    for face in clan.known:
        most[face] += 1
    return most


def rider_pairs(state: State, seat: int, most: Mapping[str, int]) -> Pairs:
    """List the pairs of riders of one clan that a hand can hold, best first; `most` limits each card."""
    pairs = (pair for pair in RIDER_PAIRS if most[pair[0]] and most[pair[1]])
    return _possible_pairs(state, seat, pairs)


def weapon_pairs(state: State, seat: int, most: Mapping[str, int]) -> Pairs:
    """List the pairs of weapons that a hand can hold; `most` is its limit for each card."""
    pairs = ((one, two) for one, two in WEAPON_PAIRS if most[one] > (one == two) and most[two])
    return _possible_pairs(state, seat, pairs)


def _possible_pairs(state: State, seat: int, pairs: Pairs) -> Pairs:
    """Keep the pairs that fit: no more of it unseen than the hand has unseen cards."""
    clan = state.clans[holder(state, seat)]
    hidden = clan.cards - len(clan.known)
    return pairs if hidden > 1 else (pair for pair in pairs if _unseen_of(pair, clan.known) <= hidden)


def _unseen_of(pair: tuple[str, ...], known: tuple[str, ...]) -> int:
    return sum([max(0, pair.count(face) - known.count(face)) for face in set(pair)])


def with_card_taken(state: State, seat: int, face: str) -> State:
    """Take a card of the display into the hand: all have seen it."""
    display = list(state.display)
    display.remove(face)
    who = holder(state, seat)
    clan = state.clans[who]
    known = tuple(sorted((*clan.known, face)))
    return replace(with_clan(state, who, cards=clan.cards + 1, known=known), display=tuple(display))


def with_cards_laid(state: State, seat: int, faces: Iterable[str]) -> State:
    """Lay cards out of the hand."""
    who = holder(state, seat)
    clan = state.clans[who]
    known, cards = list(clan.known), clan.cards
    for face in faces:
        cards -= 1
        if face in known:
            known.remove(face)
    return with_clan(state, who, cards=cards, known=tuple(known))


def with_discarded(state: State, faces: Iterable[str]) -> State:
    """Lay cards on the discards, face up."""
    return replace(state, discard=(*state.discard, *faces))


def with_hand_discarded(state: State, seat: int, faces: tuple[str, ...]) -> State:
    """Discard cards of a hand."""
    return with_discarded(with_cards_laid(state, seat, faces), faces)


def draw_cards(state: State, seat: int, count: int, rule: str) -> tuple[State, Rulings]:
    """Draw hidden cards by a rule; an empty pile is made anew of the discards on the way."""
    told: Rulings = ()
    while count and (state.pile or state.discard):
        if not state.pile:
            state, said = renew_pile(state)
            told += said
        now = min(count, state.pile)
        who = holder(state, seat)
        state = with_clan(state, who, cards=state.clans[who].cards + now)
        state = replace(state, pile=state.pile - now)
        told += (make_ruling("draws", rule, seat=seat, count=now),)
        count -= now
    return state, told


def renew_pile(state: State) -> tuple[State, Rulings]:
    """Shuffle the discards into a new pile."""
    state = replace(state, pile=state.pile + len(state.discard), discard=())
    return state, (make_ruling("pile-renewed", "pile-renewed"),)


def with_cards_exchanged(state: State, seat: int, target: int) -> State:
    """Let two hands exchange a hidden card each, so that nothing is certain of them any more."""
    for who in (holder(state, seat), holder(state, target)):
        state = with_clan(state, who, known=())
    return state


def is_swept(display: tuple[str, ...]) -> bool:
    """Tell whether three cards of the display are alike: then all of it goes."""
    kinds = [KIND[face] for face in display]
    return any(kinds.count(kind) >= ALIKE for kind in kinds)


def sorted_faces(faces: Iterable[str]) -> tuple[str, ...]:
    """Put cards into the order of the deck."""
    return tuple(sorted(faces, key=_ORDER.__getitem__))
