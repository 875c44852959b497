"""A folder of pictures to teach a deck: files named after faces, and an optional list of counts."""

from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import Annotated

import cv2
import msgspec
from msgspec import Meta

from vision.pictures import MOST, Picture, shrink_picture, stated_pixels, unpack_picture
from vision.teaching.lone_card import FINE
from vision.troubles import TroubleError

OF_PHONES = frozenset({".heic", ".heif"})
KINDS = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".webp", *OF_PHONES})
MOST_BYTES = 40_000_000  # largest file that is read


class DeckTroubleError(TroubleError):
    """A deck can't be read or taught; the error includes the file."""


def face_of(file: str) -> str:
    """Return the face in a file name: the part before the first dot or double underscore."""
    return file.partition(".")[0].partition("__")[0]


def read_file(file: Path, most: int = MOST_BYTES, missing: str = "unreadable") -> bytes:
    try:
        if not file.is_file():
            raise DeckTroubleError(missing, file=str(file))
        if file.stat().st_size > most:
            raise DeckTroubleError("too large", file=str(file))
        return file.read_bytes()
    except OSError as error:
        raise DeckTroubleError("unreadable", file=str(file), why=str(error.strerror)) from error


def files_in(folder: Path, empty: str = "no pictures") -> list[Path]:
    try:
        inside = sorted(folder.iterdir())
    except OSError as error:
        raise DeckTroubleError("no folder", file=str(folder), why=str(error.strerror)) from error
    files = [file for file in inside if file.suffix.lower() in KINDS and not file.name.startswith(".")]
    if not files:
        raise DeckTroubleError(empty, file=str(folder))
    return files


def faces_in(folder: Path) -> tuple[str, ...]:
    return tuple(dict.fromkeys(face_of(file.name) for file in files_in(folder)))


def stated_counts(folder: Path) -> dict[str, int]:
    file = next((folder / name for name in _COUNTS if (folder / name).exists()), None)
    if file is None:
        return {}
    content = read_file(file, 1_000_000)
    try:
        is_json = file.name == _COUNTS[0]
        plain = msgspec.json.decode(content, type=dict[str, object]) if is_json else _rows(content)
    except (msgspec.MsgspecError, UnicodeDecodeError, ValueError, RecursionError) as error:
        raise DeckTroubleError("bad counts", file=str(file), example=_COUNTS_AS[file.name]) from error
    return {face: _count(file, face, stated) for face, stated in plain.items()}


def faces_of_list(file: Path) -> dict[str, int]:
    """Return the faces of a list, one per line, each once unless a count follows."""
    try:
        lines = read_file(file, 1_000_000).decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise DeckTroubleError("bad counts", file=str(file), example=_COUNTS_AS["counts.csv"]) from error
    stated = {face: count for line in lines if line.strip() for face, count in (_stated(line),)}
    return {face: _count(file, face, count) for face, count in stated.items()}


def _stated(line: str) -> tuple[str, str]:
    face, comma, count = line.partition(",")
    return face.strip(), count.strip() if comma else "1"


_COUNTS = ("counts.json", "counts.csv")
_COUNTS_AS = {"counts.json": '{"7h": 4, "Qs": 1}', "counts.csv": "7h,4"}
"""Files that list counts, the first one found, and an example of each file or line."""


def _count(file: Path, face: str, stated: object) -> int:
    try:
        return int(msgspec.convert(stated, Annotated[int, Meta(ge=0, le=999)], strict=False))
    except msgspec.ValidationError as error:
        raise DeckTroubleError("bad count", file=str(file), face=face, stated=str(stated)[:40]) from error


def _rows(content: bytes) -> dict[str, object]:
    """Read faces and counts from lines; the last line of a face wins."""
    return dict(_pairs(content.decode("utf-8-sig")))


def _pairs(text: str) -> Iterable[tuple[str, str]]:
    for number, line in enumerate(text.splitlines()):
        face, comma, count = line.replace(";", ",").replace("\t", ",").rpartition(",")
        if comma and (number or not count.strip().isalpha()):
            yield face.strip().strip('"'), count.strip().strip('"')


# pictures


def read_photograph(file: Path) -> Picture:
    content = read_file(file)
    if file.suffix.lower() not in OF_PHONES:
        return shrink_picture(unpack_file(file, content, MOST), FINE)
    # reading a taught deck must work without the decoder's dependencies
    from vision.photographs import decode_photograph  # noqa: PLC0415

    try:
        return decode_photograph(BytesIO(content), FINE)
    except TroubleError as error:
        raise DeckTroubleError("no picture", file=str(file)) from error


def unpack_file(file: Path, content: bytes, most_pixels: int) -> Picture:
    pixels = stated_pixels(content) or 0
    if pixels > most_pixels:
        raise DeckTroubleError("too large", file=str(file))
    # decode a large phone picture at half size: enough for a card, in a quarter of the time
    picture = unpack_picture(content, how=cv2.IMREAD_REDUCED_COLOR_2 if pixels > _PLENTY else cv2.IMREAD_COLOR)
    if picture is None:
        raise DeckTroubleError("no picture", file=str(file))
    return picture


_PLENTY = 8_000_000  # pixels from which on a picture counts as large
