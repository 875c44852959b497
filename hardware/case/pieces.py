"""The pieces to print in 3D, parts of OpenSCAD sources with their parameters, and what holds them together."""

import subprocess
from collections import Counter
from collections.abc import Mapping
from importlib.resources import as_file, files
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from msgspec import Struct

PROGRAM = "openscad"
SLOWEST = 600
"""Seconds that rendering a piece may take on a small computer."""


class Piece(Struct, frozen=True):
    """A part of a source, and the angles at which it is drawn; a tilt beyond 90 degrees is upside down."""

    source: str
    part: str
    turn: float = 30
    tilt: float = 35


PIECES: Mapping[str, Piece] = {
    f"{piece.source}-{piece.part}": piece
    for piece in (
        Piece("pi_box", "base", tilt=50),
        Piece("pi_box", "lid", turn=-30, tilt=-130),
        Piece("seat_box", "top", turn=-30, tilt=-130),
        Piece("seat_box", "floor"),
        Piece("camera_arm", "clamp", turn=150),
        Piece("camera_arm", "elbow"),
        Piece("camera_arm", "head_usb"),
        Piece("camera_arm", "head_module"),
        Piece("camera_arm", "head_hq"),
    )
}


def sources() -> Mapping[str, bytes]:
    found = files(__package__).iterdir()
    return {file.name: file.read_bytes() for file in found if file.name.endswith(".scad")}


def is_renderable() -> bool:
    return which(PROGRAM) is not None


def stl(piece: Piece) -> bytes:
    with as_file(files(__package__)) as folder, TemporaryDirectory() as there:
        file = Path(there) / "piece.stl"
        words = [PROGRAM, "-q", "-o", str(file), "-D", f'part="{piece.part}"', f"{folder}/{piece.source}.scad"]
        subprocess.run(words, check=True, timeout=SLOWEST, capture_output=True)  # noqa: S603 - our own sources
        return file.read_bytes()


# screws and pipe, counted for a table


class Screw(Struct, frozen=True, order=True):
    """A screw by its thread and length in millimetres."""

    thread: str
    length: int


PI_SCREW, LID_SCREW = Screw("M2.5", 6), Screw("M3", 12)
FLOOR_SCREW, PIPE_SCREW = Screw("M3", 10), Screw("M3", 10)
CAMERA_SCREW, TRIPOD_SCREW, CLAMP_BOLT = Screw("M2", 6), Screw("UNC 1/4", 12), Screw("M8", 60)
SCREWS: Mapping[str, tuple[tuple[Screw, int], ...]] = {
    "pi_box-base": ((PI_SCREW, 6),),
    "pi_box-lid": ((LID_SCREW, 4),),
    "seat_box-top": (),
    "seat_box-floor": ((FLOOR_SCREW, 4),),
    "camera_arm-clamp": ((PIPE_SCREW, 1), (CLAMP_BOLT, 1)),
    "camera_arm-elbow": ((PIPE_SCREW, 2),),
    "camera_arm-head_usb": ((PIPE_SCREW, 1), (TRIPOD_SCREW, 1)),
    "camera_arm-head_module": ((PIPE_SCREW, 1), (CAMERA_SCREW, 4)),
    "camera_arm-head_hq": ((PIPE_SCREW, 1), (PI_SCREW, 4)),
}
OTHER_HEADS = frozenset({"camera_arm-head_module", "camera_arm-head_hq"})
"""What takes the place of the first choice's head."""

UPRIGHT, ACROSS = 100, 45
"""Centimetres of the pipes of the camera's arm."""
PIPE_THICK = 20
"""Millimetres of the pipe's outer diameter; of aluminium or steel, as one of PVC sways by degrees."""
PIPE_SOLD = 200
"""Centimetres of a pipe as it is sold."""


def count_screws(places: int) -> Mapping[Screw, int]:
    """Add up the screws of all pieces, with the head of a USB camera."""
    counts = Counter[Screw]()
    for piece, screws in SCREWS.items():
        for screw, count in () if piece in OTHER_HEADS else screws:
            counts[screw] += count * (places if piece.startswith("seat_box") else 1)
    return dict(sorted(counts.items()))
