"""The wired board, its working parts and the owners of USB buttons; no pin is driven unasked."""

import os
from pathlib import Path
from typing import Literal

from msgspec import Struct

from firmware.state_folder import BOARD, BOARD_FAULTS, USB_BUTTONS
from firmware.storage.files import Kept
from hardware.board.board import Board, BoardError, Boards, Key, our_boards, read_boards
from hardware.board.checks import troubles
from hardware.board.lamps import Lamp
from hardware.board.usb_box import UsbButton

NONE = "none"  # name of no board: phones are the only input
NO_BOARD = Board(seats=0)
Stage = Literal["unknown", "trial", "confirmed"]
"""How the board was chosen: not yet, on trial, confirmed."""
KEPT_BUTTONS = Kept(USB_BUTTONS, tuple[UsbButton, ...], ())
"""Owners of the buttons of USB boxes, learned once."""


class WiredBoard(Struct, frozen=True, forbid_unknown_fields=True):
    """A board by its profile's name, and how it was chosen."""

    profile: str = ""
    stage: Stage = "unknown"

    @property
    def is_driven(self) -> bool:
        return self.stage == "confirmed"

    @property
    def has_pins(self) -> bool:
        return self.is_driven and self.profile != NONE


WIRED_BOARD = Kept(BOARD, WiredBoard, WiredBoard())


def is_raspberry() -> bool:
    """Return whether this is a Raspberry Pi, or the environment selects a pin factory."""
    if os.environ.get("GPIOZERO_PIN_FACTORY"):
        return True
    model = Path("/proc/device-tree/model")
    return model.exists() and model.read_text(encoding="utf-8", errors="replace").startswith("Raspberry Pi")


def read_profiles(file: Path | None) -> Boards:
    if file is None:
        return our_boards()
    return read_boards(file.read_text(encoding="utf-8", errors="replace"), str(file))


def find_board(profile: str | None, file: Path | None) -> tuple[str, Board]:
    """Return a profile by its name; by default, the factory-made board or a file's first one."""
    known = read_profiles(file)
    if profile == NONE:
        return NONE, NO_BOARD
    first = "fab" if file is None else next(iter(known), "")
    name = first if profile is None else profile
    if name not in known:
        raise BoardError("no such profile", name=name or "-", names=", ".join((*known, NONE)))
    return name, known[name]


def is_fit_board(profile: str | None, file: Path | None) -> bool:
    try:
        return not troubles(find_board(profile, file)[1])
    except (BoardError, OSError):
        return False


class BoardFaults(Struct, frozen=True):
    """Buttons and lamps of a board reported as defective, and whether its lamps were tried."""

    profile: str = ""
    dead: tuple[Key, ...] = ()
    dark: tuple[Lamp, ...] = ()
    are_lamps_tried: bool = False


KEPT_FAULTS = Kept(BOARD_FAULTS, BoardFaults, BoardFaults())


def read_board_faults(state: Path, profile: str) -> BoardFaults:
    """Return a board's faults; none for another board, or if they can't be read."""
    kept = KEPT_FAULTS.read(state)
    return kept if kept.profile == profile else BoardFaults(profile)
