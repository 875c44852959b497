"""Drivers for what is on the board: lamps, digits and buzzer, on pins."""

from collections.abc import Iterable, Mapping
from itertools import chain, repeat
from time import monotonic
from typing import Any, Protocol

from gpiozero import LED, DigitalOutputDevice, TonalBuzzer  # type: ignore[import-untyped]
from gpiozero.tones import Tone  # type: ignore[import-untyped]

from firmware.board.voices.patterns import DARK, Light, Lights, Pattern, length, level
from firmware.board.voices.segments import Signs, shown_now, strokes
from firmware.board.voices.spi import RingLamps
from firmware.board.voices.tunes import Tune, note
from hardware.board.board import (
    OUTPUTS,
    Board,
    Colour,
    DisplayPins,
    LampDrivers,
    LampLines,
    LampPins,
    LedRing,
    Register,
)

LIT: Mapping[Light, frozenset[Colour]] = {
    "": frozenset(),
    "green": frozenset({"green"}),
    "red": frozenset({"red"}),
    "amber": frozenset({"green", "red"}),
}
DARKNESS: Light = ""


class SeatLamps(Protocol):
    """Lamps that can be switched all at once."""

    def show(self, shown: tuple[Light, ...]) -> None: ...

    def close(self) -> None: ...


class LineLamps:
    """Lamps on pins of their own, with a driver between or not; one that has a single colour is lit by any."""

    def __init__(self, lines: LampPins, factory: Any = None) -> None:
        self._lamps: dict[Colour, tuple[Any, ...]] = {
            "green": tuple(LED(gpio, pin_factory=factory) for gpio in lines.green),
            "red": tuple(LED(gpio, pin_factory=factory) for gpio in lines.red),
        }
        self._has_both = bool(lines.green and lines.red)

    def show(self, shown: tuple[Light, ...]) -> None:
        for colour, lamps in self._lamps.items():
            # seats beyond those of the match are dark
            for lamp, light in zip(lamps, chain(shown, repeat(DARKNESS)), strict=False):
                lamp.value = colour in LIT[light] if self._has_both else light != ""

    def close(self) -> None:
        for lamps in self._lamps.values():
            for lamp in lamps:
                lamp.close()


class RegisterLamps:
    """Lamps behind shift registers: green and red of seat after seat, the last output is sent first.

    The latch also switches the outputs off while it is high: before zeros are latched, it is low only to rise.
    """

    def __init__(self, register: Register, factory: Any = None) -> None:
        self._count = register.chips * OUTPUTS
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
    """All lamps of the table, each in its own rhythm."""

    def __init__(self, board: Board, factory: Any = None) -> None:
        self._lamps = lamps_of(board, factory)
        self._attention = None if board.attention is None else LED(board.attention, pin_factory=factory)
        self._begun: dict[int | None, tuple[Pattern, float]] = {}
        self._flashes: dict[int | None, tuple[Pattern, float]] = {}
        self._shown: tuple[Light, ...] | None = None

    def tell(self, thing: Lights, elapsed: float) -> float | None:
        """Show the lamps as they are now; what stays keeps its beat, and a flash is played to its end."""
        now = monotonic()
        if thing.flash is not None and elapsed == 0:
            self._flashes[thing.flash.seat] = (thing.flash.pattern, now)
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


def lamps_of(board: Board, factory: Any = None) -> SeatLamps | None:
    match board.lamps:
        case LampLines() | LampDrivers():
            return LineLamps(board.lamps, factory)
        case Register():
            return RegisterLamps(board.lamps, factory)
        case LedRing():
            return RingLamps(board.lamps, board.seats, factory)
        case None:
            return None


class BuzzerDriver:
    """The buzzer."""

    def __init__(self, gpio: int, factory: Any = None) -> None:
        """Open the pin; the howl needs two octaves up and down from 440 Hz."""
        self._buzzer = TonalBuzzer(gpio, octaves=2, pin_factory=factory)

    def tell(self, thing: Tune, elapsed: float) -> float | None:
        hertz, wait = note(thing, elapsed)
        if hertz:
            self._buzzer.play(Tone.from_frequency(hertz))
        else:
            self._buzzer.stop()
            # lgpio stops in the middle of a wave: a pin that stays high would heat the buzzer
            self._buzzer.pwm_device.pin.state = 0
        return wait

    def close(self) -> None:
        self._buzzer.close()


BY_ITSELF, FIRST_DIGIT, LIGHT = 0x40, 0xC0, 0x8A
"""Commands of a TM1637: addresses that count up, the first digit, on at middling brightness."""


class DigitsDriver:
    """Four digits behind a TM1637, written to bit by bit; its acknowledgement isn't read."""

    def __init__(self, display: DisplayPins, factory: Any = None) -> None:
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
        """Send bytes, the lowest bit first: data falls while the clock is high to begin, rises to end.

        Data stays low where the chip acknowledges by pulling it low.
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
