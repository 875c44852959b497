"""Files and folders: synced, locked, read even where the disk is bad, private, or only for a while."""

import fcntl
import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from shutil import disk_usage, rmtree
from tempfile import TemporaryDirectory, gettempdir
from typing import Generic, TypeVar

import msgspec

from firmware.storage.errors import JournalError
from vision.files import SMALL, is_alive, make_folder, private_opener, read_json, read_json_or, write_whole
from vision.troubles import TroubleError

_BLOCK = 4096
MEMORY = Path("/dev/shm")  # noqa: S108 - what is put there lies in a folder of its own
PREFIX = "coyote-scratch-"  # earlier versions remove what begins with coyote-table- and isn't locked
T = TypeVar("T")


def beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


MOUNTS = Path("/proc/self/mountinfo")


def mounts() -> list[tuple[Path, str]]:
    """List where the system says that something is mounted, with its device; none if it doesn't say."""
    with suppress(OSError):
        lines = MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines()
        told = [line.split(" - ") for line in lines if " - " in line]
        return [(Path(_with_blanks(own.split()[4])), _with_blanks(its.split()[1])) for own, its in told]
    return []


def _with_blanks(name: str) -> str:
    """Put back the blanks that the kernel writes as octal numbers."""
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), name)


def size_of(path: Path) -> int:
    return sum(file.stat().st_size for file in (path, *path.rglob("*")) if file.is_file())


def write_private(file: Path, content: bytes) -> None:
    make_folder(file.parent)
    write_whole(file, content, is_private=True)


def is_private(path: Path) -> bool:
    """Return whether nobody but its owner gets at it, or nothing is there."""
    with suppress(OSError):
        return not path.stat().st_mode & 0o077
    return True


def make_private(path: Path) -> None:
    """Leave a file, or a folder with all in it, to its owner alone; skip links and what is another user's."""
    with suppress(OSError):
        inside = path.rglob("*") if path.is_dir() and not path.is_symlink() else ()
        # the folder first: a system that goes down meanwhile leaves its content closed
        for each in (path, *inside):
            _take_from_others(each)


def _take_from_others(path: Path) -> None:
    there = path.lstat()
    is_plain = stat.S_ISDIR(there.st_mode) or stat.S_ISREG(there.st_mode)
    if is_plain and there.st_uid == os.geteuid() and there.st_mode & 0o077:
        with suppress(OSError):
            # a stick's file system has no modes
            path.chmod(stat.S_IMODE(there.st_mode) & 0o700)


def read_raw(path: Path, most: int = sys.maxsize) -> bytes:
    """Read a file, up to so many bytes or a few more; blocks that the disk can't read are left blank."""
    if not path.exists():
        return b""
    with path.open("rb", buffering=0) as file:
        size = min(os.fstat(file.fileno()).st_size, most)
        blocks = [bytes(_BLOCK)] * -(-size // _BLOCK)
        for number in range(len(blocks)):
            with suppress(OSError):
                blocks[number] = os.pread(file.fileno(), _BLOCK, number * _BLOCK)
    return b"".join(blocks)


@contextmanager
def locked(file: Path, taken: TroubleError) -> Iterator[None]:
    """Keep other processes out; the kernel lets go of the lock when this one ends, however it ends."""
    with open(file, "ab", opener=private_opener) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise taken from error
        yield


def journal_lock(path: Path) -> AbstractContextManager[None]:
    """Keep other tables out."""
    return locked(beside(path, ".lock"), JournalError("another table", path=str(path)))


def is_locked(path: Path) -> bool:
    with suppress(OSError), beside(path, ".lock").open("rb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


@contextmanager
def scratch(needed: int = 0) -> Iterator[Path]:
    """Give a folder of our own until the end; if that is a sudden one, the next table removes it.

    It is in memory, where so many bytes leave half of that free.
    """
    has_room = os.access(MEMORY, os.W_OK) and disk_usage(MEMORY).free >= 2 * needed
    parent = MEMORY if has_room else Path(gettempdir())
    _sweep(parent)
    ending = f".{os.getpid()}"
    with TemporaryDirectory(ending, PREFIX, parent, ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def _sweep(parent: Path) -> None:
    """Remove folders of ours whose processes were killed."""
    for folder in parent.glob(f"{PREFIX}*.*"):
        owner = folder.suffix[1:]
        with suppress(OSError):
            if owner.isdecimal() and not is_alive(int(owner)) and folder.lstat().st_uid == os.geteuid():
                rmtree(folder, ignore_errors=True)


# a value that is kept in a small file of its own: one way to read it, one way to write it


class Kept(Generic[T]):
    """What a table keeps in its state's folder under one name."""

    def __init__(self, name: str, kind: type[T], unsaid: T, *, largest: int = SMALL) -> None:
        """Take the file's name, what it holds, and what counts where nothing is kept or it can't be read."""
        self.name, self._kind, self._unsaid = name, kind, unsaid
        self._largest = largest

    def file(self, state: Path) -> Path:
        return state / self.name

    def read(self, state: Path) -> T:
        return read_json_or(self.file(state), self._kind, self._unsaid, self._largest)

    def find(self, state: Path) -> T | None:
        """Read what is kept; None if that was never kept."""
        try:
            return self.load(state)
        except FileNotFoundError:
            return None
        except OSError:
            return self._unsaid

    def load(self, state: Path) -> T:
        """Read what is kept; raise OSError if that can't be read."""
        return read_json(self.file(state), self._kind, self._largest)

    def keep(self, state: Path, value: T) -> None:
        """Keep a value, all of it or nothing."""
        write_private(self.file(state), msgspec.json.encode(value) + b"\n")

    def drop(self, state: Path) -> None:
        self.file(state).unlink(missing_ok=True)


class KeptBeside(Kept[T]):
    """What is kept beside a journal, which is named in the state's place; the name is how the file ends."""

    def file(self, state: Path) -> Path:
        return beside(state, self.name)
