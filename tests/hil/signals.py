"""Chips behind pins decoded from their edges, written from data sheets instead of our drivers."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from hardware.board.board import DisplayPins, Register

TRACING = Path("/sys/kernel/tracing")
NOTED = re.compile(r" (\d+\.\d+): gpio_value: (\d+) set ([01])$", re.MULTILINE)
ROOM = 16384  # kilobytes for unread data: some hundred thousand levels
PIECE = 1 << 16


class Edge(Struct, frozen=True):
    """A level written to a pin, even if unchanged, and its time."""

    at: float
    gpio: int
    is_high: bool


class Recording:
    """The levels written to pins from now on."""

    def __init__(self, label: str) -> None:
        chips = Path("/sys/class/gpio").glob("gpiochip*")
        self._base = next(int((chip / "base").read_text()) for chip in chips if _label(chip) == label)
        for name, value in (("trace_clock", "mono"), ("buffer_size_kb", str(ROOM)), ("trace", "")):
            (TRACING / name).write_text(value)
        (TRACING / "events/gpio/gpio_value/enable").write_text("1")
        self._pipe = os.open(TRACING / "trace_pipe", os.O_RDONLY | os.O_NONBLOCK)
        self._rest = ""
        self.edges: list[Edge] = []

    def read(self) -> list[Edge]:
        new = list(self._new_edges())
        self.edges += new
        return new

    def lost(self) -> int:
        stats = (TRACING / "per_cpu/cpu0/stats").read_text()
        counts = re.findall(r"^(?:overrun|commit overrun|dropped events): (\d+)$", stats, re.MULTILINE)
        return sum(map(int, counts))

    def _new_edges(self) -> Iterator[Edge]:
        text = self._rest + b"".join(self._pieces()).decode("ascii", "replace")
        whole, line_end, self._rest = text.rpartition("\n")
        for at, number, level in NOTED.findall(whole + line_end):
            yield Edge(float(at), int(number) - self._base, level == "1")

    def _pieces(self) -> Iterator[bytes]:
        try:
            while piece := os.read(self._pipe, PIECE):
                yield piece
        except BlockingIOError:
            return


def _label(chip: Path) -> str:
    return (chip / "label").read_text().strip()


CHIP = 8  # the outputs of a 74HC595, and the bits of a byte
LIT = "0=abcdef 1=bc 2=abdeg 3=abcdg 4=bcfg 5=acdfg 6=acdefg 7=abc 8=abcdefg 9=abcdfg -=g E=adefg n=ceg d=bcdeg"
SIGNS = {"": " ", **{each[2:]: each[0] for each in LIT.split()}}
"""Characters by their lit segments: a on top, then clockwise, g across the middle."""


def changes(edges: Iterable[Edge], *gpios: int) -> Iterator[Edge]:
    """Return the edges of some pins that change the level; initially all are low."""
    levels = dict.fromkeys(gpios, False)
    for edge in edges:
        if levels.get(edge.gpio, edge.is_high) != edge.is_high:
            levels[edge.gpio] = edge.is_high
            yield edge


# LEDs behind 74HC595


class Latched(Struct, frozen=True):
    """The outputs of a chain, and the number of bits shifted in for them."""

    outputs: tuple[bool, ...]
    shifted: int


class Chain:
    """A chain of 74HC595, whose latch turns the outputs off while it is high."""

    def __init__(self, register: Register) -> None:
        self._register = register
        self._levels = dict.fromkeys((register.data, register.clock, register.latch), False)
        self._bits = (False,) * (CHIP * register.chips)
        self._kept = self._bits
        self._shifted = 0

    def hear(self, edge: Edge) -> Latched | None:
        if self._levels.get(edge.gpio, edge.is_high) == edge.is_high:
            return None
        self._levels[edge.gpio] = edge.is_high
        if edge.gpio == self._register.clock and edge.is_high:
            self._bits = (self._levels[self._register.data], *self._bits[:-1])
            self._shifted += 1
        if edge.gpio == self._register.latch and edge.is_high:
            self._kept = self._bits
        if edge.gpio != self._register.latch or edge.is_high:
            return None
        shown, self._shifted = Latched(self._kept, self._shifted), 0
        return shown


# digits behind a TM1637


class Message(Struct, frozen=True):
    """The bytes a TM1637 received between start and stop; whether it could acknowledge each."""

    bytes: tuple[int, ...]
    is_whole: bool


def messages(edges: Iterable[Edge], display: DisplayPins) -> Iterator[Message]:
    """Start where data falls while the clock is high, stop where it rises; else a bit with each rise."""
    levels, bits = {display.clock: False, display.data: False}, list[bool]()
    is_open = False
    for edge in changes(edges, display.clock, display.data):
        levels[edge.gpio] = edge.is_high
        if edge.gpio == display.data and levels[display.clock]:
            if is_open and edge.is_high:
                # the clock must rise once more before a stop; that is no bit
                yield _message(bits[:-1])
            is_open, bits = not edge.is_high, []
        elif edge.gpio == display.clock and edge.is_high and is_open:
            bits.append(levels[display.data])


def _message(bits: Sequence[bool]) -> Message:
    """Read bytes, lowest bit first; the chip acknowledges with the ninth bit, so data must be low."""
    groups = [bits[start : start + CHIP + 1] for start in range(0, len(bits), CHIP + 1)]
    is_whole = all(len(group) == CHIP + 1 and not group[CHIP] for group in groups)
    numbers = (sum(bit << place for place, bit in enumerate(group[:CHIP])) for group in groups)
    return Message(tuple(numbers), is_whole)


def texts(heard: Iterable[Message]) -> Iterator[str]:
    """Return the displayed texts: digits from an address on, once the display is on."""
    strokes, is_lit, counts_up = [0] * 6, False, True
    for message in heard:
        command, *data = message.bytes or (0,)
        match command >> 6:
            case 1:
                counts_up = not command & 4
            case 2:
                is_lit = bool(command & 8)
            case 3:
                for place, byte in enumerate(data):
                    strokes[(command & 7) + (place if counts_up else 0)] = byte
            case _:
                continue
        yield "".join(map(sign, strokes[:4])) if is_lit else ""


def sign(strokes: int) -> str:
    """Return the character of a digit's segments; a question mark if unknown."""
    lit = "".join(letter for place, letter in enumerate("abcdefg") if strokes >> place & 1)
    return SIGNS.get(lit, "?")


# the buzzer


class Buzzer:
    """A buzzer, which records a wave at each rising edge."""

    def __init__(self, gpio: int) -> None:
        self._gpio, self._is_high = gpio, False

    def hear(self, edge: Edge) -> float | None:
        if edge.gpio != self._gpio or edge.is_high == self._is_high:
            return None
        self._is_high = edge.is_high
        return edge.at if edge.is_high else None
