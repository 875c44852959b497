"""Decks as data: the faces of a game's cards and how many of each there are."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import force_setattr


class Deck(Struct, frozen=True):
    """The cards of a game: how many there are of each face, in the order of the rule book."""

    name: str
    counts: Mapping[str, int]
    aliases: Mapping[str, str] = {}
    """Other names that people give to faces."""
    suits: Mapping[str, tuple[str, ...]] = {}
    """The faces in the groups in which people look for one, by the group's name; none where they are few."""

    size: int = 0

    def __post_init__(self) -> None:
        """Count the cards once, because the rules ask for it all the time."""
        force_setattr(self, "size", sum(self.counts.values()))


def without(counts: Mapping[str, int], cards: Iterable[str]) -> dict[str, int]:
    """Take cards away from counted faces; a face that is used up stays, with a count of 0."""
    left = dict(counts)
    for card in cards:
        left[card] -= 1
    return left


def expand_counts(counts: Mapping[str, int]) -> list[str]:
    return [face for face, count in counts.items() for _ in range(count)]


def first_surplus_card(counts: Mapping[str, int], cards: Sequence[str]) -> str | None:
    """Name the first card of which there are too many, or None when all fit."""
    for place, card in enumerate(cards):
        count = counts.get(card, 0)
        if place >= count and cards[:place].count(card) >= count:
            return card
    return None


def face_named(deck: Deck, text: str) -> str:
    """Find a face by its name, in any case and with any minus sign; an unknown text stays as it is."""
    plain = text.strip().lower().replace("\N{MINUS SIGN}", "-").replace("\N{MULTIPLICATION SIGN}", "x")
    by_lower = {face.lower(): face for face in deck.counts}
    return deck.aliases.get(plain) or by_lower.get(plain, plain)


class Zone(Struct, frozen=True, omit_defaults=True):
    """A place for cards: on the table, where the camera knows it by name, or out of its sight.

    The place of one player carries the seat.
    """

    name: str
    seat: int | None = None


class ZoneKind(Struct, frozen=True, kw_only=True):
    """What a place for cards is: who sees them, whose hands take them, and whether they stay on the table."""

    seen_by: Literal["none", "owner", "others", "players", "all"] = "none"
    """Who sees the faces: of a seat's place its owner or all other players; or any player, or everyone."""
    taken_by: Literal["none", "owner", "asked", "top"] = "none"
    """Whose hands may lay the cards: the owner's at any time, or those of a seat that is asked for them.

    With "top", the seat that is asked takes the top cards, as from a pile.
    """
    stays: bool = False
    """Whether cards lie there until the game moves them; else they are put away once they are read."""
    is_won: bool = False
    """Whether these are cards that the owner has won; they are counted at the owner's place."""


HAND_KIND = ZoneKind(seen_by="owner", taken_by="owner")
OPEN_KIND = ZoneKind(seen_by="all")
LYING_KIND = ZoneKind(seen_by="all", stays=True)
ZONE_KINDS: Mapping[str, ZoneKind] = {
    "hand": HAND_KIND,
    "seat": ZoneKind(seen_by="all", taken_by="owner", stays=True),
    "pile": ZoneKind(taken_by="top"),
    "centre": ZoneKind(seen_by="all", taken_by="top", stays=True),
    "proof": LYING_KIND,
    "discard": OPEN_KIND,
}
"""The places that most games have, by name. Any other is hidden and out of reach, unless its game says more."""


CENTRE = Zone("centre")
PROOF = Zone("proof")
DISCARD = Zone("discard")
PILE = Zone("pile")


def before_seat(seat: int) -> Zone:
    return Zone("seat", seat)


def hand_of(seat: int) -> Zone:
    return Zone("hand", seat)
