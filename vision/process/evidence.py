"""Evidence of rulings: annotated pictures and their readings, in a folder of bounded size.

The eyes store the camera's pictures, the table's main process those of phones. Files are named
`MATCH.MOMENT.jpg` and `.json`. If space is short, the oldest are deleted, those of the open match last. Age is
the order of match and moment, because a Pi's clock may jump.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from shutil import disk_usage
from typing import Literal

import cv2
import msgspec
import numpy as np
from msgspec import Struct

from vision.files import make_folder, sweep, write_whole
from vision.pictures import Picture, packed_jpeg, shrink_picture
from vision.sightings import Outline, Point, Reading, SecondLook, Sighting

Colour = tuple[int, int, int]
Box = tuple[float, float, float, float]  # left, top, right and bottom edge

MOST = 200_000_000  # bytes of all evidence
RESERVE = 64_000_000  # bytes left free on the disk for the journal
MARGIN, GAP = 3, 4  # pixels around a label's letters, and between a label and its card
SURE, UNSURE, IMPOSSIBLE, OTHER = (80, 200, 60), (40, 190, 250), (60, 60, 235), (200, 120, 200)
_MATCH = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")


class Sidecar(Struct, frozen=True):
    """The reading and review stored beside a picture."""

    match: str
    moment: int
    reading: Reading
    what: str = ""  # text of the ruling that rests on it
    taken_by: Literal["camera", "phone"] = "camera"
    said: tuple[str | None, ...] = ()
    """A person's correction of each card of a photograph: None if confirmed, empty if it doesn't count."""
    parts: tuple[SecondLook, ...] = ()
    """The part of the table's own camera in reading each card of a photograph; empty if it wasn't used."""


def annotate_picture(picture: Picture, reading: Reading) -> Picture:
    shown = picture.copy()
    wide = max(1, round(max(picture.shape[:2]) / 700))
    for thing in reading.unexplained:
        _draw_outline(shown, thing.outline, OTHER, wide)
    boxes = [_box_around(card.outline) for card in reading.cards]
    for card in reading.cards:
        _draw_outline(shown, card.outline, _colour(card), wide)
        _draw_label(shown, card, boxes, wide)
    return shown


def as_jpeg(picture: Picture, reading: Reading, widest: int | None = None) -> bytes:
    """Encode an annotated picture as JPEG, no wider or higher than `widest`."""
    shown = annotate_picture(picture, reading)
    return packed_jpeg(shown if widest is None else shrink_picture(shown, widest), 88)


def _draw_outline(shown: Picture, outline: Sequence[Point], colour: Colour, wide: int) -> None:
    points = (np.array(outline) * 16).round().astype(np.int32)
    cv2.polylines(shown, [points], True, colour, wide, cv2.LINE_AA, 4)


def _colour(card: Sighting) -> Colour:
    return IMPOSSIBLE if not card.possible else SURE if card.sure else UNSURE


def _label(card: Sighting) -> str:
    if card.facing == "down" and card.face is None and card.sure:
        return f"back {card.score:.2f}"
    if card.face is not None:
        return f"{card.face} {card.score:.2f}"
    return " ".join(f"{each.face}? {each.score:.2f}" for each in card.runners_up[:2]) or "?"


def _draw_label(shown: Picture, card: Sighting, boxes: Sequence[Box], wide: int) -> None:
    # OpenCV draws ASCII letters only
    text = _label(card).replace("\N{MINUS SIGN}", "-").replace("\N{MULTIPLICATION SIGN}", "x")
    font, size, thick = cv2.FONT_HERSHEY_SIMPLEX, 0.42 * wide, max(1, wide // 2)
    (width, height), under = cv2.getTextSize(text, font, size, thick)
    plate = (width + 2 * MARGIN, height + under + MARGIN)
    left, top, right, low = _place_label(_box_around(card.outline), plate, boxes, shown.shape[1::-1])
    cv2.rectangle(shown, (left, top), (right, low), (24, 24, 24), -1)
    cv2.putText(shown, text, (left + MARGIN, low - under), font, size, _colour(card), thick, cv2.LINE_AA)


def _place_label(
    card: Box, plate: tuple[int, int], cards: Sequence[Box], size: tuple[int, ...]
) -> tuple[int, int, int, int]:
    """Return a label's box above, below or beside a card, where it covers the cards least."""
    left, top, right, low = card
    (width, height), others = plate, np.array(cards).reshape(-1, 1, 4)
    across, down = (left + right - width) / 2, (top + low - height) / 2
    # the most readable positions first
    corners = np.array(
        [
            (across, top - height - GAP),
            (across, low + GAP),
            (right + GAP, down),
            (left - width - GAP, down),
            (right + GAP, top),
            (left - width - GAP, low - height),
        ]
    )
    corners = np.clip(corners, 0, np.maximum(0, np.array(size[:2]) - plate))
    common = np.minimum(corners + plate, others[..., 2:]) - np.maximum(corners, others[..., :2])
    covered = np.maximum(common, 0).prod(axis=2).sum(axis=0)
    x, y = corners[covered.argmin()].round().astype(int).tolist()
    return x, y, x + width, y + height


