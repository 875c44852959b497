"""Lines of play with results, and the frame of the game: President, deal, contract, house rules."""

from typing import Any

import pytest

from referee.contract import Option
from referee.games.coup_d_etat.state import COUP, SUIT, Contract, Deal, House, Playing, deck_for
from referee.games.coup_d_etat.tricks import is_achieved
from referee.kit.tricks import Trick
from tests.given import refused
from tests.referee.games.coup_d_etat.script import dealt, try_begin
from tests.referee.games.lines import read_lines


@pytest.mark.parametrize(("house", "line", "stands"), read_lines(__file__, "lines"))
def test_lines_of_play(house: dict[str, Any], line: str, stands: str) -> None:
    played, is_asked, _ = line.partition("?")
    script = dealt(**house).plays(played)
    assert (" ".join(sorted(script.legal)) if is_asked else script.stands) == stands


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
ENDS = (0, 7)
WANTED: dict[Contract, tuple[str | int, ...]] = {
    "barbu": ("Kh",),
    "victory": QUEENS,
    "siege": SPADES,
    "prison": ENDS,
    "guillotine": tuple(dict.fromkeys(("Kh", *QUEENS, *SPADES, *ENDS))),
}
"""Cards and tricks that a coup must take, as listed in the rule book."""


def has_won(contract: Contract, taken: set[str | int], **house: Any) -> bool:
    """Return whether Ana's coup succeeds if she takes some tricks, with all her cards, and Bo the others."""
    others = tuple(card for card in deck_for(4).counts if card not in {*taken, COUP})
    cards = {1: tuple(card for card in taken if isinstance(card, str)), 2: others}
    takers = [ANA if place in taken else BO for place in range(8)]
    tricks = tuple(Trick(ANA, cards.get(place, ()), taker) for place, taker in enumerate(takers))
    return is_achieved(House(**house), Playing(Deal(contract, ANA, ANA), ANA, tricks=tricks), ANA, 4)


@pytest.mark.parametrize("contract", WANTED)
def test_coup_needs_all_listed_cards(contract: Contract) -> None:
    every = {*WANTED[contract], 1}
    assert has_won(contract, every)
    assert not any(has_won(contract, every - {one}) for one in WANTED[contract])


def test_house_rule_guillotine_needs_every_trick() -> None:
    every: set[str | int] = {*range(8)}
    assert has_won("guillotine", every, guillotine="all_tricks")
    assert not any(has_won("guillotine", every - {one}, guillotine="all_tricks") for one in every)
