"""Files that are whole or not there: written beside their place first, then put in it."""

import os
from contextlib import suppress
from glob import escape
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
    sweep(file.parent, file.name)
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


def sweep(folder: Path, name: str = "*") -> None:
    """Remove drafts of a file, or of all, whose writers were killed: nobody would ever finish them."""
    pattern = name if name == "*" else escape(name)
    for draft in folder.glob(f".{pattern}.[0-9]*"):
        writer = draft.suffix[1:]
        if writer.isdecimal() and not _lives(int(writer)):
            with suppress(OSError):
                draft.unlink()


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def make_folder(folder: Path) -> None:
    """Make a folder so that it is still there after a power cut."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync(folder.parent)
