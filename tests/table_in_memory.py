"""A table without pins, club or its own computer, with all its data in a folder; built in milliseconds."""

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from firmware.language.catalogues import language, languages
from firmware.services.addresses import DEFAULT_PORTS, OwnWifi, TableAddress
from firmware.services.analyses import Analyses
from firmware.services.backups import Backups, SecondCopies
from firmware.services.browser_camera import BrowserCamera
from firmware.services.finding import Pausing, TableFinder
from firmware.services.learning import DeckShelf
from firmware.services.live_view import LiveView
from firmware.services.looks import Looks
from firmware.services.naming import CardNaming
from firmware.services.own_club import OwnClub
from firmware.services.photographs import EvidenceFiles, PhotographReader
from firmware.services.power import Power
from firmware.services.presence import TablePresence
from firmware.services.privacy import Privacy
from firmware.services.real_cards import RealCards
from firmware.services.settings import SettingsKeeper
from firmware.services.table import Table
from firmware.services.table_board import TableBoard
from firmware.services.table_sound import TableSound
from firmware.services.usb_learning import UsbLearning
from firmware.start.table import sum_up_beside
from firmware.state_folder import CONFIGURATION, EVIDENCE, JOURNAL, LINKS
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.cards_choice import Kind
from firmware.storage.configuration import TableSettings
from firmware.storage.found_table import divide_table
from firmware.storage.match_history import History
from firmware.storage.people.links_file import LinksFile
from firmware.storage.state_place import StatePlace
from firmware.storage.wired_board import NO_BOARD, WiredBoard
from firmware.table.client import TableClient
from firmware.twin.simulated_table import NoTwin

USUAL = (844.0, 556.0)  # millimetres between the markers' centres, horizontally and vertically


def table_in_memory(folder: Path, client: TableClient, **more: Any) -> Table:
    """Build a table; keyword arguments replace its parts."""
    here, pausing = TablePlaces(folder, folder / JOURNAL, folder / CONFIGURATION), Pausing(client)
    home = folder / "table.json", lambda layout, parting: divide_table(layout, parting, USUAL, mat=False)
    copies = SecondCopies(here, None, lambda _trouble: None)
    club = OwnClub(folder, here.journal, client, lambda: None)
    settings = SettingsKeeper(folder, here.configuration)
    kind: Kind = "simulated" if more.get("twin", NoTwin()).is_there else "real"
    made = Table(
        client=client,
        links=LinksFile(folder / LINKS, client.moment),
        languages={code: language(code) for code in languages()},
        language="en",
        address=TableAddress(DEFAULT_PORTS["http"]),
        finder=TableFinder(client, home, pausing),
        decks=DeckShelf(client, folder),
        naming=CardNaming(client, pausing),
        view=LiveView(client),
        camera=BrowserCamera(),
        board=TableBoard(folder, WiredBoard(), {}, client),
        sound=TableSound(folder, 0, find=lambda: ()),
        club=club,
        usb=UsbLearning(folder, lambda _heard: None),
        power=Power(client, is_there=False),
        wifi=OwnWifi(folder),
        presence=TablePresence(client, NO_BOARD, frozenset, is_there=False),
        looks=Looks(),
        history=History(here.journal, sum_up_beside),
        analyses=Analyses(here.journal),
        evidence=EvidenceFiles(folder / EVIDENCE, client.state),
        photographs=PhotographReader(client.moment),
        settings=settings,
        cards=RealCards(folder, settings, kind=kind, camera="pi", is_pi=True, is_fixed=True),
        backups=Backups(here, folder / EVIDENCE),
        copies=copies,
        privacy=Privacy(here, TableSettings(), club),
        place=StatePlace(folder, here.journal, folder, here.journal),
        twin=NoTwin(),
    )
    return replace(made, **more)
