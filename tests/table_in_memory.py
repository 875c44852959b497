"""A table without pins, club or a computer of its own, which keeps all in a folder: made in milliseconds."""

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from firmware.language.catalogues import language, languages
from firmware.parts.addresses import UNSAID, OwnWifi, TableAddress
from firmware.parts.backups import Backups, SecondCopies
from firmware.parts.card_lines import CardLines
from firmware.parts.finding import Pausing, TableFinder
from firmware.parts.learning import Teacher
from firmware.parts.looks import Looks
from firmware.parts.own_club import OwnClub
from firmware.parts.photographs import EvidenceFiles, PhotographReader
from firmware.parts.power import Power
from firmware.parts.presence import TablePresence
from firmware.parts.privacy import Privacy
from firmware.parts.settings import SettingsKeeper
from firmware.parts.table import Table
from firmware.parts.table_board import TableBoard
from firmware.parts.table_sound import TableSound
from firmware.parts.trials import Analyses
from firmware.parts.usb_learning import UsbLearning
from firmware.start.table_at_start import sum_up_beside
from firmware.state_folder import CONFIGURATION, EVIDENCE, JOURNAL, LINKS
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.configuration import TableSettings
from firmware.storage.found_table import divide_table
from firmware.storage.match_history import History
from firmware.storage.people.links_file import LinksFile
from firmware.storage.state_place import StatePlace
from firmware.storage.wired_board import NO_BOARD, WiredBoard
from firmware.table.door import TableDoor
from firmware.twin.simulated_table import NoTwin

USUAL = (844.0, 556.0)  # millimetres between the markers' middles, across and down


def table_in_memory(folder: Path, door: TableDoor, **more: Any) -> Table:
    """Make a table; what a test has of its own takes the place of a part."""
    here, pausing = TablePlaces(folder, folder / JOURNAL, folder / CONFIGURATION), Pausing(door)
    home = folder / "table.json", lambda layout, parting: divide_table(layout, parting, USUAL, mat=False)
    copies = SecondCopies(here, None, lambda _trouble: None)
    club = OwnClub(folder, here.journal, door, lambda: None)
    made = Table(
        door=door,
        links=LinksFile(folder / LINKS, door.moment),
        languages={code: language(code) for code in languages()},
        language="en",
        address=TableAddress(UNSAID["http"]),
        finder=TableFinder(door, home, pausing),
        teacher=Teacher(door, pausing, folder),
        lines=CardLines(door),
        board=TableBoard(folder, WiredBoard(), {}, door),
        sound=TableSound(folder, 0),
        club=club,
        usb=UsbLearning(folder, lambda _heard: None),
        power=Power(door, is_there=False),
        wifi=OwnWifi(folder),
        presence=TablePresence(door, NO_BOARD, frozenset, is_there=False),
        looks=Looks(),
        history=History(here.journal, sum_up_beside),
        analyses=Analyses(here.journal),
        evidence=EvidenceFiles(folder / EVIDENCE, door.state),
        photographs=PhotographReader(door.moment),
        settings=SettingsKeeper(folder, here.configuration),
        backups=Backups(here, folder / EVIDENCE),
        copies=copies,
        privacy=Privacy(here, TableSettings(), club),
        place=StatePlace(folder, here.journal, folder, here.journal),
        twin=NoTwin(),
    )
    return replace(made, **more)
