"""Both sides of each boundary that the rule book of Coup d'État draws, as far as no other test stands there."""

from itertools import pairwise

import pytest
from msgspec.structs import replace

from referee.contract import Reason
from referee.games.coup_d_etat import COUP_D_ETAT
from referee.games.coup_d_etat.contracts import CONTRACTS, PRICES, Contract
from referee.games.coup_d_etat.deck import SUIT, deck_for
from referee.games.coup_d_etat.house import House
from referee.games.coup_d_etat.score import is_achieved, penalties
from referee.games.coup_d_etat.state import Deal, Playing, Trick
from tests.referee.boundaries import beyond, on_both_sides_of, within
from tests.referee.games.coup_d_etat.script import Script, dealt, sit_down

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


@within("coup-barbu", "coup-victory", "coup-siege", "coup-prison", "coup-guillotine/listed")
@pytest.mark.parametrize("contract", WANTED)
def test_a_coup_succeeds_with_all_that_its_contract_lists(contract: Contract) -> None:
    assert is_achieved(House(), tricks_taken(contract, WANTED[contract]), ANA, 4)


@beyond("coup-barbu", "coup-victory", "coup-siege", "coup-prison", "coup-guillotine/listed")
@pytest.mark.parametrize(
    ("contract", "missing"), [(contract, one) for contract, all_of_it in WANTED.items() for one in all_of_it]
)
def test_a_coup_fails_if_one_thing_is_missing(contract: Contract, missing: str) -> None:
    taken = tuple(one for one in WANTED[contract] if one != missing)
    assert not is_achieved(House(), tricks_taken(contract, taken), ANA, 4)


@on_both_sides_of("coup-guillotine/all-tricks")
@pytest.mark.parametrize(("tricks", "succeeds"), [(8, True), (7, False)])
@pytest.mark.parametrize("lost", range(8))
def test_by_agreement_a_guillotine_takes_every_trick(tricks: int, succeeds: bool, lost: int) -> None:
    takers = [BO if tricks == 7 and place == lost else ANA for place in range(8)]
    played = tuple(Trick(ANA, (), taker) for taker in takers)
    playing = Playing(Deal("guillotine", ANA, ANA), ANA, tricks=played)
    assert is_achieved(House(guillotine="all_tricks"), playing, ANA, 4) == succeeds


@on_both_sides_of("barbu", "victory", "siege", "prison", "guillotine")
@pytest.mark.parametrize(
    ("contract", "counts", "owed"),
    [
        ("barbu", (1, 4, 8, 1, 1), 800),
        ("barbu", (0, 4, 8, 1, 1), 0),
        ("victory", (1, 0, 8, 1, 1), 0),
        ("victory", (1, 1, 8, 1, 1), 200),
        ("victory", (1, 4, 8, 1, 1), 800),
        ("siege", (1, 4, 0, 1, 1), 0),
        ("siege", (1, 4, 1, 1, 1), 100),
        ("siege", (1, 4, 7, 1, 1), 700),
        ("prison", (1, 4, 8, 0, 0), 0),
        ("prison", (1, 4, 8, 1, 0), 400),
        ("prison", (1, 4, 8, 0, 1), 400),
        ("prison", (1, 4, 8, 1, 1), 800),
        ("guillotine", (1, 4, 8, 1, 1), 800 + 800 + 800 + 800),
        ("guillotine", (0, 0, 0, 0, 0), 0),
    ],
)
def test_what_is_taken_costs_what_its_contract_says(
    contract: Contract, counts: tuple[int, ...], owed: int
) -> None:
    """Counted: the king of hearts, queens, spades, the first trick, the last trick."""
    took = dict(zip(PRICES, counts, strict=True))
    assert sum(penalty.amount for penalty in penalties(contract, took)) == owed


