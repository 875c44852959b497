"""Decode pictures of four file types after a check of their stated size. No decoder sees other types."""

import re
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]

MOST = 60_000_000  # most pixels of a decoded picture: a small file can claim gigabytes
_PNG, _JPEG, _BITMAP = b"\x89PNG\r\n\x1a\n", b"\xff\xd8", b"BM"
_JPEG_MARK = re.compile(rb"\xff([\x02-\xcf\xd8-\xfe])")
"""A marker that begins a segment; others occur within the data of a scan."""
_SCAN, _END = b"\xda", b"\xd9"
MOST_PARTS, MOST_SCANS, MOST_PADDING = 2000, 100, 1000
"""Limits for a JPEG: segments, scans among them, and bytes before a segment. Cameras stay far below."""
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
HEAD = 32  # bytes that a PNG, a WebP and a bitmap need to state their size


def is_png(content: bytes) -> bool:
    return content.startswith(_PNG)


def stated_pixels(content: bytes) -> int | None:
    """Return the number of pixels stated by a PNG, JPEG, WebP or bitmap; None for other files."""
    if len(content) < HEAD:
        return None
    if is_png(content):
        return _from_big_endian(content[16:20]) * _from_big_endian(content[20:24])
    if content.startswith(_JPEG):
        return None if is_patchwork(content) else _jpeg_pixels(content)
    if content.startswith(_BITMAP):
        # a bitmap stored from its top has a negative height
        return abs(
            _from_little_endian(content[18:22], signed=True) * _from_little_endian(content[22:26], signed=True)
        )
    return _webp_pixels(content) if content[:4] + content[8:12] == b"RIFFWEBP" else None


def is_patchwork(content: bytes) -> bool:
    """Return whether a JPEG is built to occupy a decoder, with many tiny segments that each take time."""
    at, scans, last = 2, 0, b""
    for _part in range(MOST_PARTS if content.startswith(_JPEG) else 0):
        found = _JPEG_MARK.search(content, at)
        if found is None or found[1] == _END:
            return False
        scans += found[1] == _SCAN
        if scans > MOST_SCANS or (last != _SCAN and found.start() - at > MOST_PADDING):
            return True
        last, at = found[1], found.end() + _from_big_endian(content[found.end() : found.end() + 2])
    return content.startswith(_JPEG)


def unpack_picture(content: bytes, how: int = cv2.IMREAD_COLOR) -> Picture | None:
    """Decode a picture (blue, green, red); None if the file isn't of these types, or is too large."""
    pixels = stated_pixels(content)
    if not pixels or pixels > MOST:
        return None
    try:
        picture = cv2.imdecode(np.frombuffer(content, np.uint8), how)
    except cv2.error:
        return None
    return None if picture is None else np.asarray(picture, np.uint8)


def packed_jpeg(picture: NDArray[np.integer | np.floating], quality: int) -> bytes:
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def shrink_picture(picture: Picture, longer: int) -> Picture:
    """Shrink a picture to at most `longer` pixels along its longer side."""
    share = longer / max(picture.shape[:2])
    if share >= 1:
        return picture
    size = (round(picture.shape[1] * share), round(picture.shape[0] * share))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def small_jpeg(picture: Picture, most: int, quality: int = 80) -> bytes:
    """Shrink a picture to at most `most` pixels across, and encode it as JPEG."""
    wide = min(most, picture.shape[1])
    high = round(wide * picture.shape[0] / picture.shape[1])
    return packed_jpeg(cv2.resize(picture, (wide, high), interpolation=cv2.INTER_AREA), quality)


SHARPNESS = (640, 480, 320)
"""Widths in pixels that `jpeg_within` tries, in this order."""


def jpeg_within(jpeg: bytes, most: int) -> bytes:
    """Shrink a JPEG to at most `most` bytes; empty if it can't be decoded or stays too large."""
    picture = unpack_picture(jpeg)
    smaller = () if picture is None else (small_jpeg(picture, across) for across in SHARPNESS)
    return next((each for each in smaller if len(each) <= most), b"")


def load_picture(file: Path) -> Picture | None:
    """Load a picture; None if the file isn't one, can't be read or is too large."""
    try:
        return unpack_picture(file.read_bytes())
    except OSError:
        return None


def is_bounded(file: Path) -> bool:
    """Return whether a PNG's stated size is acceptable, without decoding it."""
    with file.open("rb") as opened:
        head = opened.read(HEAD)
    return is_png(head) and 0 < (stated_pixels(head) or 0) <= MOST


def _jpeg_pixels(content: bytes) -> int | None:
    """Return the size that a decoder would use; it skips data between segments and lone markers."""
    at = 2
    while (found := _JPEG_MARK.search(content, at)) is not None and found[1] != _END:
        at = found.end()
        if found[1][0] in _JPEG_FRAMES:
            return _from_big_endian(content[at + 3 : at + 5]) * _from_big_endian(content[at + 5 : at + 7])
        at += _from_big_endian(content[at : at + 2])
    return None


def _webp_pixels(content: bytes) -> int | None:
    match content[12:16]:
        case b"VP8X":
            return (1 + _from_little_endian(content[24:27])) * (1 + _from_little_endian(content[27:30]))
        case b"VP8L":
            sides = _from_little_endian(content[21:25])
            return (1 + (sides & 0x3FFF)) * (1 + (sides >> 14 & 0x3FFF))
        case b"VP8 ":
            return (_from_little_endian(content[26:28]) & 0x3FFF) * (
                _from_little_endian(content[28:30]) & 0x3FFF
            )
    return None


def _from_big_endian(content: bytes) -> int:
    return int.from_bytes(content, "big")


def _from_little_endian(content: bytes, *, signed: bool = False) -> int:
    return int.from_bytes(content, "little", signed=signed)
