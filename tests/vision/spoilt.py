"""Photographs that mean harm: good ones that are spoilt, bombs, and files that are two things at once."""

import struct
import zlib
from functools import cache
from io import BytesIO
from random import Random

import numpy as np
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from pillow_heif import register_heif_opener

register_heif_opener()

SIZES = (0, 1, 2, 90, 7745, 7746, 16_384, 65_000, 65_535, 100_000, 2**31 - 1, 2**32 - 1)
ZEROS = 3_000_000
AROUND = (
    b"%PDF-1.4\n", b"<html><script>alert(1)</script>", b"PK\x03\x04", b"GIF89a", b"#!/bin/sh\n", b"\x7fELF",
    b"<?xml version='1.0'?><svg/>", b"%!PS-Adobe-3.0 EPSF-3.0\n", b"RIFF\xff\xff\xff\xffWEBP", b"\xff\xd8\xff",
    b"\x89PNG\r\n\x1a\n", b"\x00\x00\x00\x20ftypheic", b"BM", b"II*\x00",
)  # fmt: skip


@cache
def good() -> tuple[bytes, ...]:
    """Make a few of each kind."""
    noise = np.random.default_rng(1).integers(0, 255, (60, 90, 3), np.uint8)
    picture = Image.fromarray(noise)
    exif, text = Image.Exif(), PngInfo()
    exif[0x0112], exif[0x010E], exif[0x9286] = 6, "é" * 300, b"x" * 300
    text.add_itxt("a", "b" * 300, zip=True)
    made = [
        _saved(picture, "JPEG", exif=exif.tobytes(), quality=90),
        _saved(picture, "JPEG", progressive=True),
        _saved(picture.convert("CMYK"), "JPEG"),
        _saved(picture, "PNG", pnginfo=text, exif=exif.tobytes()),
        _saved(picture.convert("P"), "PNG", transparency=0),
        _saved(picture.convert("I;16"), "PNG"),
        _saved(picture, "WEBP", exif=exif.tobytes()),
        _saved(picture, "WEBP", lossless=True),
        _saved(picture, "WEBP", save_all=True, append_images=[picture.rotate(90), picture.rotate(180)]),
        _saved(picture, "HEIF", exif=exif.tobytes()),
        _saved(picture.convert("L"), "HEIF"),
        _saved(picture, "BMP"),
    ]
    return tuple(made)


def _saved(picture: Image.Image, kind: str, **how: object) -> bytes:
    out = BytesIO()
    picture.save(out, kind, **how)
    return out.getvalue()


def spoilt(rng: Random) -> bytes:
    """Make one."""
    content = rng.choice(good())
    if rng.random() < 0.05:
        return rng.choice((_bomb, _texts, _nothing))(rng)
    for _time in range(rng.choice((0, 1, 1, 1, 2, 5))):
        content = rng.choice((_flipped, _flipped, _cut, _sized, _joined, _doubled, _between))(content, rng)
    return content


def _flipped(content: bytes, rng: Random) -> bytes:
    """Change some bytes, mostly near the head."""
    changed = bytearray(content)
    for _byte in range(rng.choice((1, 1, 3, 30))):
        if changed:
            changed[min(rng.randrange(len(changed)), rng.choice((40, 400, 10**9))) % len(changed)] = rng.choice(
                (0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256))
            )
    return bytes(changed)


def _cut(content: bytes, rng: Random) -> bytes:
    return content[: rng.randrange(len(content) + 1)]


def _sized(content: bytes, rng: Random) -> bytes:
    """Say another size: wherever something of two or four bytes stands that is ours."""
    size, other = rng.choice(SIZES), rng.choice(SIZES)
    for wide, high in ((90, 60), (89, 59)):
        for form in (">HH", ">II", "<ii", "<HH", ">HH"):
            old = struct.pack(form, *((high, wide) if form == ">HH" and rng.random() < 0.5 else (wide, high)))
            most = 2 ** (8 * struct.calcsize(form) // 2 - 1) - 1
            new = struct.pack(form, min(size, most), min(other, most))
            if old in content and rng.random() < 0.7:
                return _sealed(content.replace(old, new))
    return content


def _sealed(content: bytes) -> bytes:
    """Put the head of a PNG right again."""
    if not content.startswith(b"\x89PNG") or len(content) < 33:
        return content
    return content[:29] + struct.pack(">I", zlib.crc32(content[12:29])) + content[33:]


def _joined(content: bytes, rng: Random) -> bytes:
    """Put something else before it or behind it."""
    more = rng.choice((*AROUND, rng.choice(good())))
    return rng.choice((more + content, content + more, content + more * 100))


def _doubled(content: bytes, rng: Random) -> bytes:
    """Say a part of it many times over."""
    if not content:
        return content
    start = rng.randrange(len(content))
    part = content[start : start + rng.choice((4, 40, 400))]
    return content[:start] + part * rng.choice((2, 20, 300)) + content[start:]


def _between(content: bytes, rng: Random) -> bytes:
    """Go on with another one in the middle."""
    other = rng.choice(good())
    return content[: rng.randrange(len(content) + 1)] + other[rng.randrange(len(other)) :]


def _bomb(rng: Random) -> bytes:
    """Make little that unpacks to much: all that is said, or less, or more."""
    wide, high = rng.choice(((7000, 7000), (60_000_001, 1), (1, 59_999_999), (8000, 7500), (100_000, 100_000)))
    depth, colours = rng.choice(((8, 2), (16, 6), (1, 0), (8, 3)))
    head = _chunk(b"IHDR", struct.pack(">IIBBBBB", wide, high, depth, colours, 0, 0, rng.choice((0, 1))))
    packed = zlib.compress(bytes(rng.choice((0, 1000, ZEROS, 20 * ZEROS))), 9)
    return b"\x89PNG\r\n\x1a\n" + head + _chunk(b"IDAT", packed) + _chunk(b"IEND", b"")


def _texts(rng: Random) -> bytes:
    """Hide much in what is no picture: texts, colours, times."""
    content = good()[3]
    kind = rng.choice((b"zTXt", b"iTXt", b"iCCP", b"eXIf", b"tEXt"))
    packed = zlib.compress(bytes(rng.choice((1000, ZEROS, 10 * ZEROS))), 9)
    head = {b"zTXt": b"a\0\0", b"iTXt": b"a\0\1\0\0\0", b"iCCP": b"a\0\0"}.get(kind, b"")
    return content[:33] + _chunk(kind, head + packed) * rng.choice((1, 1, 300)) + content[33:]


def _nothing(rng: Random) -> bytes:
    return rng.choice((b"", b"\0" * 5000, rng.choice(AROUND), rng.randbytes(rng.randrange(3000))))


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
