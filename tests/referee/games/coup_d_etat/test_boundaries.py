"""Both sides of each boundary that the rule book of Coup d'État draws, as far as no other test stands there."""

from itertools import pairwise

import pytest

from referee.games.coup_d_etat.contracts import Contract
from referee.games.coup_d_etat.deck import SUIT, deck_for
from referee.games.coup_d_etat.house import House
from referee.games.coup_d_etat.score import is_achieved
from referee.games.coup_d_etat.state import Deal, Playing, Trick
from tests.referee.boundaries import on_both_sides_of
from tests.referee.games.coup_d_etat.script import dealt

ANA, BO = range(2)
QUEENS = ("Qs", "Qh", "Qd", "Qc")
SPADES = tuple(card for card in deck_for(4).counts if SUIT[card] == "s")
KING, FIRST, LAST = "Kh", "first trick", "last trick"
WANTED: dict[Contract, tuple[str, ...]] = {
    "barbu": (KING,),
    "victory": QUEENS,
    "siege": SPADES,
    "prison": (FIRST, LAST),
    "guillotine": tuple(dict.fromkeys((KING, *QUEENS, *SPADES, FIRST, LAST))),
}
"""What a coup has to take, as the rule text lists it."""


def tricks_taken(contract: Contract, things: tuple[str, ...]) -> Playing:
    """Play eight tricks in which Ana takes some things, and Bo all others, the first and last trick too."""
    mine = [card for card in things if card in SUIT]
    takers = [ANA if FIRST in things else BO, *[ANA] * 3, *[BO] * 3, ANA if LAST in things else BO]
    others = [card for card in deck_for(4).counts if card not in {*mine, "coup"}]
    tricks = [[], mine, *[[]] * 2, others, *[[]] * 3]
    played = tuple(Trick(ANA, tuple(cards), taker) for cards, taker in zip(tricks, takers, strict=True))
    return Playing(Deal(contract, ANA, ANA), ANA, tricks=played)


@on_both_sides_of("coup-barbu", "coup-victory", "coup-siege", "coup-prison", "coup-guillotine/listed")
@pytest.mark.parametrize(
    ("contract", "missing"), [(contract, one) for contract, every in WANTED.items() for one in (None, *every)]
)
def test_a_coup_succeeds_with_all_that_its_contract_lists(contract: Contract, missing: str | None) -> None:
    taken = tuple(one for one in WANTED[contract] if one != missing)
    assert is_achieved(House(), tricks_taken(contract, taken), ANA, 4) == (missing is None)


@on_both_sides_of("coup-guillotine/all-tricks")
@pytest.mark.parametrize(("lost", "succeeds"), [(None, True), *((place, False) for place in range(8))])
def test_by_agreement_a_guillotine_takes_every_trick(lost: int | None, succeeds: bool) -> None:
    takers = [BO if place == lost else ANA for place in range(8)]
    played = tuple(Trick(ANA, (), taker) for taker in takers)
    playing = Playing(Deal("guillotine", ANA, ANA), ANA, tricks=played)
    assert is_achieved(House(guillotine="all_tricks"), playing, ANA, 4) == succeeds


@on_both_sides_of("ranks")
@pytest.mark.parametrize(("higher", "lower"), list(pairwise(["A", "10", "K", "Q", "J", "9", "8", "7"])))
def test_each_rank_takes_the_next_lower_one(higher: str, lower: str) -> None:
    for cards, taker in ((f"{higher}c {lower}c", 0), (f"{lower}c {higher}c", 1)):
        script = dealt().declines(2, "victory").plays(f"{cards} 7d 8d")
        assert script.ruling("trick")["seat"] == taker