@on_both_sides_of("dominos", "president-pays-nothing")
@pytest.mark.parametrize(("idle", "paid"), [(0, 0), (2, 800)])
def test_the_last_one_with_cards_pays_unless_that_is_the_president(idle: int, paid: int) -> None:
    script = dealt(revoke_penalty="told").declines(1, "dominos").plays("10h")
    while "domino" in script.ask_keys():
        may_pass = script.turn == idle and "pass" in script.ask_keys()
        script = script.plays("-" if may_pass else min(script.legal))
    assert script.ruling("last-out") == {"seat": idle}
    assert script.money() == tuple(paid * ((seat == 0) - (seat == idle)) for seat in range(4))


@on_both_sides_of("three-players", "deal")
@pytest.mark.parametrize(("players", "cards"), [(3, 24), (4, 32)])
def test_a_hand_has_eight_cards_and_the_middle_card_is_left(players: int, cards: int) -> None:
    assert deck_for(players).size == cards + 1
    assert cards == 8 * players


@on_both_sides_of("purse")
@pytest.mark.parametrize("players", [3, 4])
def test_everybody_has_ten_thousand_and_the_bank_nothing(players: int) -> None:
    script = sit_down(players)
    assert script.state.money == (10_000,) * players
    assert script.state.bank == 0


@on_both_sides_of("loan")
@pytest.mark.parametrize(("money", "short"), [(800, 0), (799, 1), (0, 800)])
def test_a_purse_of_exactly_what_is_due_is_not_short(money: int, short: int) -> None:
    """Bo takes the king of hearts in Barbu, which costs 800 F."""
    script = dealt(revoke_penalty="told")
    state = replace(script.state, money=(10_000, money, 10_000, 10_000), bank=10_000 - money)
    position = replace(script.match.position, state=state, asks=COUP_D_ETAT.asks(state))
    script = Script(replace(script.match, position=position)).declines(2, "barbu").plays("7c Ac 8c Kh")
    rest = [card for card in deck_for(4).counts if card not in {"7c", "Ac", "8c", "Kh", "coup"}]
    script = script.plays(" ".join(rest))
    assert [told["short"] for told in script.all_told("short")] == [short] * bool(short)
    assert (script.ask_keys() == ["lend"]) == bool(short)


@on_both_sides_of("so-far")
def test_what_somebody_has_is_told_for_cards_that_count_only() -> None:
    script = dealt().declines(2, "victory")
    assert script.plays("7c Ac 8c Qc").ruling("so-far-queens") == {"seat": BO, "count": 1}
    assert not dealt().declines(2, "victory").plays("7c Ac 8c Kc").all_told("so-far-queens")


@on_both_sides_of("ranks")
@pytest.mark.parametrize(("higher", "lower"), list(pairwise(["A", "10", "K", "Q", "J", "9", "8", "7"])))
def test_each_rank_takes_the_next_lower_one(higher: str, lower: str) -> None:
    for cards, taker in ((f"{higher}c {lower}c", 0), (f"{lower}c {higher}c", 1)):
        script = dealt().declines(2, "victory").plays(f"{cards} 7d 8d")
        assert script.ruling("trick")["seat"] == taker


@on_both_sides_of("ace-chain-ends", "domino-ranks")
def test_only_an_ace_lets_one_go_on() -> None:
    king = dealt().declines(1, "dominos").plays("Qh Kh")
    assert king.turn == 2
    assert king.words("chain") == []
    ace = king.plays("Ah")
    assert (ace.turn, ace.words("chain")) == (2, ["enough"])
    assert ace.says("chain", "enough").turn == 3


@on_both_sides_of("seen-once")
def test_a_card_that_was_not_seen_may_fall() -> None:
    script = dealt().declines(2, "victory").plays("7c")
    assert script.refusal("card", ("7c",))[0] == Reason.ALREADY_SEEN
    assert script.plays("8c").turn == 2


@on_both_sides_of("presidency")
@pytest.mark.parametrize("contract", [name for name in CONTRACTS if name != "dominos"])
def test_the_president_changes_after_the_deal_of_a_coup_and_not_before(contract: str) -> None:
    attempt = dealt(revoke_penalty="told").attempts(BO, contract)
    assert attempt.state.president == ANA
