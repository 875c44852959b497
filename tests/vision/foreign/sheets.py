"""Sheets: all faces of a deck in one small picture, with a list of their names beside it."""

from functools import cache, lru_cache, partial
from pathlib import Path

import cv2
import msgspec
from msgspec import Struct

from hardware.twin.rendering.lens import Pixels, pixels
from tests.vision.sets.drawn_decks import SHARP, DrawnDeck

SHEETS = Path(__file__).parent / "sheets"
COLUMNS = 13
LARGEST = 420_000  # the most bytes of a sheet


class Sheet(Struct, frozen=True):
    """What lies on a sheet: cards of one size in millimetres, row by row, and the packages they are made of."""

    size: tuple[float, float]
    fine: float  # pixels per millimetre
    packages: tuple[str, ...]
    faces: tuple[str, ...]


def sheet_names() -> tuple[str, ...]:
    return tuple(sorted(file.stem for file in SHEETS.glob("*.json")))


@cache
def load_sheet(name: str) -> Sheet:
    return msgspec.json.decode((SHEETS / f"{name}.json").read_bytes(), type=Sheet)


def face_shape(size: tuple[float, float], fine: float) -> tuple[int, int]:
    return round(size[0] * fine), round(size[1] * fine)


@lru_cache(maxsize=2)
def _picture(name: str) -> Pixels:
    return pixels(cv2.imread(str(SHEETS / f"{name}.webp"), cv2.IMREAD_COLOR))


def kept_face(name: str, number: int) -> Pixels:
    """Cut a face out of its sheet, as large as drawn decks are."""
    sheet = load_sheet(name)
    wide, high = face_shape(sheet.size, sheet.fine)
    row, column = divmod(number, COLUMNS)
    face = _picture(name)[row * high : (row + 1) * high, column * wide : (column + 1) * wide]
    return pixels(cv2.resize(face, face_shape(sheet.size, SHARP), interpolation=cv2.INTER_CUBIC))


def kept_deck(name: str) -> DrawnDeck:
    sheet = load_sheet(name)
    return DrawnDeck(sheet.size, {face: partial(kept_face, name, i) for i, face in enumerate(sheet.faces)})
