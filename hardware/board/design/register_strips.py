"""The strip board of the lamps' registers: which hole each chip, part and wire goes into.

The chips stand below one another across their strips, each cut between its rows of legs. A ULN2803 stands
upside down at the left of its register, on the same strips: its inputs face the outputs. LEDs have lines of
their own below, as on the other board. What all registers share runs down at the right, from each to the next.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from hardware.board.board import COLOURS, OUTPUTS, Board, Register
from hardware.board.design.strip_board import (
    END,
    PI,
    CableEnd,
    Fitted,
    Hole,
    Line,
    PiWire,
    StripBoard,
    cut_lines,
    end_lines,
    fit_lines,
    line_slots,
    link_grounds,
    strip_board,
)
from hardware.board.header import PIN_OF
from hardware.board.lamps import LampOutput, driver_count, lamp_outputs
from hardware.board.netlist import DARK_OHMS, DECOUPLING, GROUND, LAMPS, LOW, Device, Terminal
from hardware.board.strips import LEGS, Strip, register_strips

DRIVER_OUT, CUT_DRIVER, DRIVER, BESIDE_DRIVER = 4, 5, 7, 8
"""Columns of a driver's outputs, of the cuts inside it, of its inputs, of a hole beside them."""
CUT_LAST, BESIDE, REGISTER, CUT_REGISTER, REGISTER_RIGHT = 9, 10, 11, 12, 14
"""Columns of the cut between a driver's first input and the register's ground, and on through the register."""
LED_OUT, SHORT, PULL, VCC, CLEAR = 8, 15, 16, 17, 18
"""Columns of wires to LEDs, of what is beside the right legs, and of links up and down."""
ONWARD = 19, 23
"""The first of four columns with links to the next register, of every other one in turn."""
PI_WIRE, SUPPLY = 27, 23
COMMON, LAMPS_ONWARD, SEATS = 1, (2, 3), 5
"""Columns of the lamps' supply: down to a driver, to the next strip of it, and its first cable."""
SUPPLIER = Device("supply", ())


class Tier(Struct, frozen=True):
    """A register on the board, counted from 0: its first row, and whether a driver stands beside it."""

    number: int
    first: int
    has_driver: bool

    def row_of(self, leg: int) -> int:
        """Find the row of a register's leg."""
        return self.first + (leg - 1 if leg <= LEGS else 2 * LEGS - leg)

    @property
    def ground(self) -> int:
        """Give the row of its ground strip."""
        return self.first - 1

    @property
    def low(self) -> int:
        """Give the row of its 3.3 V."""
        return self.first - 2

    @property
    def lamps(self) -> int:
        """Give the row of the lamps' supply."""
        return self.first - 3

    def onward(self, place: int) -> int:
        """Give the column of a link to the next register."""
        return ONWARD[self.number % 2] + place


def strip_boards(board: Board) -> tuple[StripBoard, ...]:
    """Lay out all strip boards of a wiring: the registers have one of their own."""
    registers = register_strip_board(board)
    return (strip_board(board), *([] if registers is None else [registers]))


def register_strip_board(board: Board) -> StripBoard | None:
    """Lay out the strip board of the registers, if there are any."""
    if not isinstance(board.lamps, Register):
        return None
    strips = register_strips(board)
    drivers = driver_count(board)
    rails, height = strips.index("chip"), strips.index("chip") + LEGS
    tiers = [Tier(number, number * height + rails, number < drivers) for number in range(board.lamps.chips)]
    leds = [output for output in lamp_outputs(board) if output.lamp is not None and output.driver is None]
    lines = list(_led_lines(board, leds, strips))
    return StripBoard(
        strips,
        (*(cut for tier in tiers for cut in _cuts(tier)), *cut_lines(lines, strips)),
        (*_fitted(tiers), *_below(tiers, lines, leds, strips)),
        (*_lamp_ends(board, tiers), *end_lines(lines)),
        tuple(_pi_wires(board.lamps, tiers[0])),
    )


# chips and what belongs to each


def _cuts(tier: Tier) -> Iterator[Hole]:
    yield from ((tier.first + row, CUT_REGISTER) for row in range(LEGS))
    if tier.has_driver:
        yield from ((tier.first + row, CUT_DRIVER) for row in range(-1, LEGS))
        yield tier.row_of(LEGS), CUT_LAST


def _fitted(tiers: Sequence[Tier]) -> Iterator[Fitted]:
    for tier in tiers:
        yield _register(tier)
        yield Fitted("capacitor", ((tier.row_of(16), SHORT), (tier.ground, SHORT)), DECOUPLING)
        yield from _links(tier)
        if tier.has_driver:
            yield _driver(tier)
            yield Fitted("link", ((tier.ground, COMMON), (tier.lamps, COMMON)))
    latch, vcc = tiers[0].row_of(12), tiers[0].row_of(16)
    yield Fitted("resistor", ((latch, PULL), (vcc, PULL)), f"{DARK_OHMS} Ω")
    for tier, following in pairwise(tiers):
        yield from _links_onward(tier, following)


