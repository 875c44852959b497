"""Files that are whole or not there: written beside their place first, then put in it."""

import os
from pathlib import Path


def write_whole(file: Path, content: bytes) -> None:
    """Write all of a file or nothing: beside it first, then in its place; a link is followed.

    What is no file at all (a terminal, a pipe) can only be written to.
    """
    file = file.resolve()
    if file.exists() and not file.is_file():
        file.write_bytes(content)
        return
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        with draft.open("wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        draft.replace(file)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
    sync(file.parent)


def sync(folder: Path) -> None:
    """Bring a folder's names to the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
