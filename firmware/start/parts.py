"""The parts that a table opens at its start; those that only pages call are added by `table.py`."""

from msgspec import Struct

from firmware.services.backups import SecondCopies
from firmware.services.browser_camera import BrowserCamera
from firmware.services.own_club import OwnClub
from firmware.start.board import BoardServices
from firmware.start.plan import Plan
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.people.links_file import LinksFile
from firmware.table.client import TableClient
from firmware.twin.simulated_table import SimulatedTable


class PartsAtStart(Struct, frozen=True, eq=False, kw_only=True):
    """The parts that work before pages are served."""

    plan: Plan
    here: TablePlaces
    client: TableClient
    links: LinksFile
    twin: SimulatedTable
    camera: BrowserCamera
    board: BoardServices
    club: OwnClub
    copies: SecondCopies
