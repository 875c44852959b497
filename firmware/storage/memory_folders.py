"""Folders in memory for a table that can't write to its disk; they outlive the process, not the machine."""

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import gettempdir
from zlib import crc32

from firmware.state_folder import state_directory
from firmware.storage.errors import JournalError
from firmware.storage.files import MEMORY, beside, read_raw
from firmware.storage.lines import record_of
from firmware.storage.match_files import MATCHES
from referee.sums import lines_in

PREFIX = "coyote-unsaved-"  # prefix of the folders in memory
LINES = "lines-"
"""Prefix of the folder with the match files of a journal whose disk fails."""


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


def unsaved_path(memory: Path, journal: Path) -> Path:
    """Return the path beside which the match files of a journal are while its disk fails."""
    return memory / f"{LINES}{crc32(os.fsencode(journal.resolve())):08x}"


def unsaved_files(journal: Path) -> list[Path]:
    """Return the files of matches with lines that a journal's disk doesn't have yet, in writing order."""
    for memory in possible_folders(state_directory()):
        with suppress(OSError):
            if is_own(memory):
                found = beside(unsaved_path(memory, journal), MATCHES).glob("*.jsonl")
                return sorted(found, key=lambda file: file.stat().st_mtime_ns)
    return []


def unsaved_records(journal: Path) -> dict[int, list[str]]:
    """Return the records of matches with unsaved lines by their numbers, in writing order."""
    found = [[each.line for each in lines_in(read_raw(file))] for file in unsaved_files(journal)]
    return {lines[0].match_id: record_of(lines) for lines in found if lines}


def remove_unsaved(journal: Path) -> None:
    """Delete lines in memory once they are saved."""
    for file in unsaved_files(journal):
        file.unlink()
        with suppress(OSError):
            file.parent.rmdir()
            file.parents[1].rmdir()
