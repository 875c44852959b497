"""The decks that can be taught: those of the games, and how much of each is taught."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from msgspec import Struct

from firmware.storage.decks import all_counts
from firmware.storage.places import decks_directory, drafts_directory
from hardware.decks.catalogue import PRINTED
from referee.games.catalogue import GAMES
from vision.teaching.taught_decks import DeckFile, read_deck_file
from vision.troubles import TroubleError


class TeachableDeck(Struct, frozen=True):
    """A deck that can be taught."""

    name: str
    game: str
    edition: str
    """Empty if the game has no editions."""
    faces: int
    taught: int
    """Faces that are taught and saved."""
    drafted: int
    """Faces that are taught but not saved."""
    has_draft: bool = False


class LessonFace(Struct, frozen=True):
    """A face of the deck being taught."""

    name: str
    count: int
    state: Literal["missing", "drafted", "taught"]
    shot: str = ""
    """The name of the picture that the camera took of it; empty if there is none."""


def known_decks() -> dict[str, tuple[str, str]]:
    """List the decks of the games: of which game, and of which edition if there are some."""
    return {
        game.table.deck(house).name: (game.name, getattr(house, "edition", "") if game.words.editions else "")
        for game in GAMES.values()
        for house in game.rules.settings.values()
    }


def face_counts(name: str) -> dict[str, int]:
    """Count the faces of a deck."""
    return all_counts(PRINTED[name])


def taught_folder(name: str) -> Path:
    """Name the folder of a deck that counts."""
    return decks_directory(os.environ) / name


def draft_folder(name: str) -> Path:
    """Name the folder of what is taught and doesn't count yet."""
    return drafts_directory(os.environ) / name


def _read_description(home: Path) -> DeckFile | None:
    """Read what a deck says of itself, if there is one that can be read."""
    try:
        return read_deck_file(home)
    except TroubleError:
        return None


def faces_taught(home: Path) -> Mapping[str, int]:
    """List the faces of a deck that is there."""
    deck = _read_description(home)
    return {} if deck is None else deck.faces


def card_size(name: str) -> tuple[float, float] | None:
    """Tell how large the cards are, where some were taught."""
    decks = (_read_description(draft_folder(name)), _read_description(taught_folder(name)))
    return next((deck.card for deck in decks if deck is not None), None)


def lesson_faces(name: str, counts: Mapping[str, int], shots: Mapping[str, str]) -> tuple[LessonFace, ...]:
    """List the faces of a deck, and which are taught."""
    drafted, taught = faces_taught(draft_folder(name)), faces_taught(taught_folder(name))

    def state(face: str) -> Literal["missing", "drafted", "taught"]:
        return "drafted" if face in drafted else "taught" if face in taught else "missing"

    return tuple(LessonFace(face, many, state(face), shots.get(face, "")) for face, many in counts.items())


def deck_summary(name: str, game: str, edition: str) -> TeachableDeck:
    """Sum up a deck: how many of its faces are taught, and how many more are drafted."""
    states = [face.state for face in lesson_faces(name, face_counts(name), {})]
    taught, drafted = states.count("taught"), states.count("drafted")
    return TeachableDeck(name, game, edition, len(states), taught, drafted, draft_folder(name).is_dir())
