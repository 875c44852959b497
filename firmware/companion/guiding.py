"""What guides the host on the pages: finding the table, teaching a deck; the table pauses for both."""

from firmware.companion.door import Door
from firmware.companion.finding import Home, TableFinder
from firmware.companion.learning import Teacher
from firmware.companion.pausing import Pausing
from webui.guides import Guides


def guides(door: Door, home: Home) -> Guides:
    """Put both together."""
    pausing = Pausing(door)
    return Guides(TableFinder(door, home, pausing), Teacher(door, pausing))
