"""The game whose code the main thread is running, noted where the next process can read it.

A game that hangs or takes all memory ends its process, so that only the next start can blame it. The note is in
the working folder, which survives the process. It is three numbers: the game's (0 outside of calls), the start
of the call, and how many processes the system had killed for lack of memory.
"""

import mmap
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from threading import main_thread
from zlib import crc32

from firmware.start.supervisor import BORN, DIED
from firmware.state_folder import named_folder
from firmware.storage.files import read_text
from vision.files import read_small

FILE, SIZE = "game-call", 24
HUNG = 4.0
"""Seconds after which a call hangs: the watchdog kills 6 s after the last check, and checks are 1 s apart."""


class _Calls:
    """The note of this process: in its own memory until a table opens the file."""

    def __init__(self) -> None:
        self.note = memoryview(bytearray(SIZE)).cast("d")
        self.thread = main_thread().ident


CALLS = _Calls()


def number_of(game: str) -> float:
    return float(crc32(game.encode()) + 1)


def hung_game(games: Iterable[str]) -> str:
    """Return the game in whose code the last process hung or took all memory; empty if there was none.

    From now on, this process notes its own calls.
    """
    folder = named_folder("RUNTIME_DIRECTORY")
    if folder is None:
        return ""
    file, number = folder / FILE, 0.0
    died, kills = float(os.environ.get(DIED, BORN)), _memory_kills()
    with suppress(OSError, ValueError, TypeError):
        game, since, before = memoryview(read_small(file, SIZE)).cast("d")
        number = game if died - since > HUNG or kills > before else 0.0
    with suppress(OSError):
        file.write_bytes(bytes(SIZE))
        with file.open("r+b") as opened:
            CALLS.note = memoryview(mmap.mmap(opened.fileno(), SIZE)).cast("d")
            CALLS.note[2] = kills
    return next((name for name in games if number_of(name) == number), "")


def _memory_kills() -> float:
    """Return how many processes the system has killed since it started, because memory was short."""
    counts = dict(line.split() for line in read_text(Path("/proc/vmstat")).splitlines())
    return float(counts.get("oom_kill", 0))
