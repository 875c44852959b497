"""The state's format version, and the copy of the state that is made before its format changes.

The format is a number in the source (`FORM`) and in the state itself. A version reads its own format and all
older ones.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from firmware.state_folder import ASIDE, BEFORE, EVIDENCE, FORM, JOURNAL, READY, RESTORING, SUMS
from firmware.storage.database import connect_database, connect_to_read
from firmware.storage.errors import ERRORS, JournalError, journal_errors
from firmware.storage.files import beside, read_text
from vision.files import make_folder, sync, write_whole

FORM_FILE, FIRST_FORM = "form", 1
COPY = "form-"
"""Prefix of folders with the state in an older format."""
_NOT_COPIED = (".", BEFORE, ASIDE, COPY)
_NOT_KEPT = frozenset({EVIDENCE, RESTORING, "starts.json", JOURNAL + SUMS})
"""Files that are never copied: pictures of rulings, derived data, notes about starts."""
_BESIDE_JOURNAL = ("-wal", "-shm", ".lock")


def form_of(state: Path) -> int:
    said = read_text(state / FORM_FILE)
    return int(said) if said.isdecimal() else FIRST_FORM


def keep_form(state: Path, form: int = FORM) -> None:
    write_whole(state / FORM_FILE, f"{form}".encode())


def require_readable(state: Path, form: int = FORM) -> None:
    """Raise JournalError if a newer version wrote the state, unless a backup waits to replace it."""
    if form_of(state) > form and not (state / RESTORING / READY).exists():
        raise JournalError("newer state", path=str(state))


def keep_copy(state: Path, form: int = FORM) -> None:
    """Copy the state, completely or not at all, before a newer format is written.

    Raises JournalError if that fails, or if the state is newer.
    """
    require_readable(state, form)
    with journal_errors(state):
        make_folder(state, is_private=True)
        now = form_of(state)
        if now >= form:
            return
        if any(_copied(state)):
            _copy(state, state / f"{COPY}{now}")
        keep_form(state, form)


def _copy(state: Path, target: Path) -> None:
    """Copy the state into a folder, replacing its content; the name of an unfinished copy begins with a dot."""
    draft = target.with_name(f".{target.name}")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir()
    for path in _copied(state):
        if path.is_dir():
            shutil.copytree(path, draft / path.name)
        elif path.suffix == Path(JOURNAL).suffix:
            _copy_journal(path, draft / path.name)
        else:
            shutil.copy2(path, draft)
    os.sync()
    shutil.rmtree(target, ignore_errors=True)
    draft.replace(target)
    sync(state)


def _copied(state: Path) -> Iterator[Path]:
    for path in state.iterdir():
        is_plain = path.is_file() or path.is_dir()
        is_left_out = path.name in _NOT_KEPT or path.name.startswith(_NOT_COPIED)
        if is_plain and not is_left_out and not path.name.endswith(_BESIDE_JOURNAL):
            yield path


def _copy_journal(journal: Path, target: Path) -> None:
    """Copy a consistent journal; one that SQLite can't read is copied byte by byte."""
    try:
        with closing(connect_to_read(journal.resolve())) as source, closing(connect_database(target)) as copy:
            source.backup(copy)
    except ERRORS:
        for ending in ("", "-wal"):
            with suppress(FileNotFoundError):
                shutil.copy2(beside(journal, ending), beside(target, ending))
