"""States that were moved aside: by a restore, a new format or a failed start, and waiting backups.

Damaged journals can't be edited reliably. They are deleted, because everything readable was copied before.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from firmware.state_folder import ASIDE, BEFORE, JOURNAL, RESTORING
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.errors import JournalError, journal_errors
from firmware.storage.files import beside, remove
from firmware.storage.journal import Journal, open_journal, open_readonly
from firmware.storage.recovery import remove_damaged
from firmware.storage.state_copies import COPY as IN_OLDER_FORM
from referee.match import name_key

_WHOLE = re.compile(re.escape(JOURNAL) + r"(-[0-9]+)?")
"""Name of a journal that was moved aside, with a number if that name already existed."""
_TORN = re.compile(re.escape(JOURNAL) + r"((-wal|-shm|-journal|\.matches)-[0-9]+|.*\.damaged-.*)")
"""Damaged files, or a companion that has lost its journal."""


class Gone(Struct, frozen=True, eq=False):
    """Data to remove from each store: a name, or an evening with the names that no other evening has."""

    names: tuple[str, ...]
    change: Callable[[Journal], object]  # applied to a journal
    begun: frozenset[str] = frozenset()  # when the evening's matches began
    numbers: tuple[int, ...] = ()  # numbers of these matches, where still known


def folders_aside(state: Path) -> Iterator[Path]:
    for pattern in (f"{BEFORE}*", f"{ASIDE}*", RESTORING, f"{IN_OLDER_FORM}*"):
        yield from sorted(path for path in state.glob(pattern) if path.is_dir())


def names_aside(state: Path) -> list[str]:
    names = dict[str, str]()
    for journal in _journals(state):
        # an unreadable journal is repaired when a name is forgotten
        with suppress(JournalError), open_readonly(journal) as opened:
            names |= {name_key(name): name for name in opened.names()}
    return list(names.values())


def forget(here: TablePlaces, gone: Gone) -> None:
    with journal_errors(here.journal):
        remove_damaged(here.journal)
        for path in _named(here.state, _TORN):
            remove(path)
        for journal in _journals(here.state):
            with open_journal(journal) as opened:
                gone.change(opened.journal)
            beside(journal, ".lock").unlink(missing_ok=True)


def _journals(state: Path) -> Iterator[Path]:
    return (file for file in _named(state, _WHOLE) if file.is_file() and file.stat().st_size)


def _named(state: Path, named: re.Pattern[str]) -> Iterator[Path]:
    for folder in folders_aside(state):
        yield from (path for path in sorted(folder.rglob(f"{JOURNAL}*")) if named.fullmatch(path.name))
