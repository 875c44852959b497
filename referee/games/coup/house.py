"""The house rules of Coup: each ambiguity that has an option, with its default."""

from typing import Literal

from msgspec import Struct

from referee.contract import Reason, Refusal, make_refusal
from referee.contract.cards import Deck
from referee.games.coup.deck import COUP

COINS = 50
LONGEST = 120
"""The range of seconds that people are willing to wait."""


class House(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The house rules of Coup."""

    two_player_first_coin: Literal[2, 1] = 2
    steal_zero: Literal["allow", "forbid"] = "allow"
    challenger_may_block: bool = True
    swap_after_proof: Literal["mandatory", "optional"] = "mandatory"
    may_concede: bool = True
    priority: Literal["button", "clockwise"] = "button"
    window: Literal["all_pass", "timer"] = "all_pass"
    window_seconds: int = 8
    proof_seconds: int = 20
    bank_unlimited: bool = False


def deck_of(_house: House) -> Deck:
    """Give the deck, the same for all house rules."""
    return COUP


def seats_of(_house: House) -> range:
    """Give the numbers of players: there are six summary cards."""
    return range(2, 7)


def house_refusal(house: House) -> Refusal | None:
    """Find a house rule with an impossible value."""
    if all(1 <= seconds <= LONGEST for seconds in (house.window_seconds, house.proof_seconds)):
        return None
    return make_refusal(Reason.HOUSE, why="seconds", most=LONGEST)


SETTINGS: dict[str, House] = {
    "rule text": House(),
    "other rules": House(
        two_player_first_coin=1,
        steal_zero="forbid",
        challenger_may_block=False,
        swap_after_proof="optional",
        may_concede=False,
        priority="clockwise",
        window="timer",
        bank_unlimited=True,
    ),
}
