"""All uses of a board's pins, for checks, tables and pictures; also the interpretation of presses.

A press pulls a pin to ground. On a pin that the chosen board would drive, or doesn't use, it shows that another
board is wired. Driving that board would short the pin at the next press.
"""

from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct

from hardware.board.board import (
    COLOURS,
    DIGITS_SELECT,
    SPI_CLOCK,
    SPI_DATA,
    Board,
    Boards,
    Key,
    LampPins,
    Register,
    keys,
    wires,
)

OUTPUTS = frozenset(
    {"green", "red", "attention", "buzzer", "display clock", "display data"}
    | {"register data", "register clock", "register latch"}
    | {"spi data", "spi clock", "digits select"}
)


class PinUse(Struct, frozen=True):
    """The use of a GPIO, with its seat or number if there are several."""

    gpio: int
    what: str
    number: int | None = None

    @property
    def is_output(self) -> bool:
        return self.what in OUTPUTS


def uses(board: Board) -> tuple[PinUse, ...]:
    return (*_seats(board), *_shared_uses(board), *_spi_uses(board))


def _seats(board: Board) -> Iterator[PinUse]:
    lists = {"call": board.call, "second": board.second, "table": board.table}
    if isinstance(board.lamps, LampPins):
        lists |= {colour: getattr(board.lamps, colour) for colour in COLOURS}
    for what, gpios in lists.items():
        for number, gpio in enumerate(gpios):
            yield PinUse(gpio, what, number)


def _shared_uses(board: Board) -> Iterator[PinUse]:
    register = board.lamps if isinstance(board.lamps, Register) else None
    for name, part, pins in (
        ("dial", board.dial, ("a", "b", "push")),
        ("register", register, ("data", "clock", "latch")),
        ("display", board.display, ("clock", "data")),
    ):
        yield from (PinUse(getattr(part, pin), f"{name} {pin}") for pin in pins if part is not None)
    for name, gpio in (("attention", board.attention), ("buzzer", board.buzzer)):
        if gpio is not None:
            yield PinUse(gpio, name)


def _spi_uses(board: Board) -> Iterator[PinUse]:
    if board.max7219 is not None:
        yield PinUse(SPI_DATA, "spi data")
        yield PinUse(SPI_CLOCK, "spi clock")
        yield PinUse(DIGITS_SELECT, "digits select")


# consistency of presses with a board


class WrongPress(Struct, frozen=True):
    """A press that contradicts a board: the GPIO, and its use on that board, if any."""

    gpio: int
    use: PinUse | None = None


def wrong_presses(board: Board, pressed: Collection[int]) -> tuple[WrongPress, ...]:
    inputs, by_gpio = set(wires(board).values()), {use.gpio: use for use in uses(board)}
    return tuple(WrongPress(gpio, by_gpio.get(gpio)) for gpio in sorted(pressed) if gpio not in inputs)


def heard_keys(board: Board, pressed: Collection[int]) -> Mapping[Key, bool]:
    return {key: gpio in pressed for key, gpio in keys(board).items()}


def fitting_boards(boards: Boards, pressed: Collection[int]) -> tuple[str, ...]:
    return tuple(name for name, board in boards.items() if not wrong_presses(board, pressed))


def known_pins(boards: Boards) -> tuple[int, ...]:
    """Return the GPIOs used by any of the boards, all of which may be pressed."""
    return tuple(sorted({use.gpio for board in boards.values() for use in uses(board)}))
