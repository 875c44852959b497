"""Taught decks: folders with pictures of each face, which can be copied, shared and repaired.

A deck's folder contains `deck.json` (name, card size in millimetres, counts). It has a folder for each face
with rectified pictures as PNG, and the files of `kept_cuts`. Updating a face or a deck writes a new folder and
swaps it with the old one. After a power cut, one of the two is complete.
"""

import os
import shutil
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Annotated

import cv2
import msgspec
import numpy as np
from msgspec import Meta, Struct
from msgspec.structs import replace

from vision.card_cuts import CutCard, GroundKind
from vision.files import make_folder, sync, write_whole
from vision.pictures import MOST, Picture, is_png, shrink_picture, stated_pixels, unpack_picture
from vision.table.plane import UNIT_SQUARE, Reals, homography, map_points
from vision.table.plates import Millimetres
from vision.teaching import lone_card
from vision.teaching.deck_cut import CardCut, LaidPicture, cut_by, cut_on_ground, cut_whole, look_along_sides
from vision.teaching.kept_cuts import keep_ground, read_cuts, read_wide, turned_round, write_wides
from vision.teaching.likeness import find_askew
from vision.teaching.odd_cuts import Why, odd_cuts
from vision.teaching.own_surroundings import cut_alone, cut_otherwise, look_of, shaped_like_card
from vision.teaching.picture_folders import (
    OF_PHONES,
    DeckTroubleError,
    face_of,
    files_in,
    read_file,
    stated_counts,
)
from vision.teaching.progress import ReportProgress, ignore_progress, report_each
from vision.troubles import Problem, TroubleError

DECK = "deck.json"
CARD = (63.0, 88.0)
"""A playing card in millimetres; a deck of another shape is assumed to be as long."""
SIZES = (CARD, (56.0, 87.0), (59.0, 91.0), (44.0, 68.0), (70.0, 120.0))
MOST_FACES, MOST_PICTURES = 400, 24
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


class Shot(Struct, frozen=True, eq=False):
    """Result of one picture of a folder."""

    file: str
    face: str
    card: CutCard | None = None
    corners: Reals | None = None  # positions of the card's corners in the photograph
    problem: Problem | None = None


class Cut(Struct, frozen=True):
    """The surroundings cut away around the cards."""

    kind: GroundKind
    millimetres: float = 0.0  # usual width of the ground on each side


class FolderLesson(Struct, frozen=True, eq=False):
    """Result of learning a folder: a deck of all readable faces, and each picture's result."""

    taught: TaughtDeck
    shots: tuple[Shot, ...]
    unshown: tuple[str, ...] = ()  # faces with a count but no picture
    cut: Cut | None = None  # the cards' surroundings, if each picture shows a card

    @property
    def unsure_edges(self) -> Mapping[str, Why]:
        """Pictures whose card edges a person should check, the oddest first."""
        wides = ((shot.file, shot.card.wide) for shot in self.shots if shot.card is not None)
        return odd_cuts({file: wide.cut for file, wide in wides if wide is not None})

    @property
    def missed_faces(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(shot.face for shot in self.shots if shot.face not in self.taught.faces))


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
        (face, number): cut
        for face in faces
        for number, cut in read_cuts(last_whole(folder / face)).items()
        if cut.before is None  # else the table has corrected it
    }
    odd = odd_cuts(cuts)
    return frozenset(face for face, _number in odd) - {
        face for face, number in cuts if (face, number) not in odd
    }


def load_kept_deck(folder: Path) -> TaughtDeck:
    deck = read_deck_file(folder)
    return TaughtDeck(deck.name, deck.card, deck.faces, {face: load_face(folder, face) for face in deck.faces})


def load_face(folder: Path, face: str) -> tuple[CutCard, ...]:
    folder = last_whole(folder)
    return tuple(CutCard(_kept_picture(folder, file), read_wide(file)) for file in pictures_in(folder, face))


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
    home = last_whole(last_whole(folder) / face)
    files = sorted(file for file in home.glob("*.png") if not file.name.startswith("."))
    if not files:
        raise DeckTroubleError("no picture of face", file=str(folder / face), face=face)
    if len(files) > MOST_PICTURES:
        raise DeckTroubleError("too many pictures", file=str(home), most=MOST_PICTURES)
    return files


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
    picture = _unpack(file, content if is_png(content) else b"", LARGEST_KEPT**2)
    if max(picture.shape[:2]) > LARGEST_KEPT or min(picture.shape[:2]) < 20:
        raise DeckTroubleError("odd picture", file=str(file))
    return picture


