"""The names of printed decks: what is taught under one is read in place of the printed cards."""

import os
from collections.abc import Collection, Sequence
from pathlib import Path

import click

from firmware.language.speaking import _
from firmware.storage.eyes_settings import all_counts
from firmware.storage.places import decks_directory
from hardware.decks.catalogue import PRINTED
from vision.teaching.taught_decks import DECK, read_deck_file

LISTED = 6
"""Faces that are named where many are missing."""


def takes_printed_place(name: str, folder: Path) -> bool:
    """Tell whether a deck that is kept in a folder will be read in place of a printed one."""
    return name in PRINTED and folder == decks_directory(os.environ) / name


def refuse_strange_faces(name: str, folder: Path, faces: Collection[str]) -> None:
    """Refuse faces under the name of a printed deck that hasn't got them, as the pages offer none."""
    if not takes_printed_place(name, folder):
        return
    for face in faces:
        if face not in all_counts(PRINTED[name]):
            told = _("{name} is a deck that coyote prints, and has no face {face}: choose another name")
            raise click.UsageError(told.format(name=name, face=face))


def refuse_half_deck(name: str, folder: Path, faces: Collection[str]) -> None:
    """Refuse a part of a printed deck in its place."""
    if not takes_printed_place(name, folder):
        return
    # the rest of it wouldn't be read any more
    before = read_deck_file(folder).faces if (folder / DECK).exists() else {}
    missing = [face for face in PRINTED[name].counts if face not in faces and face not in before]
    if missing:
        told = _(
            "{name} is a deck that coyote prints, and these of its faces have no picture: {faces}; "
            "add them, or choose another name"
        )
        raise click.UsageError(told.format(name=name, faces=_listed(missing)))


def _listed(faces: Sequence[str]) -> str:
    return ", ".join(faces[:LISTED]) + (" …" if len(faces) > LISTED else "")
