"""Sheets: all faces of a deck in one small picture, with a list of their names beside it."""

from collections.abc import Mapping
from functools import cache, lru_cache, partial
from pathlib import Path

import cv2
import msgspec
import numpy as np
from msgspec import Struct

from hardware.twin.rendering.lens import Pixels, pixels
from tests.vision.sets.drawn_decks import SHARP, DrawnDeck

SHEETS = Path(__file__).parent / "sheets"
COLUMNS = 13
LARGEST = 420_000  # the most bytes of a sheet
LOSSLESS = 101  # the quality at which nothing is lost: flat colours take the least bytes so


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


def keep_sheet(name: str, sheet: Sheet, faces: Mapping[str, Pixels]) -> int:
    """Write a deck's sheet, with as little loss as its bytes allow; give its quality."""
    SHEETS.mkdir(exist_ok=True)
    (SHEETS / f"{name}.json").write_bytes(msgspec.json.format(msgspec.json.encode(sheet), indent=1) + b"\n")
    laid = _laid_out(face_shape(sheet.size, sheet.fine), [faces[name] for name in sheet.faces])
    qualities: tuple[int, ...] = (LOSSLESS, *range(95, 20, -5))
    for quality in qualities:
        packed = cv2.imencode(".webp", laid, [cv2.IMWRITE_WEBP_QUALITY, quality])[1].tobytes()
        if len(packed) <= LARGEST:
            (SHEETS / f"{name}.webp").write_bytes(packed)
            return quality
    raise ValueError(f"{name}: too much print for one sheet")


def _laid_out(shape: tuple[int, int], faces: list[Pixels]) -> Pixels:
    wide, high = shape
    rows = -(-len(faces) // COLUMNS)
    laid = np.full((rows * high, COLUMNS * wide, 3), 255, np.uint8)
    for number, face in enumerate(faces):
        row, column = divmod(number, COLUMNS)
        laid[row * high : (row + 1) * high, column * wide : (column + 1) * wide] = face
    return laid


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
