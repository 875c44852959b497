"""Write whole files or nothing (a draft first, then a rename), and read files with care."""

import errno
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from glob import escape
from pathlib import Path
from typing import TypeVar

import msgspec

SMALL = 1_000_000  # the most bytes of a file that is read in one piece

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
    """Read a small JSON file; raise OSError if it can't be read or understood."""
    try:
        return msgspec.json.decode(read_small(file, largest), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise OSError(errno.EBADMSG, str(error), str(file)) from error


def read_json_or(file: Path, kind: type[T], otherwise: U, largest: int = SMALL) -> T | U:
    """Read a small JSON file; one that isn't there, or can't be understood, is as good as this."""
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
    """Write a whole file or nothing: first a draft beside it, then a rename; follow links.

    A terminal or a pipe can't be replaced: it is written to directly. A private file replaces what is there;
    only its owner can read it, from the first byte. What the draft has to stand first, if anything, is a check.
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
        # one of an earlier run of this number may be another user's to read
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
    """Open a file for `open`: one that is new is its owner's alone."""
    return os.open(file, flags, 0o600)


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
    """Make a folder that is still there after a power cut; if private, its owner's from the first moment."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(mode=0o700 if is_private else 0o777, exist_ok=True)
        sync(folder.parent)
