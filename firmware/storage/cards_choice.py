"""The choice between real cards and the simulated table, and the found table of each camera.

Both tables use one state folder: the journal, people, taught decks and settings are shared. Each match belongs
to the table that played it (`match_marks`), and a found table to the camera that sees it.
"""

from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from firmware.state_folder import CARDS, EMPTY_TABLE, FOUND_TABLE
from firmware.storage.files import Kept
from vision.files import read_json_or
from vision.teaching.taught_decks import is_safe_name

Kind = Literal["real", "simulated"]


class CardsChoice(Struct, frozen=True):
    """The table that people chose on the first page."""

    kind: Kind | None = None
    """None before the first choice: the kind of computer decides."""
    seen_by: str = ""
    """Mark of the camera to which the found table belongs; empty before the first start with a camera."""
    printed: tuple[str, ...] = ()
    """Decks of which the printed cards are on the table, although other ones were taught."""
    game: str = ""
    """Game for which people are setting up the table; empty once its cards are chosen."""
    players: tuple[str, ...] = ()
    agreed: Mapping[str, str] = {}
    """Names and house rules that were chosen for that game before the camera."""
    used: Mapping[str, str] = {}
    """Folder of the own deck used for each of the games' decks; by default the one of the same name."""
    learning: Mapping[str, str] = {}
    """Titles of the decks that are being learnt and aren't kept yet, by folder."""


CARDS_CHOICE = Kept(CARDS, CardsChoice, CardsChoice())


def read_cards_choice(file: Path) -> CardsChoice | None:
    """Read a choice from elsewhere; None if it can't be read, or if a name in it could lead to other files."""
    choice = read_json_or(file, CardsChoice, None)
    if choice is None:
        return None
    optional = (each for each in (choice.seen_by, choice.game) if each)
    names = (*optional, *choice.printed, *choice.used, *choice.used.values(), *choice.learning)
    return choice if all(map(is_safe_name, names)) else None


def choose_kind(state: Path, kind: Kind, game: str = "") -> None:
    CARDS_CHOICE.keep(state, replace(CARDS_CHOICE.read(state), kind=kind, game=game))


def choose_deck(state: Path, deck: str, folder: str | None, title: str = "") -> None:
    """Choose an own deck for a game's deck, or its printed cards; with a title, the own deck is learnt."""
    choice = CARDS_CHOICE.read(state)
    others = tuple(name for name in choice.printed if name != deck)
    used = choice.used if folder is None else {**choice.used, deck: folder}
    learning = {**choice.learning, folder: title} if folder is not None and title else choice.learning
    printed = (*others, deck) if folder is None else others
    choice = replace(choice, printed=printed, used=used, learning=learning)
    CARDS_CHOICE.keep(state, replace(choice, game="", players=(), agreed={}))


def end_learning(state: Path, folder: str) -> None:
    """Forget that a deck is unkept, because it was kept or thrown away."""
    choice = CARDS_CHOICE.read(state)
    learning = {name: title for name, title in choice.learning.items() if name != folder}
    CARDS_CHOICE.keep(state, replace(choice, learning=learning))


def part_found_tables(state: Path, camera: str) -> None:
    """Use the found table of this camera; the one of another camera waits until that is used again."""
    choice, mark = CARDS_CHOICE.read(state), _mark_of(camera)
    if choice.seen_by == mark:
        return
    # on a full disk, the table is found again
    with suppress(OSError):
        if choice.seen_by:
            for name in (FOUND_TABLE, EMPTY_TABLE):
                _move(state / name, _beside(state / name, choice.seen_by))
                _move(_beside(state / name, mark), state / name)
        CARDS_CHOICE.keep(state, replace(choice, seen_by=mark))


def _move(file: Path, to: Path) -> None:
    with suppress(FileNotFoundError):
        file.replace(to)


def _beside(file: Path, mark: str) -> Path:
    return file.with_name(f"{file.stem}-{mark}{file.suffix}")


def _mark_of(camera: str) -> str:
    """Return a mark of a camera's name, which may contain a password."""
    return sha256(camera.encode(errors="replace")).hexdigest()[:12]
