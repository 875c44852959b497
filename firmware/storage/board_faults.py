"""What a table plays without: buttons that weren't heard, lamps that weren't seen; kept beside its board."""

from pathlib import Path

import msgspec
from msgspec import Struct

from firmware.state_folder import BOARD_FAULTS
from hardware.board.board import Key
from hardware.board.lamps import Lamp
from vision.files import make_folder, read_json, write_whole


class BoardFaults(Struct, frozen=True):
    """The buttons and lamps of a board that people have given up, and whether its lamps were tried at all."""

    profile: str = ""
    dead: tuple[Key, ...] = ()
    dark: tuple[Lamp, ...] = ()
    are_lamps_tried: bool = False


def read_board_faults(state: Path, profile: str) -> BoardFaults:
    """Read what is given up of a board; nothing is known of another one, or where it can't be read."""
    try:
        kept = read_json(state / BOARD_FAULTS, BoardFaults)
    except OSError:
        return BoardFaults(profile)
    return kept if kept.profile == profile else BoardFaults(profile)


def keep_board_faults(state: Path, faults: BoardFaults) -> None:
    """Keep what is given up."""
    make_folder(state)
    write_whole(state / BOARD_FAULTS, msgspec.json.encode(faults) + b"\n")
