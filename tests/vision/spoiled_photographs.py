"""Malicious photographs: spoiled good ones, bombs, and files of two kinds at once."""

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
def good_photographs() -> tuple[bytes, ...]:
    noise = np.random.default_rng(1).integers(0, 255, (60, 90, 3), np.uint8)
    picture = Image.fromarray(noise)
    exif, text = Image.Exif(), PngInfo()
    exif[0x0112], exif[0x010E], exif[0x9286] = 6, "é" * 300, b"x" * 300
    text.add_itxt("a", "b" * 300, zip=True)
    made = [
        _encode(picture, "JPEG", exif=exif.tobytes(), quality=90),
        _encode(picture, "JPEG", progressive=True),
        _encode(picture.convert("CMYK"), "JPEG"),
        _encode(picture, "PNG", pnginfo=text, exif=exif.tobytes()),
        _encode(picture.convert("P"), "PNG", transparency=0),
        _encode(picture.convert("I;16"), "PNG"),
        _encode(picture, "WEBP", exif=exif.tobytes()),
        _encode(picture, "WEBP", lossless=True),
        _encode(picture, "WEBP", save_all=True, append_images=[picture.rotate(90), picture.rotate(180)]),
        _encode(picture, "HEIF", exif=exif.tobytes()),
        _encode(picture.convert("L"), "HEIF"),
        _encode(picture, "BMP"),
    ]
    return tuple(made)


def _encode(picture: Image.Image, kind: str, **how: object) -> bytes:
    out = BytesIO()
    picture.save(out, kind, **how)
    return out.getvalue()


def spoiled_photograph(rng: Random) -> bytes:
    content = rng.choice(good_photographs())
    if rng.random() < 0.05:
        return rng.choice((_make_bomb, _make_texts, _make_noise))(rng)
    for _time in range(rng.choice((0, 1, 1, 1, 2, 5))):
        content = rng.choice((_flip_bytes, _flip_bytes, _change_sizes, _join_other))(content, rng)
    return content


def _flip_bytes(content: bytes, rng: Random) -> bytes:
    """Flip some bytes, mostly near the head."""
    changed = bytearray(content)
    for _byte in range(rng.choice((1, 1, 3, 30)) if changed else 0):
        place = min(rng.randrange(len(changed)), rng.choice((40, 400, 10**9))) % len(changed)
        changed[place] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))
    return bytes(changed)


def _change_sizes(content: bytes, rng: Random) -> bytes:
    """State another size, in two or four bytes, and repair the checksum of a PNG's head."""
    size, other = rng.choice(SIZES), rng.choice(SIZES)
    for form in (">HH", ">II", "<ii", "<HH"):
        most = 2 ** (8 * struct.calcsize(form) // 2 - 1) - 1
        new = struct.pack(form, min(size, most), min(other, most))
        for sides in ((90, 60), (60, 90), (89, 59)):
            old = struct.pack(form, *sides)
            if old in content and rng.random() < 0.7:
                content = content.replace(old, new)
                if content.startswith(b"\x89PNG") and len(content) > 32:
                    content = content[:29] + struct.pack(">I", zlib.crc32(content[12:29])) + content[33:]
                return content
    return content


def _join_other(content: bytes, rng: Random) -> bytes:
    """Cut it off, repeat a part of it many times, or join another file before, behind or within it."""
    cut, more = rng.randrange(len(content) + 1), rng.choice((*AROUND, rng.choice(good_photographs())))
    part = content[cut : cut + rng.choice((4, 40, 400))] * rng.choice((2, 20, 300))
    whole = (more + content, content + more * rng.choice((1, 100)))
    return rng.choice(
        (*whole, content[:cut], content[:cut] + part + content[cut:], content[:cut] + more[cut // 2 :])
    )


def _make_bomb(rng: Random) -> bytes:
    """Make a small file that unpacks to a huge picture, of its stated size, or less, or more."""
    wide, high = rng.choice(((7000, 7000), (60_000_001, 1), (1, 59_999_999), (8000, 7500), (100_000, 100_000)))
    depth, colours = rng.choice(((8, 2), (16, 6), (1, 0), (8, 3)))
    head = struct.pack(">IIBBBBB", wide, high, depth, colours, 0, 0, rng.choice((0, 1)))
    return png_of(head, zlib.compress(bytes(rng.choice((0, 1000, ZEROS, 20 * ZEROS))), 9))


def _make_texts(rng: Random) -> bytes:
    """Make a file with huge texts, colours and times beside its picture."""
    content = good_photographs()[3]
    kind = rng.choice((b"zTXt", b"iTXt", b"iCCP", b"eXIf", b"tEXt"))
    packed = zlib.compress(bytes(rng.choice((1000, ZEROS, 10 * ZEROS))), 9)
    head = {b"zTXt": b"a\0\0", b"iTXt": b"a\0\1\0\0\0", b"iCCP": b"a\0\0"}.get(kind, b"")
    return content[:33] + _png_chunk(kind, head + packed) * rng.choice((1, 1, 300)) + content[33:]


def _make_noise(rng: Random) -> bytes:
    return rng.choice((b"", b"\0" * 5000, rng.choice(AROUND), rng.randbytes(rng.randrange(3000))))


def png_of(head: bytes, packed: bytes) -> bytes:
    parts = ((b"IHDR", head), (b"IDAT", packed), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_png_chunk(*part) for part in parts)


def _png_chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
