"""Write whole files or nothing (a draft first, then a rename), and read files with care."""

import errno
import os
from contextlib import suppress
from glob import escape
from pathlib import Path
from typing import TypeVar

import msgspec

SMALL = 1_000_000
"""The most bytes of a file that is read in one piece."""

T = TypeVar("T")


def read_small(file: Path, largest: int = SMALL) -> bytes:
    """Read a regular file of limited size; raise OSError with the reason otherwise."""
    if file.exists() and not file.is_file():
        raise OSError(errno.EINVAL, "it is no file", str(file))
    if file.stat().st_size > largest:
        raise OSError(errno.EFBIG, "it is too large", str(file))
    return file.read_bytes()


def read_json(file: Path, kind: type[T], largest: int = SMALL) -> T:
    """Read a small JSON file; raise OSError if it can't be read or understood."""
    try:
        return msgspec.json.decode(read_small(file, largest), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise OSError(errno.EBADMSG, str(error), str(file)) from error


def write_whole(file: Path, content: bytes) -> None:
    """Write a whole file or nothing: first a draft beside it, then a rename; follow links.

    A terminal or a pipe can't be replaced: it is written to directly.
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
    """Flush a folder's entries to the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sweep(folder: Path, name: str = "*") -> None:
    """Remove drafts of a file, or of all files, whose writers were killed."""
    pattern = name if name == "*" else escape(name)
    for draft in folder.glob(f".{pattern}.[0-9]*"):
        writer = draft.suffix[1:]
        if writer.isdecimal() and not _is_alive(int(writer)):
            with suppress(OSError):
                draft.unlink()


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def make_folder(folder: Path) -> None:
    """Make a folder that is still there after a power cut."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync(folder.parent)
