"""Taught decks: folders with pictures of each face, which can be copied, shared and repaired.

A deck's folder contains `deck.json` (name, card size in millimetres, counts). It has a folder for each face
with rectified pictures as PNG, and the files of `kept_cuts`. Updating a face or a deck writes a new folder and
swaps it with the old one. After a power cut, one of the two is complete.
"""

import os
import shutil
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import cv2
import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from vision.files import make_folder, sync, write_whole
from vision.pictures import Picture, is_png
from vision.table.plates import Millimetres
from vision.teaching.kept_cuts import CutCard, read_cuts, read_wide, write_wides
from vision.teaching.lone_card import upright
from vision.teaching.odd_cuts import odd_cuts
from vision.teaching.picture_folders import DeckTroubleError, read_file, unpack_file

DECK = "deck.json"
CARD = (63.0, 88.0)
"""A playing card in millimetres; a deck of another shape is assumed to be as long."""
SIZES = (CARD, (56.0, 87.0), (59.0, 91.0), (44.0, 68.0), (70.0, 120.0))
MOST_FACES = 400
MOST_PICTURES = 4
"""Most pictures of a face that are kept and read; each costs time in every reading.

Photographed playing cards were taught with up to nine pictures of a face, and others read (2026-11-30). With
two, four and all pictures, 102, 103 and 103 of 104 cards had their name for certain, and 3, 0 and 3 of 18
untaught cards another. Learning three decks card by card asked and named as many with four as with 24.
"""
LARGEST_KEPT = 1200  # largest side of a taught picture in pixels; this program writes 352


class TaughtDeck(Struct, frozen=True, eq=False):
    """A taught deck: its faces' pictures, upright and rectified."""

    name: str
    card: Millimetres
    counts: Mapping[str, int]
    cards: Mapping[str, tuple[CutCard, ...]]
    """Pictures of each face with their stored ground, which reading doesn't need."""
    doubtful: frozenset[str] = frozenset()
    """Faces that may be badly cut in all their pictures."""

    @property
    def faces(self) -> Mapping[str, tuple[Picture, ...]]:
        return {face: tuple(each.picture for each in some) for face, some in self.cards.items()}


def bare_deck(
    name: str, card: Millimetres, counts: Mapping[str, int], faces: Mapping[str, Iterable[Picture]]
) -> TaughtDeck:
    """Return a deck of pictures without stored ground."""
    return TaughtDeck(name, card, counts, {face: tuple(map(CutCard, some)) for face, some in faces.items()})


# names


def is_safe_name(name: str) -> bool:
    return (
        0 < len(name) <= 60
        and name.isprintable()
        and name == name.strip()
        and not name.startswith(".")
        and not set(name) & set('/\\:*"<>|')
    )


# deck folders


class DeckFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of `deck.json`."""

    name: Annotated[str, Meta(min_length=1, max_length=200)]
    card: tuple[Annotated[float, Meta(gt=5, lt=500)], Annotated[float, Meta(gt=5, lt=500)]]
    faces: Annotated[dict[str, Annotated[int, Meta(ge=0, le=999)]], Meta(min_length=1, max_length=MOST_FACES)]


def load_deck(folder: Path) -> TaughtDeck:
    folder = last_whole(folder)
    deck = read_deck_file(folder)
    faces = {face: [_kept_picture(folder, file) for file in pictures_in(folder, face)] for face in deck.faces}
    return replace(bare_deck(deck.name, deck.card, deck.faces, faces), doubtful=_doubtful_faces(folder, faces))


def _doubtful_faces(folder: Path, faces: Iterable[str]) -> frozenset[str]:
    cuts = {
        (face, number): cut for face in faces for number, cut in read_cuts(last_whole(folder / face)).items()
    }
    odd = odd_cuts(cuts)
    return frozenset(face for face, _number in odd) - {
        face for face, number in cuts if (face, number) not in odd
    }


def load_kept_deck(folder: Path) -> TaughtDeck:
    """Return the same with the stored ground."""
    folder = last_whole(folder)
    deck = read_deck_file(folder)
    files = {face: pictures_in(folder, face) for face in deck.faces}
    cards = {
        face: tuple(CutCard(_kept_picture(folder, file), read_wide(file)) for file in some)
        for face, some in files.items()
    }
    return TaughtDeck(deck.name, deck.card, deck.faces, cards)


def is_deck(folder: Path) -> bool:
    return (last_whole(folder) / DECK).exists()


def decks_in(folder: Path) -> tuple[str, ...]:
    """Return the names of the deck folders in a folder, sorted."""
    named = (each.name for each in folder.glob("*") if each.is_dir())
    swapped = {name.removeprefix(".").removesuffix(OLD) if name.startswith(".") else name for name in named}
    return tuple(sorted(name for name in swapped if last_whole(folder / name).is_dir()))


def read_deck_file(folder: Path) -> DeckFile:
    file = last_whole(folder) / DECK
    content = read_file(file, 1_000_000, "no deck")
    try:
        deck = msgspec.json.decode(content, type=DeckFile)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DeckTroubleError("bad deck file", file=str(file), why=str(error)) from error
    for face in deck.faces:
        if not is_safe_name(face):
            raise DeckTroubleError("bad face name", file=str(file), face=face)
    return deck


def pictures_in(folder: Path, face: str) -> list[Path]:
    """Return the files of a face's pictures; a deck of an earlier version may have more than are read."""
    home = last_whole(last_whole(folder) / face)
    files = sorted(file for file in home.glob("*.png") if not file.name.startswith("."))
    if not files:
        raise DeckTroubleError("no picture of face", file=str(folder / face), face=face)
    return files[:MOST_PICTURES]


