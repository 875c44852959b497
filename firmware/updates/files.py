"""Files and links that are there whole or not at all, whatever happens meanwhile."""

import os
import shutil
from contextlib import suppress
from pathlib import Path

DRAFT = ".draft-"
"""How what isn't there whole yet begins: it is removed, or written over."""


def write_whole(file: Path, content: bytes) -> None:
    """Write a whole file, or leave the old one."""
    draft = draft_of(file)
    with draft.open("wb") as out:
        out.write(content)
        out.flush()
        os.fsync(out.fileno())
    draft.replace(file)
    sync(file.parent)


def point_link(link: Path, target: str) -> None:
    """Let a link point elsewhere, in one step."""
    draft = draft_of(link)
    draft.unlink(missing_ok=True)
    draft.symlink_to(target)
    draft.replace(link)
    sync(link.parent)


def draft_of(path: Path) -> Path:
    """Name the draft of a file, a link or a folder, beside it."""
    return path.with_name(f"{DRAFT}{path.name}")


def sync(path: Path) -> None:
    """Have a file, or the entries of a folder, on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def remove(path: Path) -> None:
    """Remove a file, a link or a folder, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def read_text(file: Path) -> str:
    """Read a small file; one that isn't there, or can't be read, says nothing."""
    with suppress(OSError, UnicodeDecodeError):
        return file.read_text(encoding="utf-8").strip()
    return ""
