"""The services that a table opens at its start."""

from msgspec import Struct

from firmware.services.backups import SecondCopies
from firmware.services.browser_camera import BrowserCamera
from firmware.services.own_club import OwnClub
from firmware.services.power import Power
from firmware.services.presence import TablePresence
from firmware.services.table_board import TableBoard
from firmware.services.usb_learning import UsbLearning
from firmware.storage.people.links_file import LinksFile
from firmware.table.client import TableClient
from firmware.twin.simulated_table import SimulatedTable


class OpenedServices(Struct, frozen=True, eq=False, kw_only=True):
    """The services that work without pages; `Table` adds those that only pages call."""

    client: TableClient
    links: LinksFile
    twin: SimulatedTable
    camera: BrowserCamera
    board: TableBoard
    power: Power
    usb: UsbLearning
    presence: TablePresence
    club: OwnClub
    copies: SecondCopies
