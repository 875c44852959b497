"""A table started outside systemd restricts files that others can read."""

import os
from pathlib import Path
from stat import S_IMODE

from firmware.storage.journal import open_journal
from tests.firmware.board.inputs.matches import bidden
from tests.firmware.start.program import run_program
from tests.tiers import slow


@slow("a table starts with a state that others can read")
def test_start_makes_all_state_private(tmp_path: Path) -> None:
    state, before = tmp_path / "state", os.umask(0o022)
    try:
        with open_journal(state / "journal.sqlite3") as opened:
            opened.journal.begin(bidden(5))
        (state / "decks" / "mine").mkdir(parents=True)
        (state / "decks" / "mine" / "notes.txt").touch()
        for path in (state, *state.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
        with run_program(tmp_path, ("Ana", "Bo")):
            found = {
                path: oct(S_IMODE(path.stat().st_mode) & 0o077)
                for folder in (state, tmp_path / "log")
                for path in folder.rglob("*")
                if not path.is_symlink()
            }
        assert {path.name: mode for path, mode in found.items() if mode != "0o0"} == {}
        assert S_IMODE(state.stat().st_mode) == 0o700
    finally:
        os.umask(before)
