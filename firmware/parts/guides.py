"""What guides the host: finding the table, teaching a deck; the table pauses for both."""

from msgspec import Struct

from firmware.parts.finding import Home, TableFinder
from firmware.parts.learning import Teacher
from firmware.parts.pausing import Pausing
from firmware.table.door import TableDoor


class Guides(Struct, frozen=True, eq=False):
    """Both, which share one pause."""

    table: TableFinder
    teaching: Teacher


def guides(door: TableDoor, home: Home) -> Guides:
    """Put both together."""
    pausing = Pausing(door)
    return Guides(TableFinder(door, home, pausing), Teacher(door, pausing))
