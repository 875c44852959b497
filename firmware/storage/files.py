"""Files and folders: synced, locked, private or temporary, and readable from a failing disk."""

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
MEMORY = Path("/dev/shm")  # noqa: S108 - it contains a private folder
PREFIX = "coyote-scratch-"
T = TypeVar("T")


def beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


MOUNTS = Path("/proc/self/mountinfo")


def mounts() -> list[tuple[Path, str]]:
    """Return the mount points with their devices; none if the system lists none."""
    with suppress(OSError):
        lines = MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines()
        fields = [line.split(" - ") for line in lines if " - " in line]
        return [(Path(_with_blanks(own.split()[4])), _with_blanks(its.split()[1])) for own, its in fields]
    return []


def _with_blanks(name: str) -> str:
    """Decode the blanks that the kernel writes as octal numbers."""
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), name)


def remove(path: Path) -> None:
    """Delete a file or a folder tree."""
    if path.is_dir() and not path.is_symlink():
        rmtree(path)
    else:
        path.unlink(missing_ok=True)


def size_of(path: Path) -> int:
    return sum(file.stat().st_size for file in (path, *path.rglob("*")) if file.is_file())


def read_text(file: Path) -> str:
    """Return a small file's text; empty if it is missing or unreadable."""
    with suppress(OSError, UnicodeDecodeError):
        return file.read_text(encoding="utf-8").strip()
    return ""


def write_private(file: Path, content: bytes) -> None:
    make_folder(file.parent)
    write_whole(file, content, is_private=True)


def is_private(path: Path) -> bool:
    """Return whether only the owner has access, or nothing is there."""
    with suppress(OSError):
        return not path.stat().st_mode & 0o077
    return True


def make_private(path: Path) -> None:
    """Restrict a file or a folder tree to its owner; skip links and other users' files."""
    with suppress(OSError):
        inside = path.rglob("*") if path.is_dir() and not path.is_symlink() else ()
        # the folder first: after a crash meanwhile, its content is inaccessible
        for each in (path, *inside):
            there = each.lstat()
            is_plain = stat.S_ISDIR(there.st_mode) or stat.S_ISREG(there.st_mode)
            if is_plain and there.st_uid == os.geteuid() and there.st_mode & 0o077:
                with suppress(OSError):
                    # a USB stick's file system may have no modes
                    each.chmod(stat.S_IMODE(there.st_mode) & 0o700)


def read_raw(path: Path, most: int = sys.maxsize) -> bytes:
    """Read a file up to about `most` bytes; unreadable blocks are zero."""
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
    """Lock out other processes; the kernel releases the lock however this process ends."""
    with open(file, "ab", opener=private_opener) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise taken from error
        yield


def journal_lock(path: Path) -> AbstractContextManager[None]:
    """Lock out other tables."""
    return locked(beside(path, ".lock"), JournalError("another table", path=str(path)))


def is_locked(path: Path) -> bool:
    # opening a pipe for reading would otherwise wait for a writer
    with suppress(OSError), os.fdopen(os.open(beside(path, ".lock"), os.O_RDONLY | os.O_NONBLOCK)) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


@contextmanager
def scratch(needed: int = 0) -> Iterator[Path]:
    """Yield a private temporary folder; after a crash, the next table deletes it.

    It is in memory if `needed` bytes fill at most half of the free memory.
    """
    has_room = os.access(MEMORY, os.W_OK) and disk_usage(MEMORY).free >= 2 * needed
    parent = MEMORY if has_room else Path(gettempdir())
    _sweep(parent)
    ending = f".{os.getpid()}"
    with TemporaryDirectory(ending, PREFIX, parent, ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def _sweep(parent: Path) -> None:
    """Delete temporary folders left by killed processes."""
    for folder in parent.glob(f"{PREFIX}*.*"):
        owner = folder.suffix[1:]
        with suppress(OSError):
            if owner.isdecimal() and not is_alive(int(owner)) and folder.lstat().st_uid == os.geteuid():
                rmtree(folder, ignore_errors=True)


# values in small files of their own


class Kept(Generic[T]):
    """A value in a named file of a table's state folder."""

    def __init__(self, name: str, kind: type[T], unsaid: T, *, largest: int = SMALL) -> None:
        """Define the file's name, the value's type, and the default for a missing or unreadable file."""
        self.name, self._kind, self._unsaid = name, kind, unsaid
        self._largest = largest

    def file(self, state: Path) -> Path:
        return state / self.name

    def read(self, state: Path) -> T:
        return read_json_or(self.file(state), self._kind, self._unsaid, self._largest)

    def find(self, state: Path) -> T | None:
        """Return the stored value; None if there is none."""
        try:
            return self.load(state)
        except FileNotFoundError:
            return None
        except OSError:
            return self._unsaid

    def load(self, state: Path) -> T:
        """Return the stored value; raise OSError if it can't be read."""
        return read_json(self.file(state), self._kind, self._largest)

    def keep(self, state: Path, value: T) -> None:
        """Store a value atomically."""
        write_private(self.file(state), msgspec.json.encode(value) + b"\n")

    def drop(self, state: Path) -> None:
        self.file(state).unlink(missing_ok=True)


class KeptBeside(Kept[T]):
    """A value stored beside a journal; its name is the file's suffix."""

    def file(self, state: Path) -> Path:
        return beside(state, self.name)
