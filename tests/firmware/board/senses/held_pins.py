"""Pins that a test pulls to ground, with a clock that it turns."""

from gpiozero.pins import mock  # type: ignore[import-untyped]
from pytest import MonkeyPatch  # noqa: PT013 - a name for a type


class HeldPins:
    """Simulated pins, and the time at which they are pressed."""

    def __init__(self, monkeypatch: MonkeyPatch) -> None:
        """Begin at nought."""
        self.now, self.factory = 0.0, mock.MockFactory()
        monkeypatch.setattr(mock, "monotonic", lambda: self.now)

    def press(self, gpio: int, seconds: float = 1.0) -> None:
        """Pull a pin to ground for so long."""
        self.factory.pin(gpio).drive_low()
        self.now += seconds
        self.factory.pin(gpio).drive_high()
        self.now += 1.0
