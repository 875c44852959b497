"""The parts list of a board: what to buy, and how many."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from hardware.board.board import Board, LedColour, is_fab
from hardware.board.fabrication import parts_rows
from hardware.board.uses import uses
from hardware.case.pieces import CLAMP_BOLT, PIPE_SOLD, count_screws

METRES_A_PLACE = 1.5
CABLE_RINGS = (5, 10, 25, 50)  # metres of multi-core cable, as sold
CAMERA_CABLE = 2
"""Metres of a USB camera's cable, along the arm to the box; long flat cables are unreliable."""
FEET = 4


class BoardPart(Struct, frozen=True):
    """A kind of part: key, count, value or colours, whether it is optional, and the manufacturer's number."""

    key: str
    count: int
    value: str = ""
    optional: bool = False
    leds: tuple[LedColour, ...] = ()
    maker: str = ""


def parts(board: Board) -> tuple[BoardPart, ...]:
    """Return the parts of a breadboard, the fabricated board or no board; empty for others."""
    if board.solderless:
        own = _plugged(board)
    elif is_fab(board):
        own = (
            BoardPart("button", board.seats),
            BoardPart("pair", board.seats, leds=(board.leds.red, board.leds.green)),
            BoardPart("attention lamp", 1, leds=(board.leds.attention,)),
            BoardPart("dial", 1),
            BoardPart("display", 1),
            BoardPart("buzzer", 1),
            *_on_board(),
            BoardPart("spacer", 2, "11 mm"),
            BoardPart("screw", 2, "M2.5 x 20"),
            # a button, its two lamps, and ground
            BoardPart("cable", 1, f"{_ring(board.seats)} m, 4 x 0.14 mm²"),
        )
    elif board.seats:
        return ()
    else:
        own = ()
    return tuple(part for part in (*own, *_common(), *_case(board)) if part.count)


def _plugged(board: Board) -> tuple[BoardPart, ...]:
    lines = len(uses(board))
    return (
        BoardPart("bell button", lines),
        BoardPart("plugged board", 1),
        BoardPart("jumper", lines + 1),
        BoardPart("resistor", lines, f"{board.ohms.line} Ω"),
        BoardPart("bell wire", 1, f"{_ring(lines)} m"),
    )


_BY_LETTER: Mapping[str, str] = {
    "P": "fab board",
    "C": "capacitor",
    "D": "diode",
    "F": "fuse",
    "J": "terminal",
    "Q": "transistor",
    "R": "resistor",
}
_BY_VALUE: Mapping[str, str] = {"2 x 20": "socket", "SP720": "array", "74HC595": "register"}


def _on_board() -> Iterator[BoardPart]:
    """Yield the fabricated board and its parts, as in its parts list."""
    for row in parts_rows():
        value, count = row["Value"].removesuffix(" poles"), int(row["Quantity"])
        maker = " ".join(filter(None, (row["Manufacturer"], row["Manufacturer part"])))
        yield BoardPart(_BY_VALUE.get(value) or _BY_LETTER[row["Designator"][0]], count, value, maker=maker)


def _ring(places: int) -> int:
    """Return metres of cable, as sold, for a number of seats."""
    return next((ring for ring in CABLE_RINGS if ring >= METRES_A_PLACE * places), CABLE_RINGS[-1])


def _common() -> tuple[BoardPart, ...]:
    return (
        BoardPart("pi", 1),
        BoardPart("camera", 1, f"{CAMERA_CABLE} m"),
        BoardPart("supply", 1),
        BoardPart("card", 1),
        BoardPart("loudspeaker", 1, optional=True),
        BoardPart("light", 2),
    )


def _case(board: Board) -> tuple[BoardPart, ...]:
    # doorbell buttons have their own housing
    places = 0 if board.solderless else board.seats
    screws = count_screws(places).items()
    return (
        BoardPart("pi box", 1),
        BoardPart("seat box", places),
        BoardPart("arm", 1),
        *(BoardPart("screw", count, f"{screw.thread} x {screw.length}") for screw, count in screws),
        BoardPart("clamp nut", 1, CLAMP_BOLT.thread),
        BoardPart("pipe", 1, f"{PIPE_SOLD // 100} m"),
        BoardPart("felt", FEET * places),
        # at both ends of each seat's cable
        BoardPart("cable tie", 2 * places),
    )


# estimated prices and manufacturers' numbers, from prices.toml


class Price(Struct, frozen=True, forbid_unknown_fields=True, rename={"low": "from", "high": "to"}):
    """Price range of one piece in euros, and the manufacturer's number."""

    low: float
    high: float
    maker: str = ""


class Prices(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of prices.toml: the month of the estimate, and prices by part key."""

    estimated: str
    parts: Mapping[str, Price]


PRICES = msgspec.toml.decode(Path(__file__).with_name("prices.toml").read_bytes(), type=Prices)


def price(part: BoardPart) -> Price:
    return PRICES.parts.get(f"{part.key} {part.value}") or PRICES.parts[part.key]


def total(parts: tuple[BoardPart, ...]) -> tuple[float, float]:
    priced = [(part.count, price(part)) for part in parts]
    return sum(count * each.low for count, each in priced), sum(count * each.high for count, each in priced)
