"""The state's format version, and copies of the state for a return to an older version.

The format is a number in the source (`FORM` in `firmware/state_folder.py`) and in the state itself. A version
reads its own format and all older ones.
"""

import os
import re
import shutil
import sqlite3
from contextlib import closing, suppress
from itertools import count
from pathlib import Path

from firmware.updates.tools import draft_of, read_text, remove, sync, write_whole

FORM_FILE, FIRST_FORM = "form", 1
FORM_LINE = re.compile(r"^FORM = (\d+)$", re.MULTILINE)
SOURCE = Path("firmware", "state_folder.py")
COPY, NEWER = "form-", "newer-form-"
"""Prefixes of folders with the state in an older format, and with newer state moved aside."""
NOT_COPIED = (".", "before-", "set-aside-", COPY, NEWER)
NOT_KEPT = frozenset(
    {FORM_FILE, "came-up", "went-back", "evidence", "restoring", "starts.json", "journal.sqlite3.history"}
)
"""Files that are never copied: pictures of rulings, derived data, notes about starts."""
JOURNAL_ENDINGS = ("-wal", "-shm")  # SQLite's files beside a journal, valid only with that one


def form_of_version(folder: Path) -> int:
    """Return the format in a version's source; 1 if it can't be read."""
    found = FORM_LINE.search(read_text(folder / SOURCE))
    return int(found[1]) if found else FIRST_FORM


def form_of_state(state: Path) -> int:
    said = read_text(state / FORM_FILE)
    return int(said) if said.isdecimal() else FIRST_FORM


def keep_copy(state: Path, form: int) -> None:
    """Copy the state, completely or not at all, before a newer format is written."""
    now = form_of_state(state)
    if now >= form:
        return
    if any(_is_copied(path) for path in state.iterdir()):
        copy_state(state, state / f"{COPY}{now}")
    write_whole(state / FORM_FILE, f"{form}".encode())


def copy_state(state: Path, target: Path) -> None:
    """Copy the state into a folder, replacing its content; a table may be playing."""
    draft = draft_of(target)
    remove(draft)
    draft.mkdir(parents=True)
    for path in filter(_is_copied, state.iterdir() if state.is_dir() else ()):
        file_copied = _copy_journal if path.suffix == ".sqlite3" else shutil.copy2
        copied = shutil.copytree if path.is_dir() else file_copied
        copied(path, draft / path.name)
    os.sync()
    remove(target)
    draft.replace(target)
    sync(target.parent)


def _is_copied(path: Path) -> bool:
    name = path.name
    is_plain = path.is_file() or path.is_dir()
    is_beside = name.endswith((*JOURNAL_ENDINGS, ".lock"))
    return is_plain and not is_beside and name not in NOT_KEPT and not name.startswith(NOT_COPIED)


def _copy_journal(journal: Path, target: Path) -> None:
    """Copy a consistent journal; one that SQLite can't read is copied byte by byte."""
    try:
        source = sqlite3.connect(f"{journal.resolve().as_uri()}?mode=ro", uri=True)
        with closing(source), closing(sqlite3.connect(target)) as copy:
            source.backup(copy)
    except sqlite3.Error:
        for ending in ("", "-wal"):
            with suppress(FileNotFoundError):
                shutil.copy2(f"{journal}{ending}", f"{target}{ending}")


def fit_state(state: Path, form: int) -> Path | None:
    """Restore state that this version can read. Returns the path of the newer state if it was moved aside.

    After an interruption the next call continues: files are moved out of the copy one by one, and the format is
    written last.
    """
    now, copy = form_of_state(state), state / f"{COPY}{form}"
    if now <= form or not copy.is_dir():
        return None
    aside = draft_of(state / f"{NEWER}{now}")
    aside.mkdir(exist_ok=True)
    for path in sorted(copy.iterdir()):
        for name in (*(path.name + ending for ending in JOURNAL_ENDINGS), path.name):
            _move(state / name, aside)
        _move(path, state)
    # numbered, so that earlier folders are not overwritten
    names = (state / f"{NEWER}{now}-{number}" for number in count(1))
    named = next(path for path in names if not path.exists())
    aside.replace(named)
    write_whole(state / FORM_FILE, f"{form}".encode())
    copy.rmdir()
    return named


def _move(path: Path, folder: Path) -> None:
    """Move a path if it exists, and sync before anything replaces it."""
    if path.exists():
        path.replace(folder / path.name)
        sync(folder)
        sync(path.parent)
