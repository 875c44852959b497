"""Photographs on the disk, each with its truth: two versions of the code read the very same ones."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import msgspec
from msgspec import Struct

from hardware.twin.rendering.lens import Pixels, pixels
from tests.hardware.twin.truth import CardTruth
from tests.vision.sets.kinds import Kind, read_photographs, taught_pictures


class Photograph(Struct, frozen=True, eq=False):
    """A photograph with its name and the truth about its cards."""

    name: str
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
        (home / "taught" / name).write_bytes(_packed(picture))
    for number, frame in enumerate(read_photographs(kind, first)):
        keep_photograph(home / "read" / f"{number:02}.png", _packed(frame.picture), frame.truth)
    (home / "whole").touch()
    return home


def _packed(picture: Pixels) -> bytes:
    return cv2.imencode(".png", picture)[1].tobytes()


def keep_photograph(file: Path, content: bytes, truth: tuple[CardTruth, ...]) -> None:
    file.write_bytes(content)
    file.with_suffix(".json").write_bytes(msgspec.json.encode(truth))


def kept_photographs(folder: Path) -> Iterator[Photograph]:
    for file in sorted(folder.glob("*.json")):
        truth = msgspec.json.decode(file.read_bytes(), type=tuple[CardTruth, ...])
        (shown,) = (each for each in folder.glob(f"{file.stem}.*") if each != file)
        yield Photograph(file.stem, pixels(cv2.imread(str(shown), cv2.IMREAD_COLOR)), truth)
