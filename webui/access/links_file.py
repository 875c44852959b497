"""Keeping the links in a file that only its owner can read: phones stay in when the table starts again."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock

import msgspec

from webui.access.links import Links, new_links, with_new_seat, with_seats

LARGEST = 100_000
"""Bytes that the links of a table stay far below."""


class LinksFile:
    """The links, and the file that they are kept in."""

    def __init__(self, file: Path) -> None:
        """Read the file; without one, or with a damaged one, all links are new."""
        self._file, self._lock = file, Lock()
        self._links = read_links(file) or new_links()

    def for_seats(self, seats: int) -> Links:
        """Give the links, for so many seats."""
        return self._change_links(lambda links: with_seats(links, seats))

    def hand_over(self, seat: int) -> Links:
        """Give a seat a new link."""
        return self._change_links(lambda links: with_new_seat(links, seat))

    def _change_links(self, change: Callable[[Links], Links]) -> Links:
        with self._lock:
            after = change(self._links)
            if after is not self._links:
                self._links = after
                # a full disk holds no phone up: it only has to scan again after the next start
                with suppress(OSError):
                    _write(self._file, after)
            return after


def read_links(file: Path) -> Links | None:
    """Read the links of a file; None if there is none, or it can't be what it should be."""
    try:
        is_small = file.is_file() and file.stat().st_size <= LARGEST
        return msgspec.json.decode(file.read_bytes(), type=Links) if is_small else None
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _write(file: Path, links: Links) -> None:
    """Write all or nothing, so that a power cut lets nobody in again who was put out."""
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    fresh.touch(0o600, exist_ok=False)
    with fresh.open("wb") as out:
        out.write(msgspec.json.encode(links))
        out.flush()
        os.fsync(out.fileno())
    fresh.replace(file)
    _sync(file.parent)


def _sync(folder: Path) -> None:
    """Bring a folder's names to the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
