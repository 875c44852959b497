"""The buttons by USB of a table that starts: whose they are, and who hears them."""

from collections.abc import Callable
from contextlib import ExitStack

from firmware.board.senses.usb_buttons import UsbButtons, UsbReader
from firmware.board_events import Edge
from firmware.table.door import TableDoor
from hardware.board.usb_box import UsbButtonList


def open_usb_buttons(
    ends: ExitStack, known: UsbButtonList, door: TableDoor, put: Callable[[Edge], None]
) -> UsbButtons:
    """Listen to the buttons that are known; a box that is missing is told until it is there again."""
    buttons = UsbButtons(UsbReader(known, put, lambda box, wrong: door.report(("usb box", box), wrong)))
    ends.callback(buttons.close)
    return buttons
