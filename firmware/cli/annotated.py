"""Where `coyote read --annotate` draws: a place of its own for each picture, and never on a photograph."""

from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

import click

from firmware.language.speaking import _

KINDS = frozenset({".jpg", ".jpeg", ".png"})
"""How the names of pictures that are written end."""


def drawing_places(pictures: Sequence[Path], annotate: Path) -> tuple[Path, ...]:
    """Say where each picture's drawing goes; refuse what would lose something before anything is read."""
    is_file = len(pictures) == 1 and not annotate.is_dir() and (bool(annotate.suffix) or annotate.exists())
    if is_file:
        _refuse_other_kind(annotate)
    else:
        _refuse_file_as_folder(annotate)
    places = (annotate,) if is_file else tuple(_places_in(annotate, pictures))
    for place in places:
        _refuse_photograph(place, pictures)
    return places


def _refuse_other_kind(file: Path) -> None:
    if file.suffix.lower() not in KINDS:
        raise click.UsageError(_("name the picture .png or .jpg: {file}").format(file=file))


def _refuse_file_as_folder(folder: Path) -> None:
    """Refuse what is a file, or is named like one, as the folder for drawings."""
    if not folder.is_dir() and (folder.exists() or folder.suffix.lower() in KINDS):
        told = _("{file} can't hold several pictures: name a folder with --annotate")
        raise click.UsageError(told.format(file=folder))


def _refuse_photograph(place: Path, pictures: Sequence[Path]) -> None:
    """Refuse to draw over a picture that is to be read, whatever it is called there."""
    if place.exists() and any(picture.exists() and place.samefile(picture) for picture in pictures):
        told = _("{file} would be drawn over, and is a picture to read: name another place with --annotate")
        raise click.UsageError(told.format(file=place))


def _places_in(folder: Path, pictures: Sequence[Path]) -> Iterator[Path]:
    """Name the drawings after their pictures; a name that is taken is numbered."""
    taken = set[str]()
    for picture in pictures:
        name = next(each for each in _names(picture.stem) if each.casefold() not in taken)
        taken.add(name.casefold())
        yield folder / f"{name}.jpg"


def _names(stem: str) -> Iterator[str]:
    yield stem
    yield from (f"{stem}-{number}" for number in count(2))
