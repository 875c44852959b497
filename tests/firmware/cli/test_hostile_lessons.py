"""`coyote cards teach` reports each hostile file in one line, and teaches the others."""

import os
import shlex
import struct
import zlib
from collections.abc import Callable, Mapping
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


def with_bytes(name: str, content: bytes) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_bytes(content)


def with_link(name: str, target: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).symlink_to(target)


LESSONS: Mapping[str, Callable[[Path], object]] = {
    "pipe": lambda folder: os.mkfifo(folder / "x.png"),
    "endless device": with_link("x.png", "/dev/zero"),
    "link to nothing": with_link("x.png", "/nowhere"),
    "link to itself": with_link("x.png", "x.png"),
    "folder": lambda folder: (folder / "x.png").mkdir(),
    "counts in a pipe": lambda folder: os.mkfifo(folder / "counts.json"),
    "counts without an end": with_link("counts.json", "/dev/zero"),
    "deep counts": with_bytes("counts.json", b"[" * 100_000),
    "negative counts": with_bytes("counts.json", b'{"good": -1}'),
    "counts of no text": with_bytes("counts.json", b"\xff\xfe"),
    "line break in a name": with_bytes("a\nb.png", GOOD),
    "terminal codes in a name": with_bytes("a\x1b[31m\u202eb.png", GOOD),
    "name without letters": with_bytes(" .png", GOOD),
    "name in no encoding": with_bytes("\udcff.png", GOOD),
    "long name": with_bytes("a" * 240 + ".png", GOOD),
    "bomb": with_bytes("x.png", png(20_000, 20_000, 200)),
    "stated size": with_bytes("x.png", png(2**31 - 1, 1)),
    "no size": with_bytes("x.png", png(0, 0)),
    "one pixel": with_bytes("x.png", png(1, 1)),
    "nothing": with_bytes("x.png", b""),
    "vector graphic": with_bytes("x.png", b'<svg><image href="file:///etc/passwd"/></svg>'),
    "large file": lambda folder: os.truncate(_empty(folder / "x.png"), 41_000_000),
}
"""Each adds something hostile to a folder with a good picture."""
NAMES = ("../x", "", ".", "..", "/etc/x", "a/b", "a" * 300, "a\nb", "a\x1b[31mb", "\u202ea", "é" * 200)
"""Names that no deck may have."""


def _empty(file: Path) -> Path:
    file.touch()
    return file


@pytest.mark.parametrize("lesson", LESSONS)
def test_hostile_file_is_reported_in_one_line(
    coyote: Coyote, tmp_path: Path, lesson: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.cli.teach.try_taught", lambda *_pictures: ())
    folder = tmp_path / "lesson"
    folder.mkdir()
    (folder / "good.png").write_bytes(GOOD)
    LESSONS[lesson](folder)
    result = coyote(f"cards teach mine --from {folder}")
    assert result.code == 1
    lines = (result.out + result.err).splitlines()
    assert all(line.isprintable() for line in lines)
    assert sum("lesson/" in line for line in lines) == 1
    is_taught = "counts" not in lesson
    assert (state_directory() / DECKS / "mine" / "good" / "1.png").exists() == is_taught


@pytest.mark.parametrize("name", NAMES)
def test_name_that_no_deck_may_have_is_refused(coyote: Coyote, tmp_path: Path, name: str) -> None:
    result = coyote(shlex.join(("cards", "teach", "--from", str(tmp_path), "--", name)))
    assert (result.code, result.out, len(result.err.splitlines())) == (2, "", 1)


def test_margin_that_is_no_number_is_refused(coyote: Coyote, tmp_path: Path) -> None:
    (tmp_path / "good.png").write_bytes(GOOD)
    result = coyote(f"cards teach mine --margin nan --from {tmp_path}")
    assert (result.code, "nan isn't possible: give millimetres" in result.err) == (2, True)
