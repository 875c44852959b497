"""Where a table keeps its things now: on its disk, or in memory for as long as nothing can be kept there.

This is decided once, before a start opens anything; all else asks the environment where the state is, and
doesn't know of it. `memory_state.py` has what lies in memory then.
"""

import errno
import fcntl
import os
from collections.abc import Mapping, MutableMapping
from pathlib import Path
from tempfile import gettempdir

from msgspec import Struct

from firmware.state_folder import state_directory
from firmware.storage.errors import JournalError
from firmware.storage.files import beside
from firmware.storage.line_copies import COPY
from firmware.storage.memory_state import fill_memory, memory_folder
from vision.files import make_folder, sweep
from vision.troubles import Problem

ROOM = 512 * 1024
"""Bytes that have to fit on the disk: a start writes some, and a match goes on for a while."""
PROBE = "room"
STAYS = frozenset({"another table", "journal busy", "no journal", "no memory"})
"""What hinders a journal, and isn't helped by playing in memory."""
KINDS: Mapping[int, str] = {
    errno.ENOSPC: "unsaved full",
    errno.EDQUOT: "unsaved full",
    errno.EROFS: "unsaved read-only",
    errno.EACCES: "unsaved rights",
    errno.EPERM: "unsaved rights",
    errno.ENOTDIR: "unsaved folder",
    errno.EEXIST: "unsaved folder",
}
"""Why nothing can be kept, by the system's own number."""
JOURNAL_KINDS: Mapping[str, str] = {
    "journal disk full": "unsaved full",
    "journal rights": "unsaved rights",
    "newer journal": "unsaved newer",
}
"""Why nothing can be kept, by what hinders the journal; all else is something broken."""
BROKEN = "unsaved broken"


class StatePlace(Struct, frozen=True):
    """Where the state and its journal are now, where they belong, and why they aren't kept, if they aren't."""

    state: Path
    journal: Path
    disk: Path
    disk_journal: Path
    unsaved: Problem | None = None

    def is_lost(self) -> bool:
        """Tell whether nothing can be kept any more where everything was kept."""
        return self.unsaved is None and why_unsaved(os.environ, self.journal) is not None


def choose_place(environ: Mapping[str, str], journal: Path) -> StatePlace:
    """Choose where the state is: where it belongs, unless nothing can be kept there."""
    state = state_directory(environ)
    # that another table plays there is said when its journal is opened
    why = None if _is_in_use(journal) else why_unsaved(environ, journal)
    if why is not None:
        return place_in_memory(state, journal, why)
    return StatePlace(state, journal, state, journal)


def place_in_memory(state: Path, journal: Path, why: Problem) -> StatePlace:
    """Let the state be in memory; there lies a copy of what can be read."""
    memory = memory_folder(state)
    # a newer version's journal would be no more use there
    fill_memory(memory, state, None if why.key == "unsaved newer" else journal)
    return StatePlace(memory, memory / "journal.sqlite3", state, journal, why)


def use_place(place: StatePlace, environ: MutableMapping[str, str]) -> None:
    """Let all that asks for the state find it there, also in processes that begin later."""
    environ["STATE_DIRECTORY"] = str(place.state)
    if place.unsaved is not None and not _has_temporary_folder():
        environ["TMPDIR"] = str(place.state)


def _has_temporary_folder() -> bool:
    try:
        gettempdir()
    except FileNotFoundError:
        return False
    return True


# can anything be kept?


def why_unsaved(environ: Mapping[str, str], journal: Path) -> Problem | None:
    """Say why nothing can be kept, if so."""
    state = state_directory(environ)
    try:
        for folder in dict.fromkeys((state, journal.parent)):
            _try_folder(folder)
        for ending in ("", "-wal", "-shm", COPY, ".lock"):
            _try_file(beside(journal, ending))
    except OSError as error:
        return Problem("unsaved home") if _is_homeless(environ) else _system_problem(error)
    return Problem("unsaved home") if not state.is_absolute() else None


def _is_in_use(journal: Path) -> bool:
    """Tell whether a table plays with this journal."""
    file = beside(journal, ".lock")
    try:
        if file.is_file():
            with file.open("rb") as lock:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _try_folder(folder: Path) -> None:
    """Write something into a folder, and remove it."""
    make_folder(folder)
    sweep(folder, PROBE)
    probe = folder / f".{PROBE}.{os.getpid()}"
    try:
        with probe.open("wb", buffering=0) as file:
            left = ROOM
            while left > 0:
                left -= file.write(bytes(left))
            os.fsync(file.fileno())
    finally:
        probe.unlink(missing_ok=True)


def _try_file(file: Path) -> None:
    """Open a file as if to change it; a pipe would wait for a reader, and is no concern here."""
    if file.is_file():
        file.open("r+b").close()


def _is_homeless(environ: Mapping[str, str]) -> bool:
    """Tell whether there is nowhere to keep things: no folder was named, and this user has none."""
    # as a text: a path raises where no home is known
    return not environ.get("STATE_DIRECTORY") and not os.path.isdir(os.path.expanduser("~"))  # noqa: PTH111, PTH112


def _system_problem(error: OSError) -> Problem:
    key = KINDS.get(error.errno or 0, BROKEN)
    return Problem(key, {"why": error.strerror or str(error)} if key == BROKEN else {})


def journal_problem(error: JournalError) -> Problem | None:
    """Say why nothing can be kept where the journal can't be opened; None if memory is of no help."""
    told = error.problem
    if told.key in STAYS:
        return None
    key = JOURNAL_KINDS.get(told.key, BROKEN)
    return Problem(key, {"why": str(told.values.get("why", told.key))} if key == BROKEN else {})
