"""Photographs from phones: unpacked upright; malicious files aren't unpacked."""

import struct
import zlib
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from vision.photographs import HUGE, PhotographError, decode_photograph

BLUE, RED = (10, 20, 200), (200, 20, 10)


def quarters() -> Image.Image:
    """Draw a picture whose upper left quarter is red, and the rest blue."""
    pixels = np.full((60, 90, 3), BLUE, np.uint8)
    pixels[:30, :45] = RED
    return Image.fromarray(pixels)


def encode(picture: Image.Image, kind: str, orientation: int | None = None) -> BytesIO:
    out, exif = BytesIO(), Image.Exif()
    if orientation is not None:
        exif[0x0112] = orientation
    picture.save(out, kind, quality=95, exif=exif.tobytes())
    return BytesIO(out.getvalue())


HELD = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "HEIF"])
def test_every_kind_is_unpacked_with_its_colours(kind: str) -> None:
    picture = decode_photograph(encode(quarters(), kind))
    assert picture.shape == (60, 90, 3)
    assert np.abs(picture[5:25, 5:40].astype(int) - RED[::-1]).max() < 30
    assert np.abs(picture[35:55, 50:85].astype(int) - BLUE[::-1]).max() < 30


@pytest.mark.parametrize("orientation", range(9))
def test_it_is_turned_as_it_was_held(orientation: int) -> None:
    turn = HELD.get(orientation)
    lying = quarters() if turn is None else quarters().transpose(turn)
    picture = decode_photograph(encode(lying, "JPEG", orientation))
    assert picture.shape == (60, 90, 3)
    assert picture[5:25, 5:40, 2].min() > 150
    assert picture[35:55, 50:85, 2].max() < 60


def test_a_large_one_is_made_smaller_before_it_is_turned() -> None:
    picture = decode_photograph(encode(quarters().resize((900, 600)), "JPEG", 6), longest=300)
    assert picture.shape == (300, 200, 3)


def chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def png(wide: int, high: int, content: bytes = b"") -> bytes:
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(content)) + chunk(b"IEND", b"")


def jpeg(wide: int, high: int) -> bytes:
    """Write a size into the header of a small JPEG."""
    content = bytearray(encode(quarters(), "JPEG").getvalue())
    size = content.index(b"\xff\xc0") + 5
    content[size : size + 4] = struct.pack(">HH", high, wide)
    return bytes(content)


BOMBS = (png(100_000, 100_000), png(10_000, 10_000), png(HUGE + 1, 1), jpeg(65_000, 65_000))


@pytest.mark.parametrize("content", BOMBS)
def test_a_bomb_is_known_by_its_header(content: bytes) -> None:
    with pytest.raises(PhotographError) as caught:
        decode_photograph(BytesIO(content))
    assert caught.value.problem.key == "huge"


WHOLE = encode(quarters(), "JPEG").getvalue()
HEIC = encode(quarters(), "HEIF").getvalue()
NONE_AT_ALL = {
    "nothing": b"",
    "words": b"hello",
    "half a JPEG": WHOLE[: len(WHOLE) // 2],
    "the head of a JPEG": WHOLE[:20],
    "half a HEIC": HEIC[: len(HEIC) // 2],
    "a PNG with too little in it": png(300, 300, b"\0" * 1000),
    "a PNG of no size": png(0, 0),
    "SVG": b'<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>',
    "GIF": b"GIF89a" + bytes(40),
    "TIFF": b"II*\0" + bytes(40),
    "PDF": b"%PDF-1.4\n" + WHOLE,
    "a web page": b"<html><script>alert(1)</script>" + WHOLE,
    "PostScript": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n",
}


@pytest.mark.parametrize("content", NONE_AT_ALL.values(), ids=NONE_AT_ALL.keys())
def test_what_is_no_photograph_is_one_trouble(content: bytes) -> None:
    with pytest.raises(PhotographError) as caught:
        decode_photograph(BytesIO(content))
    assert caught.value.problem.key == "no photograph"


def test_what_hangs_on_behind_a_photograph_is_left_alone() -> None:
    assert decode_photograph(BytesIO(WHOLE + b"<script>alert(1)</script>" * 100)).shape == (60, 90, 3)


def test_grey_clear_and_indexed_ones_become_colours() -> None:
    grey = quarters().convert("L")
    for picture in (
        *(quarters().convert(mode) for mode in ("RGBA", "P", "1")),
        grey.convert("LA"),
        grey.convert("I;16"),
    ):
        out = BytesIO()
        picture.save(out, "PNG")
        assert decode_photograph(BytesIO(out.getvalue())).shape == (60, 90, 3)
