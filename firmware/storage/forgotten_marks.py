"""Marks by which copies in a drawer know the matches that the table has forgotten: they say nothing of them."""

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

import msgspec

from firmware.state_folder import FORGOTTEN
from vision.files import make_folder, read_json, write_whole

LARGEST = 10_000_000
"""Most bytes of all marks."""
MOST = 100_000
"""Marks that are remembered."""


def mark_of(begun: str) -> str:
    """Give the mark of a match by when it was begun."""
    return sha256(begun.encode()).hexdigest()[:16]


def forgotten_marks(state: Path) -> tuple[str, ...]:
    """List the marks of all matches that this table has forgotten, the newest last."""
    try:
        return read_json(state / FORGOTTEN, tuple[str, ...], LARGEST)
    except OSError:
        return ()


def remember_forgotten(state: Path, begun: Iterable[str]) -> None:
    """Remember that matches were forgotten."""
    known = forgotten_marks(state)
    marks = (*known, *sorted({mark_of(each) for each in begun} - set(known)))[-MOST:]
    if marks != known:
        make_folder(state)
        write_whole(state / FORGOTTEN, msgspec.json.encode(marks))
