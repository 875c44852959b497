"""What the table's own camera sees while a phone's photograph is read: its cards and a small picture."""

from concurrent.futures import CancelledError
from time import monotonic

from msgspec import Struct

from firmware.table.door import TableDoor
from vision.process.messages import ReadTable, SnapshotTaken, TableRead, TakeSnapshot
from vision.sightings import Outline, Sighting
from vision.troubles import Problem

SECONDS = 4.0
"""Seconds that people wait for it; hands may be over the table for longer."""


class TableLook(Struct, frozen=True):
    """The cards, where they lie on the table in millimetres, and the picture with outlines and names."""

    cards: tuple[tuple[Sighting, Outline], ...]
    jpeg: bytes


def look_at_table(door: TableDoor, seconds: float = SECONDS) -> TableLook | None:
    """Look at the table; None where no camera sees it now, or it doesn't know where it is."""
    if any(isinstance(wrong, Problem) and "camera" in wrong.values for wrong in door.troubles()):
        return None
    until = monotonic() + seconds
    read, shown = door.show(ReadTable(), TableRead), door.show(TakeSnapshot(), SnapshotTaken)
    try:
        placed = read.result(seconds).cards
        jpeg = shown.result(max(0.0, until - monotonic())).jpeg
    except (TimeoutError, CancelledError):
        read.cancel()
        shown.cancel()
        return None
    there = tuple((each.card, each.outline) for each in placed if each.outline is not None)
    return TableLook(there, jpeg) if there else None
