"""The parts of a table that its start makes, each always there: what a table lacks, its part says."""

import os
from contextlib import ExitStack
from pathlib import Path

from msgspec import Struct

from firmware.board_events import DirectorHeld
from firmware.parts.evidence import EvidenceFiles
from firmware.parts.finding import Home
from firmware.parts.guides import Guides, guides
from firmware.parts.live_pictures import LivePictures
from firmware.parts.looks import Looks
from firmware.parts.own_club import OwnClub
from firmware.parts.own_wifi import OwnWifi
from firmware.parts.power import Power
from firmware.parts.second_copy import SecondCopies
from firmware.parts.table_board import TableBoard
from firmware.parts.table_presence import TablePresence
from firmware.parts.table_sound import TableSound
from firmware.parts.usb_learning import UsbLearning
from firmware.state_folder import LINKS
from firmware.storage.backups.parts import CONFIGURATION, JOURNAL, TablePlaces
from firmware.storage.found_table import Layout, divide_table
from firmware.storage.people.links_file import LinksFile
from firmware.storage.places import evidence_directory
from firmware.storage.state_place import StatePlace
from firmware.storage.wired_board import NO_BOARD, WiredBoard
from firmware.table.door import TableDoor
from firmware.table.loop import Companion
from referee.contract import TableLayout
from vision.table.zones import Zones

USUAL = (844.0, 556.0)
"""Millimetres between the markers' middles, across and down, where nothing else is said."""


class TableParts(Struct, frozen=True, eq=False, kw_only=True):
    """What pages call by these names, too."""

    links: LinksFile
    guides: Guides
    live: LivePictures
    board: TableBoard
    sound: TableSound
    usb: UsbLearning
    wireless: int = 0
    """At so many seats a button may come by radio."""
    power: Power
    presence: TablePresence
    club: OwnClub
    wifi: OwnWifi
    looks: Looks
    copies: SecondCopies
    place: StatePlace
    """Where the state is, and why it isn't saved, if it isn't."""


def _divide(layout: Layout, parting: TableLayout) -> Zones:
    return divide_table(layout, parting, USUAL, mat=False)


def places_in(state: Path) -> TablePlaces:
    """Let all that a table keeps be in one folder."""
    return TablePlaces(state, state / JOURNAL, state / CONFIGURATION)


def bare_parts(door: TableDoor, state: Path) -> TableParts:
    """Make the parts of a table that has no pins, no computer of its own, and no club."""
    here = places_in(state)
    return TableParts(
        links=LinksFile(state / LINKS, door.moment),
        guides=guides(door, Home(state / "table.json", _divide)),
        live=LivePictures(is_on=False),
        board=TableBoard(state, WiredBoard(), {}, door),
        sound=TableSound(state, 0),
        usb=UsbLearning(state, lambda _heard: None),
        power=Power(door, is_there=False),
        presence=TablePresence(door, NO_BOARD, frozenset, is_there=False),
        club=OwnClub(state, state / JOURNAL, door, lambda: None, lambda: 0),
        wifi=OwnWifi(state),
        looks=Looks(),
        copies=SecondCopies(here, None, lambda _place, _trouble: None),
        place=StatePlace(state, here.journal, state, here.journal),
    )


def open_club(ends: ExitStack, here: TablePlaces, companion: Companion, links: LinksFile) -> OwnClub:
    """Link to the club that the table is in, as long as it runs; a button held calls its director."""
    door = companion.door
    pictures = EvidenceFiles(evidence_directory(os.environ), door.state)

    def newest() -> bytes | None:
        kept = pictures.kept_answers()
        return pictures.picture(max(kept)) if kept else None

    club = OwnClub(here.state, here.journal, door, newest, lambda: links.evening().lateness)
    companion.when_held(DirectorHeld, club.hold)
    ends.callback(club.close)
    return club
