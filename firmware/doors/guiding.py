"""What guides the host on the pages: finding the table, teaching a deck; the table pauses for both."""

from firmware.core.door import TableDoor
from firmware.doors.finding import Home, TableFinder
from firmware.doors.learning import Teacher
from firmware.doors.pausing import Pausing
from webui.doors.guides import Guides


def guides(door: TableDoor, home: Home) -> Guides:
    """Put both together."""
    pausing = Pausing(door)
    return Guides(TableFinder(door, home, pausing), Teacher(door, pausing))
