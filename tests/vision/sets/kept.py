"""Sets on the disk: drawn once, then the same for every matcher and every version of the code."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import msgspec
import numpy as np
from msgspec import Struct

from hardware.twin.rendering.lens import Pixels
from hardware.twin.rendering.renderer import CardTruth
from tests.vision.sets.kinds import Kind, read_photographs, taught_pictures


class Photograph(Struct, frozen=True, eq=False):
    """A photograph with the truth about its cards."""

    picture: Pixels
    truth: tuple[CardTruth, ...]


def keep_set(kind: Kind, folder: Path, first: int = 0) -> Path:
    """Draw a kind's pictures, from a number on, into a folder, unless they are there; give the folder."""
    home = folder / f"{kind.name.replace(' ', '-')}-{first}"
    if (home / "whole").exists():
        return home
    (home / "taught").mkdir(parents=True, exist_ok=True)
    (home / "read").mkdir(exist_ok=True)
    for name, picture in taught_pictures(kind):
        _write(home / "taught" / name, picture)
    for number, frame in enumerate(read_photographs(kind, first)):
        _write(home / "read" / f"{number:02}.png", frame.picture)
        (home / "read" / f"{number:02}.json").write_bytes(msgspec.json.encode(frame.truth))
    (home / "whole").touch()
    return home


def _write(file: Path, picture: Pixels) -> None:
    file.write_bytes(cv2.imencode(".png", picture)[1].tobytes())


def kept_photographs(home: Path) -> Iterator[Photograph]:
    """Read a set's photographs."""
    for file in sorted((home / "read").glob("*.png")):
        truth = msgspec.json.decode(file.with_suffix(".json").read_bytes(), type=tuple[CardTruth, ...])
        picture = cv2.imdecode(np.fromfile(file, np.uint8), cv2.IMREAD_COLOR)
        yield Photograph(np.asarray(picture, np.uint8), truth)
