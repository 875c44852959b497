"""What lies where: the kinds of photographs of the cards that others drew, and how each pair is taught."""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tests.hardware.twin.levels import L0
from tests.vision.foreign.cameras import Camera, Print
from tests.vision.foreign.sheets import kept_deck, sheet_names
from tests.vision.sets.drawn_decks import DrawnDeck
from tests.vision.sets.kept import keep_photograph
from tests.vision.sets.kinds import (
    BLACK_CLOTH,
    BLUE_CLOTH,
    CLOTH,
    DARK_WOOD,
    WHITE,
    WOOD,
    Kind,
    Teaching,
    Top,
    _cards_of,
    faces_of,
    lay_apart,
    lay_half_covered,
    read_photographs,
    taught_pictures,
)

PAIRS = 2  # each deck is taught by one printing and camera and read by another, so many times
STRANGERS = 1 / 8  # the share of faces that aren't taught, and of cards that have one of them
MILD = replace(
    L0, name="mild", shake=1.0, shaken=0.3, warmth=(0.95, 1.4), glares=1, glare=(0.04, 0.12), bend=0.5
)
MATT: tuple[Top, ...] = (CLOTH, WOOD, BLACK_CLOTH, DARK_WOOD, BLUE_CLOTH)
PALE: tuple[Top, ...] = (WHITE, ("light", (214.0, 226.0, 232.0)), ("light", (240.0, 240.0, 238.0)))


PLACINGS: Mapping[str, Mapping[str, Any]] = {
    "apart": {"lay": lay_apart, "tops": MATT, "cards": (6, 9), "tilt": (0.0, 22.0), "far": (430.0, 600.0)},
    "white": {"lay": lay_apart, "tops": PALE, "cards": (6, 9), "tilt": (0.0, 22.0), "far": (430.0, 600.0)},
    "covered": {
        "lay": lay_half_covered,
        "tops": MATT,
        "cards": (5, 8),
        "tilt": (8.0, 28.0),
        "far": (380.0, 520.0),
    },
    "sleeved": {"lay": lay_apart, "tops": MATT, "cards": (6, 9), "tilt": (0.0, 22.0), "far": (430.0, 600.0)}
    | {"sleeve": 1.5},
    "room": {
        "lay": lay_apart,
        "tops": (*MATT, WHITE),
        "cards": (6, 9),
        "tilt": (25.0, 42.0),
        "far": (680.0, 880.0),
    },
}
"""How cards lie, on what, and from where they are seen."""


class Described(Struct, frozen=True):
    """What is known of a pair: the faces that were taught, and the kinds of photographs."""

    deck: str
    known: tuple[str, ...]
    kinds: tuple[str, ...]


class Judged(Struct, frozen=True):
    """What is made: a deck, a pair of printings and cameras, and a number that all follows from."""

    deck: str
    pair: int
    seed: int

    @property
    def number(self) -> int:
        return 1000 * self.seed + 20 * sheet_names().index(self.deck) + 2 * self.pair


def make_pair(judged: Judged, home: Path, photographs: int) -> None:
    if (home / "whole").exists():
        return
    (home / "taught").mkdir(parents=True, exist_ok=True)
    taught = _kind(judged, next(iter(PLACINGS)), photographs, _printed(judged, judged.number))
    described = Described(judged.deck, faces_of(taught)[0], tuple(PLACINGS))
    (home / "deck.json").write_bytes(msgspec.json.encode(described))
    camera = Camera(judged.number)
    for number, (name, picture) in enumerate(taught_pictures(taught)):
        file = (home / "taught" / name).with_suffix(".jpg")
        file.write_bytes(camera.photograph(picture, number))
    _make_read(judged, home, photographs)
    (home / "whole").touch()
    _cards_of.cache_clear()


def _make_read(judged: Judged, home: Path, photographs: int) -> None:
    printed, camera = _printed(judged, judged.number + 1), Camera(judged.number + 1)
    for k, name in enumerate(PLACINGS):
        (home / name).mkdir(exist_ok=True)
        kind = _kind(judged, name, photographs, printed)
        for i, frame in enumerate(read_photographs(kind, 1000 * (10 * judged.number + k))):
            photograph = camera.photograph(frame.picture, 1000 * k + i)
            keep_photograph(home / name / f"{i:03}.jpg", photograph, frame.truth)


def _printed(judged: Judged, number: int) -> Callable[[], DrawnDeck]:
    """Print a deck, each face when it is first shown."""
    drawn, press = kept_deck(judged.deck), Print(number)
    faces = {name: cache(lambda draw=draw: press.face(draw())) for name, draw in drawn.faces.items()}
    return lambda: DrawnDeck(drawn.size, faces)


def _kind(judged: Judged, name: str, photographs: int, deck: Callable[[], DrawnDeck]) -> Kind:
    return Kind(
        name=name,
        deck=deck,
        teaching=Teaching(judged.pair + 1, (DARK_WOOD, CLOTH)[judged.pair % 2], MILD),
        photographs=photographs,
        level=MILD,
        taught=round(len(deck().faces) * (1 - STRANGERS)),
        strangers=STRANGERS,
        **PLACINGS[name],
    )
