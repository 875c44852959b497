"""The state's form, and a copy of the state, kept before its form changes and taken when an older version runs.

The form is a number in the source (`FORM` in `firmware/state_folder.py`) and in the state itself. A version
reads its own form and all older ones.
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
"""How the folders begin that hold the state in an older form, and what was laid aside for it."""
NOT_COPIED = (".", "before-", "set-aside-", COPY, NEWER)
NOT_KEPT = frozenset(
    {FORM_FILE, "came-up", "went-back", "evidence", "restoring", "starts.json", "journal.sqlite3.history"}
)
"""What stays where it is: pictures of rulings, sums that are made anew, notes about starts."""
JOURNAL_ENDINGS = ("-wal", "-shm")  # what SQLite lays beside a journal: it belongs to that one only


def form_of_version(folder: Path) -> int:
    """Read the form that a version knows from its source; the first form if it can't be read."""
    found = FORM_LINE.search(read_text(folder / SOURCE))
    return int(found[1]) if found else FIRST_FORM


def form_of_state(state: Path) -> int:
    said = read_text(state / FORM_FILE)
    return int(said) if said.isdecimal() else FIRST_FORM


def keep_copy(state: Path, form: int) -> None:
    """Before a newer form is written: keep a copy of the state as it is, whole or not at all."""
    now = form_of_state(state)
    if now >= form:
        return
    if any(_is_copied(path) for path in state.iterdir()):
        copy_state(state, state / f"{COPY}{now}")
    write_whole(state / FORM_FILE, f"{form}".encode())


def copy_state(state: Path, target: Path) -> None:
    """Copy the state into a folder, in place of what was there; a table may play meanwhile."""
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
    """Copy a journal as it is at one moment; one that SQLite can't read is copied byte by byte."""
    try:
        source = sqlite3.connect(f"{journal.resolve().as_uri()}?mode=ro", uri=True)
        with closing(source), closing(sqlite3.connect(target)) as copy:
            source.backup(copy)
    except sqlite3.Error:
        for ending in ("", "-wal"):
            with suppress(FileNotFoundError):
                shutil.copy2(f"{journal}{ending}", f"{target}{ending}")


def fit_state(state: Path, form: int) -> Path | None:
    """Give a version the state that it can read; tell where the newer one lies, if that had to be laid aside.

    Where a kill or a power cut ends this, the next call goes on: the copy shrinks file by file, and the form is
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
    # numbered, so that nothing that was laid aside before is lost
    names = (state / f"{NEWER}{now}-{number}" for number in count(1))
    named = next(path for path in names if not path.exists())
    aside.replace(named)
    write_whole(state / FORM_FILE, f"{form}".encode())
    copy.rmdir()
    return named


def _move(path: Path, folder: Path) -> None:
    """Move something, if it is there, so that it lasts before anything takes its place."""
    if path.exists():
        path.replace(folder / path.name)
        sync(folder)
        sync(path.parent)
