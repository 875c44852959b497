"""Drivers of lamps, digits and buzzer, on pins and on SPI.

SPI bytes are written to the kernel's device, which pulls the chip's select line low. Request numbers are those
of linux/spi/spidev.h.
"""

import fcntl
import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, repeat
from pathlib import Path
from time import monotonic
from typing import Any, Protocol

from gpiozero import LED, DigitalOutputDevice, TonalBuzzer  # type: ignore[import-untyped]
from gpiozero.tones import Tone  # type: ignore[import-untyped]

from firmware.board.outputs.patterns import DARK, Light, Lights, Pattern, length, level
from firmware.board.outputs.segments import Signs, shown_now, strokes
from firmware.board.outputs.tunes import Tune, note
from hardware.board import board as wiring
from hardware.board.lamps import STROKES

SET_MODE, SET_WORD, SET_HERTZ = 0x40016B01, 0x40016B03, 0x40046B04
"""Requests that set the SPI mode, the bits per word and the clock rate."""
DEVICES, DIGITS_FILE = Path("/dev"), "spidev0.1"


class SpiPort(Protocol):
    """A port to write bytes to."""

    def write(self, sent: bytes) -> None: ...

    def close(self) -> None: ...


class SpiDevice:
    """An SPI device of the kernel."""

    def __init__(self, file: Path, hertz: int) -> None:
        """Open the device in SPI mode 0 with 8-bit words."""
        try:
            self._handle = os.open(file, os.O_WRONLY | os.O_CLOEXEC)
        except FileNotFoundError as error:
            raise wiring.BoardError("no spi", file=str(file)) from error
        except OSError as error:
            raise wiring.BoardError("spi refused", file=str(file), why=error.strerror or str(error)) from error
        fcntl.ioctl(self._handle, SET_MODE, bytes(1))
        fcntl.ioctl(self._handle, SET_WORD, bytes([8]))
        fcntl.ioctl(self._handle, SET_HERTZ, hertz.to_bytes(4, "little"))

    def write(self, sent: bytes) -> None:
        os.write(self._handle, sent)

    def close(self) -> None:
        os.close(self._handle)


def spi_file() -> Path:
    return DEVICES / DIGITS_FILE


def open_spi(hertz: int, factory: Any = None) -> SpiPort:
    """Open the port of the digits; simulated pins have a simulated port."""
    simulated = getattr(factory, "open_spi", None)
    port: SpiPort = SpiDevice(spi_file(), hertz) if simulated is None else simulated()
    return port


DIGITS_HERTZ = 1_000_000
NO_DECODE, BRIGHTNESS, LAST_DIGIT, IS_ON, TEST = 0x09, 0x0A, 0x0B, 0x0C, 0x0F
"""Registers of a MAX7219; registers 1 to 8 are the digits, from the right."""


class SpiDigitsDriver:
    """Digits on a MAX7219; every update writes all registers, because a loose plug resets the chip."""

    def __init__(self, display: wiring.SpiDigits, factory: Any = None) -> None:
        self._display = display
        self._port = open_spi(DIGITS_HERTZ, factory)

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
    """Reorder the bits of a sign: a TM1637 has the top stroke at bit 0, a MAX7219 at bit 6."""
    return sum(1 << STROKES - 1 - place for place in range(STROKES) if stroke >> place & 1)


LIT: Mapping[Light, frozenset[wiring.Colour]] = {
    "": frozenset(),
    "green": frozenset({"green"}),
    "red": frozenset({"red"}),
    "amber": frozenset({"green", "red"}),
}
DARKNESS: Light = ""


class LineLamps:
    """Lamps on their own pins, with or without drivers; a one-colour lamp lights for any colour."""

    def __init__(self, lines: wiring.LampPins, factory: Any = None) -> None:
        self._lamps: dict[wiring.Colour, tuple[Any, ...]] = {
            "green": tuple(LED(gpio, pin_factory=factory) for gpio in lines.green),
            "red": tuple(LED(gpio, pin_factory=factory) for gpio in lines.red),
        }
        self._has_both = bool(lines.green and lines.red)

    def show(self, shown: tuple[Light, ...]) -> None:
        for colour, lamps in self._lamps.items():
            # seats beyond those of the match stay dark
            for lamp, light in zip(lamps, chain(shown, repeat(DARKNESS)), strict=False):
                lamp.value = colour in LIT[light] if self._has_both else light != ""

    def close(self) -> None:
        for lamps in self._lamps.values():
            for lamp in lamps:
                lamp.close()


