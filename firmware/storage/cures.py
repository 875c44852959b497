"""What helps where nothing can be kept: what to delete, what to check, whose a folder should be; as data."""

import os
from collections.abc import Iterator
from contextlib import suppress
from getpass import getuser
from glob import escape
from pathlib import Path
from shutil import disk_usage

from firmware.state_folder import ASIDE, EVIDENCE
from firmware.storage.backups.placing import BEFORE, size_of
from firmware.storage.state_place import StatePlace
from vision.troubles import Problem

MOST = 6
"""Things to delete that are named: the largest."""
MEGABYTE = 1_000_000
MOUNTS = Path("/proc/self/mountinfo")


def cures(place: StatePlace) -> tuple[Problem, ...]:
    """Say what helps, step by step; nothing where all is kept."""
    match place.unsaved:
        case None:
            return ()
        case Problem("unsaved full"):
            steps = [_room(place.disk), *_deletable(place)]
        case Problem("unsaved read-only") | Problem("unsaved broken"):
            card = {"device": device_of(place.disk), "folder": str(place.disk)}
            return (Problem("cure along"), Problem("cure card", card))
        case Problem("unsaved rights"):
            steps = [Problem("cure rights", {"user": _user(), "folder": str(place.disk)})]
        case Problem("unsaved folder"):
            steps = [Problem("cure folder", {"folder": str(place.disk)})]
        case Problem("unsaved newer"):
            steps = [Problem("cure newer", {"path": str(place.disk_journal)})]
        case _:
            steps = [Problem("cure home")]
    return (*steps, Problem("cure again"))


# a full disk


def _room(folder: Path) -> Problem:
    free = 0
    with suppress(OSError):
        free = disk_usage(folder).free // MEGABYTE
    return Problem("cure room", {"folder": str(folder), "free": free})


def _deletable(place: StatePlace) -> list[Problem]:
    """Name what of our own can go, the largest first: copies of what was, and pictures of rulings."""
    sizes: list[tuple[int, Path]] = []
    for path in _spare(place):
        with suppress(OSError):
            sizes.append((size_of(path) if path.is_dir() else path.stat().st_size, path))
    largest = sorted(sizes, reverse=True)[:MOST]
    return [
        Problem("cure delete", {"path": str(path), "size": f"{size / MEGABYTE:.1f}"}) for size, path in largest
    ]


def _spare(place: StatePlace) -> Iterator[Path]:
    with suppress(OSError):
        yield from place.disk.glob(f"{BEFORE}*")
        yield from place.disk.glob(f"{ASIDE}*")
        yield from place.disk.glob(EVIDENCE)
        yield from place.disk_journal.parent.glob(f"{escape(place.disk_journal.name)}.damaged-*")


# a card that wears out, a folder of another user


def device_of(folder: Path) -> str:
    """Name the device on which a folder lies, as a person would type it."""
    with suppress(OSError):
        lines = MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines()
        mounts = [(Path(words[4]), words[words.index("-") + 2]) for words in map(str.split, lines)]
        real = folder.resolve()
        # of those mounted at the same place the last one is on top
        points = [(len(point.parts), at, source) for at, (point, source) in enumerate(mounts)
                  if real.is_relative_to(point)]  # fmt: skip
        return max(points)[2]
    return "?"


def _user() -> str:
    try:
        return getuser()
    except (KeyError, OSError):
        return str(os.geteuid())
