"""Any board: it is refused, or it can be drawn, listed and opened."""

from random import Random

from gpiozero.pins.mock import MockFactory, MockPWMPin  # type: ignore[import-untyped]
from hypothesis import given
from hypothesis import strategies as st

from firmware.board.senses.buttons import Buttons
from firmware.board.voices.drivers import BuzzerDriver, DigitsDriver, LampDriver
from firmware.cli.wiring import document, pin_rows
from hardware.board.board import Board, DialPins, DisplayPins, LampLines, Register
from hardware.board.checks import troubles
from hardware.board.picture import picture


def any_board(rng: Random) -> Board:
    """Put parts on random pins, now and then on a used or missing one."""
    free = [*range(2, 28)]
    rng.shuffle(free)

    def pin() -> int:
        return rng.randrange(-1, 30) if rng.random() < 0.01 or not free else free.pop()

    def pins(count: int) -> tuple[int, ...]:
        return tuple(pin() for _pin in range(count))

    seats = rng.randrange(5)
    has = [rng.random() < 0.5 for _part in range(8)]
    lamps = (
        Register(*pins(3), chips=1)
        if has[0]
        else LampLines(*(pins(seats) for _colour in range(rng.randrange(3))))
    )
    return Board(
        seats=seats,
        call=pins(seats),
        second=pins(seats * has[1]),
        table=pins(rng.randrange(3)),
        lamps=lamps if has[2] else None,
        dial=DialPins(*pins(3)) if has[3] else None,
        display=DisplayPins(*pins(2)) if has[4] else None,
        attention=pin() if has[5] else None,
        buzzer=pin() if has[6] else None,
    )


@given(st.randoms(use_true_random=False))
def test_a_board_is_refused_or_can_be_built(rng: Random) -> None:
    board = any_board(rng)
    if troubles(board):
        return
    assert picture(board, "any").height > 0
    assert document(board, "any").count("- [ ]") > 5
    assert pin_rows(board).count("\n") == 41
    factory = MockFactory(pin_class=MockPWMPin)
    opened: list[Buttons | LampDriver | DigitsDriver | BuzzerDriver] = [
        Buttons(board, lambda _edge: None, factory),
        LampDriver(board, factory),
    ]
    if board.display is not None:
        opened.append(DigitsDriver(board.display, factory))
    if board.buzzer is not None:
        opened.append(BuzzerDriver(board.buzzer, factory))
    for device in opened:
        device.close()
    factory.reset()
