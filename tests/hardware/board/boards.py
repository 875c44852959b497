"""Random boards for tests."""

from itertools import count
from random import Random

from hardware.board.board import (
    INTERFACES,
    Board,
    DialPins,
    DisplayPins,
    LampDrivers,
    LampLines,
    Ohms,
    Register,
    SpiDigits,
)
from hardware.board.checks import troubles


def any_board(rng: Random) -> Board:
    free = [*range(2, 28)]
    rng.shuffle(free)

    def pin() -> int:
        return rng.randrange(-1, 30) if rng.random() < 0.01 or not free else free.pop()

    def pins(count: int) -> tuple[int, ...]:
        return tuple(pin() for _pin in range(count))

    seats = rng.randrange(5)
    has = [rng.random() < 0.5 for _part in range(8)]
    if has[7]:
        # no other part may use the SPI pins
        free = [gpio for gpio in free if gpio not in INTERFACES["spi"]]
    on_pins = rng.choice((LampLines, LampDrivers))
    volts = rng.choice((None, None, 12.0))
    lamps = (
        Register(*pins(3), chips=1, volts=volts) if has[0] else on_pins(*map(pins, [seats] * rng.randrange(3)))
    )
    return Board(
        seats=seats,
        call=pins(seats),
        second=pins(seats * has[1]),
        table=pins(rng.randrange(3)),
        lamps=lamps if has[2] else None,
        dial=DialPins(*pins(3)) if has[3] else None,
        display=DisplayPins(*pins(2)) if has[4] and not has[7] else None,
        max7219=SpiDigits() if has[7] and has[4] else None,
        attention=pin() if has[5] else None,
        buzzer=pin() if has[6] else None,
        ohms=any_ohms(rng) if rng.random() < 0.5 else Ohms(),
    )


def buildable_board(rng: Random) -> Board:
    return next(board for board in (any_board(rng) for _board in count()) if not troubles(board))


def any_ohms(rng: Random) -> Ohms:
    values = (330, 470, 1000, 1500) if rng.random() < 0.8 else (0, 68, 220, 4700)
    return Ohms(*(rng.choice(values) for _name in Ohms.__struct_fields__))
