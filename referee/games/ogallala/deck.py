"""Ogallala's deck, with the best known counts, and the house rules with their defaults."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import Reason, Refusal, make_refusal
from referee.contract.cards import Deck

Crew = Literal["red", "black"]

CREWS: tuple[Crew, ...] = ("red", "black")
STRENGTHS = {
    "bow": 2, "stern": 2, "warrior-1": 1, "warrior-2": 2, "warrior-3": 3, "warrior-4": 4, "warrior-5": 5,
    "healer": 6, "chief": 7, "lasso": 3, "archer": 3, "saboteur": 0,
}  # fmt: skip
PADDLERS = {
    "bow": 3, "stern": 3, "warrior-1": 4, "warrior-2": 4, "warrior-3": 4, "warrior-4": 3, "warrior-5": 3,
    "healer": 2, "chief": 2, "lasso": 2, "archer": 2, "saboteur": 1,
}  # fmt: skip
RED, BLACK = ({f"{crew}-{picture}": count for picture, count in PADDLERS.items()} for crew in CREWS)
PRIZES = ("companion", "dynamite", "eagle", "fur", "tobacco", "tent", "keg")
SETS = {
    "cannon": "soldier", "bear": "bear-hunter", "bison": "bison-hunter", "wood": "lumberjack",
    "gold": "gold-digger", "horse": "cowboy",
}  # fmt: skip
"""Two-part prizes (left and right halves), each with the character that belongs to it."""
HALVES = tuple((f"{prize}-left", f"{prize}-right") for prize in SETS)
TRIPLES = tuple((*halves, character) for halves, character in zip(HALVES, SETS.values(), strict=True))
"""The cards of each set: both halves, and their character."""
GUARDIAN = "guardian"

COUNTS = {
    "empty-bow": 6,
    "empty-stern": 6,
    **RED,
    **BLACK,
    **dict.fromkeys(PRIZES, 2),
    **{half: 1 for halves in HALVES for half in halves},
    **dict.fromkeys(SETS.values(), 1),
    GUARDIAN: 2,
}
"""Default count of each face, consistent with everything known about the 2002 edition."""

GROUPS = {
    "ends": ("empty-bow", "empty-stern", "red-bow", "red-stern", "black-bow", "black-stern"),
    "red": tuple(RED)[2:],
    "black": tuple(BLACK)[2:],
    "cargo": (*PRIZES, GUARDIAN),
    "halves": tuple(face for triple in TRIPLES for face in triple),
}

OGALLALA = Deck("ogallala", COUNTS, suits=GROUPS)

BOWS = frozenset({"empty-bow", "red-bow", "black-bow"})
STERNS = frozenset({"empty-stern", "red-stern", "black-stern"})
CREW: dict[str, Crew] = {**dict.fromkeys(RED, "red"), **dict.fromkeys(BLACK, "black")}
PICTURE = {face: face.split("-", 1)[1] if face in CREW else face for face in COUNTS}
"""The picture of each card: cards with equal pictures count as the same, whatever the colour of the number."""
STRENGTH = {face: STRENGTHS.get(PICTURE[face], 0) for face in COUNTS}
SET_OF: dict[str, frozenset[str]] = {face: frozenset(triple) for triple in TRIPLES for face in triple}
"""The three cards of the set that each card belongs to."""
BOOTY = frozenset({*PRIZES, *SET_OF})  # cards that score points and can be captured


class House(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """House rules of Ogallala."""

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
    """Count of each face in deck order; empty for the default counts."""

    @property
    def deck(self) -> Deck:
        return _box_deck(self.box) if self.box else OGALLALA


@lru_cache(maxsize=8)
def _box_deck(box: tuple[int, ...]) -> Deck:
    return Deck(OGALLALA.name, dict(zip(COUNTS, box, strict=True)), suits=OGALLALA.suits)


def with_box(house: House, counts: Mapping[str, int]) -> House:
    """Return house rules with the counts of the user's deck, unless `box` is set already."""
    if house.box:
        return house
    box = tuple(counts.get(face, usual) for face, usual in COUNTS.items())
    return replace(house, box=() if box == tuple(COUNTS.values()) else box)


def seats_of(_house: House) -> range:
    return range(2, 6)


def house_refusal(house: House) -> Refusal | None:
    """Return a refusal for an impossible box: it needs a count for every face, and at least one card."""
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
