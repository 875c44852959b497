"""Write files atomically (a draft, then a rename), and read files with limits."""

import errno
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from glob import escape
from pathlib import Path
from typing import TypeVar

import msgspec

SMALL = 1_000_000  # largest file read at once, in bytes

T = TypeVar("T")
U = TypeVar("U")


def read_small(file: Path, largest: int = SMALL) -> bytes:
    """Read a regular file of limited size; raise OSError with the reason otherwise."""
    if file.exists() and not file.is_file():
        raise OSError(errno.EINVAL, "it is no file", str(file))
    if file.stat().st_size > largest:
        raise OSError(errno.EFBIG, "it is too large", str(file))
    return file.read_bytes()


def read_json(file: Path, kind: type[T], largest: int = SMALL) -> T:
    """Read a small JSON file; raise OSError if it can't be read or decoded."""
    try:
        return msgspec.json.decode(read_small(file, largest), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise OSError(errno.EBADMSG, str(error), str(file)) from error


def read_json_or(file: Path, kind: type[T], otherwise: U, largest: int = SMALL) -> T | U:
    """Read a small JSON file; return `otherwise` if it is missing or can't be decoded."""
    try:
        return read_json(file, kind, largest)
    except OSError:
        return otherwise


def write_whole(
    file: Path,
    content: bytes | Iterable[bytes],
    check: Callable[[Path], object] | None = None,
    *,
    is_private: bool = False,
) -> None:
    """Write a file atomically: first a draft beside it, then a rename. Follow symbolic links.

    A terminal or a pipe can't be replaced, so it is written to directly. A private file replaces an existing
    one and is readable by its owner only, from the first byte. `check` is called with the draft before the
    rename.
    """
    pieces = (content,) if isinstance(content, bytes) else content
    if not is_private:
        file = file.resolve()
        if file.exists() and not file.is_file():
            with file.open("wb") as out:
                out.writelines(pieces)
            return
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    sweep(file.parent, file.name)
    try:
        # a draft of an earlier process with this number may be readable by others
        draft.unlink(missing_ok=True)
        draft.touch(0o600 if is_private else 0o666, exist_ok=False)
        with draft.open("wb") as out:
            out.writelines(pieces)
            out.flush()
            os.fsync(out.fileno())
        if check is not None:
            check(draft)
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
    sync(file.parent)


def private_opener(file: str, flags: int) -> int:
    """Open a file for `open`, with new files readable by their owner only."""
    return os.open(file, flags, 0o600)


def sync(folder: Path) -> None:
    """Flush a folder's entries to the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sweep(folder: Path, name: str = "*") -> None:
    """Delete drafts of a file, or of all files, whose writers are dead."""
    pattern = name if name == "*" else escape(name)
    for draft in folder.glob(f".{pattern}.[0-9]*"):
        writer = draft.suffix[1:]
        if writer.isdecimal() and not is_alive(int(writer)):
            with suppress(OSError):
                draft.unlink()


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def make_folder(folder: Path, *, is_private: bool = False) -> None:
    """Create a folder durably, so that it survives a power cut. A private one is its owner's from the start."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(mode=0o700 if is_private else 0o777, exist_ok=True)
        sync(folder.parent)
