"""Code run in a process that is killed or meets a full disk before its n-th file operation."""

import errno
import os
import signal
import sys
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Timer
from typing import Literal

from msgspec import Struct

Kind = Literal["kill", "kill all", "kill later", "full once", "full"]
MAKING = frozenset({"open", "os.rename", "os.mkdir", "os.symlink", "shutil.copyfile", "sqlite3.connect"})
"""Operations that fail on a full disk."""
DEEDS = MAKING | {"os.remove", "os.rmdir", "os.chmod", "subprocess.Popen", "os.kill"}
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
STRUCK = "struck"


class Fault(Struct, frozen=True):
    """A kind of failure, and the operation before which it happens."""

    kind: Kind
    at: int
    later: float = 0.03  # seconds that child processes may continue before all are killed


class FaultyRun(Struct, frozen=True):
    """The result of the run."""

    was_struck: bool
    deeds: tuple[str, ...]  # operations completed or begun until the end


def run_with_fault(do: Callable[[], object], fault: Fault, environ: Mapping[str, str]) -> FaultyRun:
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the forked copy of the test runs only the tested code
        child = os.fork()
    if child == 0:
        os.setsid()
        os.close(reading)
        os.environ.clear()
        os.environ.update(environ)
        _run_silently(do, FaultInjector(fault, writing))
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as said:
        deeds = said.read().splitlines()
    os.waitpid(child, 0)
    return FaultyRun(STRUCK in deeds, tuple(deed for deed in deeds if deed != STRUCK))


def _run_silently(do: Callable[[], object], striker: "FaultInjector") -> None:
    """Call it, and exit without output."""
    code = 1
    try:
        with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
            os.dup2(nowhere.fileno(), 1)
            os.dup2(nowhere.fileno(), 2)
        sys.addaudithook(striker.hear)
        do()
        code = 0
    finally:
        striker.is_over = True
        os._exit(code)


class FaultInjector:
    """Receives each operation before it is done, records it, and fails at the chosen one."""

    def __init__(self, fault: Fault, notes: int) -> None:
        self._fault, self._notes, self._count, self.is_over = fault, notes, 0, False

    def hear(self, event: str, words: tuple[object, ...]) -> None:
        if self.is_over or event not in DEEDS or (event == "open" and not _is_writing(words)):
            return
        self._count += 1
        os.write(self._notes, f"{event} {words[0]!r}\n".encode(errors="replace"))
        if self._count == self._fault.at or (self._fault.kind == "full" and self._count > self._fault.at):
            self._strike(event)

    def _strike(self, event: str) -> None:
        match self._fault.kind:
            case "kill":
                self._note()
                os.kill(os.getpid(), signal.SIGKILL)
            case "kill all":
                self._note()
                os.killpg(os.getpid(), signal.SIGKILL)
            case "kill later" if event == "subprocess.Popen":
                self._note()
                Timer(self._fault.later, os.killpg, (os.getpid(), signal.SIGKILL)).start()
            case "full" | "full once" if event in MAKING:
                self._note()
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def _note(self) -> None:
        os.write(self._notes, f"{STRUCK}\n".encode())


def _is_writing(words: tuple[object, ...]) -> bool:
    _file, mode, flags = words
    return (isinstance(mode, str) and not set(mode) <= set("rbt")) or bool(int(str(flags or 0)) & WRITES)
