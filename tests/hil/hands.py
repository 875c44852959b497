"""Simulated presses on a board, and a reader of its LEDs, for any backend."""

import os
from bisect import bisect_left
from collections.abc import Container, Iterable
from pathlib import Path
from time import monotonic, sleep

from hardware.board.board import DialPins, LampLines, Register, our_boards, wires
from tests.hil.signals import Buzzer, Chain, Latched, Recording

CHIPS = Path("/sys/kernel/config/gpio-sim")
PINS = 28
HELD = 0.08  # duration of a press in seconds
STEP, CLICKS = 0.01, 0.11
"""Seconds between two edges of a turning dial, and between its clicks."""
COLOURS = {(False, False): "", (True, False): "green", (False, True): "red", (True, True): "amber"}


def spin(until: float) -> None:
    while monotonic() < until:
        pass


Move = tuple[int, str, float]  # a pin, its pull, and the seconds until the next move


def taps(*gpios: int, held: float = HELD, rest: float = 0.0) -> list[Move]:
    return [move for gpio in gpios for move in ((gpio, "pull-down", held), (gpio, "pull-up", rest))]


def clicks(dial: DialPins, count: int) -> list[Move]:
    down, up = ([(gpio, pull, STEP) for gpio in (dial.a, dial.b)] for pull in ("pull-down", "pull-up"))
    return [*down, up[0], (dial.b, "pull-up", CLICKS)] * count


class Chip:
    """The chip; created when the first program requests it."""

    def __init__(self, buttons: Container[int]) -> None:
        chip = CHIPS / "header"
        if not chip.exists():
            (chip / "bank").mkdir(parents=True)
            (chip / "bank" / "num_lines").write_text(str(PINS))
            (chip / "bank" / "label").write_text("header")
            (chip / "live").write_text("1")
        names = [(chip / name).read_text().strip() for name in ("dev_name", "bank/chip_name")]
        lines = Path("/sys/devices/platform", *names)
        self._pulls = [os.open(lines / f"sim_gpio{gpio}" / "pull", os.O_WRONLY) for gpio in range(PINS)]
        self._values = [os.open(lines / f"sim_gpio{gpio}" / "value", os.O_RDONLY) for gpio in range(PINS)]
        for gpio in range(PINS):
            (self.release if gpio in buttons else self.press)(gpio)

    def press(self, gpio: int) -> float:
        return self._pull(gpio, "pull-down")

    def release(self, gpio: int) -> float:
        return self._pull(gpio, "pull-up")

    def _pull(self, gpio: int, how: str) -> float:
        before = monotonic()
        os.pwrite(self._pulls[gpio], how.encode(), 0)
        return before

    def is_high(self, gpio: int) -> bool:
        return os.pread(self._values[gpio], 1, 0) == b"1"

    def move(self, moves: Iterable[Move]) -> None:
        for gpio, pull, seconds in moves:
            self._pull(gpio, pull)
            sleep(seconds)


class Hands:
    """Presses and LED readings on a board of a profile; all pin levels are recorded."""

    def __init__(self, profile: str) -> None:
        self.profile, self.board = profile, our_boards()[profile]
        self.chip = Chip(wires(self.board).values())
        self.recording = Recording("header")
        register = self.board.lamps if isinstance(self.board.lamps, Register) else None
        self._chain = None if register is None else Chain(register)
        self.latched: list[Latched] = []
        self._shown: Latched | None = None
        self._buzzer, self._waves = Buzzer(self.board.buzzer or 0), list[float]()

    def press(self, seat: int) -> None:
        self.chip.move(taps(self.board.call[seat]))

    def announce(self, number: int) -> None:
        self.chip.move((*clicks(self.board.dial, number), *taps(self.board.dial.push)))

    def is_lit(self, seat: int, colour: str) -> bool:
        return COLOURS[self._lit(seat)] == colour

    def look(self) -> None:
        new = self.recording.read()
        self._waves += filter(None, map(self._buzzer.hear, new))
        shown = [] if self._chain is None else [each for each in map(self._chain.hear, new) if each is not None]
        self.latched += shown
        self._shown = shown[-1] if shown else self._shown

    def clear_leds(self) -> None:
        """Clear the registers' state; nobody drives them after a kill."""
        self.look()
        self._shown = None

    def waves_since(self, since: float) -> list[float]:
        self.look()
        return self._waves[bisect_left(self._waves, since) :]

    def buzzes(self) -> bool:
        return self.board.buzzer is not None and self.chip.is_high(self.board.buzzer)

    def _lit(self, seat: int) -> tuple[bool, bool]:
        if isinstance(self.board.lamps, LampLines):
            green, red = (lamps[seat] for lamps in (self.board.lamps.green, self.board.lamps.red))
            return self.chip.is_high(green), self.chip.is_high(red)
        self.look()
        outputs = (False,) * (2 * seat + 2) if self._shown is None else self._shown.outputs
        return outputs[2 * seat], outputs[2 * seat + 1]
