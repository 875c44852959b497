"""Which loudspeaker the host chose by ear, kept in a file of its own: it counts at once."""

from pathlib import Path

import msgspec
from msgspec import Struct

from vision.files import make_folder, read_json, write_whole

LOUDSPEAKER = "loudspeaker.json"
"""In no backup: what is plugged into this computer is not plugged into another one."""
LARGEST = 1000


class ChosenLoudspeaker(Struct, frozen=True):
    """A sound card by the system's name; empty is the likeliest one."""

    card: str = ""


def read_loudspeaker(state: Path) -> str:
    """Read which one was chosen; none if that can't be read."""
    try:
        return read_json(state / LOUDSPEAKER, ChosenLoudspeaker, LARGEST).card
    except OSError:
        return ""


def keep_loudspeaker(state: Path, card: str) -> None:
    """Keep which one was chosen."""
    make_folder(state)
    write_whole(state / LOUDSPEAKER, msgspec.json.encode(ChosenLoudspeaker(card)) + b"\n")
