"""What holds the printed pieces together: screws and pipe, counted for a table."""

from collections import Counter
from collections.abc import Mapping

from msgspec import Struct


class Screw(Struct, frozen=True, order=True):
    """A screw by its thread and length in millimetres."""

    thread: str
    length: int


PI_SCREW, LID_SCREW = Screw("M2.5", 6), Screw("M3", 12)
FLOOR_SCREW, PIPE_SCREW = Screw("M3", 10), Screw("M3", 10)
CAMERA_SCREW, CLAMP_BOLT = Screw("M2", 6), Screw("M8", 60)
SCREWS: Mapping[str, tuple[tuple[Screw, int], ...]] = {
    "pi_box-base": ((PI_SCREW, 4),),
    "pi_box-lid": ((LID_SCREW, 4),),
    "seat_box-top": (),
    "seat_box-floor": ((FLOOR_SCREW, 4),),
    "camera_arm-clamp": ((PIPE_SCREW, 1), (CLAMP_BOLT, 1)),
    "camera_arm-elbow": ((PIPE_SCREW, 2),),
    "camera_arm-head": ((PIPE_SCREW, 1), (CAMERA_SCREW, 4)),
}
"""The screws of each piece."""

UPRIGHT, ACROSS = 100, 45
"""Centimetres of the pipes of the camera's arm."""
PIPE_THICK = 20
"""Millimetres of the pipe's outer diameter."""
PIPE_SOLD = 200
"""Centimetres of a pipe as it is sold."""


def count_piece(piece: str, places: int) -> int:
    """Tell how often a piece is printed for a table with so many places."""
    return places if piece.startswith("seat_box") else 1


def count_screws(places: int) -> Mapping[Screw, int]:
    """Add up the screws of all pieces."""
    counts = Counter[Screw]()
    for piece, screws in SCREWS.items():
        for screw, count in screws:
            counts[screw] += count * count_piece(piece, places)
    return dict(sorted(counts.items()))
