"""Check a JPEG that a browser sends as a camera's frame, without decoding it, and strip it to its picture."""

import re
from collections.abc import Iterator

from msgspec import Struct

from vision.table.values import Size

MAX_FRAME_BYTES = 6_000_000
MIN_SIDE, MAX_SIDE = 160, 4096  # pixels of a frame's sides
MAX_SEGMENTS = 64
START, END = b"\xff\xd8", b"\xff\xd9"
HEAD = 4  # bytes of a segment's marker and length
SCAN, BASELINE = 0xDA, (0xC0, 0xC1)
TABLES = (0xC4, 0xDB, 0xDD)
"""Segments of Huffman tables, quantization tables and the restart interval."""
DROPPED = (*range(0xE0, 0xF0), 0xFE)
"""Segments of applications, which include EXIF data, and comments."""
PRECISION, COLOURS = 8, (1, 3)
_MARKER_IN_SCAN = re.compile(rb"\xff[^\x00\xd0-\xd7]")
"""A marker that a baseline picture's only scan can't contain."""


class SentFrame(Struct, frozen=True):
    """A frame's size and its JPEG without metadata."""

    size: Size
    jpeg: bytes


def bare_frame(content: bytes) -> SentFrame | None:
    """Return a baseline JPEG without metadata; None for any other file, and for unusual sizes.

    Browsers encode frames as baseline JPEG with one scan. A phone's EXIF data would turn the picture.
    """
    if len(content) > MAX_FRAME_BYTES or not content.startswith(START) or not content.endswith(END):
        return None
    try:
        return _strip(content)
    except ValueError:
        return None


def _strip(content: bytes) -> SentFrame:
    """Keep the segments that a picture needs; raises ValueError for an unusual file."""
    kept, sizes = [START], list[Size]()
    for kind, at, end in _segments(content):
        if kind in BASELINE:
            sizes.append(_size_of(content[at + HEAD : end]))
        elif kind not in (*TABLES, *DROPPED, SCAN):
            raise ValueError(kind)
        if kind not in DROPPED:
            kept.append(content[at:end])
        if kind == SCAN:
            scan = content[end : -len(END)]
            if len(sizes) == 1 and _MARKER_IN_SCAN.search(scan) is None:
                return SentFrame(sizes[0], b"".join((*kept, scan, END)))
            break
    raise ValueError(len(sizes))


def _segments(content: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield the kinds of the first segments, with their beginnings and ends."""
    at = len(START)
    for _segment in range(MAX_SEGMENTS):
        length = int.from_bytes(content[at + 2 : at + HEAD], "big")
        end = at + 2 + length
        if content[at : at + 1] != b"\xff" or length < 2 or end >= len(content):
            raise ValueError(at)
        yield content[at + 1], at, end
        at = end


def _size_of(frame: bytes) -> Size:
    """Return the size in a frame header; raises ValueError if it isn't usual."""
    if len(frame) < 6 or frame[0] != PRECISION or frame[5] not in COLOURS or len(frame) != 6 + 3 * frame[5]:
        raise ValueError(len(frame))
    height, width = int.from_bytes(frame[1:3], "big"), int.from_bytes(frame[3:5], "big")
    if not all(MIN_SIDE <= side <= MAX_SIDE for side in (width, height)):
        raise ValueError(width)
    return width, height
