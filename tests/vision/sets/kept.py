"""Photographs on the disk, each with its truth: two versions of the code read the very same ones."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import msgspec
from msgspec import Struct

from hardware.twin.rendering.lens import Pixels, pixels
from tests.hardware.twin.truth import CardTruth


class Photograph(Struct, frozen=True, eq=False):
    """A photograph with its name and the truth about its cards."""

    name: str
    picture: Pixels
    truth: tuple[CardTruth, ...]


def keep_photograph(file: Path, content: bytes, truth: tuple[CardTruth, ...]) -> None:
    file.write_bytes(content)
    file.with_suffix(".json").write_bytes(msgspec.json.encode(truth))


def kept_photographs(folder: Path) -> Iterator[Photograph]:
    for file in sorted(folder.glob("*.json")):
        truth = msgspec.json.decode(file.read_bytes(), type=tuple[CardTruth, ...])
        (shown,) = (each for each in folder.glob(f"{file.stem}.*") if each != file)
        yield Photograph(file.stem, pixels(cv2.imread(str(shown), cv2.IMREAD_COLOR)), truth)
