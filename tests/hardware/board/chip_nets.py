"""The lamps' registers, and the drivers beside them, as a netlist: which leg is joined to what."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from hardware.board.board import Board, Register
from hardware.board.lamps import LampOutput, driver_count, lamp_outputs
from hardware.board.netlist import DARK_OHMS, DECOUPLING, GROUND, LAMPS, LOW, SUPPRESSED, chain

Node = tuple[str, str]
"""A part, "register 1", "driver 1", "seat 1", "Pi" or "supply", and which of its legs or wires."""


class Between(Struct, frozen=True):
    """A part with two legs: its kind, its value, and the nets at its ends, either way round."""

    kind: str
    value: str
    nets: frozenset[str]


def chip_nets(board: Board) -> Mapping[str, frozenset[Node]]:
    """List the nets around the registers by their names, each with all that is joined to it."""
    found: dict[str, set[Node]] = {}
    for name, node in _joined(board):
        found.setdefault(name, set()).add(node)
    return {name: frozenset(nodes) for name, nodes in found.items()}


def _joined(board: Board) -> Iterator[tuple[str, Node]]:
    lamps = board.lamps
    if not isinstance(lamps, Register):
        return
    pi = {LOW: LOW, GROUND: GROUND, "clock": f"GPIO{lamps.clock}", "latch": f"GPIO{lamps.latch}"}
    yield from ((net, ("Pi", end)) for net, end in {**pi, "data 1": f"GPIO{lamps.data}"}.items())
    for number in range(1, lamps.chips + 1):
        nets = {8: GROUND, 9: f"data {number + 1}", 10: LOW, 11: "clock", 12: "latch", 13: "latch"}
        nets |= {14: f"data {number}", 16: LOW}
        yield from ((net, (f"register {number}", str(leg))) for leg, net in nets.items())
    for output in lamp_outputs(board):
        yield from _joined_to_output(output)
    if driver_count(board):
        yield from _joined_to_supply(board)


def _joined_to_output(output: LampOutput) -> Iterator[tuple[str, Node]]:
    out, lamp = f"out {output.place}", f"lamp {output.place}"
    yield out, (f"register {output.register}", str(output.leg))
    if output.driver is not None:
        chip, leg, end = output.driver
        yield out, (f"driver {chip}", str(leg))
        yield lamp, (f"driver {chip}", str(end))
    if output.lamp is not None:
        seat, colour = output.lamp
        yield lamp, (f"seat {seat + 1}", colour)


def _joined_to_supply(board: Board) -> Iterator[tuple[str, Node]]:
    yield from ((rail, ("supply", rail)) for rail in (LAMPS, GROUND))
    for number in range(1, driver_count(board) + 1):
        yield GROUND, (f"driver {number}", "9")
        yield LAMPS, (f"driver {number}", "10")
    yield from ((LAMPS, (f"seat {seat + 1}", LAMPS)) for seat in sorted({seat for seat, _what in chain(board)}))


def chip_parts(board: Board) -> tuple[Between, ...]:
    """List the small parts around the registers, each between two nets."""
    if not isinstance(board.lamps, Register):
        return ()
    return (
        Between("resistor", f"{DARK_OHMS} Ω", frozenset({"latch", LOW})),
        *(Between("capacitor", DECOUPLING, frozenset({LOW, GROUND})) for _chip in range(board.lamps.chips)),
        *(part for output in lamp_outputs(board) for part in _parts_of_led(board, output)),
    )


def _parts_of_led(board: Board, output: LampOutput) -> Iterator[Between]:
    """List what is between an output and the cable of a LED; a driver needs nothing."""
    if output.lamp is None or output.driver is not None:
        return
    lamp, ohms = f"lamp {output.place}", getattr(board.ohms, output.lamp[1])
    yield Between("resistor", f"{ohms} Ω", frozenset({f"out {output.place}", lamp}))
    yield Between("suppressor", SUPPRESSED, frozenset({lamp, GROUND}))
