"""Assigning USB buttons on the host's page: each pressed button goes to the next seat."""

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from time import monotonic

from msgspec import Struct

from firmware.language.speaking import Sentence, say, why_not_kept
from firmware.storage.wired_board import KEPT_BUTTONS
from hardware.board import usb_box

PAGE_TIMEOUT = 30.0  # seconds after which the page counts as closed, and presses belong to the game
Listen = Callable[[Callable[[usb_box.UsbBox, int], None] | None], None]
"""Passes every press to a listener; None ends this."""


class UsbStatus(Struct, frozen=True):
    """The assigned buttons, and the next button to press during an assignment."""

    places: Sequence[tuple[str, str]] = ()
    """For each seat, the box names of its first and second button."""
    learns: usb_box.UsbRole | None = None
    next_seat: int | None = None  # None once each seat has a button


class UsbLearning:
    """Assigns buttons by presses of the host; failures to store them are returned as sentences."""

    def __init__(self, state: Path, listen: Listen, clock: Callable[[], float] = monotonic) -> None:
        self._state, self._listen, self._clock = state, listen, clock
        self._lock, self._seen = Lock(), clock()
        self._role: usb_box.UsbRole = "call"
        self._learned: usb_box.UsbButtonList | None = None

    def status(self) -> UsbStatus:
        with self._lock:
            self._seen = self._clock()
            learned, role = self._learned, self._role
        if learned is None:
            return UsbStatus(_places(KEPT_BUTTONS.read(self._state)))
        return UsbStatus(_places(learned), role, usb_box.next_seat(learned, role))

    def learn(self, kind: usb_box.UsbRole) -> None:
        """Assign the buttons pressed from now on to one seat after another."""
        with self._lock:
            self._role, self._seen = kind, self._clock()
            self._learned = usb_box.begin_learning(KEPT_BUTTONS.read(self._state), kind)
        self._listen(self._hear)

    def stop(self) -> None:
        """Stop without changes."""
        with self._lock:
            self._learned = None
        self._listen(None)

    def keep(self) -> Sentence | None:
        learned = self._learned
        if not learned:
            return say("No button was pressed yet.")
        why = self._keep(learned)
        if why is None:
            self.stop()
        return why

    def forget(self) -> Sentence | None:
        self.stop()
        return self._keep(())

    def _hear(self, box: usb_box.UsbBox, code: int) -> None:
        """Assign a pressed button; if the page was closed, ignore the press and stop."""
        with self._lock:
            is_seen = self._clock() < self._seen + PAGE_TIMEOUT
            if self._learned is not None and is_seen:
                self._learned = usb_box.with_press(self._learned, self._role, box, code)
        if not is_seen:
            self.stop()

    def _keep(self, buttons: usb_box.UsbButtonList) -> Sentence | None:
        return why_not_kept(lambda: KEPT_BUTTONS.keep(self._state, buttons))


def _places(buttons: usb_box.UsbButtonList) -> tuple[tuple[str, str], ...]:
    boxes = {(button.role, button.seat): button.box.name for button in buttons}
    seats = range(usb_box.usb_seats(buttons))
    return tuple((boxes.get(("call", seat), ""), boxes.get(("second", seat), "")) for seat in seats)
