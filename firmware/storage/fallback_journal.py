"""A journal that continues in memory after the disk fails, until the disk accepts lines again.

The copy in memory outlives this process. If the process ends before the disk accepts the lines, the next start
saves them (`state_place.py`). Until then, pages and commands read the copy (`memory_folders.newest_journal`).
"""

import shutil
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from time import monotonic
from typing import TypeVar

from firmware.state_folder import JOURNAL, state_directory
from firmware.storage.backups.foreign_journals import write_database
from firmware.storage.errors import JournalError, journal_errors
from firmware.storage.journal import NEUTRAL, Journal, open_journal
from firmware.storage.memory_folders import lines_folder, memory_folder, remove_lines
from firmware.storage.state_place import folder_problem, has_room_in_memory, journal_problem, saved_again
from referee.match import Entry, Match
from referee.summaries import ForgottenPlayer
from referee.sums import SealedLine
from vision.troubles import Problem

REST = 10.0
"""Seconds between retries per second of the last failed write, because a hanging disk delays answers."""
T = TypeVar("T")


class FallbackJournal:
    """Writes to the disk, or to memory while the disk fails; used by one thread."""

    def __init__(self, disk: Journal, path: Path, clock: Callable[[], float] = monotonic) -> None:
        self._disk, self._path, self._clock = disk, path, clock
        self._memory: Journal | None = None
        self._changed: dict[int, None] = {}  # matches with more lines in memory, in writing order
        self._due = 0.0
        self.unsaved: Problem | None = None
        """Why lines are written to memory; None while they are written to the disk."""

    def begin(self, match: Match) -> int:
        match_id = self._write(None, lambda journal: journal.begin(match))
        self._note_changed(match_id)
        return match_id

    def append(self, match_id: int, number: int, entry: Entry) -> None:
        self._write(match_id, lambda journal: journal.append(match_id, number, entry))

    def name_seats(self, match_id: int, names: tuple[str, ...]) -> None:
        self._write(match_id, lambda journal: journal.name_seats(match_id, names))

    def take_up(self, match_id: int) -> None:
        self._write(match_id, lambda journal: journal.take_up(match_id))

    def forget(self, name: str, neutral: str = NEUTRAL) -> ForgottenPlayer:
        """Forget a name; refused while lines are in memory, because the name would remain on the disk."""
        if self._memory is not None:
            raise JournalError("journal disk", path=str(self._path))
        return self._disk.forget(name, neutral)

    def save(self) -> Problem | None:
        """Save the lines in memory to the disk. Return what was saved; None if nothing was."""
        if self._memory is None:
            return None
        began, pending = self._clock(), 0
        try:
            records = {each: self._memory.lines(each) for each in self._changed}
            # each line is written to the database and to its copy
            pending = 2 * sum(len(text.encode()) for lines in records.values() for text in lines)
            why = folder_problem(self._path.parent, pending)
            result = None if why is not None else self._take_over(self._memory, records)
        except JournalError as error:
            why, result = journal_problem(error, pending) or self.unsaved, None
        self.unsaved = why
        if why is None:
            self._leave_memory(self._memory)
        else:
            self._rest_since(began)
        return result

    def save_if_due(self) -> Problem | None:
        return self.save() if self._clock() >= self._due else None

    def close(self) -> None:
        """Close the copy in memory; its unsaved lines remain for the next start."""
        if self._memory is not None:
            self._memory.close()

    def _write(self, match_id: int | None, write: Callable[[Journal], T]) -> T:
        if self._memory is not None:
            result = write(self._memory)
        else:
            began = self._clock()
            try:
                return write(self._disk)
            except JournalError as error:
                result = self._fall_back(match_id, write, error)
                self._rest_since(began)
        self._note_changed(match_id)
        return result

    def _note_changed(self, match_id: int | None) -> None:
        if self._memory is not None and match_id is not None:
            self._changed[match_id] = None

    def _fall_back(self, match_id: int | None, write: Callable[[Journal], T], error: JournalError) -> T:
        """Switch to a copy in memory; raise the disk's error if memory fails, too."""
        why = folder_problem(self._path.parent) or journal_problem(error)
        if why is None:
            raise error
        try:
            folder = lines_folder(memory_folder(state_directory()), self._path)
            # an earlier start's unsaved lines remain for the next start
            if folder.exists():
                raise error
            with ExitStack() as undo:
                undo.callback(remove_lines, folder / JOURNAL)
                self._copy_to(folder, match_id)
                memory = undo.enter_context(open_journal(folder / JOURNAL).journal)
                if match_id is not None and memory.lines(match_id) != self._disk.lines(match_id):
                    raise error
                result = write(memory)
                undo.pop_all()
        except (OSError, JournalError):
            raise error from None
        self._memory, self.unsaved = memory, why
        return result

    def _copy_to(self, folder: Path, match_id: int | None) -> None:
        """Copy the journal into a folder in memory, renamed once it is complete.

        The lines come from the open connection; another one might see traces of a failed write on the disk.
        """
        draft = folder.with_name("draft")
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(mode=0o700)
        is_whole = has_room_in_memory(folder.parent, self._path)
        lines = self._disk.every_line() if is_whole else self._newest_lines(match_id)
        with journal_errors(self._path):
            write_database(draft / JOURNAL, lines, self._disk.table)
        draft.rename(folder)

    def _newest_lines(self, match_id: int | None) -> list[SealedLine]:
        """Return the lines of the current match and of the last one, from which new matches are numbered."""
        wanted = sorted({each for each in (match_id, self._disk.latest()) if each is not None})
        return [
            SealedLine(each, number, text)
            for each in wanted
            for number, text in enumerate(self._disk.lines(each))
            if text
        ]

    def _take_over(self, memory: Journal, records: Mapping[int, list[str]]) -> Problem:
        taken = self._disk.take_in(records.values())
        last = memory.last_written()
        if last is not None:
            self._disk.take_up(last)
        if any(self._disk.lines(each) != lines for each, lines in records.items()):
            # the next start resolves lines that have other numbers there
            raise JournalError("journal trouble", path=str(self._path), why="other numbers")
        return saved_again(taken)

    def _leave_memory(self, memory: Journal) -> None:
        self._memory, self._changed = None, {}
        memory.close()
        remove_lines(lines_folder(memory_folder(state_directory()), self._path) / JOURNAL)

    def _rest_since(self, began: float) -> None:
        now = self._clock()
        self._due = now + REST * (now - began)
