"""A Pi's header as a chip of the kernel's own with simulated pins: fingers on it, and eyes on its lamps."""

import os
from collections.abc import Callable, Container
from functools import partial
from pathlib import Path
from time import monotonic, sleep

CHIPS = Path("/sys/kernel/config/gpio-sim")
PINS = 28
HELD = 0.08
"""Seconds for which people hold a button."""
STEP, CLICKS = 0.01, 0.11
"""Seconds between two edges of a dial that is turned, and from the last edge of a click to the next click."""


def spin(until: float) -> None:
    """Wait without sleep, for shorter times than a sleep can be."""
    while monotonic() < until:
        pass


def hold(press: Callable[[], object], release: Callable[[], object], seconds: float = HELD) -> None:
    """Press a button for a while."""
    press()
    sleep(seconds)
    release()


class Chip:
    """The chip; there is one, made when the first program asks for it."""

    def __init__(self, buttons: Container[int]) -> None:
        """Make it, with the pins of a board's buttons up, and all others down, as they aren't driven yet."""
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
        """Pull a pin to ground; gives the time just before."""
        return self._pull(gpio, b"pull-down")

    def release(self, gpio: int) -> float:
        """Let a pin go up; gives the time just before."""
        return self._pull(gpio, b"pull-up")

    def _pull(self, gpio: int, how: bytes) -> float:
        before = monotonic()
        os.pwrite(self._pulls[gpio], how, 0)
        return before

    def is_high(self, gpio: int) -> bool:
        """Look at a pin."""
        return os.pread(self._values[gpio], 1, 0) == b"1"

    def tap(self, gpio: int, seconds: float = HELD) -> None:
        """Press a button for a while."""
        hold(partial(self.press, gpio), partial(self.release, gpio), seconds)

    def turn(self, a: int, b: int, clicks: int) -> None:
        """Turn a dial clockwise, slowly enough for single steps."""
        press, release = self.press, self.release
        moves = (press, a, STEP), (press, b, STEP), (release, a, STEP), (release, b, CLICKS)
        for pull, gpio, seconds in moves * clicks:
            pull(gpio)
            sleep(seconds)
