"""A likely slip: a board runs with the profile of another one; what its pins would give then."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from hardware.board.board import Board, Boards, has_spi
from hardware.board.header import ON_PI_OHMS, PULLED_UP, VOLTS
from hardware.board.netlist import CONTACTS, DRIVER_OHMS, MODULE_OHMS, MODULES, Terminal, devices
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
    ends = {end.gpio: end for device in devices(built) for end in device.terminals}
    found = [PinCurrent(gpio, met.get(gpio), *_worst(gpio, ends.get(gpio))) for gpio in driven_pins(running)]
    return tuple(sorted(found, key=lambda pin: (-pin.most, pin.gpio)))


CONTACT_OHMS = 0.1


def _worst(gpio: int, end: Terminal | None) -> tuple[float, float]:
    """Give what a pin takes while it is low, from all that pulls it up, and gives while it is high."""
    pulls: list[float] = [ON_PI_OHMS] if gpio in PULLED_UP else []
    if end is None:
        return sum(1000 * VOLTS / ohms for ohms in pulls), 0.0
    ohms = max(CONTACT_OHMS, end.ohms if end.driver is None else DRIVER_OHMS)
    pulls += [ohms + MODULE_OHMS] if end.what in MODULES else []
    pulls += [ohms + end.pull] if end.pull else []
    falls = VOLTS if end.what in CONTACTS else VOLTS - end.drop if end.drop else 0.0
    return sum(1000 * VOLTS / each for each in pulls), 1000 * falls / ohms


def driven_pins(board: Board) -> frozenset[int]:
    """List the pins that a profile drives, or leaves to an interface that does."""
    own = {use.gpio for use in uses(board) if use.is_output}
    names = (*board.keeps, *(("spi",) if has_spi(board) else ()))
    return frozenset(own.union(*(_INTERFACE_OUTPUTS[name] for name in names)))
