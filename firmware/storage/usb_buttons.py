"""Which button of a USB box belongs to which seat: learned once, and kept beside the journal."""

from pathlib import Path

import msgspec

from firmware.state_folder import USB_BUTTONS
from hardware.board.usb_box import UsbButton, UsbButtonList
from vision.files import make_folder, read_json, write_whole


def read_usb_buttons(state: Path) -> UsbButtonList:
    """Read whose buttons there are; none where that was never kept, or can't be read."""
    try:
        return read_json(state / USB_BUTTONS, tuple[UsbButton, ...])
    except OSError:
        return ()


def keep_usb_buttons(state: Path, buttons: UsbButtonList) -> None:
    """Keep whose buttons there are."""
    make_folder(state)
    write_whole(state / USB_BUTTONS, msgspec.json.encode(buttons) + b"\n")