def _unpack(file: Path, content: bytes, most_pixels: int) -> Picture:
    pixels = stated_pixels(content) or 0
    if pixels > most_pixels:
        raise DeckTroubleError("too large", file=str(file))
    # decode a large phone picture at half size: enough for a card, in a quarter of the time
    picture = unpack_picture(content, how=cv2.IMREAD_REDUCED_COLOR_2 if pixels > _PLENTY else cv2.IMREAD_COLOR)
    if picture is None:
        raise DeckTroubleError("no picture", file=str(file))
    return picture


_PLENTY = 8_000_000


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


# teaching from pictures


def teach_from(
    folder: Path,
    name: str = "",
    card: Millimetres | None = None,
    known: Mapping[str, int] | None = None,
    margin: float | None = None,
    report: ReportProgress = ignore_progress,
) -> FolderLesson:
    """Learn a deck from a folder of pictures of one card each.

    `known` provides counts for faces without one. `margin` is the width in millimetres of the surroundings of
    each card; without it, the surroundings are detected.
    """
    files = files_in(folder)
    stated = stated_counts(folder)
    counts = {**(known or {}), **stated}
    with ThreadPoolExecutor(2) as both:
        seen = dict(zip(files, report_each(both.map(_look_for_card, files), len(files), report), strict=True))
    laid = {file: each for file, each in seen.items() if not isinstance(each, Problem)}
    kind, found = _find_cards(laid, card, margin, report)
    shape = card[0] / card[1] if card else _agreed_shape([each.shape for each in found.values()])
    cut_out = _cut_out(found, shape)
    wrong = {
        file: each if isinstance(each, Problem) else Problem("no card", {"file": str(file)})
        for file, each in seen.items()
    }
    shots = tuple(
        Shot(file.name, face_of(file.name), *cut_out[file])
        if file in cut_out
        else Shot(file.name, face_of(file.name), problem=problem)
        for file, problem in wrong.items()
    )
    faces = _cards_by_face(shots)
    named = {face: counts.get(face, 1) for face in faces}
    taught = TaughtDeck(name or folder.resolve().name, card or card_size_for(shape), named, faces)
    unshown = tuple(face for face in stated if face not in {shot.face for shot in shots})
    rims = [each.rim for each in found.values() if each.kind == kind]
    cut = Cut(kind, round(float(np.median(rims)) * taught.card[0], 1) if kind == "ground" and rims else 0.0)
    return FolderLesson(taught, shots, unshown, cut)


Finder = Callable[[Mapping[Path, Picture]], Mapping[Path, Reals]]
"""Returns the correct corners of badly cut pictures, as shares of each picture."""


def _cut_out(found: Mapping[Path, CardCut], shape: float) -> Mapping[Path, tuple[CutCard, Reals]]:
    """Cut the cards out, and rotate all pictures of a face the same way up.

    If some edges weren't visible, cards cut unlike the others are cut again.
    """
    places = {file: _standing(place, shape) for file, place in found.items()}

    def cut(file: Path) -> CutCard:
        photograph, place = read_photograph(file), places[file]
        # each card on a table was found by its own edges
        is_sure = place.sure or place.kind == "table"
        kept = keep_ground(photograph, place.corners, place.kind, place.rim, is_sure=is_sure)
        return CutCard(lone_card.rectify_card(photograph, place.corners, shape), kept)

    with ThreadPoolExecutor(2) as both:
        cards = dict(zip(places, both.map(cut, places), strict=True))
    # badly cut pictures are corrected twice: the first step falls short of a distant position
    finders: tuple[Finder, ...] = (_find_slivers, find_askew, find_askew)
    for find in () if all(place.sure for place in found.values()) else finders:
        for file, where in find({file: card.picture for file, card in cards.items()}).items():
            corners = map_points(homography(UNIT_SQUARE, places[file].corners), where)
            # cutting off ground on one side doesn't make the other sides more certain
            sure = places[file].sure or find is not _find_slivers
            places[file] = replace(places[file], corners=corners, sure=sure)
            cards[file] = cut(file)
    firsts = {face_of(file.name): card for file, card in reversed(cards.items())}
    return {
        file: (_turn_like(card, firsts[face_of(file.name)]), places[file].corners)
        for file, card in cards.items()
    }


