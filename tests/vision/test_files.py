"""Files are read with care and written whole or not at all, and drafts of dead writers are swept."""

import os
from pathlib import Path
from unittest.mock import Mock

import pytest

from vision.files import read_json, read_small, sweep, write_whole


def test_reads_valid_files(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"[1, 2]")
    assert read_small(tmp_path / "a") == b"[1, 2]"
    assert read_json(tmp_path / "a", list[int]) == [1, 2]


@pytest.mark.parametrize("content", [b"", b"[1", b"\xff", b'["x"]', b"[" * 100_000], ids=len)
def test_reports_invalid_json(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a").write_bytes(content)
    with pytest.raises(OSError, match=r".") as error:
        read_json(tmp_path / "a", list[int])
    assert error.value.strerror


def test_reports_non_files_and_large_files(tmp_path: Path) -> None:
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
def test_removes_drafts_of_dead_processes(tmp_path: Path, of: str, gone: set[str]) -> None:
    for name in NAMES:
        for writer in (str(DEAD), str(os.getpid()), f"{DEAD}x"):
            (tmp_path / f".{name}.{writer}").touch()
        (tmp_path / name).touch()
    before = set(tmp_path.iterdir())
    sweep(tmp_path, of)
    assert before - set(tmp_path.iterdir()) == {tmp_path / f".{name}.{DEAD}" for name in gone}


def test_replaces_file_atomically_and_follows_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, link, pipe = (tmp_path / name for name in ("file", "link", "pipe"))
    link.symlink_to(file)
    os.mkfifo(pipe)
    (tmp_path / f".file.{DEAD}").touch()
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    for place in (file, link, pipe):
        write_whole(place, f"through {place.name}".encode())
    assert os.read(reader, 100) == b"through pipe"
    os.close(reader)
    monkeypatch.setattr(os, "fsync", Mock(side_effect=OSError(28, "No space left on device")))
    with pytest.raises(OSError, match="No space"):
        write_whole(file, b"lost")
    assert file.read_bytes() == b"through link"
    assert (link.is_symlink(), pipe.is_fifo()) == (True, True)
    assert set(tmp_path.iterdir()) == {file, link, pipe}
