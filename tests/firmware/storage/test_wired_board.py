"""Which board is wired: a person says it; a table that played before that was asked goes on as it did."""

from pathlib import Path

import pytest

from firmware.state_folder import BOARD
from firmware.storage.wired_board import WiredBoard, keep_wired_board, read_wired_board, wired_at_start


def test_nothing_is_driven_on_a_new_table_and_that_stays_so(tmp_path: Path) -> None:
    first = wired_at_start(tmp_path, "full", has_played=False)
    assert (first, first.is_driven) == (WiredBoard(), False)
    # by the second start it has played
    assert wired_at_start(tmp_path, "full", has_played=True) == WiredBoard()


def test_a_table_that_has_played_goes_on_until_somebody_has_said_it(tmp_path: Path) -> None:
    wired = wired_at_start(tmp_path, "full", has_played=True)
    assert (wired, wired.is_driven) == (WiredBoard("full", "assumed"), True)
    keep_wired_board(tmp_path, WiredBoard("six", "confirmed"))
    assert wired_at_start(tmp_path, "full", has_played=True) == WiredBoard("six", "confirmed")


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b'{"profile": 6}', b"[" * 100_000])
def test_what_cannot_be_read_drives_nothing(tmp_path: Path, content: bytes) -> None:
    (tmp_path / BOARD).write_bytes(content)
    assert read_wired_board(tmp_path) == WiredBoard()
    assert not wired_at_start(tmp_path, "full", has_played=True).is_driven


def test_a_folder_that_cannot_be_written_is_no_reason_to_drive(tmp_path: Path) -> None:
    (tmp_path / "state").write_bytes(b"a file")
    assert wired_at_start(tmp_path / "state", "full", has_played=False) == WiredBoard()
