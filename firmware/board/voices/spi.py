"""The kernel's SPI devices (/dev/spidev0.*): bytes are sent while the chip's select line is low.

Numbers are those of linux/spi/spidev.h.
"""

import fcntl
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol

from firmware.board.voices.patterns import Light
from firmware.board.voices.segments import Signs, shown_now, strokes
from hardware.board.board import DIGITS_SELECT, RING_SELECT, BoardError, LedRing, SpiDigits
from hardware.board.lamps import STROKES, Rgb, glow

SET_MODE, SET_WORD, SET_HERTZ = 0x40016B01, 0x40016B03, 0x40046B04
"""Requests by which the kernel takes how the clock rests, the bits of a word, and the bits of a second."""
FILES = {RING_SELECT: "spidev0.0", DIGITS_SELECT: "spidev0.1"}
DEVICES = Path("/dev")


class SpiPort(Protocol):
    """What can be written to."""

    def write(self, sent: bytes) -> None: ...

    def close(self) -> None: ...


class SpiDevice:
    """A device of the kernel's."""

    def __init__(self, file: Path, hertz: int) -> None:
        """Open it: the clock rests low, words have eight bits."""
        try:
            self._handle = os.open(file, os.O_WRONLY | os.O_CLOEXEC)
        except FileNotFoundError as error:
            raise BoardError("no spi", file=str(file)) from error
        except OSError as error:
            raise BoardError("spi refused", file=str(file), why=error.strerror or str(error)) from error
        fcntl.ioctl(self._handle, SET_MODE, bytes(1))
        fcntl.ioctl(self._handle, SET_WORD, bytes([8]))
        fcntl.ioctl(self._handle, SET_HERTZ, hertz.to_bytes(4, "little"))

    def write(self, sent: bytes) -> None:
        os.write(self._handle, sent)

    def close(self) -> None:
        os.close(self._handle)


def spi_file(select: int) -> Path:
    return DEVICES / FILES[select]


def open_spi(select: int, hertz: int, factory: Any = None) -> SpiPort:
    """Open what has a select line; simulated pins have a simulated one."""
    simulated = getattr(factory, "open_spi", None)
    port: SpiPort = SpiDevice(spi_file(select), hertz) if simulated is None else simulated(select)
    return port


RING_HERTZ = 2_400_000
"""Three bits of SPI are one of a WS2812: 0.42 µs high are a zero, 0.83 µs a one."""
ZERO, ONE = 0b100, 0b110
REST = bytes(90)
"""300 µs without a pulse: the LEDs then show what they were sent; older ones need 50, newer ones 280."""
DIGITS_HERTZ = 1_000_000
NO_DECODE, BRIGHTNESS, LAST_DIGIT, IS_ON, TEST = 0x09, 0x0A, 0x0B, 0x0C, 0x0F
"""Registers of a MAX7219; the digits are 1 to 8, from the right."""


def ring_message(colours: Iterable[Rgb]) -> bytes:
    """Write what a ring is sent: green, red, blue of each LED, the highest bit first, between two rests."""
    pulses = "".join(
        f"{ONE if value >> place & 1 else ZERO:03b}"
        for red, green, blue in colours
        for value in (green, red, blue)
        for place in reversed(range(8))
    )
    # three pulses of eight bits are three bytes: nothing is left over
    return bytes(1) + int(f"0{pulses}", 2).to_bytes(len(pulses) // 8, "big") + REST


class RingLamps:
    """LEDs in a ring, `each` of them for a seat."""

    def __init__(self, ring: LedRing, seats: int, factory: Any = None) -> None:
        self._ring, self._seats = ring, seats
        self._port = open_spi(RING_SELECT, RING_HERTZ, factory)
        self.show(())

    def show(self, shown: tuple[Light, ...]) -> None:
        lights = [*shown, *[""] * self._seats][: self._seats]
        self._port.write(
            ring_message(glow(light, self._ring.light) for light in lights for _led in range(self._ring.each))
        )

    def close(self) -> None:
        self.show(())
        self._port.close()


class SpiDigitsDriver:
    """Digits behind a MAX7219; all registers are written each time, as a loose plug makes it forget."""

    def __init__(self, display: SpiDigits, factory: Any = None) -> None:
        self._display = display
        self._port = open_spi(DIGITS_SELECT, DIGITS_HERTZ, factory)

    def tell(self, thing: Signs, elapsed: float) -> float | None:
        text, seconds = shown_now(thing, elapsed)
        for register, value in self._registers(text):
            self._port.write(bytes((register, value)))
        return seconds

    def _registers(self, text: str) -> Iterator[tuple[int, int]]:
        yield from ((TEST, 0), (NO_DECODE, 0), (LAST_DIGIT, self._display.digits - 1))
        yield BRIGHTNESS, self._display.light
        written = strokes(text.rjust(self._display.digits))[-self._display.digits :]
        yield from ((place, _turned(each)) for place, each in enumerate(reversed(written), start=1))
        yield IS_ON, 1

    def close(self) -> None:
        self.tell("", 0)
        self._port.close()


def _turned(stroke: int) -> int:
    """Turn strokes round: a TM1637 has the top one as its lowest bit, a MAX7219 as its highest but one."""
    return sum(1 << STROKES - 1 - place for place in range(STROKES) if stroke >> place & 1)
