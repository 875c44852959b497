"""Drivers on simulated pins: the lines show what the chips and lamps would see."""

from collections.abc import Iterator
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin  # type: ignore[import-untyped]
from msgspec.structs import replace

from firmware.board.voices.drivers import BuzzerDriver, DigitsDriver, LampDriver, RegisterLamps, lamps_of
from firmware.board.voices.patterns import (
    DARK,
    HEARD,
    LOST,
    MAY,
    TURN,
    Light,
    Lights,
    level,
    only_lamp,
    with_flash,
)
from firmware.board.voices.segments import SEGMENTS
from firmware.board.voices.tunes import HOWL
from hardware.board.board import DisplayPins, LampDrivers, LampLines, Register, our_boards
from hardware.board.lamps import Lamp
from tests.hil.edges import Edge
from tests.hil.signals import Chain, Latched, messages

BOARDS = our_boards()


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    factory = MockFactory(pin_class=MockPWMPin)
    yield factory
    factory.reset()


def record(factory: MockFactory, *gpios: int) -> list[Edge]:
    """Note the edges of pins from now on, one after another."""
    edges = list[Edge]()
    for gpio in gpios:
        pin = factory.pin(gpio)

        def note_change(value: float, gpio: int = gpio, change: Any = pin._change_state) -> bool:
            has_changed: bool = change(value)
            if has_changed:
                edges.append(Edge(len(edges), gpio, bool(value)))
            return has_changed

        pin._change_state = note_change
    return edges


@pytest.mark.parametrize(
    ("lamps", "shown", "lit"),
    [
        (LampLines(green=(27, 9, 6), red=(22, 11, 13)), ("green", "red", "amber"), {27, 6, 11, 13}),
        (LampDrivers(green=(27, 9, 6), red=(22, 11, 13)), ("green", "red", "amber"), {27, 6, 11, 13}),
        # of one colour, it is lit by any; at seats that the match hasn't, lamps are dark
        (LampLines(red=(27, 9, 6)), ("green", "", "amber"), {27, 6}),
        (LampLines(green=(27, 9, 6)), ("green",), {27}),
    ],
)
def test_lamps_on_lines(
    factory: MockFactory, lamps: LampLines | LampDrivers, shown: tuple[Light, ...], lit: set[int]
) -> None:
    opened = lamps_of(replace(BOARDS["minimal"], lamps=lamps), factory)
    assert opened is not None
    opened.show(("amber",) * 3)
    opened.show(shown)
    assert {gpio for gpio in (*lamps.green, *lamps.red) if factory.pin(gpio).state} == lit
    opened.close()


def test_one_lamp_is_lit_for_a_minute_and_then_all_show_the_match_again() -> None:
    shown = only_lamp(Lights((TURN, MAY), TURN), Lamp("red", 3), 4)
    for at, lit in ((59.9, ["", "", "", "red", ""]), (60.0, ["green", "green", "", "", "green"])):
        assert [level(pattern, at)[0] for pattern in (*shown.seats, shown.attention)] == lit
    assert level(only_lamp(shown, Lamp("attention"), 4).attention, 0)[0] == "green"


def test_lamps_behind_shift_registers(factory: MockFactory) -> None:
    register = Register(13, 19, 26, 2)
    factory.pin(26).pull = "up"
    edges, chain = record(factory, 13, 19, 26), Chain(register)
    chain.hear(Edge(0, 26, is_high=True))
    lamps = RegisterLamps(register, factory)

    def latched() -> list[Latched]:
        shown = [each for each in map(chain.hear, edges) if each is not None]
        edges.clear()
        return shown

    # zeros are shifted while the latch keeps it dark: it falls once so that it can rise
    assert [(any(each.outputs), each.shifted) for each in latched()] == [(False, 16), (False, 0)]
    lamps.show(("green", "red", "amber", "", "", "", "", "red"))
    (seen,) = latched()
    assert seen.outputs == (True, False, False, True, True, True, *[False] * 9, True)
    lamps.show(("red",))
    (seen,) = latched()
    assert (seen.outputs, seen.shifted) == ((False, True, *[False] * 14), 16)
    lamps.close()
    assert not any(latched()[-1].outputs)


def test_the_lamps_of_the_table(factory: MockFactory) -> None:
    board = BOARDS["six"]
    assert isinstance(board.lamps, LampLines)
    driver = LampDriver(board, factory)
    wait = driver.tell(Lights((TURN, MAY, DARK), TURN), 0)
    assert wait is not None
    assert wait <= 0.5
    watched = [factory.pin(gpio) for gpio in (*board.lamps.green[:3], board.attention)]
    assert [bool(pin.state) for pin in watched] == [True, True, False, True]
    assert driver.tell(Lights((TURN, DARK, DARK), DARK), 0) is None
    assert [bool(pin.state) for pin in watched] == [True, False, False, False]
    driver.close()


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Give the drivers a clock that a test moves on."""
    clock = [100.0]
    monkeypatch.setattr("firmware.board.voices.drivers.monotonic", lambda: clock[0])
    return clock


def test_a_pattern_that_stays_keeps_its_beat(factory: MockFactory, now: list[float]) -> None:
    driver = LampDriver(BOARDS["minimal"], factory)
    assert driver.tell(Lights((), LOST), 0) == pytest.approx(0.6)
    now[0] += 0.4
    assert driver.tell(Lights((TURN,), LOST), 0) == pytest.approx(0.2)
    driver.close()


def test_every_press_flashes_and_a_new_moment_cuts_no_flash_short(
    factory: MockFactory, now: list[float]
) -> None:
    lamps = BOARDS["six"].lamps
    assert isinstance(lamps, LampLines)
    driver, red = LampDriver(BOARDS["six"], factory), [factory.pin(gpio) for gpio in lamps.red[:2]]
    shown = Lights((TURN, TURN))
    for _press in range(3):
        for seat in (0, 1):
            driver.tell(with_flash(shown, seat, HEARD), 0)
        assert [bool(pin.state) for pin in red] == [True, True]
        wait = driver.tell(shown, 0)
        assert [bool(pin.state) for pin in red] == [True, True]
        while wait is not None:
            now[0] += wait
            wait = driver.tell(shown, 1)
        assert [bool(pin.state) for pin in red] == [False, False]
    driver.close()


def test_the_buzzer_howls_and_falls_silent(factory: MockFactory) -> None:
    driver = BuzzerDriver(21, factory)
    assert driver.tell(HOWL, 0) == pytest.approx(0.06)
    assert factory.pin(21).frequency == pytest.approx(520, abs=1)
    assert driver.tell(HOWL, 60) is None
    assert factory.pin(21).frequency is None
    driver.close()


def test_the_digits_are_sent_as_the_chip_wants_them(factory: MockFactory) -> None:
    display = DisplayPins(19, 26)
    edges = record(factory, 19, 26)
    driver = DigitsDriver(display, factory)
    driver.tell(" -20", 0)
    heard = [message for message in messages(edges, display) if message.bytes]
    assert [message.bytes for message in heard] == [(0x40,), (0xC0, 0, 0x40, 0x5B, 0x3F), (0x8A,)]
    assert all(message.is_whole for message in heard)
    assert bool(factory.pin(19).state)
    assert bool(factory.pin(26).state)
    driver.close()


def test_every_sign_that_is_ever_shown_has_its_strokes() -> None:
    assert set("0123456789- End") <= SEGMENTS.keys()
    alike = {"S": "5", "Z": "2"}
    assert all(SEGMENTS[letter] == SEGMENTS[digit] for letter, digit in alike.items())
    assert len(set(SEGMENTS.values())) == len(SEGMENTS) - len(alike)
