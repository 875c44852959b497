"""A likely mistake: a board runs with another one's profile; the resulting currents of its pins."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from hardware.board import netlist
from hardware.board.board import ON_PI_OHMS, PULLED_UP, VOLTS, Board, Boards
from hardware.board.uses import PinUse, uses

_INTERFACE_OUTPUTS: Mapping[str, tuple[int, ...]] = {"spi": (7, 8, 10, 11), "uart": (14,), "i2c": ()}
"""Push-pull pins of an interface; I2C is open-drain and has none."""


class PinCurrent(Struct, frozen=True):
    """A driven pin, the board's use of it, and the maximum milliamperes that it sinks and sources."""

    gpio: int
    meets: PinUse | None
    takes: float
    gives: float

    @property
    def most(self) -> float:
        return max(self.takes, self.gives)


class Slip(Struct, frozen=True):
    """A build that runs with a profile, and the currents of all driven pins, largest first."""

    run_as: str
    built_as: str
    pins: tuple[PinCurrent, ...]

    @property
    def together(self) -> float:
        return sum(pin.gives for pin in self.pins)


def all_slips(boards: Boards) -> Iterator[Slip]:
    for run_as, running in boards.items():
        for built_as, built in boards.items():
            yield Slip(run_as, built_as, slip(running, built))


def slip(running: Board, built: Board) -> tuple[PinCurrent, ...]:
    """Return the currents of all pins that a profile drives on a build."""
    met = {use.gpio: use for use in uses(built)}
    ends = {end.gpio: end for device in netlist.devices(built) for end in device.terminals}
    found = [PinCurrent(gpio, met.get(gpio), *_worst(gpio, ends.get(gpio))) for gpio in driven_pins(running)]
    return tuple(sorted(found, key=lambda pin: (-pin.most, pin.gpio)))


CONTACT_OHMS = 0.1


def _worst(gpio: int, end: netlist.Terminal | None) -> tuple[float, float]:
    """Return the current into a low pin from all pull-ups, and out of a high pin."""
    pulls: list[float] = [ON_PI_OHMS] if gpio in PULLED_UP else []
    if end is None:
        return sum(1000 * VOLTS / ohms for ohms in pulls), 0.0
    ohms = max(CONTACT_OHMS, end.ohms if end.driver is None else netlist.DRIVER_OHMS)
    # pull-ups behind the line's resistors, of a module and of the board
    behind = [netlist.MODULE_OHMS] * (end.what in netlist.MODULES) + [end.pull] * (end.pull > 0)
    pulls += [ohms + 1 / sum(1 / each for each in behind)] if behind else []
    falls = VOLTS if end.what in netlist.CONTACTS else VOLTS - end.drop if end.drop else 0.0
    return sum(1000 * VOLTS / each for each in pulls), 1000 * falls / ohms


def driven_pins(board: Board) -> frozenset[int]:
    """Return the pins that a profile drives, directly or through an interface."""
    own = {use.gpio for use in uses(board) if use.is_output}
    names = (*board.keeps, *(() if board.max7219 is None else ("spi",)))
    return frozenset(own.union(*(_INTERFACE_OUTPUTS[name] for name in names)))
