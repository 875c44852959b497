"""Which board is wired: a person says it, and it is kept beside the journal; until then no pin is driven."""

from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from firmware.state_folder import BOARD
from hardware.board.board import Board
from vision.files import make_folder, read_json, write_whole

NONE = "none"
"""The name of no board: phones say all."""
NO_BOARD = Board(seats=0)

Stage = Literal["unknown", "trial", "assumed", "confirmed"]
"""Not said; named, and listened to; driven as ever, though it wasn't said; said for certain."""


class WiredBoard(Struct, frozen=True, forbid_unknown_fields=True):
    """A board by its profile's name, and how sure that is."""

    profile: str = ""
    stage: Stage = "unknown"

    @property
    def is_driven(self) -> bool:
        """Tell whether its pins may be driven."""
        return self.stage in {"assumed", "confirmed"}

    @property
    def has_pins(self) -> bool:
        """Tell whether there are pins that may be driven."""
        return self.is_driven and self.profile != NONE


def read_wired_board(state: Path) -> WiredBoard | None:
    """Read which board is wired; None if that was never kept, and nothing is known where it can't be read."""
    try:
        return read_json(state / BOARD, WiredBoard)
    except FileNotFoundError:
        return None
    except OSError:
        return WiredBoard()


def keep_wired_board(state: Path, wired: WiredBoard) -> None:
    """Keep which board is wired."""
    make_folder(state)
    write_whole(state / BOARD, msgspec.json.encode(wired) + b"\n")


def wired_at_start(state: Path, first: str, *, has_played: bool) -> WiredBoard:
    """Tell which board is wired; a table that played before anybody was asked goes on with the first."""
    kept = read_wired_board(state)
    if kept is not None:
        return kept
    wired = WiredBoard(first, "assumed") if has_played else WiredBoard()
    with suppress(OSError):
        keep_wired_board(state, wired)
    return wired
