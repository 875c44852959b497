"""Where the photographs of a pair lie on the disk, and what is known of them."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from hardware.twin.rendering.renderer import CardTruth


class Described(Struct, frozen=True):
    """What is known of a pair: the faces that were taught, and the kinds of photographs."""

    deck: str
    known: tuple[str, ...]
    kinds: tuple[str, ...]


def made_deck(folder: Path, deck: str, pair: int) -> Path:
    """Tell where a pair's pictures lie."""
    return folder / deck / f"pair-{pair}"


def photographs_of(home: Path, kind: str) -> Iterator[Path]:
    """List a kind's photographs."""
    yield from sorted((home / kind).glob("*.jpg"))


def truth_of(file: Path) -> tuple[CardTruth, ...]:
    """Read what lies in a photograph."""
    return msgspec.json.decode(file.with_suffix(".json").read_bytes(), type=tuple[CardTruth, ...])
