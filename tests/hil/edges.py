"""Every level that a program gives to a pin, as the kernel notes it: none is lost between two looks."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

TRACING = Path("/sys/kernel/tracing")
NOTED = re.compile(r" (\d+\.\d+): gpio_value: (\d+) set ([01])$", re.MULTILINE)
ROOM = 16384
"""Kilobytes for what wasn't read yet: some hundred thousand levels."""
PIECE = 1 << 16


class Edge(Struct, frozen=True):
    """A level that was given to a pin, also where it was the same before, and when."""

    at: float
    gpio: int
    is_high: bool


class Recording:
    """What is given to the pins from now on."""

    def __init__(self, label: str) -> None:
        """Begin; the pins are those of the chip with this label."""
        chips = Path("/sys/class/gpio").glob("gpiochip*")
        self._base = next(int((chip / "base").read_text()) for chip in chips if _label(chip) == label)
        for name, value in (("trace_clock", "mono"), ("buffer_size_kb", str(ROOM)), ("trace", "")):
            (TRACING / name).write_text(value)
        (TRACING / "events/gpio/gpio_value/enable").write_text("1")
        self._pipe = os.open(TRACING / "trace_pipe", os.O_RDONLY | os.O_NONBLOCK)
        self._rest = ""
        self.edges: list[Edge] = []

    def read(self) -> list[Edge]:
        """Take in what has come since; gives it."""
        new = list(self._new_edges())
        self.edges += new
        return new

    def lost(self) -> int:
        """Count what found no room."""
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
