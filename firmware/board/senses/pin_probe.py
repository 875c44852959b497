"""Listens to pins before anything is driven: which of them are pressed to ground, whatever the board may be."""

from collections.abc import Iterable
from typing import Any

from firmware.board.senses.buttons import close_buttons, open_button
from hardware.board.board import BoardError

LONG = 0.03
"""Seconds that a press lasts at least; a lamp that hangs on a listening pin may flicker for less."""


class PinProbe:
    """All pins as inputs, with their pull-ups; a pin that can't be had is left out."""

    def __init__(self, gpios: Iterable[int], factory: Any = None) -> None:
        self._inputs: dict[int, Any] = {}
        self._since: dict[int, float] = {}
        self._pressed: set[int] = set()
        self._callbacks: list[Any] = []
        self._failures: list[str] = []
        for gpio in gpios:
            try:
                self._listen(gpio, open_button(gpio, factory))
            except BoardError as error:
                self._failures.append(str(error.trouble.values["why"]))

    @property
    def failure(self) -> str | None:
        """Return why no pin can be listened to; None if some can."""
        return self._failures[0] if self._failures and not self._inputs else None

    @property
    def pressed(self) -> frozenset[int]:
        """Give the GPIOs that were pressed and let go again."""
        return frozenset(self._pressed)

    def forget(self) -> None:
        """Forget what was pressed."""
        self._pressed.clear()

    def close(self) -> None:
        """Give the pins back."""
        close_buttons(self._inputs.values())
        self._inputs.clear()

    def _listen(self, gpio: int, opened: Any) -> None:
        self._inputs[gpio] = opened

        def on_edge(ticks: float, level: int) -> None:
            if not level:
                self._since[gpio] = ticks
            elif ticks - self._since.pop(gpio, ticks) >= LONG:
                self._pressed.add(gpio)

        # gpiozero holds callbacks weakly
        self._callbacks.append(on_edge)
        opened.pin.when_changed = on_edge