def _box_around(outline: Outline) -> Box:
    across, down = zip(*outline, strict=True)
    return min(across), min(down), max(across), max(down)


def keep_evidence(folder: Path, jpeg: bytes, sidecar: Sidecar, most: int = MOST) -> Path:
    """Store a picture and its reading; delete the oldest to make room, those of other matches first."""
    if _MATCH.fullmatch(sidecar.match) is None or sidecar.moment < 0:
        raise ValueError(f"evidence can't be named after match {sidecar.match!r}, moment {sidecar.moment}")
    make_folder(folder)
    # a moment may rest on several readings
    ends = (".jpg", *(f"-{number}.jpg" for number in range(2, 1000)))
    files = (folder / f"{sidecar.match}.{sidecar.moment:06d}{end}" for end in ends)
    file = next(file for file in files if not file.exists())
    try:
        # picture first: a reading without its picture is no evidence
        write_whole(file, jpeg)
        write_whole(_reading_of(file), msgspec.json.encode(sidecar))
    except OSError:
        _remove_kept(file)
        raise
    _throw_out_oldest(folder, sidecar.match, most, file)
    return file


def _throw_out_oldest(folder: Path, open_match: str, most: int, newest: Path) -> None:
    """Delete the oldest evidence until the rest fits: the open match's last, the newest never."""
    sweep(folder)
    sizes = {file: _size_of_kept(file) + _size_of_kept(_reading_of(file)) for file in folder.glob("*.jpg")}
    total = sum(sizes.values())
    most = min(most, total + disk_usage(folder).free - RESERVE)
    for file in sorted(sizes, key=lambda each: (match_of(each) == open_match, _age_order(each))):
        if total <= most:
            break
        if file != newest:
            _remove_kept(file)
            total -= sizes[file]


def _remove_kept(picture: Path) -> None:
    for part in (_reading_of(picture), picture):
        part.unlink(missing_ok=True)


def _reading_of(picture: Path) -> Path:
    return picture.with_suffix(".json")


def _size_of_kept(file: Path) -> int:
    """Return a file's size; 0 if the other process has just deleted it."""
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0


def _age_order(file: Path) -> list[str | int]:
    """Return a sort key by age: match, moment and reading as numbers."""
    parts = re.split(r"([0-9]+)", file.stem)
    return [int(part) if place % 2 else part for place, part in enumerate(parts)]


def match_of(file: Path) -> str:
    return file.name.partition(".")[0]


def pictures_of_match(folder: Path, match: str) -> list[Path]:
    return sorted(file for file in folder.glob("*.jpg") if match_of(file) == match)


def moment_of(file: Path) -> int | None:
    """Return the moment of a picture; None for further pictures of the same moment."""
    moment = file.name.split(".")[1]
    return int(moment) if moment.isascii() and moment.isdecimal() else None
