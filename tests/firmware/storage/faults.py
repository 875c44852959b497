"""Code run in a process that is killed before its n-th file operation."""

import os
import signal
import sys
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct

DEEDS = frozenset(
    {"open", "os.chmod", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink"}
    | {"shutil.copyfile", "sqlite3.connect"}
)
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
KILLED = "killed"


class KilledRun(Struct, frozen=True):
    """The result of the run."""

    was_killed: bool
    deeds: tuple[str, ...]  # operations completed or begun until the end


def run_and_kill(do: Callable[[], object], at: int, environ: Mapping[str, str]) -> KilledRun:
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the forked copy of the test runs only the tested code
        child = os.fork()
    if child == 0:
        os.close(reading)
        os.environ.clear()
        os.environ.update(environ)
        _run_silently(do, Killer(at, writing))
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as said:
        deeds = said.read().splitlines()
    os.waitpid(child, 0)
    return KilledRun(KILLED in deeds, tuple(deed for deed in deeds if deed != KILLED))


def _run_silently(do: Callable[[], object], killer: "Killer") -> None:
    """Call it, and exit without output."""
    code = 1
    try:
        with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
            os.dup2(nowhere.fileno(), 1)
            os.dup2(nowhere.fileno(), 2)
        sys.addaudithook(killer.hear)
        do()
        code = 0
    finally:
        killer.is_over = True
        os._exit(code)


class Killer:
    """Receives each operation before it is done, records it, and kills the process at the chosen one."""

    def __init__(self, at: int, notes: int) -> None:
        self._at, self._notes, self._count, self.is_over = at, notes, 0, False

    def hear(self, event: str, words: tuple[object, ...]) -> None:
        if self.is_over or event not in DEEDS or (event == "open" and not _is_writing(words)):
            return
        self._count += 1
        os.write(self._notes, f"{event} {words[0]!r}\n".encode(errors="replace"))
        if self._count == self._at:
            os.write(self._notes, f"{KILLED}\n".encode())
            os.kill(os.getpid(), signal.SIGKILL)


def _is_writing(words: tuple[object, ...]) -> bool:
    _file, mode, flags = words
    return (isinstance(mode, str) and not set(mode) <= set("rbt")) or bool(int(str(flags or 0)) & WRITES)
