"""The house rules of Coup d'État: each ambiguity that has an option, with its default."""

from typing import Literal

from msgspec import Struct

from referee.contract import Reason, Refusal, make_refusal
from referee.contract.cards import Deck
from referee.games.coup_d_etat.contracts import CONTRACTS, Contract
from referee.games.coup_d_etat.deck import PIQUET

LEFT_OUT = 2
"""Contracts that the simplified game may leave out."""


class House(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The house rules of Coup d'État."""

    next_tour: Literal["left_of_starter", "left_of_president"] = "left_of_starter"
    lead_rule: Literal["opening", "all_leads"] = "opening"
    coup_card: Literal["free", "only_when_void"] = "free"
    coup_led: Literal["free", "leader_names_suit"] = "free"
    guillotine: Literal["listed", "all_tricks"] = "listed"
    secret_coup: bool = True
    secret_takes_bank: bool = False
    secret_fail: Literal["president", "bank"] = "president"
    domino_open: Literal["start_rank", "any_matching"] = "start_rank"
    ace_chain: Literal["on_king", "any_ace"] = "on_king"
    revoke_penalty: Literal["void", "pays", "told"] = "void"
    early_stop: bool = False
    loans_ahead: bool = False
    left_out: tuple[Contract, ...] = ()


def deck_of(_house: House) -> Deck:
    """Give the deck in the box; three players put some of it aside."""
    return PIQUET


def seats_of(_house: House) -> range:
    """Give the numbers of players."""
    return range(3, 5)


def house_refusal(house: House) -> Refusal | None:
    """Find an impossible house rule: the simplified game leaves out exactly two contracts."""
    if len(set(house.left_out)) == len(house.left_out) and len(house.left_out) in {0, LEFT_OUT}:
        return None
    return make_refusal(Reason.HOUSE, why="left-out", count=LEFT_OUT)


def contracts_of(house: House) -> tuple[Contract, ...]:
    """List the contracts of a tour, in the board's order."""
    return tuple(contract for contract in CONTRACTS if contract not in house.left_out)


def deals_of(house: House) -> int:
    """Count the deals of a tour: one for each contract, or three of four in the simplified game."""
    return len(CONTRACTS) if not house.left_out else len(CONTRACTS) - LEFT_OUT - 1


SETTINGS: dict[str, House] = {
    "rule text": House(),
    "other rules": House(
        next_tour="left_of_president",
        lead_rule="all_leads",
        coup_card="only_when_void",
        coup_led="leader_names_suit",
        guillotine="all_tricks",
        secret_takes_bank=True,
        secret_fail="bank",
        domino_open="any_matching",
        ace_chain="any_ace",
        revoke_penalty="told",
        early_stop=True,
        loans_ahead=True,
    ),
    "simplified": House(revoke_penalty="pays", left_out=("barbu", "prison")),
}
