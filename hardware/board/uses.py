"""The uses of a board's pins as one list, the source of checks, tables and pictures."""

from collections.abc import Iterator

from msgspec import Struct

from hardware.board.board import COLOURS, Board, LampPins, LedRing, Register, has_spi
from hardware.board.header import DIGITS_SELECT, RING_SELECT, SPI_CLOCK, SPI_DATA

OUTPUTS = frozenset(
    {"green", "red", "attention", "buzzer", "display clock", "display data"}
    | {"register data", "register clock", "register latch"}
    | {"spi data", "spi clock", "ring select", "digits select"}
)


class PinUse(Struct, frozen=True):
    """What a GPIO is for, with the seat or number if there are several."""

    gpio: int
    what: str
    number: int | None = None

    @property
    def is_output(self) -> bool:
        """Tell whether the Pi drives it."""
        return self.what in OUTPUTS


def uses(board: Board) -> tuple[PinUse, ...]:
    """List all uses of a board's pins."""
    return (*_seats(board), *_shared_uses(board), *_spi_uses(board))


def _seats(board: Board) -> Iterator[PinUse]:
    """List the uses for each seat, and the table's own buttons."""
    lists = {"call": board.call, "second": board.second, "table": board.table}
    if isinstance(board.lamps, LampPins):
        lists |= {colour: getattr(board.lamps, colour) for colour in COLOURS}
    for what, gpios in lists.items():
        for number, gpio in enumerate(gpios):
            yield PinUse(gpio, what, number)


def _shared_uses(board: Board) -> Iterator[PinUse]:
    """List the uses that exist once for the whole table."""
    if board.dial is not None:
        yield PinUse(board.dial.a, "dial a")
        yield PinUse(board.dial.b, "dial b")
        yield PinUse(board.dial.push, "dial push")
    if isinstance(board.lamps, Register):
        yield PinUse(board.lamps.data, "register data")
        yield PinUse(board.lamps.clock, "register clock")
        yield PinUse(board.lamps.latch, "register latch")
    if board.display is not None:
        yield PinUse(board.display.clock, "display clock")
        yield PinUse(board.display.data, "display data")
    if board.attention is not None:
        yield PinUse(board.attention, "attention")
    if board.buzzer is not None:
        yield PinUse(board.buzzer, "buzzer")


def _spi_uses(board: Board) -> Iterator[PinUse]:
    """List the uses of SPI; a ring knows no clock, and digits need one."""
    if has_spi(board):
        yield PinUse(SPI_DATA, "spi data")
    if board.max7219 is not None:
        yield PinUse(SPI_CLOCK, "spi clock")
        yield PinUse(DIGITS_SELECT, "digits select")
    if isinstance(board.lamps, LedRing):
        yield PinUse(RING_SELECT, "ring select")
