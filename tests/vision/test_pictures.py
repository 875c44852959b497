"""Pictures in files: of four kinds, whose heads tell how large they are; nothing else reaches a decoder."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.pictures import HEAD, is_png, stated_pixels, unpack_picture

OURS = (".png", ".jpg", ".bmp", ".webp")
OTHERS = (".tiff", ".jp2", ".gif", ".avif", ".ppm", ".pam", ".ras", ".hdr")
"""Other kinds that OpenCV could unpack, each by a library with flaws of its own."""
HEADS = (b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"BM", b"RIFF0000WEBPVP8 ", b"RIFF0000WEBPVP8L")
LOSSLESS = 101


def encode(kind: str, wide: int, high: int, *how: int) -> bytes:
    picture = np.full((high, wide, 3), 77, np.uint8)
    return cv2.imencode(kind, picture if kind != ".hdr" else picture.astype(np.float32), how)[1].tobytes()


@pytest.mark.parametrize("kind", OURS)
@given(st.integers(1, 300), st.integers(1, 300))
def test_a_head_tells_how_large_a_picture_is(kind: str, wide: int, high: int) -> None:
    content = encode(kind, wide, high)
    picture = unpack_picture(content)
    assert stated_pixels(content) == wide * high
    assert picture is not None
    assert picture.shape == (high, wide, 3)


def test_so_do_rarer_heads() -> None:
    lossless = encode(".webp", 300, 200, cv2.IMWRITE_WEBP_QUALITY, LOSSLESS)
    # the canvas of a picture with more than pixels in it: 24 bits for each side, less one
    extended = (
        b"RIFF\x16\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00" + bytes(4) + b"\x2b\x01\x00\xc7\x00\x00" + b"\xff\xff"
    )
    plain = encode(".bmp", 300, 200)
    from_the_top = plain[:22] + (-200).to_bytes(4, "little", signed=True) + plain[26:]
    jpeg = encode(".jpg", 300, 200)
    filled = jpeg[:2] + b"\xff\xff\xff" + jpeg[2:]
    for content in (lossless, extended, from_the_top, filled):
        assert stated_pixels(content) == 300 * 200


@pytest.mark.parametrize("kind", [kind for kind in OTHERS if cv2.haveImageWriter(f"picture{kind}")])
def test_no_other_kind_reaches_its_decoder(kind: str) -> None:
    content = encode(kind, 40, 60)
    assert cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR) is not None
    assert stated_pixels(content) is None
    assert unpack_picture(content) is None


@pytest.mark.parametrize("kind", OURS)
def test_what_is_larger_than_it_may_be_is_not_unpacked(kind: str) -> None:
    assert unpack_picture(encode(kind, 30, 20), most=599) is None
    assert unpack_picture(encode(kind, 30, 20), most=600) is not None


@given(
    st.binary(max_size=80),
    st.sampled_from((b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"BM", b"RIFF0000WEBPVP8 ")),
)
def test_garbage_is_no_picture(content: bytes, head: bytes) -> None:
    stated_pixels(head + content)
    assert unpack_picture(head + content[:20]) is None


@pytest.mark.parametrize("kind", OURS)
def test_a_picture_that_is_cut_off_is_none_or_what_is_left(kind: str) -> None:
    content = encode(kind, 60, 40)
    for length in range(0, len(content), max(1, len(content) // 40)):
        picture = unpack_picture(content[:length])
        assert picture is None or picture.shape == (40, 60, 3)


def test_the_kind_that_is_kept_is_told_by_its_head() -> None:
    assert is_png(encode(".png", 3, 3)[:HEAD])
    assert not is_png(encode(".jpg", 3, 3)[:HEAD])
