"""Lines of play with results, and the frame of the game: President, deal, contract, house rules."""

from typing import Any

import pytest

from referee.contract import Option
from referee.games.coup_d_etat.state import SUIT, Contract, Deal, House, Playing, deck_for
from referee.games.coup_d_etat.tricks import is_achieved
from referee.kit.tricks import Trick
from tests.given import refused
from tests.referee.games.coup_d_etat.script import dealt, sit_down, try_begin
from tests.referee.games.lines import read_lines


@pytest.mark.parametrize(("house", "line", "stands"), read_lines(__file__, "lines"))
def test_lines_of_play(house: dict[str, Any], line: str, stands: str) -> None:
    played, is_asked, _ = line.partition("?")
    script = dealt(**house).plays(played)
    assert (" ".join(sorted(script.legal)) if is_asked else script.stands) == stands


@pytest.mark.parametrize(
    ("seats", "drawn", "president"),
    [
        (4, "10s Kh Qd As", 3),
        # the ten beats the king, and the Coup card is the highest; equal cards draw again
        (3, "Kh 10s Qd", 1),
        (3, "Ah coup As", 1),
        (4, "Kh 9s Kd Kc 7h 8h Qc", 3),
    ],
)
def test_highest_card_makes_the_first_president(seats: int, drawn: str, president: int) -> None:
    script = sit_down(seats).draws(drawn)
    assert script.ruling("tour") == {"number": 1, "tours": seats, "president": president}
    assert script.ruling("deal") == {"president": president, "number": 1, "deals": 6}
    # CE-02
    assert (script.state.money, script.state.bank) == ((10_000,) * seats, 0)


def test_only_tied_players_draw_again() -> None:
    script = sit_down().draws("Kh 9s Kd Kc")
    assert script.ruling("draw-again") == {"seats": (0, 2, 3)}
    assert script.refusal("draw", ("9s",))[0] == "already-seen"


def test_contract_is_played_once() -> None:
    script = dealt(revoke_penalty="told").declines(1, "barbu").plays("7c Ac 8c Kh").to_the_end()
    after = script.answers("holder", Option("attempt"), 3)
    assert after.words("coup-contract") == {"victory", "siege", "prison", "guillotine", "dominos"}
    assert after.refusal("coup-contract", Option("barbu"), 3)[0] == "no-such-option"


def test_simplified_game_plays_three_of_four_contracts() -> None:
    script = dealt(left_out=("barbu", "prison"))
    assert script.ruling("deal")["deals"] == 3
    contracts = script.answers("holder", Option("attempt"), 1).words("coup-contract")
    assert contracts == {"victory", "siege", "guillotine", "dominos"}
    for left_out in (("barbu",), ("barbu", "barbu"), ("barbu", "prison", "siege")):
        assert refused(try_begin(4, left_out=left_out)).values == {"why": "left-out", "count": 2}


def test_only_leadable_suits_can_be_named() -> None:
    script = dealt(coup_led="leader_names_suit").attempts(2, "siege").plays("coup")
    assert script.words("suit") == {"hearts", "diamonds", "clubs"}


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
"""Cards that a coup must take, as listed in the rule book."""


def tricks_taken(contract: Contract, things: tuple[str, ...]) -> Playing:
    """Play eight tricks in which Ana takes some cards, and Bo all others, including first and last trick."""
    mine = [card for card in things if card in SUIT]
    takers = [ANA if FIRST in things else BO, *[ANA] * 3, *[BO] * 3, ANA if LAST in things else BO]
    others = [card for card in deck_for(4).counts if card not in {*mine, "coup"}]
    tricks = [[], mine, *[[]] * 2, others, *[[]] * 3]
    played = tuple(Trick(ANA, tuple(cards), taker) for cards, taker in zip(tricks, takers, strict=True))
    return Playing(Deal(contract, ANA, ANA), ANA, tricks=played)


@pytest.mark.parametrize(
    ("contract", "missing"), [(contract, one) for contract, every in WANTED.items() for one in (None, *every)]
)
def test_coup_needs_all_listed_cards(contract: Contract, missing: str | None) -> None:
    taken = tuple(one for one in WANTED[contract] if one != missing)
    assert is_achieved(House(), tricks_taken(contract, taken), ANA, 4) == (missing is None)


@pytest.mark.parametrize(("lost", "succeeds"), [(None, True), *((place, False) for place in range(8))])
def test_house_rule_guillotine_needs_every_trick(lost: int | None, succeeds: bool) -> None:
    takers = [BO if place == lost else ANA for place in range(8)]
    played = tuple(Trick(ANA, (), taker) for taker in takers)
    playing = Playing(Deal("guillotine", ANA, ANA), ANA, tricks=played)
    assert is_achieved(House(guillotine="all_tricks"), playing, ANA, 4) == succeeds
