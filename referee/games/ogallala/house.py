"""The house rules of Ogallala: each ambiguity, with its default; the two crews; the counts of one's own box."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import Reason, Refusal, make_refusal
from referee.contract.cards import Deck
from referee.games.ogallala.deck import COUNTS, OGALLALA


class House(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The house rules of Ogallala."""

    discard: Literal["fourth_pile", "recycle_when_pile_empty"] = "fourth_pile"
    end_of_piles: Literal["face_down", "all_piles"] = "face_down"
    combo_order: Literal["strict", "any"] = "strict"
    insert_complete: bool = True
    push: Literal["whole_side", "into_gap"] = "whole_side"
    lasso_unplaced: Literal["another", "discard"] = "another"
    lasso_attack: bool = True
    unplaced_booty: Literal["discard", "keep_aside"] = "discard"
    saboteur_stays: bool = False
    special_discard: bool = True
    count_ever: bool = False
    gap: Literal["one_target", "two_targets"] = "one_target"
    doubles: Literal["territory", "incomplete"] = "territory"
    voluntary_stop: bool = True
    two_crews: bool = False
    box: tuple[int, ...] = ()
    """How many cards there are of each face, in the deck's order; nothing: as many as the deck says."""


def deck_of(house: House) -> Deck:
    """Give the deck, with the counts of the box that is played with."""
    return _box_deck(house.box) if house.box else OGALLALA


@lru_cache(maxsize=8)
def _box_deck(box: tuple[int, ...]) -> Deck:
    return Deck(OGALLALA.name, dict(zip(COUNTS, box, strict=True)), suits=OGALLALA.suits)


def with_box(house: House, counts: Mapping[str, int]) -> House:
    """Play with the counts of a taught deck, unless a box was agreed; untaught faces are as many as usual."""
    if house.box:
        return house
    box = tuple(counts.get(face, usual) for face, usual in COUNTS.items())
    return replace(house, box=() if box == tuple(COUNTS.values()) else box)


def seats_of(_house: House) -> range:
    """Say how many may play."""
    return range(2, 6)


def house_refusal(house: House) -> Refusal | None:
    """Say which house rule can't be: a box has a count for every face, and some cards."""
    if not house.box or (len(house.box) == len(COUNTS) and sum(house.box) > 0 and min(house.box) >= 0):
        return None
    return make_refusal(Reason.HOUSE, why="box", faces=len(COUNTS), told=len(house.box))


SETTINGS: dict[str, House] = {
    "rule text": House(),
    "other rules": House(
        discard="recycle_when_pile_empty",
        combo_order="any",
        insert_complete=False,
        push="into_gap",
        lasso_unplaced="discard",
        lasso_attack=False,
        unplaced_booty="keep_aside",
        saboteur_stays=True,
        special_discard=False,
        count_ever=True,
        gap="two_targets",
        doubles="incomplete",
        voluntary_stop=False,
    ),
    "two crews": House(end_of_piles="all_piles", two_crews=True),
}
