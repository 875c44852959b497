"""Whether what was pressed can be the board that was named; pure.

A press pulls a pin to ground. On a pin that the named board would drive, or doesn't know, it says that another
board is wired: one that were driven all the same would be shorted by the next press.
"""

from collections.abc import Collection, Mapping

from msgspec import Struct

from hardware.board.board import Board, Boards, Key, keys, wires
from hardware.board.uses import PinUse, uses


class WrongPress(Struct, frozen=True):
    """A press that contradicts a board: on which GPIO, and what it would be there; None if nothing."""

    gpio: int
    use: PinUse | None = None


def wrong_presses(board: Board, pressed: Collection[int]) -> tuple[WrongPress, ...]:
    """List the presses that can't be on a board."""
    inputs, by_gpio = set(wires(board).values()), {use.gpio: use for use in uses(board)}
    return tuple(WrongPress(gpio, by_gpio.get(gpio)) for gpio in sorted(pressed) if gpio not in inputs)


def heard_keys(board: Board, pressed: Collection[int]) -> Mapping[Key, bool]:
    """Tell of each button of a board whether it was pressed."""
    return {key: gpio in pressed for key, gpio in keys(board).items()}


def fitting_boards(boards: Boards, pressed: Collection[int]) -> tuple[str, ...]:
    """Name the boards on which all that was pressed is a button."""
    return tuple(name for name, board in boards.items() if not wrong_presses(board, pressed))


def known_pins(boards: Boards) -> tuple[int, ...]:
    """List the GPIOs that any of the boards uses: on one of them a press will come."""
    return tuple(sorted({use.gpio for board in boards.values() for use in uses(board)}))