def _find_slivers(pictures: Mapping[Path, Picture]) -> Mapping[Path, Reals]:
    """Return the card's corners in pictures with slivers of ground, as shares of each picture."""
    laid = [look_along_sides(picture) for picture in pictures.values()]
    cuts = zip(pictures, laid, cut_whole(laid), strict=True)
    corners = ((file, (cut.corners + 0.5) / each.shape[1::-1]) for file, each, cut in cuts)
    return {file: where for file, where in corners if np.abs(where - UNIT_SQUARE).max() > 1e-9}


def _look_for_card(file: Path) -> LaidPicture | Problem:
    if not is_safe_name(face_of(file.name)):
        return Problem("bad face name", {"file": str(file), "face": face_of(file.name)})
    try:
        picture = read_photograph(file)
    except DeckTroubleError as error:
        return error.problem
    if min(picture.shape[:2]) < 50:
        return Problem("too small", {"file": str(file)})
    return look_along_sides(picture)


def read_photograph(file: Path) -> Picture:
    content = read_file(file)
    if file.suffix.lower() not in OF_PHONES:
        return shrink_picture(_unpack(file, content, MOST), lone_card.FINE)
    # reading a taught deck must work without the decoder's dependencies
    from vision.photographs import decode_photograph  # noqa: PLC0415

    try:
        return decode_photograph(BytesIO(content), lone_card.FINE)
    except TroubleError as error:
        raise DeckTroubleError("no picture", file=str(file)) from error


_SMALLEST = 0.005
"""Smallest share of a picture that a card takes, even below a table's camera; pips take less."""
Look = Callable[[Path], Sequence[lone_card.CardOutline]]


def _find_cards(
    laid: Mapping[Path, LaidPicture], card: Millimetres | None, margin: float | None, report: ReportProgress
) -> tuple[GroundKind, Mapping[Path, CardCut]]:
    """Find the card in each picture: all fill most of their pictures, or all are on a table."""
    seen, shape = list(laid.values()), card[0] / card[1] if card else None
    if margin is not None:
        kind: GroundKind = "ground" if margin else "nothing"
        cuts = [replace(cut_by(each, margin / (card or CARD)[0]), kind=kind) for each in seen]
        return kind, dict(zip(laid, cuts, strict=True))
    on_ground = cut_on_ground(seen, shape, [wide / high for wide, high in SIZES])

    @cache
    def look(file: Path) -> Sequence[lone_card.CardOutline]:
        found = lone_card.find_card_outlines(read_photograph(file))
        return [each for each in found if each.score > lone_card.SURE and each.share > _SMALLEST]

    kind = "nothing" if on_ground is None else "ground"
    if on_ground is None and not _are_cards_alone(laid, look):
        return "table", _on_tables(laid, shape, look, report)
    alike = dict(zip(laid, cut_whole(seen) if on_ground is None else on_ground, strict=True))
    return kind, _with_others(laid, {file: replace(cut, kind=kind) for file, cut in alike.items()}, kind, look)


def _with_others(
    laid: Mapping[Path, LaidPicture], alike: Mapping[Path, CardCut], kind: GroundKind, look: Look
) -> Mapping[Path, CardCut]:
    """Cut pictures with other surroundings than most by their own; without a visible edge, it is doubtful."""
    shape = _agreed_shape([each.shape for each in alike.values()])
    deck = look_of(laid, alike if kind == "ground" else shaped_like_card(laid, shape), shape)
    others = {} if deck is None else cut_otherwise(laid, alike, kind, deck)
    lying = [file for file, cut in others.items() if cut is None]
    found = _on_table(lying, shape, look)
    doubtful = {file: replace(alike[file], sure=False) for file in lying}
    return {**alike, **doubtful, **{file: cut for file, cut in others.items() if cut is not None}, **found}


def _agreed_shape(shapes: Sequence[float]) -> float:
    standing = [shape for shape in shapes if shape <= 1]
    chosen = standing if len(standing) * 2 >= len(shapes) else [shape for shape in shapes if shape > 1]
    if not chosen:
        return CARD[0] / CARD[1]
    shape = float(np.median(chosen))
    return usual_shape(shape, 0.02) if shape <= 1 else 1 / usual_shape(shape, 0.02)


def usual_shape(shape: float, near: float) -> float:
    """Return a shape upright, replaced by a common one within `near`; perspective distorts slightly."""
    slim = lone_card.upright(shape)
    usual = min((wide / high for wide, high in SIZES), key=lambda each: abs(each - slim))
    return usual if abs(usual - slim) < near * usual else slim


