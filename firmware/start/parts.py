"""The parts that a table opens at its start; those that only pages call are added by `table.py`."""

from contextlib import ExitStack

from msgspec import Struct

from firmware.services.backups import SecondCopies
from firmware.services.browser_camera import BrowserCamera
from firmware.services.own_club import OwnClub
from firmware.start.board import BoardServices, open_board
from firmware.start.integrations import open_club
from firmware.start.plan import Plan
from firmware.start.storage import open_second_copies
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.people.links_file import LinksFile
from firmware.table.client import TableClient
from firmware.table.loop import Companion
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


def open_parts(
    ends: ExitStack,
    plan: Plan,
    here: TablePlaces,
    companion: Companion,
    *,
    links: LinksFile,
    twin: SimulatedTable,
    camera: BrowserCamera,
) -> PartsAtStart:
    client = companion.client
    return PartsAtStart(
        plan=plan,
        here=here,
        client=client,
        links=links,
        twin=twin,
        camera=camera,
        board=open_board(ends, plan, here, companion),
        club=open_club(ends, here, companion),
        copies=open_second_copies(ends, plan, here, client),
    )
