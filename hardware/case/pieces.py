"""The printed pieces, as parts of OpenSCAD sources with parameters, and their screws."""

import subprocess
from collections import Counter
from collections.abc import Mapping
from importlib.resources import as_file, files
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from msgspec import Struct

PROGRAM = "openscad"
RENDER_TIMEOUT = 600  # seconds for rendering a piece on a small computer


class Screw(Struct, frozen=True, order=True):
    """A screw by its thread and length in millimetres."""

    thread: str
    length: int


PI_SCREW, LID_SCREW = Screw("M2.5", 6), Screw("M3", 12)
FLOOR_SCREW, PIPE_SCREW = Screw("M3", 10), Screw("M3", 10)
CAMERA_SCREW, TRIPOD_SCREW, CLAMP_BOLT = Screw("M2", 6), Screw("UNC 1/4", 12), Screw("M8", 60)


class Piece(Struct, frozen=True):
    """A part of a source, its screws, and its drawing angles; a tilt above 90° is upside down."""

    source: str
    part: str
    screws: Mapping[Screw, int]
    turn: float = 30
    tilt: float = 35


PIECES: Mapping[str, Piece] = {
    f"{piece.source}-{piece.part}": piece
    for piece in (
        # with a board only two of them: M2.5 x 20 hold both at the pins
        Piece("pi_box", "base", {PI_SCREW: 4}, tilt=50),
        Piece("pi_box", "lid", {LID_SCREW: 4}, turn=-30, tilt=-130),
        Piece("seat_box", "top", {}, turn=-30, tilt=-130),
        Piece("seat_box", "floor", {FLOOR_SCREW: 4}),
        Piece("camera_arm", "clamp", {PIPE_SCREW: 1, CLAMP_BOLT: 1}, turn=150),
        Piece("camera_arm", "elbow", {PIPE_SCREW: 2}),
        Piece("camera_arm", "head_usb", {PIPE_SCREW: 1, TRIPOD_SCREW: 1}),
        Piece("camera_arm", "head_module", {PIPE_SCREW: 1, CAMERA_SCREW: 4}),
        Piece("camera_arm", "head_hq", {PIPE_SCREW: 1, PI_SCREW: 4}),
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
        subprocess.run(words, check=True, timeout=RENDER_TIMEOUT, capture_output=True)  # noqa: S603 - our own sources
        return file.read_bytes()


# screws and pipes for a table

OTHER_HEADS = frozenset({"camera_arm-head_module", "camera_arm-head_hq"})
"""Alternatives to the default camera head."""

UPRIGHT, ACROSS = 100, 45  # centimetres of the camera arm's pipes
PIPE_THICK = 20
"""Outer diameter of the pipe in millimetres; aluminium or steel, because PVC sways by degrees."""
PIPE_SOLD = 200  # length of a pipe as sold, in centimetres


def count_pieces(places: int) -> Mapping[str, int]:
    """Return the count of each piece for a table with a USB camera."""
    needed = ((name, piece) for name, piece in PIECES.items() if name not in OTHER_HEADS)
    return {name: places if piece.source == "seat_box" else 1 for name, piece in needed}


def count_screws(places: int) -> Mapping[Screw, int]:
    """Return the count of each screw for a table."""
    counts = Counter[Screw]()
    for name, pieces in count_pieces(places).items():
        for screw, count in PIECES[name].screws.items():
            counts[screw] += count * pieces
    return dict(sorted(counts.items()))
