"""Files that were asked for: whole or not at all, and nothing else is harmed."""

import os
from pathlib import Path

import pytest

from tests.firmware.conftest import Coyote
from vision.files import write_whole


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"old")
    write_whole(file, b"new")
    assert file.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [file]


def test_a_link_is_followed(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    link.symlink_to(file)
    write_whole(link, b"new")
    assert link.is_symlink()
    assert file.read_bytes() == b"new"


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(pipe, b"through")
    assert os.read(reader, 100) == b"through"
    os.close(reader)
    assert pipe.is_fifo()


def test_nothing_is_left_of_what_could_not_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    file = tmp_path / "file"
    file.write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(file, b"new")
    assert file.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_match_is_never_saved_over_the_journal(coyote: Coyote, tmp_path: Path) -> None:
    coyote("play --seats Ana,Bo", "Ana\n7\n")
    journal = tmp_path / "journal.sqlite3"
    (tmp_path / "link").symlink_to(journal)
    before = journal.read_bytes()
    for name in ("journal.sqlite3", "link", "journal.sqlite3-wal"):
        said = coyote(f"save -o {tmp_path / name}")
        assert said.code == 2
        assert "journal itself" in said.err
    assert journal.read_bytes() == before


@pytest.mark.parametrize("line", ["save -o ''", "print markers -o ''", "render coup -o ''"])
def test_no_name_is_one_line(coyote: Coyote, line: str) -> None:
    coyote("play --seats Ana,Bo", "Ana\n7\n")
    said = coyote(line)
    assert said.code == 2
    assert said.err.count("\n") == 1


def test_what_is_typed_at_nothing_ends_the_match(coyote: Coyote, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(_prompt: str) -> str:
        raise RuntimeError("input(): lost sys.stdin")

    monkeypatch.setattr("builtins.input", nothing)
    assert coyote("play --seats Ana,Bo").code == 0
