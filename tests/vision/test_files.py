"""Files are read with care, and drafts of dead writers are swept."""

import os
from pathlib import Path

import pytest

from vision.files import read_json, read_small, sweep


def test_what_is_well_is_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"[1, 2]")
    assert read_small(tmp_path / "a") == b"[1, 2]"
    assert read_json(tmp_path / "a", list[int]) == [1, 2]


@pytest.mark.parametrize("content", [b"", b"[1", b"\xff", b'["x"]', b"[" * 100_000], ids=len)
def test_what_cannot_be_understood_is_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a").write_bytes(content)
    with pytest.raises(OSError, match=r".") as error:
        read_json(tmp_path / "a", list[int])
    assert error.value.strerror


def test_what_is_no_file_or_too_large_is_told(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "large").write_bytes(b"1234")
    for name in ("folder", "pipe", "large"):
        with pytest.raises(OSError, match="it is"):
            read_small(tmp_path / name, 3)
    with pytest.raises(FileNotFoundError):
        read_small(tmp_path / "missing")


DEAD = 2**22 + 7  # no process has such a number
NAMES = ("a.json", "[b]*", "*")


@pytest.mark.parametrize(("of", "gone"), [("*", set(NAMES)), ("a.json", {"a.json"}), ("[b]*", {"[b]*"})])
def test_drafts_of_the_dead_are_removed(tmp_path: Path, of: str, gone: set[str]) -> None:
    for name in NAMES:
        for writer in (str(DEAD), str(os.getpid()), f"{DEAD}x"):
            (tmp_path / f".{name}.{writer}").touch()
        (tmp_path / name).touch()
    before = set(tmp_path.iterdir())
    sweep(tmp_path, of)
    assert before - set(tmp_path.iterdir()) == {tmp_path / f".{name}.{DEAD}" for name in gone}
