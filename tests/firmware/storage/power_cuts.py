"""A player at a disk that fails, and power cuts: what was acknowledged is there, once."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import TypeVar
from unittest.mock import patch

from firmware.storage import database
from firmware.storage.errors import JournalError
from firmware.storage.journal import OpenedJournal, hear, open_journal, open_matches
from referee.match import Match
from referee.record import record_lines
from tests.firmware.playing import any_entry, any_match, replay_to_bytes, state_bytes
from tests.firmware.storage import faulty_files
from tests.firmware.storage.faulty_disk import Disk, Fault

MOST_TRIES = 20
T = TypeVar("T")


class Player:
    """A player who plays on whatever the disk does, and remembers what was acknowledged."""

    opened: OpenedJournal
    match_id: int
    match: Match

    def __init__(self, path: Path, disk: Disk, rng: Random, killed: float = 0.5) -> None:
        """Sit down; nothing is open yet. Often it ends with a kill instead of closing."""
        self.path, self.disk, self.rng, self.killed = path, disk, rng, killed
        self.lines: dict[tuple[int, int], str] = {}
        self.states: dict[tuple[int, int], bytes] = {}
        self.troubles: list[str] = []

    def open(self) -> None:
        """Open the journal and find the open match."""
        checkpoint = self.rng.choice([8, 40, 1000])
        self.opened = self._until_it_works(
            lambda: open_journal(self.path, lambda path: self.disk.connect(path, checkpoint))
        )
        assert self.opened.aside is None
        resumed = next(open_matches(self.opened.journal), None)
        if resumed is None:
            self.begin()
        else:
            assert resumed.match is not None
            assert resumed.fault is None
            self.match_id, self.match = resumed.id, resumed.match
            # What the table shows is as good as acknowledged, even if keeping it once seemed to fail.
            self._note_acknowledged()

    def _until_it_works(self, do: Callable[[], T]) -> T:
        for _ in range(MOST_TRIES):
            try:
                return do()
            except JournalError as error:
                self.troubles.append(str(error))
        raise AssertionError(f"it never works again: {self.troubles}")

    def close(self) -> None:
        """Close the journal, or be killed; what can fail here is only SQLite's tidying up."""
        if self.disk.connection is not None and self.rng.random() < self.killed:
            self.disk.connection.leave_log()
        try:
            self.opened.journal.close()
        except JournalError as error:
            self.troubles.append(str(error))

    def begin(self) -> None:
        """Begin another match."""
        self.match = any_match(self.rng)
        self.match_id = self._until_it_works(lambda: self.opened.journal.begin(self.match))
        self._note_acknowledged()

    def give(self) -> None:
        """Give an answer; if it can't be kept, give it again, or another, or start the table again."""
        if not self.match.asks:
            self.begin()
        entry = any_entry(self.match, self.rng)
        for _ in range(MOST_TRIES):
            try:
                after = hear(self.opened.journal, self.match_id, self.match, entry)
            except JournalError as error:
                self.troubles.append(str(error))
            else:
                if isinstance(after, Match):
                    self.match = after
                    self._note_acknowledged()
                return
            what_now = self.rng.random()
            if what_now < 0.2:
                entry = any_entry(self.match, self.rng)
            elif what_now < 0.4:
                self.close()
                self.open()
                return
        raise AssertionError(f"it never works again: {self.troubles}")

    def _note_acknowledged(self) -> None:
        place = (self.match_id, self.match.number)
        self.lines[place] = record_lines(self.match)[-1]
        self.states[place] = state_bytes(self.match)
        self.disk.trail.tell(place)


@contextmanager
def noting_rewrites(disk: Disk) -> Iterator[None]:
    """Let the disk know what the journal writes past SQLite."""
    write_again = database.write_again

    def write_and_note(log: Path) -> None:
        write_again(log)
        if log.exists():
            disk.write_again(log)

    with patch.object(database, "write_again", write_and_note):
        yield


def cut_power(folder: Path, cuts: int, rng: Random, *, killed: float, syncs_fail: bool) -> None:
    """Write down what a table asks of a disk, now and then opened anew; cut the power, look at what is left."""
    disk = Disk(f"recording {folder} {rng.random()}")
    with noting_rewrites(disk):
        player = Player(folder / "recorded" / "journal.sqlite3", disk, rng, killed)
        for _ in range(5):
            player.open()
            for _ in range(25):
                if syncs_fail and rng.random() < 0.2:
                    disk.fault = Fault("sync", rng.randint(1, 3), 1, full=False)
                player.give()
            player.close()
        disk.unregister()
    left = folder / "left"
    for _when, told in faulty_files.cut_power(disk.trail, cuts, rng, left):
        check_left(left / "journal.sqlite3", dict(told), player)


def check_left(path: Path, told: dict[int, int], player: Player) -> None:
    """Open what the power cut left: all that was told is there, and at most one answer more."""
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
