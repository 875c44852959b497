"""Any board: it is refused, or it can be drawn, listed and opened."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from firmware.board.senses.buttons import Buttons
from firmware.board.voices.drivers import BuzzerDriver, DigitsDriver, LampDriver
from firmware.board.voices.spi_drivers import SpiDigitsDriver
from firmware.cli.wiring import document, pin_rows
from firmware.twin.simulated_board import SimulatedPins
from hardware.board.checks import troubles
from hardware.board.picture import picture
from tests.hardware.board.boards import any_board


@given(st.randoms(use_true_random=False))
def test_a_board_is_refused_or_can_be_built(rng: Random) -> None:
    board = any_board(rng)
    if troubles(board):
        return
    assert picture(board, "any").height > 0
    assert document(board, "any").count("- [ ]") > 5
    assert pin_rows(board).count("\n") == 41
    factory = SimulatedPins()
    opened: list[Buttons | LampDriver | DigitsDriver | SpiDigitsDriver | BuzzerDriver] = [
        Buttons(board, lambda _edge: None, factory),
        LampDriver(board, factory),
    ]
    if board.display is not None:
        opened.append(DigitsDriver(board.display, factory))
    if board.max7219 is not None:
        opened.append(SpiDigitsDriver(board.max7219, factory))
    if board.buzzer is not None:
        opened.append(BuzzerDriver(board.buzzer, factory))
    for device in opened:
        device.close()
    factory.reset()
