"""What the eyes start from: the deck as a folder, the camera, the table as it was found last."""

import os
from collections.abc import Mapping
from pathlib import Path

from firmware.storage.configuration import CameraSettings
from firmware.storage.memory import chosen_thrift
from firmware.storage.places import decks_directory, evidence_directory, table_path, tried_directory
from hardware.decks.catalogue import PRINTED, PrintedDeck
from hardware.decks.print.raster import picture
from vision.files import read_json
from vision.process.messages import EyesSettings
from vision.reading.templates import BACK, Picture, Templates
from vision.table.calibration import Calibration, is_sound
from vision.table.zones import Zones
from vision.teaching.taught_decks import DECK, DeckTroubleError, TaughtDeck, load_deck, save_deck
from vision.teaching.tried_decks import prepare_deck

SHARPNESS = 4.0
"""Pixels a millimetre at which our own cards are drawn for comparison."""


def settings(
    camera: str, deck: Path, among: Mapping[str, int] | None, zones: Zones, sight: CameraSettings
) -> EyesSettings:
    """Put together what the eyes start from, with the table where it was left.

    The camera may be another one than that of the settings.
    """
    kept = table_path(os.environ)
    return EyesSettings(
        camera=camera,
        deck=str(deck),
        among=among,
        table=load_calibration(kept),
        empty=str(kept.with_suffix(".png")),
        zones=zones,
        tried=str(tried_directory(os.environ)),
        evidence=str(evidence_directory(os.environ)),
        mains=sight.mains,
        thrift=chosen_thrift(sight.small),
    )


def load_calibration(file: Path) -> Calibration | None:
    """Load the table that was found last; one that can't be read is as good as none: it is found anew."""
    try:
        table = read_json(file, Calibration)
    except OSError:
        return None
    return table if is_sound(table) else None


def deck_folder(name: str, scratch: Path) -> Path:
    """Find the folder of a deck that was taught, or draw one of ours into a scratch folder."""
    taught = decks_directory(os.environ) / name
    if _is_there(taught / DECK):
        return taught
    printed, folder = PRINTED[name], scratch / name
    save_deck(TaughtDeck(name, (printed.width, printed.height), all_counts(printed), draw_faces(name)), folder)
    return folder


def deck_named(name: str) -> Templates:
    """Find a deck by its name or folder: one that was taught goes before one of ours."""
    taught = taught_deck(name)
    if taught is not None:
        return prepare_deck(taught.faces, taught.card, tried_directory(os.environ))
    if name not in PRINTED:
        raise DeckTroubleError("no such deck", name=name, known=", ".join(PRINTED))
    return prepare_deck(draw_faces(name), kept=tried_directory(os.environ))


def taught_deck(name: str) -> TaughtDeck | None:
    """Load a deck that was taught, by its name or folder; None if there is no such deck."""
    folder = Path(name) if (Path(name) / DECK).exists() else decks_directory(os.environ) / name
    return load_deck(folder) if (folder / DECK).exists() else None


def deck_names() -> tuple[str, ...]:
    """List all decks that can be named: those that were taught, then ours."""
    taught = sorted(file.parent.name for file in decks_directory(os.environ).glob(f"*/{DECK}"))
    return tuple(dict.fromkeys((*taught, *PRINTED)))


def _is_there(file: Path) -> bool:
    """Tell whether a file is there; one that may not be looked at counts: reading it will say so."""
    try:
        file.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def all_counts(printed: PrintedDeck) -> dict[str, int]:
    """Count every face of a deck that can lie on the table; the back, too, is a face."""
    return {**printed.counts, **printed.extras, BACK: 0}


def draw_faces(name: str) -> dict[str, tuple[Picture, ...]]:
    """Draw our own cards; their back is a face too."""
    printed = PRINTED[name]
    faces = {face: (picture(drawing, SHARPNESS),) for face, drawing in printed.faces.items()}
    return {**faces, BACK: (picture(printed.back, SHARPNESS),)}
