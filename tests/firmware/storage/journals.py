"""Journals with matches in them, as they are left, and what is checked of them."""

import shutil
import sqlite3
from pathlib import Path
from random import Random

from firmware.storage.journal import (
    OpenedJournal,
    open_journal,
)
from hardware.twin.player import play_on
from tests.firmware.playing import (
    any_match,
    kept_lines,
    play_lines,
    play_matches,
    replay_to_bytes,
)


def play_and_close(path: Path, matches: int, seed: int = 0) -> dict[int, list[str]]:
    """Play so many matches, keep each at once, close, and give what is kept."""
    rng = Random(seed)
    with open_journal(path) as opened:
        for _ in range(matches):
            opened.journal.begin(play_on(any_match(rng), rng))
    return kept_lines(path)


def copy_while_open(path: Path, to: Path, matches: int) -> dict[int, list[str]]:
    """Copy the files of an open journal, as a kill leaves them: most lines stand in the log only."""
    to.parent.mkdir()
    with open_journal(path) as opened:
        play_matches(opened.journal, matches, Random(matches))
        for ending in ("", "-wal"):
            shutil.copy(f"{path}{ending}", f"{to}{ending}")
    return kept_lines(path)


def check_saved(path: Path, before: dict[int, list[str]]) -> tuple[OpenedJournal, int]:
    """Open; each match kept must be the first lines of what it was. Give how many matches got shorter."""
    with open_journal(path) as opened:
        now = {match.id: opened.journal.lines(match.id) for match in opened.journal.matches()}
        for match_id, lines in now.items():
            assert lines == before[match_id][: len(lines)]
            replay_to_bytes(lines)
        shorter = sum(now.get(match_id) != lines for match_id, lines in before.items())
        match = any_match(Random(1))
        match_id = opened.journal.begin(match)
        assert match_id == max(now, default=0) + 1
        play_lines(opened.journal, match_id, match, 3, Random(1))
    with open_journal(path) as again:
        assert again == OpenedJournal(again.journal)
        assert len(again.journal.lines(match_id)) == 4
    return opened, shorter


def change(path: Path, *statements: str) -> None:
    """Change a database behind the journal's back."""
    db = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        db.execute(statement)
    db.close()
