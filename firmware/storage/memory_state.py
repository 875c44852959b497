"""The state in memory, while nothing can be kept on the disk: a copy of what can be read there.

It outlives the table's process, so that a killed table goes on, but not the machine. The next start that can
keep things again takes all of it back.
"""

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import gettempdir
from zlib import crc32

from firmware.state_folder import BOARD, BOARD_FAULTS, CHOSEN, DEAL, LINKS, PAUSE
from firmware.storage.backups.parts import DECKS, EMPTY, JOURNAL, TABLE
from firmware.storage.backups.sticks import CHOSEN_STICKS
from firmware.storage.club_outbox import drop_outbox
from firmware.storage.errors import JournalError
from firmware.storage.files import beside, read_raw
from firmware.storage.journal import open_journal
from firmware.storage.line_copies import COPY
from firmware.storage.scratch import MEMORY
from vision.files import make_folder, write_whole
from vision.troubles import Problem

PREFIX = "coyote-unsaved-"
"""How the folders in memory begin."""
FILLED = "filled"
"""What says that all that could be read was copied."""
LARGEST = 200_000_000
"""Bytes of a journal that is copied; a larger one stays where it is."""
SMALL_FILES = (CHOSEN, BOARD, BOARD_FAULTS, TABLE, EMPTY, LINKS, PAUSE, DEAL, CHOSEN_STICKS)
"""What is copied beside journal and decks."""


# the folder


def memory_folder(state: Path) -> Path:
    """Find or make the folder in memory for a state, which is this user's alone."""
    for folder in possible_folders(state):
        with suppress(OSError):
            folder.mkdir(mode=0o700, exist_ok=True)
            if _is_own(folder):
                return folder
    raise JournalError("no memory", path=str(state))


def possible_folders(state: Path) -> Iterator[Path]:
    """Name the folders in which a state may be, the first choice first."""
    name = f"{PREFIX}{os.geteuid()}-{crc32(os.fsencode(state)):08x}"
    yield MEMORY / name
    yield Path("/run/user", str(os.geteuid()), name)
    with suppress(FileNotFoundError):
        yield Path(gettempdir(), name)


def _is_own(folder: Path) -> bool:
    """Tell whether a folder is this user's alone: others may write where it lies."""
    there = folder.lstat()
    is_private = there.st_uid == os.geteuid() and not there.st_mode & 0o077
    return stat.S_ISDIR(there.st_mode) and is_private and os.access(folder, os.W_OK)


# filling it


def fill_memory(memory: Path, state: Path, journal: Path | None) -> None:
    """Copy what can be read; a table that was in memory before goes on with what it has there."""
    if (memory / FILLED).exists():
        return
    for name in SMALL_FILES:
        with suppress(OSError):
            shutil.copyfile(state / name, memory / name)
            (memory / name).chmod(0o600)
    with suppress(OSError):
        _link_decks(state / DECKS, memory / DECKS)
    if journal is not None:
        with suppress(OSError):
            _copy_journal(journal, memory / JOURNAL)
    (memory / FILLED).touch()


def _link_decks(there: Path, here: Path) -> None:
    """Show the taught decks where they lie: pictures are large, and are only read."""
    here.mkdir(exist_ok=True)
    for deck in there.iterdir():
        if deck.is_dir() and not deck.name.startswith("."):
            (here / deck.name).symlink_to(deck)


def _copy_journal(journal: Path, copy: Path) -> None:
    """Copy a journal, its log and second copy, if memory has room for them, as far as the disk can be read."""
    files = {ending: beside(journal, ending) for ending in ("-wal", COPY, "")}
    sizes = sum(file.stat().st_size for file in files.values() if file.is_file())
    if sizes > min(LARGEST, shutil.disk_usage(copy.parent).free // 2):
        return
    for ending, file in files.items():
        if file.is_file():
            beside(copy, ending).write_bytes(read_raw(file))


# taking it back


def take_back_memory(state: Path, journal: Path) -> tuple[Problem, ...]:
    """Keep what was played in memory, now that things can be kept; tell what, and leave nothing there."""
    told: list[Problem] = []
    for memory in possible_folders(state):
        # what can't be taken back now stays there for the next start
        with suppress(OSError, JournalError):
            if _is_own(memory) and (memory / FILLED).exists():
                told += _take_back(memory, state, journal)
                shutil.rmtree(memory)
    return tuple(told)


def _take_back(memory: Path, state: Path, journal: Path) -> Iterator[Problem]:
    with open_journal(memory / JOURNAL) as played, open_journal(journal) as kept:
        # under its old epoch, a club would take what was played in memory for the newer state of these matches
        drop_outbox(journal)
        matches = [played.journal.lines(each.id) for each in played.journal.matches()]
        taken = kept.journal.take_in(matches)
    if taken.lines:
        yield Problem("taken from memory", {"lines": taken.lines, "matches": taken.matches})
    for name in SMALL_FILES:
        _take_back_file(memory / name, state / name)
    for deck in (memory / DECKS).glob("*"):
        if not deck.is_symlink() and not (state / DECKS / deck.name).exists():
            make_folder(state / DECKS)
            shutil.copytree(deck, state / DECKS / deck.name)


def _take_back_file(memory: Path, kept: Path) -> None:
    """Keep a small file as it is in memory: links that were taken away there mustn't hold again."""
    if memory.is_file() and (not kept.is_file() or kept.read_bytes() != memory.read_bytes()):
        write_whole(kept, memory.read_bytes())
        kept.chmod(0o600)