class RegisterLamps:
    """Lamps on shift registers: green and red of each seat; the last output is shifted first.

    A high latch also disables the outputs. At the start it stays high until zeros have been shifted in.
    """

    def __init__(self, register: wiring.Register, factory: Any = None) -> None:
        self._count = register.chips * wiring.OUTPUTS
        self._data, self._clock = (
            DigitalOutputDevice(gpio, pin_factory=factory) for gpio in (register.data, register.clock)
        )
        self._latch = DigitalOutputDevice(register.latch, initial_value=True, pin_factory=factory)
        self.show(())

    def show(self, shown: tuple[Light, ...]) -> None:
        bits = [colour in LIT[light] for light in shown for colour in ("green", "red")]
        for bit in reversed([*bits, *[False] * (self._count - len(bits))]):
            self._data.value = bit
            self._clock.on()
            self._clock.off()
        self._latch.off()
        self._latch.on()
        self._latch.off()

    def close(self) -> None:
        self.show(())
        for pin in (self._data, self._clock, self._latch):
            pin.close()


class LampDriver:
    """All lamps of the table, each with its own rhythm."""

    def __init__(self, board: wiring.Board, factory: Any = None) -> None:
        self._lamps = lamps_of(board, factory)
        self._attention = None if board.attention is None else LED(board.attention, pin_factory=factory)
        self._begun: dict[int | None, tuple[Pattern, float]] = {}
        self._flashes: dict[int | None, tuple[Pattern, float]] = {}
        self._shown: tuple[Light, ...] | None = None

    def tell(self, thing: Lights, elapsed: float) -> float | None:
        """Update the lamps; an unchanged pattern continues its beat, and a flash plays to its end."""
        now = monotonic()
        if thing.flash is not None and elapsed == 0:
            seat, pattern = thing.flash
            self._flashes[seat] = pattern, now
        levels = [
            self._level(None, thing.attention, now),
            *(self._level(seat, pattern, now) for seat, pattern in enumerate(thing.seats)),
        ]
        shown = tuple(light for light, _wait in levels)
        if shown != self._shown:
            if self._attention is not None:
                self._attention.value = shown[0] != ""
            if self._lamps is not None:
                self._lamps.show(shown[1:])
            self._shown = shown
        return min((wait for _light, wait in levels if wait is not None), default=None)

    def _level(self, seat: int | None, pattern: Pattern, now: float) -> tuple[Light, float | None]:
        begun, since = self._begun.get(seat, (DARK, now))
        if begun != pattern:
            since = now
            self._begun[seat] = (pattern, now)
        flash, flashed = self._flashes.get(seat, (DARK, float("-inf")))
        if now - flashed < length(flash):
            return level(flash, now - flashed)
        return level(pattern, now - since)

    def close(self) -> None:
        if self._lamps is not None:
            self._lamps.close()
        if self._attention is not None:
            self._attention.close()


SeatLamps = LineLamps | RegisterLamps
"""Lamps that are updated together."""


def lamps_of(board: wiring.Board, factory: Any = None) -> SeatLamps | None:
    match board.lamps:
        case wiring.LampLines() | wiring.LampDrivers():
            return LineLamps(board.lamps, factory)
        case wiring.Register():
            return RegisterLamps(board.lamps, factory)
        case wiring.UndrivenRing() | None:
            return None


class BuzzerDriver:
    """A buzzer that plays tones."""

    def __init__(self, gpio: int, factory: Any = None) -> None:
        """Open the pin; the howl needs two octaves up and down from 440 Hz."""
        self._buzzer = TonalBuzzer(gpio, octaves=2, pin_factory=factory)

    def tell(self, thing: Tune, elapsed: float) -> float | None:
        hertz, wait = note(thing, elapsed)
        if hertz:
            self._buzzer.play(Tone.from_frequency(hertz))
        else:
            self._buzzer.stop()
            # lgpio stops mid-wave, and a pin that stays high would heat the buzzer
            self._buzzer.pwm_device.pin.state = 0
        return wait

    def close(self) -> None:
        self._buzzer.close()


BY_ITSELF, FIRST_DIGIT, LIGHT = 0x40, 0xC0, 0x8A
"""TM1637 commands: auto-increment addresses, first digit, display on at medium brightness."""


class DigitsDriver:
    """Four digits on a TM1637, written bit by bit; the acknowledgement isn't read."""

    def __init__(self, display: wiring.DisplayPins, factory: Any = None) -> None:
        """Open the pins; both rest high."""
        gpios = (display.clock, display.data)
        self._clock, self._data = (
            DigitalOutputDevice(gpio, initial_value=True, pin_factory=factory) for gpio in gpios
        )

    def tell(self, thing: Signs, elapsed: float) -> float | None:
        text, seconds = shown_now(thing, elapsed)
        self._send((BY_ITSELF,))
        self._send((FIRST_DIGIT, *strokes(text)))
        self._send((LIGHT,))
        return seconds

    def _send(self, message: Iterable[int]) -> None:
        """Send bytes, lowest bit first; data falls while the clock is high to start, and rises to stop.

        Data stays low during the acknowledgement, because the chip pulls it low.
        """
        self._data.off()
        for byte in message:
            for bit in (*(byte >> place & 1 for place in range(8)), 0):
                self._clock.off()
                self._data.value = bit
                self._clock.on()
        self._clock.off()
        self._data.off()
        self._clock.on()
        self._data.on()

    def close(self) -> None:
        self.tell(" " * 4, 0)
        self._clock.close()
        self._data.close()
