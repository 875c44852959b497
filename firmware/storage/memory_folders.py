"""Folders in memory for a table that can't write to its disk; they outlive the process, not the machine."""

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import gettempdir
from zlib import crc32

from firmware.state_folder import JOURNAL, state_directory
from firmware.storage.errors import JournalError
from firmware.storage.files import MEMORY, is_locked

PREFIX = "coyote-unsaved-"  # prefix of the folders in memory
LINES = "lines-"
"""Prefix of the folder with a journal's copy while the disk fails."""


def memory_folder(state: Path) -> Path:
    """Return the private folder in memory for a state; create it if necessary."""
    for folder in possible_folders(state):
        with suppress(OSError):
            folder.mkdir(mode=0o700, exist_ok=True)
            if is_own(folder):
                return folder
    raise JournalError("no memory", path=str(state))


def possible_folders(state: Path) -> Iterator[Path]:
    name = f"{PREFIX}{os.geteuid()}-{crc32(os.fsencode(state)):08x}"
    yield MEMORY / name
    yield Path("/run/user", str(os.geteuid()), name)
    with suppress(FileNotFoundError):
        yield Path(gettempdir(), name)


def is_own(folder: Path) -> bool:
    """Return whether a folder is private to this user; others may write to its parent."""
    there = folder.lstat()
    is_private = there.st_uid == os.geteuid() and not there.st_mode & 0o077
    return stat.S_ISDIR(there.st_mode) and is_private and os.access(folder, os.W_OK)


def clear_memory(memory: Path) -> None:
    """Delete a folder's content except unsaved lines, and the folder once it is empty."""
    for path in memory.iterdir():
        if path.name.startswith(LINES):
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    with suppress(OSError):
        memory.rmdir()


def lines_folder(memory: Path, journal: Path) -> Path:
    return memory / f"{LINES}{crc32(os.fsencode(journal.resolve())):08x}"


def remove_lines(copy: Path) -> None:
    """Delete a copy of a journal whose lines are saved."""
    shutil.rmtree(copy.parent, ignore_errors=True)
    with suppress(OSError):
        copy.parent.parent.rmdir()


def copies_in_memory(state: Path, journal: Path) -> Iterator[Path]:
    """Yield copies of a journal with lines that aren't on the disk yet."""
    for memory in possible_folders(state):
        with suppress(OSError):
            copy = lines_folder(memory, journal) / JOURNAL
            if is_own(memory) and copy.is_file():
                yield copy


def newest_journal(journal: Path) -> Path:
    """Return the copy in memory that a table writes to while the disk fails; otherwise the journal."""
    return next(filter(is_locked, copies_in_memory(state_directory(), journal)), journal)
