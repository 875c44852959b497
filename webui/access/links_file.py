"""The links in a file that only its owner can read, so that phones keep their seats across restarts."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock

import msgspec

from webui.access.links import Links, new_links, with_new_seat, with_seats

LARGEST = 100_000
"""Most bytes of a links file."""


class LinksFile:
    """The links, and the file that keeps them."""

    def __init__(self, file: Path) -> None:
        """Read the file; if it is missing or damaged, draw new links."""
        self._file, self._lock = file, Lock()
        self._links = read_links(file) or new_links()

    def for_seats(self, seats: int) -> Links:
        """Give the links for so many seats."""
        return self._change_links(lambda links: with_seats(links, seats))

    def hand_over(self, seat: int) -> Links:
        """Give a seat a new link."""
        return self._change_links(lambda links: with_new_seat(links, seat))

    def _change_links(self, change: Callable[[Links], Links]) -> Links:
        with self._lock:
            after = change(self._links)
            if after is not self._links:
                self._links = after
                # a full disk must not stop phones: they only have to scan again after the next start
                with suppress(OSError):
                    _write(self._file, after)
            return after


def read_links(file: Path) -> Links | None:
    """Read links from a file; None if it is missing or damaged."""
    try:
        is_small = file.is_file() and file.stat().st_size <= LARGEST
        return msgspec.json.decode(file.read_bytes(), type=Links) if is_small else None
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _write(file: Path, links: Links) -> None:
    """Write all or nothing, so that a power cut lets no revoked link back in."""
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
    """Flush a folder's entries to the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
