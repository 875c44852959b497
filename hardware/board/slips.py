"""A likely slip: a board runs with the profile of another one; what its pins would give then."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from hardware.board.board import Board, Boards, has_spi
from hardware.board.circuit import circuit, currents
from hardware.board.uses import PinUse, uses

_INTERFACE_OUTPUTS: Mapping[str, tuple[int, ...]] = {"spi": (7, 8, 10, 11), "uart": (14,), "i2c": ()}
"""The pins that an interface drives both ways; I2C only pulls down what resistors pull up."""


class PinCurrent(Struct, frozen=True):
    """A driven pin, what the board has there if anything, and the most milliamperes that it takes or gives."""

    gpio: int
    meets: PinUse | None
    takes: float
    gives: float

    @property
    def most(self) -> float:
        """Give the larger current."""
        return max(self.takes, self.gives)


class Slip(Struct, frozen=True):
    """A build that runs as a profile: the currents of all driven pins, the largest first."""

    run_as: str
    built_as: str
    pins: tuple[PinCurrent, ...]

    @property
    def together(self) -> float:
        """Add up what all pins give at once, at their worst."""
        return sum(pin.gives for pin in self.pins)


def all_slips(boards: Boards) -> Iterator[Slip]:
    """Run every profile on every build."""
    for run_as, running in boards.items():
        for built_as, built in boards.items():
            yield Slip(run_as, built_as, slip(running, built))


def slip(running: Board, built: Board) -> tuple[PinCurrent, ...]:
    """Compute the currents of all pins that a profile drives on a build."""
    met = {use.gpio: use for use in uses(built)}
    found = [
        PinCurrent(gpio, met.get(gpio), takes, gives)
        for gpio, (takes, gives) in currents(circuit(built), driven_pins(running)).items()
    ]
    return tuple(sorted(found, key=lambda pin: (-pin.most, pin.gpio)))


def driven_pins(board: Board) -> frozenset[int]:
    """List the pins that a profile drives, or leaves to an interface that does."""
    own = {use.gpio for use in uses(board) if use.is_output}
    names = (*board.keeps, *(("spi",) if has_spi(board) else ()))
    return frozenset(own.union(*(_INTERFACE_OUTPUTS[name] for name in names)))
