"""Tables with stored state, and comparisons of it."""

from pathlib import Path
from zipfile import ZipFile

import cv2
import msgspec
import numpy as np

from firmware.storage.backups.archive import MANIFEST, TablePlaces, backup
from firmware.storage.configuration import HostChoice, keep
from firmware.storage.journal import open_journal, open_readonly
from referee.match import Match
from tests.firmware.board.inputs.matches import bidden
from vision.card_cuts import CutCard
from vision.table.values import Calibration
from vision.teaching.kept_cuts import without_ground
from vision.teaching.taught_decks import TaughtDeck, save_deck

MADE = "2026-02-03T20:15:00+01:00"
TABLE = Calibration(
    plane=((2.0, 0.0, 800.0), (0.0, 2.0, 600.0), (0.0, 0.0, 1.0)),
    size=(1600, 1200),
    white=(1.0, 1.0, 1.0),
    light=0.5,
    markers={},
)


def places_in(folder: Path) -> TablePlaces:
    return TablePlaces(folder / "state", folder / "state" / "journal.sqlite3", folder / "etc" / "coyote.toml")


def table_in(folder: Path, name: str, *matches: Match) -> TablePlaces:
    """Set up a table with some of each kind of data."""
    here = places_in(folder)
    here.state.mkdir(parents=True)
    here.configuration.parent.mkdir()
    here.configuration.write_text(f'[play]\nseats = ["{name}", "Bo"]\n', encoding="utf-8")
    with open_journal(here.journal) as opened:
        for match in matches or (bidden(5), bidden(3, 4)):
            opened.journal.begin(match)
    keep(HostChoice("fr", sound={"volume": len(name)}), here.state)
    picture = np.full((88, 63, 3), len(name), np.uint8)
    card = CutCard(picture, without_ground(picture))
    save_deck(TaughtDeck(name, (63.0, 88.0), {"Qs": 1}, {"Qs": (card,)}), here.state / "decks" / name)
    (here.state / "table.json").write_bytes(msgspec.json.encode(TABLE))
    cv2.imwrite(str(here.state / "table.png"), picture)
    (here.state / "links.json").write_text(name, encoding="utf-8")
    return here


def kept_content(here: TablePlaces) -> dict[str, object]:
    """Return a table's relevant content byte by byte; matches as their lines."""
    with open_readonly(here.journal) as journal:
        matches = [tuple(journal.lines(match.id)) for match in journal.matches()]
    return {"matches": matches, **files_of(here)}


def files_of(here: TablePlaces) -> dict[str, object]:
    files = [here.configuration, *(here.state / name for name in ("chosen.json", "table.json", "table.png"))]
    decks = [file for file in (here.state / "decks").rglob("*") if file.is_file()]
    return {
        str(file.relative_to(here.state.parent)): file.read_bytes()
        for file in (*files, *decks)
        if file.exists()
    }


def files_in(backup: Path) -> dict[str, bytes]:
    """Unpack a backup without its manifest."""
    with ZipFile(backup) as opened:
        return {name: opened.read(name) for name in opened.namelist() if name != MANIFEST}


def backup_of(here: TablePlaces, file: Path) -> Path:
    file.write_bytes(b"".join(backup(here, MADE)))
    return file
