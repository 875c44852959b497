"""A simulated table at which no bot sits."""

from gpiozero.pins.mock import MockFactory  # type: ignore[import-untyped]

from firmware.start.pages.twin_door import SimulatedTable
from firmware.twin.simulated_board import BoardMonitor, WatchedPin
from firmware.twin.world import Fingers, World
from hardware.board.board import our_boards
from referee.match import Match
from tests.webui.room import FakeDoor


class NoBots:
    """Bots that play for no seat."""

    seats = frozenset[int]()

    def leave(self, seat: int) -> None:
        """Have none to leave."""

    def is_showing(self, _match: Match) -> bool:
        """Leave no card lying."""
        return False


def table_without_bots(door: FakeDoor, world: World) -> SimulatedTable:
    """Make the table of a world, with a full board."""
    board, factory = our_boards()["full"], MockFactory(pin_class=WatchedPin)
    return SimulatedTable(door, world, Fingers(board, factory), NoBots(), BoardMonitor(board, factory))  # type: ignore[arg-type]
