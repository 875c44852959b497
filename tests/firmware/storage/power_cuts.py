"""A player on a failing disk with power cuts: acknowledged answers are stored exactly once."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import TypeVar
from unittest.mock import patch

from firmware.storage import database
from firmware.storage.errors import JournalError
from firmware.storage.journal import enter, open_journal, open_matches
from referee.match import Match
from referee.record import record_lines
from tests.firmware.playing import any_entry, any_match, replay_to_bytes, state_bytes
from tests.firmware.storage import faulty_files
from tests.firmware.storage.faulty_disk import Disk, Fault

LIVES, ANSWERS, MAX_TRIES = 5, 25, 20


T = TypeVar("T")


def _persist(do: Callable[[], T]) -> T:
    """Retry until the disk succeeds."""
    for _try in range(MAX_TRIES):
        with suppress(JournalError):
            return do()
    raise AssertionError("it never works again")


class _Player:
    """A player who continues whatever the disk does, and records acknowledged answers."""

    def __init__(self, path: Path, disk: Disk, rng: Random) -> None:
        self.path, self.disk, self.rng = path, disk, rng
        self.lines: dict[tuple[int, int], str] = {}
        self.states: dict[tuple[int, int], bytes] = {}

    def live(self, *, killed: float, syncs_fail: bool) -> None:
        """Open the journal, continue the open match, and end: often by a kill instead of closing."""
        checkpoint, rng = self.rng.choice([8, 40, 1000]), self.rng
        opened = _persist(lambda: open_journal(self.path, lambda path: self.disk.connect(path, checkpoint)))
        assert opened.aside is None
        resumed = next(open_matches(opened.journal), None)
        number, match = (0, None) if resumed is None else (resumed.id, resumed.match)
        if match is not None:
            # shown answers count as acknowledged, even if storing them seemed to fail once
            self._note(number, match)
        for _answer in range(ANSWERS):
            if syncs_fail and rng.random() < 0.2:
                self.disk.fault = Fault(rng.randint(1, 3), kind="sync", full=False)
            if match is None or not match.asks:
                match = any_match(rng)
                number = _persist(partial(opened.journal.begin, match))
                self._note(number, match)
            after = _persist(partial(enter, opened.journal, number, match, any_entry(match, rng)))
            if isinstance(after, Match):
                match = after
                self._note(number, match)
        if self.disk.connection is not None and self.rng.random() < killed:
            self.disk.connection.leave_log()
        with suppress(JournalError):
            # only SQLite's clean-up can fail here
            opened.journal.close()

    def _note(self, number: int, match: Match) -> None:
        place = (number, match.number)
        self.lines[place] = record_lines(match)[-1]
        self.states[place] = state_bytes(match)
        self.disk.trail.tell(place)


def cut_power(folder: Path, cuts: int, rng: Random, *, killed: float, syncs_fail: bool) -> None:
    """Log a table's disk requests over some restarts, cut the power, and check the files."""
    disk = Disk(f"recording {folder} {rng.random()}")
    player = _Player(folder / "recorded" / "journal.sqlite3", disk, rng)
    write_again = database.write_again

    def write_and_note(log: Path) -> None:
        write_again(log)
        if log.exists():
            disk.write_again(log)

    # the journal's writes outside SQLite
    with patch.object(database, "write_again", write_and_note):
        for _life in range(LIVES):
            player.live(killed=killed, syncs_fail=syncs_fail)
        disk.unregister()
    left = folder / "left"
    for _when, told in faulty_files.cut_power(disk.trail, cuts, rng, left):
        check_left(left / "journal.sqlite3", dict(told), player)


def check_left(path: Path, told: dict[int, int], player: _Player) -> None:
    """Open the files after a power cut: all reported answers are present, and at most one more."""
    with open_journal(path) as opened:
        assert opened.aside is None
        lines = {match.id: opened.journal.lines(match.id) for match in opened.journal.matches()}
        resumed = next(open_matches(opened.journal), None)
    assert sum(map(len, lines.values())) <= sum(told.values()) + len(told) + 1
    for match_id, number in told.items():
        kept = lines[match_id][: number + 1]
        assert kept == [player.lines[match_id, each] for each in range(number + 1)]
        assert replay_to_bytes(kept) == player.states[match_id, number]
    assert resumed is None or resumed.fault is None
