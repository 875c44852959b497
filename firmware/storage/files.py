"""Files and folders as the journal needs them: synced, locked, read even where the disk is bad."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from firmware.storage.errors import JournalError
from vision.files import make_folder, sync

_BLOCK = 4096


def beside(path: Path, ending: str) -> Path:
    """Name a file that belongs to another."""
    return path.with_name(path.name + ending)


def write_private(file: Path, content: bytes) -> None:
    """Write all or nothing, readable by its owner alone from the first byte."""
    make_folder(file.parent)
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    draft.touch(0o600, exist_ok=False)
    with draft.open("wb") as out:
        out.write(content)
        out.flush()
        os.fsync(out.fileno())
    draft.replace(file)
    sync(file.parent)


def read_raw(path: Path) -> bytes:
    """Read a file byte by byte; blocks that the disk can't read are left blank."""
    if not path.exists():
        return b""
    with path.open("rb", buffering=0) as file:
        handle = file.fileno()
        return b"".join(_block(handle, at) for at in range(0, os.fstat(handle).st_size, _BLOCK))


def _block(handle: int, at: int) -> bytes:
    try:
        return os.pread(handle, _BLOCK, at)
    except OSError:
        return bytes(_BLOCK)


@contextmanager
def journal_lock(path: Path) -> Iterator[None]:
    """Keep other tables out; the kernel lets go of the lock when this process ends, however it ends."""
    with beside(path, ".lock").open("ab") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise JournalError("another table", path=str(path)) from error
        yield
