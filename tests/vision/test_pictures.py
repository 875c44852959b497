"""Pictures in files and from phones: of few kinds, of limited size; nothing else reaches a decoder."""

import struct
import zlib
from io import BytesIO
from random import Random

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tests.vision.spoiled_photographs import png_of, spoiled_photograph
from vision import pictures
from vision.photographs import HUGE, LONGEST, decode_photograph
from vision.pictures import stated_pixels, unpack_picture
from vision.troubles import TroubleError

OURS = (".png", ".jpg", ".bmp", ".webp")
OTHERS = (".tiff", ".jp2", ".gif", ".avif", ".ppm", ".pam", ".ras", ".hdr")
"""Other kinds that OpenCV could unpack, each by a library with flaws of its own."""
LOSSLESS = 101


def encode(kind: str, wide: int, high: int, *how: int) -> bytes:
    picture = np.full((high, wide, 3), 77, np.uint8)
    return cv2.imencode(kind, picture if kind != ".hdr" else picture.astype(np.float32), how)[1].tobytes()


@pytest.mark.parametrize("kind", OURS)
@given(st.integers(1, 300), st.integers(1, 300))
def test_header_states_picture_size(kind: str, wide: int, high: int) -> None:
    content = encode(kind, wide, high)
    picture = unpack_picture(content)
    assert stated_pixels(content) == wide * high
    assert picture is not None
    assert picture.shape == (high, wide, 3)


def test_rarer_headers_state_picture_size() -> None:
    lossless = encode(".webp", 300, 200, cv2.IMWRITE_WEBP_QUALITY, LOSSLESS)
    # the canvas of a picture with more than pixels in it: 24 bits for each side, less one
    extended = (
        b"RIFF\x16\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00" + bytes(4) + b"\x2b\x01\x00\xc7\x00\x00" + b"\xff\xff"
    )
    plain = encode(".bmp", 300, 200)
    from_the_top = plain[:22] + (-200).to_bytes(4, "little", signed=True) + plain[26:]
    jpeg = encode(".jpg", 300, 200)
    filled = jpeg[:2] + b"\xff\xff\xff" + jpeg[2:]
    # marks that stand alone, behind which another size could be hidden
    alone = jpeg[:2] + b"\xff\xd0\xff\x01\xff\x00" + jpeg[2:]
    for content in (lossless, extended, from_the_top, filled, alone):
        assert stated_pixels(content) == 300 * 200


@pytest.mark.parametrize("kind", [kind for kind in OTHERS if cv2.haveImageWriter(f"picture{kind}")])
def test_other_types_reach_no_decoder(kind: str) -> None:
    content = encode(kind, 40, 60)
    assert cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR) is not None
    assert stated_pixels(content) is None
    assert unpack_picture(content) is None