def card_size_for(shape: float) -> Millimetres:
    """Return a card's size in millimetres: a common size of that shape, else as long as a playing card."""
    for wide, high in SIZES:
        if abs(wide / high - shape) < 1e-6:
            return wide, high
    return (round(CARD[1] * shape, 1), CARD[1]) if shape <= 1 else (CARD[1], round(CARD[1] / shape, 1))


def _are_cards_alone(laid: Mapping[Path, LaidPicture], look: Look) -> bool:
    """Return whether each picture shows only a card, so that outlines in it are printed."""
    shapes = np.log([each.shape[1] / each.shape[0] for each in laid.values()])
    if not len(shapes) or np.quantile(np.abs(shapes - np.median(shapes)), _MOST) > _CUT_OFF:
        return False
    seen = list(map(look, list(laid)[:: max(1, len(laid) // _SAMPLES)]))
    if any(abs(lone_card.upright(float(np.exp(np.median(shapes)))) / camera - 1) < 0.01 for camera in _CAMERAS):
        return not any(seen)
    return lone_card.count_tables(seen) * 2 <= len(seen)


_MOST, _CUT_OFF = 0.9, 0.08
"""Share of pictures with the same shape, and their largest log difference: hands crop them."""
_CAMERAS = (3 / 4, 9 / 16)
"""Shapes of cameras' pictures that aren't also common card shapes, like 2:3."""
_SAMPLES = 8  # pictures searched for a card on a table before all pictures are searched


def _on_tables(
    laid: Mapping[Path, LaidPicture], shape: float | None, look: Look, report: ReportProgress
) -> Mapping[Path, CardCut]:
    """Find the cards on a table, and those that fill their pictures or have a rim of ground."""
    with ThreadPoolExecutor(2) as both:
        seen = dict(zip(laid, report_each(both.map(look, laid), len(laid), report), strict=True))
    agreed = shape or _agreed_shape([some[0].shape for some in seen.values() if some])
    best = {file: lone_card.choose_outline(some, agreed) for file, some in seen.items()}
    clear = {file: CardCut(each.corners, agreed) for file, each in best.items() if each and each.share > _CLEAR}
    deck = look_of(laid, {**clear, **shaped_like_card(laid, agreed)}, agreed)
    alone = {} if deck is None else cut_alone(laid, deck)
    return {**_on_table([file for file in laid if file not in alone], agreed, look), **alone}


_CLEAR = 0.1  # smallest share of a picture that a card takes whose paper is measured


def _on_table(files: Sequence[Path], agreed: float, look: Look) -> Mapping[Path, CardCut]:
    """Find the cards on a table by their outlines and the deck's shape."""
    with ThreadPoolExecutor(2) as both:
        seen = list(both.map(look, files))
    chosen = [lone_card.choose_outline(some, agreed) for some in seen]
    usual = float(np.median([each.share for each in chosen if each is not None] or [1.0]))
    found: dict[Path, CardCut] = {}
    for file, card in zip(files, chosen, strict=True):
        if card is None or not lone_card.is_as_large(card.share, usual):
            card = lone_card.find_as_large(read_photograph(file), agreed, usual) or card  # noqa: PLW2901 - the better one
        if card is not None:
            found[file] = CardCut(card.corners, card.shape, sure=False, kind="table")
    return found


def _standing(place: CardCut, shape: float) -> CardCut:
    # the way up of a card across in a deck of upright cards is unknown
    stands = (lone_card.aspect(place.corners) <= 1) == (shape <= 1) or NEARLY_SQUARE < shape < 1 / NEARLY_SQUARE
    return place if stands else replace(place, corners=np.roll(place.corners, 1, axis=0))


NEARLY_SQUARE = 0.87  # such cards, or squarer ones, may be photographed either way


def _cards_by_face(shots: Iterable[Shot]) -> dict[str, tuple[CutCard, ...]]:
    faces: dict[str, tuple[CutCard, ...]] = {}
    for shot in shots:
        if shot.card is not None:
            faces[shot.face] = (*faces.get(shot.face, ()), shot.card)[:MOST_PICTURES]
    return faces


def _turn_like(card: CutCard, first: CutCard) -> CutCard:
    """Rotate a card by half a turn if that makes it more similar to the first one of its face."""
    turned = np.ascontiguousarray(card.picture[::-1, ::-1])
    is_turned = _difference(card.picture, first.picture) > _difference(turned, first.picture)
    return turned_round(card) if is_turned else card


def _difference(one: Picture, other: Picture) -> float:
    small, same = (
        cv2.resize(each, (21, 30), interpolation=cv2.INTER_AREA).astype(np.float32) for each in (one, other)
    )
    return float(np.abs(small - same).mean())
