"""Fingers on the twin's buttons and its dial."""

from collections.abc import Mapping
from random import Random
from threading import Lock
from time import monotonic, sleep
from typing import Any

from hardware.board.board import Board, Key, wires
from hardware.twin.mischief import bounce_press

STEP = 0.01
"""Seconds between the edges of a dial that is turned."""
HELD: Mapping[str, float] = {"short": 0.08, "long": 0.9}
"""Seconds for which a button is held."""
BETWEEN = 0.12
"""Seconds between the two presses of a double one."""


class Fingers:
    """Fingers on the board's simulated pins."""

    def __init__(self, board: Board, factory: Any) -> None:
        """Take the pins; each is pulled up until its button is pressed."""
        self._pins = {key: factory.pin(gpio) for key, gpio in wires(board).items()}
        self._turning = Lock()
        self._rng = Random(0)  # noqa: S311 - how contacts bounce
        self.is_dirty = False
        """All contacts bounce, as old ones do."""

    def has(self, key: Key) -> bool:
        """Tell whether the board has such a button."""
        return key in self._pins

    def press(self, key: Key, how: str = "short") -> bool:
        """Press a button; False if the board has none there."""
        if key not in self._pins:
            return False
        for number in range(2 if how == "double" else 1):
            sleep(BETWEEN * number)
            self._press(self._pins[key], HELD.get(how, HELD["short"]))
        return True

    def _press(self, pin: Any, seconds: float) -> None:
        began = monotonic()
        edges = bounce_press(0.0, seconds, self._rng) if self.is_dirty else [(0.0, True), (seconds, False)]
        for at, is_down in edges:
            sleep(max(0.0, began + at - monotonic()))
            (pin.drive_low if is_down else pin.drive_high)()

    def turn(self, clicks: int) -> bool:
        """Turn the dial, slowly enough for single steps."""
        first, second = (Key("a"), Key("b")) if clicks > 0 else (Key("b"), Key("a"))
        if first not in self._pins:
            return False
        with self._turning:
            for _click in range(abs(clicks)):
                for key, is_low in ((first, True), (second, True), (first, False), (second, False)):
                    (self._pins[key].drive_low if is_low else self._pins[key].drive_high)()
                    sleep(STEP)
                sleep(0.08)
        return True