@pytest.mark.parametrize("kind", OURS)
def test_oversized_picture_is_not_decoded(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for most, is_unpacked in ((599, False), (600, True)):
        monkeypatch.setattr(pictures, "MOST", most)
        assert (unpack_picture(encode(kind, 30, 20)) is not None) == is_unpacked


@given(
    st.binary(max_size=80),
    st.sampled_from((b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"BM", b"RIFF0000WEBPVP8 ")),
)
def test_garbage_is_no_picture(content: bytes, head: bytes) -> None:
    stated_pixels(head + content)
    assert unpack_picture(head + content[:20]) is None


@pytest.mark.parametrize("kind", OURS)
def test_truncated_picture_is_none_or_partial(kind: str) -> None:
    content = encode(kind, 60, 40)
    for length in range(0, len(content), max(1, len(content) // 40)):
        picture = unpack_picture(content[:length])
        assert picture is None or picture.shape == (40, 60, 3)


# photographs from phones

BLUE, RED = (10, 20, 200), (200, 20, 10)


def quarters() -> Image.Image:
    """Draw a picture whose upper left quarter is red, and the rest blue."""
    pixels = np.full((60, 90, 3), BLUE, np.uint8)
    pixels[:30, :45] = RED
    return Image.fromarray(pixels)


def save(picture: Image.Image, kind: str, orientation: int | None = None, **how: object) -> BytesIO:
    out, exif = BytesIO(), Image.Exif()
    if orientation is not None:
        exif[0x0112] = orientation
    picture.save(out, kind, quality=95, exif=exif.tobytes(), **how)
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
def test_decodes_every_type_with_colours(kind: str) -> None:
    # what hangs on behind is left alone
    picture = decode_photograph(BytesIO(save(quarters(), kind).getvalue() + b"<script>alert(1)</script>" * 100))
    assert picture.shape == (60, 90, 3)
    assert np.abs(picture[5:25, 5:40].astype(int) - RED[::-1]).max() < 30
    assert np.abs(picture[35:55, 50:85].astype(int) - BLUE[::-1]).max() < 30


@pytest.mark.parametrize("orientation", range(9))
def test_applies_photograph_orientation(orientation: int) -> None:
    turn = HELD.get(orientation)
    lying = quarters() if turn is None else quarters().transpose(turn)
    picture = decode_photograph(save(lying, "JPEG", orientation))
    assert picture.shape == (60, 90, 3)
    assert picture[5:25, 5:40, 2].min() > 150
    assert picture[35:55, 50:85, 2].max() < 60


def test_shrinks_large_photograph_before_rotating() -> None:
    picture = decode_photograph(save(quarters().resize((900, 600)), "JPEG", 6), longest=300)
    assert picture.shape == (300, 200, 3)


def png(wide: int, high: int, content: bytes = b"") -> bytes:
    return png_of(struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0), zlib.compress(content))


def jpeg(wide: int, high: int) -> bytes:
    """Write a size into the header of a small JPEG."""
    content = bytearray(save(quarters(), "JPEG").getvalue())
    size = content.index(b"\xff\xc0") + 5
    content[size : size + 4] = struct.pack(">HH", high, wide)
    return bytes(content)


BOMBS = (png(100_000, 100_000), png(10_000, 10_000), png(HUGE + 1, 1), jpeg(65_000, 65_000))


@pytest.mark.parametrize("content", BOMBS)
def test_rejects_bomb_by_its_header(content: bytes) -> None:
    with pytest.raises(TroubleError, match="huge"):
        decode_photograph(BytesIO(content))


WHOLE = save(quarters(), "JPEG").getvalue()
SCANS = save(quarters(), "JPEG", progressive=True).getvalue()
PATCHWORK = {
    "thousands of scans": SCANS[:-2] + SCANS[SCANS.rindex(b"\xff\xda") : -2] * 3000 + SCANS[-2:],
    "very many empty parts": WHOLE[:2] + b"\xff\xfe\0\2" * 400_000 + WHOLE[2:],
    "megabytes of padding": WHOLE[:2] + b"\xff" * 2_000_000 + WHOLE[2:],
}


@pytest.mark.parametrize("content", PATCHWORK.values(), ids=PATCHWORK.keys())
def test_slow_jpeg_never_reaches_a_decoder(content: bytes) -> None:
    assert unpack_picture(content) is None
    with pytest.raises(TroubleError, match="no photograph"):
        decode_photograph(BytesIO(content))
    assert unpack_picture(SCANS) is not None
    # what follows the picture, as a film does in a phone's, is no part of it
    assert decode_photograph(BytesIO(WHOLE + PATCHWORK["thousands of scans"])).shape == (60, 90, 3)


HEIC = save(quarters(), "HEIF").getvalue()
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
def test_invalid_photograph_is_one_error(content: bytes) -> None:
    with pytest.raises(TroubleError, match="no photograph"):
        decode_photograph(BytesIO(content))


def test_converts_grey_transparent_and_indexed() -> None:
    grey = quarters().convert("L")
    coloured = (quarters().convert(mode) for mode in ("RGBA", "P", "1"))
    for picture in (*coloured, grey.convert("LA"), grey.convert("I;16")):
        assert decode_photograph(save(picture, "PNG")).shape == (60, 90, 3)


def test_any_file_gives_picture_or_error() -> None:
    keys = set()
    for seed in range(60):
        try:
            picture = decode_photograph(BytesIO(spoiled_photograph(Random(seed))), LONGEST)
        except TroubleError as error:
            keys.add(error.problem.key)
        else:
            assert max(picture.shape[:2]) <= LONGEST
    assert keys == {"huge", "no photograph"}
