"""Following the copper of a strip board: what touches what, hole by hole, by strips, links and wires."""

from collections import Counter
from collections.abc import Mapping

from hardware.board.design.strip_board import Hole, StripBoard
from hardware.board.strips import COLUMNS
from tests.hardware.board.chip_nets import Node

Copper = tuple[int, int]
"""A piece of copper: its row, and the first column of it."""
JOINING = frozenset({"link", "wire"})
CHIPS = frozenset({"register", "driver"})


def nets(layout: StripBoard) -> dict[Hole, Copper]:
    """Follow strips, links and wires: which holes are one piece of copper."""
    found: dict[Hole, Copper] = {}
    for row in range(len(layout.strips)):
        start = 0
        for column in range(COLUMNS):
            if (row, column) in layout.cuts:
                start = column + 1
            else:
                found[row, column] = row, start
    for part in layout.fitted:
        if part.kind in JOINING:
            one, other = (found[leg] for leg in part.legs)
            found = {hole: one if net == other else net for hole, net in found.items()}
    return found


def used_holes(layout: StripBoard) -> list[Hole]:
    """List the holes in which something is, as often as it is."""
    legs = [leg for part in layout.fitted for leg in part.legs]
    return [*legs, *(end.hole for end in layout.ends), *(wire.hole for wire in layout.wires)]


def nodes(layout: StripBoard) -> dict[Hole, Node]:
    """Name what is in each hole: legs of chips, wires of the Pi and of cables."""
    legs = {
        hole: (f"{part.kind} {part.value}", str(leg))
        for part in layout.fitted
        if part.kind in CHIPS
        for leg, hole in enumerate(part.legs, 1)
    }
    pi = {wire.hole: ("Pi", wire.rail or f"GPIO{wire.gpio}") for wire in layout.wires}
    ends = {
        end.hole: (end.device.kind if end.device.number is None else f"seat {end.device.number + 1}", end.what)
        for end in layout.ends
    }
    return {**legs, **pi, **ends}


def followed_nets(layout: StripBoard) -> frozenset[frozenset[Node]]:
    """Give what is joined to what."""
    return frozenset(_joined(layout).values())


def followed_parts(layout: StripBoard) -> Counter[tuple[str, str, frozenset[frozenset[Node]]]]:
    """Give the small parts, each with what is joined at its ends."""
    joined, at = _joined(layout), nets(layout)
    small = [part for part in layout.fitted if part.kind not in CHIPS | JOINING]
    return Counter(
        (part.kind, part.value, frozenset(joined.get(at[leg], frozenset()) for leg in part.legs))
        for part in small
    )


def _joined(layout: StripBoard) -> Mapping[Copper, frozenset[Node]]:
    at = nets(layout)
    found: dict[Copper, set[Node]] = {}
    for hole, node in nodes(layout).items():
        found.setdefault(at[hole], set()).add(node)
    return {net: frozenset(here) for net, here in found.items()}
