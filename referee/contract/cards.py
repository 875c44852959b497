"""Decks as data: a game's faces, and the number of cards with each."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import force_setattr


class Deck(Struct, frozen=True):
    """A game's cards: the count of each face, in rule-book order."""

    name: str
    counts: Mapping[str, int]
    aliases: Mapping[str, str] = {}
    """Alternative names for faces."""
    suits: Mapping[str, tuple[str, ...]] = {}
    """Faces by suit or group, for pickers; empty if the deck has few faces."""

    size: int = 0

    def __post_init__(self) -> None:
        """Compute the size once; rules read it often."""
        force_setattr(self, "size", sum(self.counts.values()))


def without(counts: Mapping[str, int], cards: Iterable[str]) -> dict[str, int]:
    """Return the counts after removing cards; faces that are used up remain with a count of 0."""
    left = dict(counts)
    for card in cards:
        left[card] -= 1
    return left


def expand_counts(counts: Mapping[str, int]) -> list[str]:
    return [face for face, count in counts.items() for _ in range(count)]


def first_surplus_card(counts: Mapping[str, int], cards: Sequence[str]) -> str | None:
    """Return the first card that exceeds its count, or None."""
    for place, card in enumerate(cards):
        count = counts.get(card, 0)
        if place >= count and cards[:place].count(card) >= count:
            return card
    return None


def face_named(deck: Deck, text: str) -> str:
    """Return the face with this name, ignoring case and minus-sign variants; unknown names as they are."""
    plain = text.strip().lower().replace("\N{MINUS SIGN}", "-").replace("\N{MULTIPLICATION SIGN}", "x")
    by_lower = {face.lower(): face for face in deck.counts}
    return deck.aliases.get(plain) or by_lower.get(plain, plain)


class Zone(Struct, frozen=True, omit_defaults=True):
    """A place for cards: a named area in view of the camera, or one outside it.

    A player's own place has a seat.
    """

    name: str
    seat: int | None = None


class ZoneKind(Struct, frozen=True, kw_only=True):
    """Properties of a zone: who sees its cards, who may take them, and whether they stay on the table."""

    seen_by: Literal["none", "owner", "others", "players", "all"] = "none"
    """Who sees the faces: the owner, the other players, all players, or everyone."""
    taken_by: Literal["none", "owner", "asked", "top"] = "none"
    """Who may place the cards: the owner at any time, or the seat that is asked for them.

    With "top", the seat asked takes the top cards, as from a pile.
    """
    stays: bool = False
    """Whether cards remain until the game moves them; otherwise players remove them once read."""
    is_won: bool = False
    """Whether the cards were won by the owner; they are counted at the owner's place."""


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
"""Zones common to most games, by name. Other zones are hidden and unreachable unless the game defines them."""


CENTRE = Zone("centre")
PROOF = Zone("proof")
DISCARD = Zone("discard")
PILE = Zone("pile")


def before_seat(seat: int) -> Zone:
    return Zone("seat", seat)


def hand_of(seat: int) -> Zone:
    return Zone("hand", seat)
