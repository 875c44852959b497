"""What the page shows of lamps and digits is what the real drivers put on the pins."""

import pytest
from gpiozero.pins.mock import MockFactory  # type: ignore[import-untyped]

from firmware.board.voices.drivers import DigitsDriver, lamps_of
from firmware.board.voices.spi import SpiDigitsDriver
from firmware.twin.simulated_board import KEPT, BoardMonitor, SimulatedPins, WatchedPin
from hardware.board.board import Board, our_boards


def digits_of(board: Board, factory: SimulatedPins) -> DigitsDriver | SpiDigitsDriver:
    if board.max7219 is not None:
        return SpiDigitsDriver(board.max7219, factory)
    assert board.display is not None
    return DigitsDriver(board.display, factory)


@pytest.mark.parametrize("profile", ["full", "six", "ring"])
def test_lamps_and_digits_are_read_from_their_pins(profile: str) -> None:
    board, factory = our_boards()[profile], SimulatedPins()
    shining = BoardMonitor(board, factory)
    lamps = lamps_of(board, factory)
    assert lamps is not None
    digits = digits_of(board, factory)
    lamps.show(("green", "red", "amber", ""))
    digits.tell(" -17", 0)
    shown = shining.read_output()
    assert shown.seats[:5] == ("green", "red", "amber", "", "")
    assert shown.digits == " -17"
    assert shown.attention is False
    lamps.show(("", "", "", "green"))
    digits.tell(" End", 0)
    assert shining.read_output().seats[:4] == ("", "", "", "green")
    assert shining.read_output().digits == " End"


def test_a_board_without_lamps_shows_none() -> None:
    shown = BoardMonitor(our_boards()["minimal"], MockFactory(pin_class=WatchedPin)).read_output()
    assert (shown.seats, shown.attention, shown.digits) == ((), False, None)


def test_a_pin_forgets_what_it_was_long_ago() -> None:
    factory = MockFactory(pin_class=WatchedPin)
    pin = factory.pin(4)
    pin.function = "output"
    for _time in range(100):
        pin.state = 1
        pin.state = 0
    assert len(pin.states) <= KEPT