def _register(tier: Tier) -> Fitted:
    legs = tuple(
        (tier.row_of(leg), REGISTER if leg <= LEGS else REGISTER_RIGHT) for leg in range(1, 2 * LEGS + 1)
    )
    return Fitted("register", legs, str(tier.number + 1))


def _driver(tier: Tier) -> Fitted:
    """Stand a driver upside down: legs 1 to 9 at the right, from below, 10 to 18 at the left, from above."""
    inputs = ((tier.first + LEGS - leg, DRIVER) for leg in range(1, 10))
    outputs = ((tier.first + leg - 11, DRIVER_OUT) for leg in range(10, 19))
    return Fitted("driver", (*inputs, *outputs), str(tier.number + 1))


def _links(tier: Tier) -> Iterator[Fitted]:
    joined = (
        (BESIDE, tier.row_of(8), tier.ground),
        (VCC, tier.row_of(16), tier.low),
        (CLEAR, tier.row_of(16), tier.row_of(10)),
        (SHORT, tier.row_of(13), tier.row_of(12)),
    )
    yield from (Fitted("link", ((start, column), (end, column))) for column, start, end in joined)


def _links_onward(tier: Tier, following: Tier) -> Iterator[Fitted]:
    """Join a register to the next one: clock, latch, data out to data in, the rails."""
    joined = [
        (tier.onward(0), tier.row_of(11), following.row_of(11)),
        (tier.onward(1), tier.row_of(12), following.row_of(12)),
        (tier.onward(2), tier.row_of(9), following.row_of(14)),
        (tier.onward(3), tier.ground, following.ground),
        (PULL, tier.row_of(10), following.low),
    ]
    if following.has_driver:
        joined.append((LAMPS_ONWARD[tier.number % 2], tier.lamps, following.lamps))
    yield from (Fitted("link", ((start, column), (end, column))) for column, start, end in joined)


# lamps


def _led_lines(board: Board, leds: Sequence[LampOutput], strips: Sequence[Strip]) -> Iterator[Line]:
    for led, (row, is_left) in zip(leds, line_slots(strips), strict=False):
        seat, colour = led.lamp or (0, "")
        terminal = Terminal(colour, ohms=getattr(board.ohms, colour))
        yield Line(Device("seat", (), seat), terminal, row, is_left)


def _below(
    tiers: Sequence[Tier], lines: Sequence[Line], leds: Sequence[LampOutput], strips: Sequence[Strip]
) -> Iterator[Fitted]:
    """Fit the LEDs' lines, join their ground, and lead each output to its line or its driver."""
    last = tiers[-1]
    grounds = [row for row, strip in enumerate(strips) if strip == "GND" and row > last.first]
    if grounds:
        column = last.onward(0)
        yield Fitted("link", ((last.ground, column), (grounds[0], column)))
    yield from link_grounds(grounds)
    yield from fit_lines(lines, strips)
    wires = [
        *((_output_hole(tiers, led), line.hole(PI)) for led, line in zip(leds, lines, strict=True)),
        # all other inputs lie on the strips of their outputs
        *(((tier.row_of(15), SHORT), (tier.row_of(8), BESIDE_DRIVER)) for tier in tiers if tier.has_driver),
    ]
    yield from (Fitted("wire", legs, str(number)) for number, legs in enumerate(wires, 1))


def _output_hole(tiers: Sequence[Tier], led: LampOutput) -> Hole:
    """Find the hole in which an output's wire begins: QA is alone at the right."""
    return tiers[led.register - 1].row_of(led.leg), LED_OUT if led.leg <= LEGS else SHORT


# wires


def _pi_wires(lamps: Register, first: Tier) -> Iterator[PiWire]:
    for leg, gpio in ((14, lamps.data), (12, lamps.latch), (11, lamps.clock)):
        yield PiWire((first.row_of(leg), PI_WIRE), gpio, pin=PIN_OF[gpio].number)
    # other pins of the rails than those that the other board has
    yield PiWire((first.low, PI_WIRE), None, LOW, 17)
    yield PiWire((first.ground, PI_WIRE), None, GROUND, 39)


def _lamp_ends(board: Board, tiers: Sequence[Tier]) -> Iterator[CableEnd]:
    """Give each lamp behind a driver its wire, its seat one of the supply, and the supply its two."""
    driven = [output for output in lamp_outputs(board) if output.lamp and output.driver]
    if not driven:
        return
    yield CableEnd((tiers[0].lamps, END), SUPPLIER, LAMPS)
    yield CableEnd((tiers[0].ground, SUPPLY), SUPPLIER, GROUND)
    for output in driven:
        (seat, colour), tier = output.lamp or (0, ""), tiers[output.register - 1]
        (_chip, leg, _out) = output.driver or (0, 0, 0)
        device = Device("seat", (), seat)
        yield CableEnd((tier.first + LEGS - leg, END), device, colour)
        if colour == COLOURS[0]:
            yield CableEnd((tier.lamps, SEATS + seat % (OUTPUTS // len(COLOURS))), device, LAMPS)
