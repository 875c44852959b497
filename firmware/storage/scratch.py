"""A folder for what needn't survive, in memory where there is any; what killed tables left there is removed."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from tempfile import gettempdir, mkdtemp

MEMORY = Path("/dev/shm")  # noqa: S108 - what is put there lies in a folder of its own
PREFIX = "coyote-table-"


@contextmanager
def scratch() -> Iterator[Path]:
    """Give a folder of our own until the end; if that is a sudden one, the next table removes it."""
    parent = MEMORY if os.access(MEMORY, os.W_OK) else Path(gettempdir())
    _sweep(parent)
    folder, lock = _locked_folder(parent)
    try:
        yield folder
    finally:
        rmtree(folder, ignore_errors=True)
        os.close(lock)


def _locked_folder(parent: Path) -> tuple[Path, int]:
    """Make a folder, and hold its lock: the kernel lets go of that when we end, however we end."""
    while True:
        folder = Path(mkdtemp(prefix=PREFIX, dir=parent))
        # another process may have removed it as left behind before it was locked
        with suppress(FileNotFoundError):
            lock = os.open(folder, os.O_RDONLY)
            fcntl.flock(lock, fcntl.LOCK_EX)
            if folder.exists():
                return folder, lock
            os.close(lock)


def _sweep(parent: Path) -> None:
    """Remove the folders of ours that no process holds."""
    for folder in parent.glob(f"{PREFIX}*"):
        with suppress(OSError):
            _remove_leftover(folder)


def _remove_leftover(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        if os.fstat(handle).st_uid == os.geteuid():
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            rmtree(folder, ignore_errors=True)
    finally:
        os.close(handle)
