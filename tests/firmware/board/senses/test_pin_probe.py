"""Pins that are only listened to: what counts as a press, and that nothing is driven."""

from collections.abc import Iterator
from typing import Any

import pytest

from firmware.board.senses.pin_probe import LONG, PinProbe
from hardware.board.board import our_boards
from hardware.board.fitting import known_pins
from tests.firmware.board.senses.held_pins import HeldPins

PINS = known_pins(our_boards())


@pytest.fixture(name="held")
def _held(monkeypatch: pytest.MonkeyPatch) -> Iterator[HeldPins]:
    pins = HeldPins(monkeypatch)
    yield pins
    pins.factory.reset()


def probe(factory: Any) -> PinProbe:
    return PinProbe(PINS, factory)


def test_a_press_is_heard_by_its_pin(held: HeldPins) -> None:
    opened = probe(held.factory)
    held.press(12, LONG)
    held.press(17, 1.0)
    assert opened.pressed == {12, 17}
    opened.forget()
    assert opened.pressed == frozenset()
    opened.close()


def test_a_flicker_is_no_press(held: HeldPins) -> None:
    opened = probe(held.factory)
    for _time in range(20):
        held.press(9, LONG / 2)
    assert opened.pressed == frozenset()
    opened.close()


def test_what_was_down_before_is_no_press(held: HeldPins) -> None:
    held.factory.pin(12).drive_low()
    opened = probe(held.factory)
    held.now += 1.0
    held.factory.pin(12).drive_high()
    assert opened.pressed == frozenset()
    held.press(12, 1.0)
    assert opened.pressed == {12}
    opened.close()


def test_nothing_is_driven(held: HeldPins) -> None:
    opened = probe(held.factory)
    assert {held.factory.pin(gpio).function for gpio in PINS} == {"input"}
    assert {held.factory.pin(gpio).pull for gpio in PINS} == {"up"}
    opened.close()


def test_a_machine_without_pins_is_told() -> None:
    class NoPins:
        """A driver that has none."""

        def reserve_pins(self, *_pins: object) -> None:
            """Refuse."""
            raise OSError("no gpiochip")

        def pin(self, _name: object) -> None:
            """Refuse."""
            raise OSError("no gpiochip")

    opened = PinProbe((4, 17), NoPins())
    assert opened.failure is not None
    assert opened.pressed == frozenset()
    opened.close()
