"""Tables with stored state, and comparisons of it."""

import shutil
from datetime import datetime
from pathlib import Path
from zipfile import ZipFile

import cv2
import msgspec
import numpy as np

from firmware.state_folder import EVIDENCE
from firmware.storage.backups.archive import MANIFEST, TablePlaces, backup
from firmware.storage.club import read_outbox
from firmware.storage.configuration import HostChoice, keep
from firmware.storage.files import beside
from firmware.storage.journal import open_journal, open_readonly
from firmware.storage.people.evening import Device, join_seat
from firmware.storage.people.links_file import LinksFile
from referee.match import Match
from tests.firmware.board.inputs.matches import bidden
from tests.firmware.playing import match_at
from vision.process.evidence import Sidecar, keep_evidence
from vision.sightings import Reading
from vision.table.values import Calibration
from vision.teaching.kept_cuts import CutCard, without_ground
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


# evenings to forget

DAY, OTHER_DAY = "2026-11-21", "2026-11-14"
GUEST, REGULAR = "Wilhelmina", "Bo"
START_TIMES = tuple(f"{DAY}T2{hour}:15:00.000123+01:00" for hour in range(3))
"""Texts that no file may contain any more."""
LATE = "2026-11-22T01:30:00.000456+01:00"  # still the same evening
EARLIER = f"{OTHER_DAY}T20:15:00.000789+01:00"


def log_of(here: TablePlaces) -> Path:
    return here.state / "coyote.jsonl"


def store_links(file: Path) -> None:
    """Store an evening with the guest and another player seated by phone."""
    file.unlink(missing_ok=True)
    match = match_at(LATE, GUEST, REGULAR)
    links = LinksFile(file, lambda: match)
    for seat in range(2):
        links.change(lambda evening, seat=seat: join_seat(evening, seat, Device(str(seat)), "AB"))


def table_with_evenings(folder: Path) -> TablePlaces:
    """Set up a table with two evenings, their pictures, a log, people, and old copies."""
    here = places_in(folder)
    here.state.mkdir(parents=True)
    with open_journal(here.journal) as opened:
        opened.journal.begin(match_at(EARLIER, "Ana", REGULAR))
        for begun in (*START_TIMES, LATE):
            opened.journal.begin(match_at(begun, GUEST, REGULAR))
    read_outbox(here.journal)
    for name in ("before-0001-x", "form-1"):
        (here.state / name).mkdir()
        shutil.copy(here.journal, here.state / name)
    shutil.copy(here.journal, beside(here.journal, ".damaged-0001-20261121-201500"))
    for number in (1, 2, 5):
        keep_evidence(here.state / EVIDENCE, b"a picture", Sidecar(str(number), 3, Reading(())))
    (here.state / EVIDENCE / "2.000003-2.jpg").write_bytes(b"a second look")
    store_links(here.state / "links.json")
    lines = [{"at": datetime.fromisoformat(each).timestamp(), "what": each} for each in (EARLIER, LATE)]
    log_of(here).write_bytes(b"no JSON\n" + b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    return here


def traces(here: TablePlaces, *wanted: str) -> list[str]:
    """List the files with any trace of the evening or of these names."""
    words = [each.encode() for each in wanted or (*START_TIMES, LATE, GUEST)]
    files = sorted(path for path in here.state.rglob("*") if path.is_file())
    return [path.name for path in files if any(each in path.read_bytes() for each in words)]
