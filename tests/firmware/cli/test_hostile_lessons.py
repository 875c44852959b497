"""`coyote cards teach` reports each hostile file in one line, and teaches the others."""

import os
import shlex
import struct
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.state_folder import DECKS, state_directory
from tests.firmware.conftest import Coyote

GOOD = cv2.imencode(
    ".png", np.random.default_rng(1).integers(0, 255, (11, 8, 3), np.uint8).repeat(16, 0).repeat(16, 1)
)[1].tobytes()


def png(width: int, height: int, rows: int = 1) -> bytes:
    """Return a PNG of a stated size with fewer rows."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        whole = kind + content
        return struct.pack(">I", len(content)) + whole + struct.pack(">I", zlib.crc32(whole))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    packed = zlib.compress(bytes((3 * min(width, 20_000) + 1) * rows), 9)
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", packed) + chunk(b"IEND", b"")


def with_content(content: bytes) -> Callable[[Path], object]:
    return lambda file: file.write_bytes(content)


PICTURES: Sequence[Callable[[Path], object]] = (
    os.mkfifo,
    lambda file: file.symlink_to("/dev/zero"),
    lambda file: file.symlink_to("/nowhere"),
    lambda file: file.symlink_to(file.name),
    Path.mkdir,
    # a bomb, then false sizes
    with_content(png(20_000, 20_000, 200)),
    with_content(png(2**31 - 1, 1)),
    with_content(png(0, 0)),
    with_content(png(1, 1)),
    with_content(b""),
    with_content(b'<svg><image href="file:///etc/passwd"/></svg>'),
    with_content(bytes(41_000_000)),
)
"""Each puts something hostile in place of a picture."""
PICTURE_NAMES = ("a\nb", "a\x1b[31m\u202eb", " ", "\udcff", "a" * 240)
"""Names of pictures: a line break, terminal codes, no letters, no encoding, too long."""
COUNTS: Mapping[str, Callable[[Path], object]] = {
    "a pipe": os.mkfifo,
    "without an end": lambda file: file.symlink_to("/dev/zero"),
    "deep": with_content(b"[" * 100_000),
    "negative": with_content(b'{"good": -1}'),
    "no text": with_content(b"\xff\xfe"),
}
NAMES = ("../x", "", ".", "..", "/etc/x", "a/b", "a" * 300, "a\nb", "a\x1b[31mb", "\u202ea", "é" * 200)
"""Names that no deck may have."""


@pytest.fixture
def lesson(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a good picture."""
    monkeypatch.setattr("firmware.cli.teach.try_taught", lambda *_pictures: ())
    folder = tmp_path / "lesson"
    folder.mkdir()
    (folder / "good.png").write_bytes(GOOD)
    return folder


def is_taught() -> bool:
    return (state_directory() / DECKS / "mine" / "good" / "1.png").exists()


def test_each_hostile_picture_is_reported_in_one_line(coyote: Coyote, lesson: Path) -> None:
    for number, put in enumerate(PICTURES):
        put(lesson / f"x{number}.png")
    for name in PICTURE_NAMES:
        (lesson / f"{name}.png").write_bytes(GOOD)
    result = coyote(f"cards teach mine --from {lesson}")
    lines = (result.out + result.err).splitlines()
    assert (result.code, is_taught()) == (1, True)
    assert all(line.isprintable() for line in lines)
    assert sum("lesson/" in line for line in lines) == len(PICTURES) + len(PICTURE_NAMES)


@pytest.mark.parametrize("kind", COUNTS)
def test_hostile_counts_are_reported_in_one_line(coyote: Coyote, lesson: Path, kind: str) -> None:
    COUNTS[kind](lesson / "counts.json")
    result = coyote(f"cards teach mine --from {lesson}")
    lines = (result.out + result.err).splitlines()
    assert (result.code, is_taught()) == (1, False)
    assert all(line.isprintable() for line in lines)
    assert sum("lesson/" in line for line in lines) == 1


@pytest.mark.parametrize("name", NAMES)
def test_name_that_no_deck_may_have_is_refused(coyote: Coyote, tmp_path: Path, name: str) -> None:
    result = coyote(shlex.join(("cards", "teach", "--from", str(tmp_path), "--", name)))
    assert (result.code, result.out, len(result.err.splitlines())) == (2, "", 1)
