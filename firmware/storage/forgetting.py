"""Forgetting a name wherever a table has it: in its journal, its links, and in the copies that lie beside them.

Copies are of what was there before a backup or an update, of a backup that waits, or of what a start has set
aside. What is damaged can't be changed for certain; as all that could be read was taken over, it is removed.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from glob import escape
from pathlib import Path
from typing import TypeVar

from firmware.state_folder import ASIDE, EVIDENCE, LINKS, RESTORING
from firmware.storage.backups.parts import JOURNAL, TablePlaces
from firmware.storage.backups.placing import BEFORE
from firmware.storage.backups.sticks import count_forgetting
from firmware.storage.errors import JournalError, journal_errors
from firmware.storage.files import beside
from firmware.storage.journal import NEUTRAL, Journal, open_journal, open_readonly
from firmware.storage.people.links_file import forget_in_file
from firmware.storage.picture_owners import clips_aside, note_beginning
from firmware.updates.state_copies import COPY, NEWER
from referee.match import Entry, Match
from referee.summaries import ForgottenPlayer, name_key
from vision.process.evidence import forget_clips

_COPY = re.compile(re.escape(JOURNAL) + r"(-[0-9]+)?")
"""How a journal is called that lies aside; it has a number where there was one of that name already."""
_REST = re.compile(re.escape(JOURNAL) + r"(-wal|-shm|-journal|\.copy)-[0-9]+")
"""What lay beside such a journal, and isn't found under that name any more."""


T = TypeVar("T")


class KeptEverywhere:
    """A journal, and all copies of it: entries are kept in one, names are forgotten in all."""

    def __init__(self, journal: Journal, here: TablePlaces) -> None:
        """Take the open journal, and where the table keeps its things."""
        self._journal, self._here = journal, here

    def begin(self, match: Match) -> int:
        """Keep a match, and give it its number."""
        number = self._journal.begin(match)
        with suppress(OSError):
            # the next start sees to what can't be noted now
            note_beginning(self._here.state, number, match.setup.begun)
        return number

    def append(self, match_id: int, number: int, entry: Entry) -> None:
        """Keep an entry."""
        self._journal.append(match_id, number, entry)

    def name_seats(self, match_id: int, names: tuple[str, ...]) -> None:
        """Keep other names of a match that has no entry so far."""
        self._journal.name_seats(match_id, names)

    def forget(self, name: str, neutral: str = NEUTRAL) -> ForgottenPlayer:
        """Put a neutral name in a player's place; what can't be changed is told, and may be tried again."""
        forget_in_copies(self._here, name, neutral)
        with journal_errors(self._here.state):
            for links in link_files(self._here):
                forget_in_file(links, name)
        # second copies, which may lie in a drawer, forget when they are brought up to date
        with journal_errors(self._here.state):
            count_forgetting(self._here.state)
        with journal_errors(self._here.state):
            # hands can be seen in them
            for match in self._journal.matches_of(name):
                forget_clips(self._here.state / EVIDENCE, str(match))
            # whose hands these show is no longer known
            for clip in clips_aside(self._here.state):
                clip.unlink(missing_ok=True)
        return self._journal.forget(name, neutral)


def forget_in_copies(here: TablePlaces, name: str, neutral: str = NEUTRAL) -> int:
    """Put a neutral name in a player's place in all copies; give in how many matches."""
    with journal_errors(here.journal):
        drop_damaged(here)
        return sum(
            _change_copy(copy, lambda journal: journal.forget(name, neutral).matches) for copy in _copies(here)
        )


def remove_from_copies(here: TablePlaces, is_gone: Callable[[str], bool]) -> None:
    """Remove matches by when they were begun from all copies."""
    with journal_errors(here.journal):
        drop_damaged(here)
        for copy in _copies(here):
            _change_copy(copy, lambda journal: journal.remove(is_gone))


def drop_damaged(here: TablePlaces) -> None:
    """Remove what is damaged, or was torn from its journal: it can't be changed for certain."""
    for damaged in _damaged(here):
        damaged.unlink(missing_ok=True)


def names_in_copies(here: TablePlaces) -> list[str]:
    """List who has played in matches that lie aside."""
    names: dict[str, str] = {}
    for copy in _copies(here):
        # one that can't be read is mended when a name is forgotten
        with suppress(JournalError), open_readonly(copy) as journal:
            names.update((name_key(name), name) for name in journal.names())
    return list(names.values())


def link_files(here: TablePlaces) -> Iterator[Path]:
    """Find what says who is let in, now and in what lies aside."""
    stem = Path(LINKS).stem
    yield from sorted(path for path in here.state.glob(f"{stem}*.json") if path.is_file())
    for folder in folders_aside(here.state):
        yield from (path for path in sorted(folder.rglob(f"{stem}*.json")) if path.is_file())


def _change_copy(copy: Path, change: Callable[[Journal], T]) -> T:
    """Change a journal that lies aside, and leave nothing damaged beside it."""
    with open_journal(copy) as opened:
        changed = change(opened.journal)
    beside(copy, ".lock").unlink(missing_ok=True)
    for damaged in copy.parent.glob(f"{escape(copy.name)}.damaged-*"):
        damaged.unlink(missing_ok=True)
    return changed


def _copies(here: TablePlaces) -> Iterator[Path]:
    """Find the journals that lie aside."""
    for path in _aside(here):
        if _COPY.fullmatch(path.name) and path.stat().st_size:
            yield path


def _damaged(here: TablePlaces) -> Iterator[Path]:
    """Find what is damaged, or was torn from its journal."""
    yield from here.journal.parent.glob(f"{escape(here.journal.name)}.damaged-*")
    for path in _aside(here):
        if ".damaged-" in path.name or _REST.fullmatch(path.name):
            yield path


def _aside(here: TablePlaces) -> Iterator[Path]:
    """List what is called like a journal in the folders where things are laid aside."""
    for folder in folders_aside(here.state):
        yield from (path for path in sorted(folder.rglob(f"{JOURNAL}*")) if path.is_file())


def folders_aside(state: Path) -> Iterator[Path]:
    """List the folders of what was here before, of what waits, and of what was set aside."""
    for pattern in (f"{BEFORE}*", f"{ASIDE}*", RESTORING, f"{COPY}*", f"{NEWER}*"):
        yield from sorted(path for path in state.glob(pattern) if path.is_dir())
