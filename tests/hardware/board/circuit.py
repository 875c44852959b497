"""Node voltages and pin currents of a built board: resistors, contacts and LEDs between nodes.

An independent check of `slips`, computed from the netlist node by node.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from msgspec import Struct

from hardware.board.board import ON_PI_OHMS, PULLED_UP, VOLTS, Board
from hardware.board.netlist import DRIVER_OHMS, GROUND, LOW, MODULE_OHMS, Terminal, devices

CONTACT_OHMS = 0.1  # a closed contact, or a wire
RAILS: Mapping[str, float] = {GROUND: 0.0, LOW: VOLTS}
SWEEPS, HALVINGS = 200, 60
"""Iterations to balance the nodes; far more than the few nodes behind a pin need."""


class Branch(Struct, frozen=True):
    """A part between two nodes; a diode has its own voltage, and a contact may be open."""

    start: str
    end: str
    ohms: float = CONTACT_OHMS
    drop: float | None = None
    is_contact: bool = False


Circuit = tuple[Branch, ...]
Volts = Mapping[str, float]


def point(gpio: int) -> str:
    return f"GPIO{gpio}"


def circuit(board: Board) -> Circuit:
    ends = [end for device in devices(board) for end in device.terminals]
    pulls = [Branch(point(gpio), LOW, ON_PI_OHMS) for gpio in sorted(PULLED_UP)]
    return (*pulls, *(branch for end in ends for branch in _branches(end)))


def _branches(end: Terminal) -> Iterator[Branch]:
    behind = f"behind GPIO{end.gpio}"
    ohms = end.ohms if end.driver is None else DRIVER_OHMS
    yield Branch(point(end.gpio), behind, max(CONTACT_OHMS, ohms))
    if end.what in _CONTACTS:
        yield Branch(behind, GROUND, is_contact=True)
    if end.what in _PULLED:
        yield Branch(behind, LOW, MODULE_OHMS)
    if end.pull:
        yield Branch(behind, LOW, end.pull)
    if end.drop:
        yield Branch(behind, GROUND, drop=end.drop)


_CONTACTS = {"call", "second", "table", "dial a", "dial b", "dial push", "display data"}
"""Nodes that may be connected to ground, by a press or an answering chip."""
_PULLED = {"dial a", "dial b", "dial push", "display clock", "display data"}
"""Pull-up resistors on modules."""


def currents(branches: Circuit, driven: Iterable[int]) -> dict[int, tuple[float, float]]:
    """Return the maximum source and sink currents of each driven pin in mA, for any outputs and presses."""
    pins = sorted(set(driven))
    return {gpio: _worst_of_pin(_part_at(branches, point(gpio)), gpio, pins) for gpio in pins}


def _part_at(branches: Circuit, start: str) -> Circuit:
    found, points = set[Branch](), {start}
    while more := {each for each in branches if points & {each.start, each.end}} - found:
        found |= more
        points |= {end for each in more for end in (each.start, each.end)} - RAILS.keys()
    return tuple(each for each in branches if each in found)


def _worst_of_pin(part: Circuit, gpio: int, driven: list[int]) -> tuple[float, float]:
    points = {end for each in part for end in (each.start, each.end)} | {point(gpio)}
    here = [point(other) for other in driven if point(other) in points]
    found = [
        _current_from(now, _balance(now, dict(zip(here, levels, strict=True))), point(gpio))
        for levels in product((0.0, VOLTS), repeat=len(here))
        for now in _with_contacts(part)
    ]
    return max(0.0, *(-each for each in found)), max(0.0, *found)


def _with_contacts(part: Circuit) -> Iterator[Circuit]:
    contacts = [each for each in part if each.is_contact]
    for closed in product((False, True), repeat=len(contacts)):
        opened = {each for each, is_closed in zip(contacts, closed, strict=True) if not is_closed}
        yield tuple(each for each in part if each not in opened)


def voltages(branches: Circuit) -> Volts:
    """Return the voltage of each node, if no pin is driven and all contacts are closed."""
    return _balance(branches, {})


def _balance(part: Circuit, driven: Volts) -> Volts:
    fixed = {**RAILS, **driven}
    points = sorted({end for each in part for end in (each.start, each.end)} - fixed.keys())
    volts = {**fixed, **dict.fromkeys(points, 0.0)}
    for _sweep in range(SWEEPS):
        before = dict(volts)
        for each in points:
            volts[each] = _level(part, volts, each)
        if all(abs(volts[each] - before[each]) < 1e-9 for each in points):
            break
    return volts


def _level(part: Circuit, volts: Volts, where: str) -> float:
    """Solve one node's voltage by bisection; its outgoing current rises with the voltage."""
    low, high = min(volts.values()), max(volts.values())
    for _halving in range(HALVINGS):
        middle = (low + high) / 2
        if _current_from(part, {**volts, where: middle}, where) > 0:
            high = middle
        else:
            low = middle
    return (low + high) / 2


def _current_from(part: Circuit, volts: Volts, where: str) -> float:
    out = sum(_current(each, volts) for each in part if each.start == where)
    return out - sum(_current(each, volts) for each in part if each.end == where)


def _current(branch: Branch, volts: Volts) -> float:
    across = volts[branch.start] - volts[branch.end]
    if branch.drop is not None:
        across = max(0.0, across - branch.drop)
    return 1000 * across / branch.ohms
