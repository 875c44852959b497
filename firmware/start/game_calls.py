"""The game whose code the main thread is running, noted where the next process can read it.

A game that hangs or takes all memory ends its process, so that only the next start can blame it. The note is in
the working folder, which survives the process.
"""

import mmap
import os
from contextlib import suppress
from pathlib import Path
from struct import Struct
from threading import get_ident, main_thread
from time import monotonic

from firmware.start.supervisor import BORN, DIED
from firmware.state_folder import named_folder
from firmware.storage.files import read_text
from vision.files import read_small

FILE = "game-call"
HUNG = 4.0
"""Seconds after which a call hangs: the watchdog kills 6 s after the last check, and checks are 1 s apart."""
_NOTE = Struct("40sdq")
"""A game's name, the start of its call, and the number of processes that the system had killed for memory."""


class _Calls:
    """The note of this process: in its own memory until a table opens the file."""

    def __init__(self) -> None:
        self.note: bytearray | mmap.mmap = bytearray(_NOTE.size)
        self.main, self.kills = main_thread().ident, 0

    def begin(self, game: bytes) -> None:
        if get_ident() == self.main:
            _NOTE.pack_into(self.note, 0, game, monotonic(), self.kills)

    def end(self) -> None:
        if get_ident() == self.main:
            self.note[0] = 0


CALLS = _Calls()


def hung_game() -> str:
    """Return the game in whose code the last process hung or took all memory; empty if there was none.

    From now on, this process notes its own calls.
    """
    folder, hung = named_folder("RUNTIME_DIRECTORY"), ""
    if folder is None:
        return ""
    with suppress(OSError):
        left = read_small(folder / FILE, _NOTE.size).ljust(_NOTE.size, b"\0")
        name, since, kills = _NOTE.unpack(left)
        died = float(os.environ.get(DIED, BORN))
        if died - since > HUNG or _memory_kills() > kills:
            hung = name.rstrip(b"\0").decode(errors="replace") if name[0] else ""
    with suppress(OSError):
        (folder / FILE).write_bytes(bytes(_NOTE.size))
        with (folder / FILE).open("r+b") as file:
            CALLS.note, CALLS.kills = mmap.mmap(file.fileno(), _NOTE.size), _memory_kills()
    return hung


def _memory_kills() -> int:
    """Return how many processes the system has killed since it started, because memory was short."""
    counts = dict(line.split() for line in read_text(Path("/proc/vmstat")).splitlines())
    return int(counts.get("oom_kill", 0))
