"""The pieces to print in 3D, each a part of an OpenSCAD source with its parameters."""

import subprocess
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
        Piece("camera_arm", "head"),
    )
}
"""All pieces by name."""


def sources() -> Mapping[str, bytes]:
    """Read the sources, by the names of their files."""
    found = files(__package__).iterdir()
    return {file.name: file.read_bytes() for file in found if file.name.endswith(".scad")}


def is_renderable() -> bool:
    """Tell whether OpenSCAD is installed."""
    return which(PROGRAM) is not None


def stl(piece: Piece) -> bytes:
    """Render a piece as STL; OpenSCAD must be installed."""
    with as_file(files(__package__)) as folder, TemporaryDirectory() as there:
        file = Path(there) / "piece.stl"
        command = [
            PROGRAM,
            "-q",
            "-o",
            str(file),
            "-D",
            f'part="{piece.part}"',
            f"{folder}/{piece.source}.scad",
        ]
        subprocess.run(command, check=True, timeout=SLOWEST, capture_output=True)  # noqa: S603 - our own sources
        return file.read_bytes()
