"""The simulated board: the output of its lamps and digits, and fingers that press its buttons."""

from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from threading import Lock
from time import monotonic, sleep
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPWMPin  # type: ignore[import-untyped]
from msgspec import Struct

from firmware.board.outputs.drivers import LIT
from firmware.board.outputs.patterns import Light
from firmware.board.outputs.segments import SEGMENTS
from hardware.board import board as wiring
from hardware.twin import chips

LIGHTS: Mapping[frozenset[str], Light] = {frozenset(colours): light for light, colours in LIT.items()}
SIGNS: Mapping[int, str] = {strokes: sign for sign, strokes in reversed(tuple(SEGMENTS.items()))}
"""Sign of each stroke pattern; of signs that look alike, the first."""
STORED_LEVELS = 16  # stored levels of a pin; gpiozero would store all of them


class WatchedPin(MockPWMPin):  # type: ignore[misc]
    """A simulated pin that calls its watcher at every change."""

    told: Callable[[], None] | None = None

    def _change_state(self, value: float) -> bool:
        has_changed = bool(super()._change_state(value))
        del self.states[:-STORED_LEVELS]
        if has_changed and self.told is not None:
            self.told()
        return has_changed


class SimulatedDigits:
    """A simulated MAX7219."""

    def __init__(self) -> None:
        self.registers = chips.AWAKE

    def write(self, sent: bytes) -> None:
        self.registers = chips.hear_word(self.registers, sent)

    def close(self) -> None: ...


class SimulatedPins(MockFactory):  # type: ignore[misc]
    """The pins of a twin, and its digits on SPI."""

    def __init__(self) -> None:
        super().__init__(pin_class=WatchedPin)
        self.digits = SimulatedDigits()

    def open_spi(self) -> SimulatedDigits:
        return self.digits


class BoardOutput(Struct, frozen=True):
    """The board's current output; None for parts that it doesn't have."""

    seats: tuple[Light, ...]
    attention: bool | None
    digits: str | None


class BoardMonitor:
    """Reads the pins of lamps and digits through the simulated chips."""

    def __init__(self, board: wiring.Board, factory: Any) -> None:
        self._board, self._factory, self._lock = board, factory, Lock()
        lamps = board.lamps
        outputs = lamps.chips * wiring.OUTPUTS if isinstance(lamps, wiring.Register) else 0
        # bits in the shift registers, newest first, and their latched outputs
        self._shifted = self._shown = (False,) * outputs
        self._display = chips.DisplayChip()
        if isinstance(lamps, wiring.Register):
            factory.pin(lamps.clock).told = partial(self._on_clock, lamps)
            factory.pin(lamps.latch).told = partial(self._on_latch, lamps)
        if (display := board.display) is not None:
            for gpio in (display.clock, display.data):
                factory.pin(gpio).told = partial(self._on_display_line, display)

    def read_output(self) -> BoardOutput:
        """Return the visible state of lamps and digits."""
        attention = self._board.attention
        with self._lock:
            is_lit = None if attention is None else self._is_high(attention)
            return BoardOutput(tuple(self._lamps()), is_lit, self._digits())

    def _digits(self) -> str | None:
        if self._board.max7219 is not None:
            shown = chips.digit_strokes(self._factory.digits.registers, self._board.max7219.digits)
        elif self._board.display is not None:
            shown = self._display.shown
        else:
            return None
        # the table writes four signs, at the right end of any display
        return "".join(SIGNS.get(strokes & 0x7F, "?") for strokes in shown[-chips.DIGITS :])

    def _lamps(self) -> list[Light]:
        match self._board.lamps:
            case wiring.LampLines() | wiring.LampDrivers() as lines:
                return [self._line(lines, seat) for seat in range(max(len(lines.green), len(lines.red)))]
            case wiring.Register():
                return [_light(*pair) for pair in zip(self._shown[::2], self._shown[1::2], strict=True)]
            case wiring.UndrivenRing() | None:
                return []

    def _line(self, lines: wiring.LampPins, seat: int) -> Light:
        green, red = (seat < len(pins) and self._is_high(pins[seat]) for pins in (lines.green, lines.red))
        return _light(green, red)

    def _is_high(self, gpio: int) -> bool:
        return bool(self._factory.pin(gpio).state)

    def _on_clock(self, lamps: wiring.Register) -> None:
        if self._is_high(lamps.clock):
            with self._lock:
                self._shifted = (self._is_high(lamps.data), *self._shifted[:-1])

    def _on_latch(self, lamps: wiring.Register) -> None:
        if self._is_high(lamps.latch):
            with self._lock:
                self._shown = self._shifted

    def _on_display_line(self, display: wiring.DisplayPins) -> None:
        with self._lock:
            lines = self._is_high(display.clock), self._is_high(display.data)
            self._display = chips.hear_lines(self._display, *lines)