NEW, OLD = ".new", ".old"


def _beside(home: Path, ending: str) -> Path:
    return home.with_name(f".{home.name}{ending}")


def last_whole(home: Path) -> Path:
    """Return a deck's or face's folder; after a power cut during a swap, only the old one may be left."""
    is_there = os.path.isdir(home) or not home.name  # noqa: PTH112 - False without permission
    return home if is_there or not os.path.isdir(old := _beside(home, OLD)) else old  # noqa: PTH112


_KEPT_BYTES = 8_000_000


def _kept_picture(folder: Path, file: Path) -> Picture:
    if not file.resolve().is_relative_to(folder.resolve()):
        raise DeckTroubleError("outside", file=str(file))
    content = read_file(file, _KEPT_BYTES)
    picture = unpack_file(file, content if is_png(content) else b"", LARGEST_KEPT**2)
    if max(picture.shape[:2]) > LARGEST_KEPT or min(picture.shape[:2]) < 20:
        raise DeckTroubleError("odd picture", file=str(file))
    return picture


def save_deck(taught: TaughtDeck, folder: Path) -> None:
    """Save a deck, or some faces of an existing one, atomically."""
    before = read_deck_file(folder).faces if is_deck(folder) else {}
    deck = DeckFile(taught.name, taught.card, {**before, **taught.counts})
    if before and len(taught.cards) > 1:
        for face in before:
            _settle(folder / face)
        with _swapped(folder) as new:
            _copy_rest(folder, new, taught.cards)
            _write_faces(taught, new, deck)
    else:
        # swap a single face on its own; a new deck is complete once its last file exists
        _settle(folder)
        _write_faces(taught, folder, deck)


def update_deck(taught: TaughtDeck, changed: Iterable[str], folder: Path) -> None:
    """Save some faces of a deck that grows, and delete those that it no longer has.

    Each face is swapped on its own; the list names whole faces only, also after a power cut.
    """
    _settle(folder)
    make_folder(folder)
    before = read_deck_file(folder).faces if is_deck(folder) else {}
    deck = DeckFile(taught.name, taught.card, dict(taught.counts))
    _write_list(replace(deck, faces={face: deck.faces[face] for face in before if face in deck.faces}), folder)
    for face in changed:
        save_face(folder, face, taught.cards[face])
    _write_list(deck, folder)
    for face in before.keys() - deck.faces.keys():
        forget_deck(folder / face)


def _write_list(deck: DeckFile, folder: Path) -> None:
    if deck.faces:
        write_whole(folder / DECK, msgspec.json.format(msgspec.json.encode(deck), indent=1) + b"\n")
    else:
        (folder / DECK).unlink(missing_ok=True)


def _write_faces(taught: TaughtDeck, folder: Path, deck: DeckFile) -> None:
    for face, cards in taught.cards.items():
        save_face(folder, face, cards)
    _write_list(deck, folder)


def _copy_rest(folder: Path, new: Path, faces: Container[str]) -> None:
    """Copy everything that a deck's new folder doesn't replace: other faces and a person's own files."""
    rest = (each for each in folder.iterdir() if each.name != DECK and each.name not in faces)
    for each in rest:
        if not each.is_symlink() and each.is_file() and not each.name.startswith("."):
            write_whole(new / each.name, each.read_bytes())
        elif not each.is_symlink() and each.is_dir() and not each.name.endswith((NEW, OLD)):
            make_folder(new / each.name)
            _copy_rest(each, new / each.name, ())


@contextmanager
def _swapped(home: Path) -> Iterator[Path]:
    """Yield a new folder to fill; it then replaces the old one."""
    _settle(home)
    new, old = _beside(home, NEW), _beside(home, OLD)
    make_folder(home.parent)
    new.mkdir()
    try:
        yield new
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise
    if home.exists():
        home.rename(old)
    new.rename(home)
    sync(home.parent)
    shutil.rmtree(old, ignore_errors=True)


def _settle(home: Path) -> None:
    """Complete an interrupted swap; restore the old folder if the new one isn't there."""
    new, old = _beside(home, NEW), _beside(home, OLD)
    if old.is_dir() and not home.is_dir():
        old.rename(home)
    for left_over in (new, old):
        shutil.rmtree(left_over, ignore_errors=True)


def forget_deck(folder: Path) -> None:
    """Delete a deck and leftovers of a swap. An incomplete deck isn't readable."""
    _settle(folder)
    (folder / DECK).unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)


def save_face(folder: Path, face: str, cards: Sequence[CutCard]) -> None:
    """Save the pictures of one face: write a new folder, then swap it with the old."""
    if not is_safe_name(face):
        raise DeckTroubleError("bad face name", file=str(folder), face=face)
    with _swapped(folder / face) as new:
        for number, card in enumerate(cards, 1):
            write_whole(new / f"{number}.png", cv2.imencode(".png", card.picture)[1].tobytes())
        write_wides(new, cards)


# sizes


def usual_shape(shape: float, near: float) -> float:
    """Return a shape upright, replaced by a common one within `near`; perspective distorts slightly."""
    slim = upright(shape)
    usual = min((wide / high for wide, high in SIZES), key=lambda each: abs(each - slim))
    return usual if abs(usual - slim) < near * usual else slim


def card_size_for(shape: float) -> Millimetres:
    """Return a card's size in millimetres: a common size of that shape, else as long as a playing card."""
    for wide, high in SIZES:
        if abs(wide / high - shape) < 1e-6:
            return wide, high
    return (round(CARD[1] * shape, 1), CARD[1]) if shape <= 1 else (CARD[1], round(CARD[1] / shape, 1))
