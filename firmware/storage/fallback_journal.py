"""A journal that continues in memory after the disk fails, until the disk accepts lines again.

Matches with new lines are match files in memory, which outlive this process. If it ends before the disk accepts
the lines, the next start saves them (`state_place.py`). Until then, pages and commands read both.
"""

from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import TypeVar

from firmware.state_folder import state_directory
from firmware.storage import match_files
from firmware.storage.errors import JournalError
from firmware.storage.journal import NEUTRAL, Journal, TakenIn
from firmware.storage.memory_folders import memory_folder, remove_unsaved, unsaved_files, unsaved_path
from firmware.storage.state_place import folder_problem, journal_problem, saved_again, take_in_unsaved
from referee.match import Entry, Match
from referee.record import entry_line, record_lines, with_names
from referee.summaries import ForgottenPlayer
from vision.troubles import Problem

REST = 10.0
"""Seconds between retries per second of the last failed write, because a hanging disk delays answers."""
T = TypeVar("T")


class UnsavedMatches:
    """Matches with lines that the disk refuses, each in a file in memory."""

    def __init__(self, disk: Journal, path: Path) -> None:
        self._disk, self._path = disk, path
        self.records: dict[int, list[str]] = {}
        """The matches by their numbers, the last written one last."""

    def begin(self, match: Match) -> int:
        number = max(self._disk.latest() or 0, *self.records, 0) + 1
        self._put(number, record_lines(match))
        return number

    def append(self, match_id: int, number: int, entry: Entry) -> None:
        texts, line = self._texts(match_id), entry_line(entry)
        # an entry whose last write failed may have reached the disk after all
        if len(texts) < number or texts[number:] not in ([], [line]):
            raise JournalError("line missing", path=str(self._path), number=number, match=match_id)
        self._put(match_id, [*texts[:number], line])

    def name_seats(self, match_id: int, names: tuple[str, ...]) -> None:
        head, *entries = self._texts(match_id)
        self._put(match_id, [with_names(head, names), *entries])

    def take_up(self, match_id: int) -> None:
        self._put(match_id, self._texts(match_id))

    def _texts(self, match_id: int) -> list[str]:
        return self.records.get(match_id) or self._disk.lines(match_id)

    def _put(self, match_id: int, texts: list[str]) -> None:
        path = unsaved_path(memory_folder(state_directory()), self._path)
        match_files.write_match(path, self._disk.table, match_id, texts)
        self.records.pop(match_id, None)
        self.records[match_id] = texts


class FallbackJournal:
    """Writes to the disk, or to memory while the disk fails; used by one thread."""

    def __init__(self, disk: Journal, path: Path, clock: Callable[[], float] = monotonic) -> None:
        self._disk, self._path, self._clock = disk, path, clock
        self._memory = UnsavedMatches(disk, path)
        self._due = 0.0
        self.unsaved: Problem | None = None
        """Why lines are written to memory; None while they are written to the disk."""

    def begin(self, match: Match) -> int:
        return self._write(lambda journal: journal.begin(match))

    def append(self, match_id: int, number: int, entry: Entry) -> None:
        self._write(lambda journal: journal.append(match_id, number, entry))

    def name_seats(self, match_id: int, names: tuple[str, ...]) -> None:
        self._write(lambda journal: journal.name_seats(match_id, names))

    def take_up(self, match_id: int) -> None:
        self._write(lambda journal: journal.take_up(match_id))

    def forget(self, name: str, neutral: str = NEUTRAL) -> ForgottenPlayer:
        """Forget a name; refused while lines are in memory, because the name would remain on the disk."""
        if self.unsaved is not None:
            raise JournalError("journal disk", path=str(self._path))
        return self._disk.forget(name, neutral)

    def save(self) -> Problem | None:
        """Save the lines in memory to the disk. Return what was saved; None if nothing was."""
        if self.unsaved is None:
            return None
        began, records = self._clock(), self._memory.records
        # each line is written to the database and to its file
        pending = 2 * sum(len(text.encode()) for lines in records.values() for text in lines)
        taken, why = TakenIn(0, 0), folder_problem(self._path.parent, pending)
        try:
            if why is None:
                taken = take_in_unsaved(self._disk, records)
                # the next start resolves lines that have other numbers there
                is_same = all(self._disk.lines(each) == lines for each, lines in records.items())
                why = None if is_same else Problem("unsaved broken", {"why": "other numbers"})
        except JournalError as error:
            why = journal_problem(error, pending) or self.unsaved
        self.unsaved = why
        if why is not None:
            self._rest_since(began)
            return None
        self._memory = UnsavedMatches(self._disk, self._path)
        remove_unsaved(self._path)
        return saved_again(taken)

    def save_if_due(self) -> Problem | None:
        return self.save() if self._clock() >= self._due else None

    def _write(self, write: Callable[[Journal | UnsavedMatches], T]) -> T:
        """Write to the disk, or else to memory; raise the disk's error if memory fails, too."""
        if self.unsaved is not None:
            return write(self._memory)
        began = self._clock()
        try:
            return write(self._disk)
        except JournalError as error:
            why = folder_problem(self._path.parent) or journal_problem(error)
            # an earlier start's unsaved lines remain for the next start
            if why is None or unsaved_files(self._path):
                raise
            try:
                result = write(self._memory)
            except (OSError, JournalError):
                raise error from None
        self.unsaved = why
        self._rest_since(began)
        return result

    def _rest_since(self, began: float) -> None:
        now = self._clock()
        self._due = now + REST * (now - began)
