"""The house rules of Plenty Coups: every ambiguity that has an option, with its default."""

from typing import Literal

from msgspec import Struct

from referee.contract import Reason, Refusal, make_refusal
from referee.contract.cards import Deck
from referee.games.plenty_coups.deck import PLENTY_COUPS

LONGEST = 120
"""The range of seconds that people are willing to wait."""


class House(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The house rules of Plenty Coups."""

    clear_display: bool = False
    raid_return: Literal["after_draw", "before_draw"] = "after_draw"
    renown_cap: Literal[4, "none"] = 4
    compare: Literal["effective", "printed"] = "effective"
    gift_of_horses: Literal["each_other", "anyone"] = "each_other"
    penalty_first: bool = True
    alliance_tiebreak: Literal["sums", "best_member"] = "sums"
    neutral_hand: Literal["own", "controller"] = "own"
    winter_hunt: bool = True
    worth_seconds: int = 30


def deck_of(_house: House) -> Deck:
    """Give the deck: there is one."""
    return PLENTY_COUPS


def seats_of(_house: House) -> range:
    """Say how many may play: there are six clans."""
    return range(2, 7)


def house_refusal(house: House) -> Refusal | None:
    """Say which house rule can't be."""
    if 1 <= house.worth_seconds <= LONGEST:
        return None
    return make_refusal(Reason.HOUSE, why="seconds", most=LONGEST)


SETTINGS: dict[str, House] = {
    "rule text": House(),
    "other rules": House(
        clear_display=True,
        raid_return="before_draw",
        renown_cap="none",
        compare="printed",
        gift_of_horses="anyone",
        penalty_first=False,
        alliance_tiebreak="best_member",
        neutral_hand="controller",
        winter_hunt=False,
    ),
}