def _light(is_green: bool, is_red: bool) -> Light:
    colours = [colour for colour, is_lit in (("green", is_green), ("red", is_red)) if is_lit]
    return LIGHTS[frozenset(colours)]


DIAL_EDGE_INTERVAL = 0.01  # seconds between the edges of a turned dial
PRESS_SECONDS: Mapping[str, float] = {"short": 0.08, "long": 0.9}  # seconds for which a button is held down
DOUBLE_PRESS_GAP = 0.12  # seconds between the presses of a double one


def bounce_press(down: float, up: float, rng: Random) -> list[tuple[float, bool]]:
    """Return the edges of a press on a worn button as (seconds, is pressed), bounces included."""
    return [*_settling_edges(down, rng, pressed=True), *_settling_edges(up, rng, pressed=False)]


def _settling_edges(at: float, rng: Random, *, pressed: bool) -> list[tuple[float, bool]]:
    """Return the first edge and an even number of bounces, so that the contact ends in the right state."""
    times = sorted(at + rng.random() * 0.02 for _edge in range(2 * rng.randint(0, 25)))
    return [(time, pressed == (number % 2 == 0)) for number, time in enumerate([at, *times])]


class Fingers:
    """Fingers on the board's simulated pins."""

    def __init__(self, board: wiring.Board, factory: Any) -> None:
        """Open the pins; each is pulled up until its button is pressed."""
        self._pins = {key: factory.pin(gpio) for key, gpio in wiring.wires(board).items()}
        self._turning = Lock()
        self._rng = Random(0)  # noqa: S311 - how contacts bounce
        self.is_dirty = False
        """Whether all contacts bounce, as old ones do."""

    def has(self, key: wiring.Key) -> bool:
        return key in self._pins

    def press(self, key: wiring.Key, how: str = "short") -> bool:
        if key not in self._pins:
            return False
        for number in range(2 if how == "double" else 1):
            sleep(DOUBLE_PRESS_GAP * number)
            self._press(self._pins[key], PRESS_SECONDS.get(how, PRESS_SECONDS["short"]))
        return True

    def _press(self, pin: Any, seconds: float) -> None:
        began = monotonic()
        edges = bounce_press(0.0, seconds, self._rng) if self.is_dirty else [(0.0, True), (seconds, False)]
        for at, is_down in edges:
            sleep(max(0.0, began + at - monotonic()))
            (pin.drive_low if is_down else pin.drive_high)()

    def turn(self, clicks: int) -> bool:
        """Turn the dial, slowly enough for single steps."""
        first, second = (wiring.Key("a"), wiring.Key("b")) if clicks > 0 else (wiring.Key("b"), wiring.Key("a"))
        if first not in self._pins:
            return False
        with self._turning:
            for _click in range(abs(clicks)):
                for key, is_low in ((first, True), (second, True), (first, False), (second, False)):
                    (self._pins[key].drive_low if is_low else self._pins[key].drive_high)()
                    sleep(DIAL_EDGE_INTERVAL)
                sleep(0.08)
        return True
