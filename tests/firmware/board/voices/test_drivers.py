"""Drivers on simulated pins: the lines show what the chips and lamps would see."""

from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin  # type: ignore[import-untyped]
from msgspec.structs import replace

from firmware.board.voices.drivers import (
    BuzzerDriver,
    DigitsDriver,
    LampDriver,
    LineLamps,
    RegisterLamps,
    lamps_of,
)
from firmware.board.voices.lights import Lights, only_lamp, with_flash
from firmware.board.voices.patterns import DARK, HEARD, LOST, MAY, TURN, Light, level
from firmware.board.voices.segments import SEGMENTS
from firmware.board.voices.tunes import HOWL
from hardware.board.board import DisplayPins, LampDrivers, LampLines, Register, our_boards
from hardware.board.lamps import Lamp

BOARDS = our_boards()


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    factory = MockFactory(pin_class=MockPWMPin)
    yield factory
    factory.reset()


class Chain:
    """A chain of 74HC595, wired to three pins, that does what its data sheet says."""

    def __init__(self, factory: MockFactory, register: Register) -> None:
        """Watch the pins."""
        self._pins = [factory.pin(gpio) for gpio in (register.data, register.clock, register.latch)]
        self._bits = [False] * (8 * register.chips)
        self.outputs: tuple[bool, ...] = ()
        for pin, risen in ((self._pins[1], self._shift), (self._pins[2], self._latch)):
            pin._change_state = _call_on_rise(pin, risen)

    @property
    def lit(self) -> tuple[bool, ...]:
        """Tell which lamps are lit: OE is joined to the latch, and lets them be dark while it is high."""
        return (False,) * len(self.outputs) if self._pins[2].state else self.outputs

    def _shift(self) -> None:
        self._bits = [bool(self._pins[0].state), *self._bits[:-1]]

    def _latch(self) -> None:
        self.outputs = tuple(self._bits)


def _call_on_rise(pin: object, risen: object) -> object:
    """Call a function whenever a pin rises."""
    change = pin._change_state

    def note_change(value: float) -> bool:
        has_changed = change(value)
        if has_changed and value:
            risen()
        return has_changed

    return note_change


def test_lamps_on_lines(factory: MockFactory) -> None:
    lines = LampLines(green=(27, 9, 6, 23), red=(22, 11, 13, 24))
    lamps = LineLamps(lines, factory)
    lamps.show(("green", "red", "amber", ""))
    assert [bool(factory.pin(gpio).state) for gpio in lines.green] == [True, False, True, False]
    assert [bool(factory.pin(gpio).state) for gpio in lines.red] == [False, True, True, False]
    lamps.close()


def test_lamps_of_seats_that_a_match_has_not_are_dark(factory: MockFactory) -> None:
    lamps = LineLamps(LampLines(green=(27, 9, 6)), factory)
    lamps.show(("green", "green", "green"))
    lamps.show(("green",))
    assert [bool(factory.pin(gpio).state) for gpio in (27, 9, 6)] == [True, False, False]
    lamps.close()


def test_one_lamp_is_lit_for_a_minute_and_then_all_show_the_match_again() -> None:
    shown = only_lamp(Lights((TURN, MAY), TURN), Lamp("red", 3), 4)
    assert [level(pattern, 59.9)[0] for pattern in (*shown.seats, shown.attention)] == ["", "", "", "red", ""]
    assert [level(pattern, 60.0)[0] for pattern in (*shown.seats, shown.attention)] == [
        *("green", "green", "", ""),
        "green",
    ]
    assert level(only_lamp(shown, Lamp("attention"), 4).attention, 0)[0] == "green"


def test_a_lamp_of_one_colour_is_lit_by_any(factory: MockFactory) -> None:
    lamps = LineLamps(LampLines(red=(27, 9, 6)), factory)
    lamps.show(("green", "", "amber"))
    assert [bool(factory.pin(gpio).state) for gpio in (27, 9, 6)] == [True, False, True]
    lamps.close()


def test_lamps_behind_drivers_are_lit_as_those_on_lines(factory: MockFactory) -> None:
    board = replace(BOARDS["minimal"], lamps=LampDrivers(green=(5, 6), red=(13, 19)))
    lamps = lamps_of(board, factory)
    assert lamps is not None
    lamps.show(("amber", "red"))
    assert [bool(factory.pin(gpio).state) for gpio in (5, 6, 13, 19)] == [True, False, True, True]
    lamps.close()


def test_lamps_behind_shift_registers(factory: MockFactory) -> None:
    register = Register(13, 19, 26, 2)
    for gpio in (13, 19, 26):
        factory.pin(gpio).function = "output"
    chain = Chain(factory, register)
    lamps = RegisterLamps(register, factory)
    shown: tuple[Light, ...] = ("green", "red", "amber", "", "", "", "", "red")
    lamps.show(shown)
    assert chain.outputs[:8] == (True, False, False, True, True, True, False, False)
    assert chain.outputs[8:] == (False,) * 7 + (True,)
    lamps.show(("red",))
    assert chain.outputs == (False, True, *[False] * 14)
    lamps.close()
    assert not any(chain.outputs)


def test_lamps_behind_registers_are_dark_until_zeros_are_latched(factory: MockFactory) -> None:
    register = Register(13, 19, 26, 2)
    factory.pin(26).pull = "up"
    chain = Chain(factory, register)
    chain._bits, chain.outputs = [True, False] * 8, (True,) * 16
    assert not any(chain.lit)
    seen: list[tuple[int, bool]] = []
    for gpio in (13, 19, 26):
        pin = factory.pin(gpio)
        pin._change_state = _both_ways(pin, lambda _high, gpio=gpio: seen.append((gpio, any(chain.lit))))
    lamps = RegisterLamps(register, factory)
    opened = len(seen)
    assert [gpio for gpio, _lit in seen[-3:]] == [26, 26, 26]
    # the moment when the latch has to fall so that it can rise; no bit is shifted in it
    assert [(place, gpio) for place, (gpio, is_lit) in enumerate(seen) if is_lit] == [(opened - 3, 26)]
    assert not any(chain.outputs)
    lamps.show(("green",))
    assert chain.lit[:2] == (True, False)
    lamps.close()


def test_the_lamps_of_the_table(factory: MockFactory) -> None:
    board = BOARDS["six"]
    assert isinstance(board.lamps, LampLines)
    driver = LampDriver(board, factory)
    wait = driver.tell(Lights((TURN, MAY, DARK), TURN), 0)
    assert wait is not None
    assert wait <= 0.5
    lit = [bool(factory.pin(gpio).state) for gpio in (*board.lamps.green[:3], board.attention)]
    assert lit == [True, True, False, True]
    assert driver.tell(Lights((TURN, DARK, DARK), DARK), 0) is None
    assert [bool(factory.pin(gpio).state) for gpio in (*board.lamps.green[:2], board.attention)] == [
        True,
        False,
        False,
    ]
    driver.close()


def test_a_pattern_that_stays_keeps_its_beat(factory: MockFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("firmware.board.voices.drivers.monotonic", lambda: now[0])
    driver = LampDriver(BOARDS["minimal"], factory)
    assert driver.tell(Lights((), LOST), 0) == pytest.approx(0.6)
    now[0] += 0.4
    assert driver.tell(Lights((TURN,), LOST), 0) == pytest.approx(0.2)
    driver.close()


def test_every_press_flashes_and_a_new_moment_cuts_no_flash_short(
    factory: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    board, now = BOARDS["six"], [100.0]
    monkeypatch.setattr("firmware.board.voices.drivers.monotonic", lambda: now[0])
    assert isinstance(board.lamps, LampLines)
    driver, red = LampDriver(board, factory), [factory.pin(gpio) for gpio in board.lamps.red]
    shown = Lights((TURN, TURN))
    for _press in range(3):
        for seat in (0, 1):
            driver.tell(with_flash(shown, seat, HEARD), 0)
        assert [bool(pin.state) for pin in red[:2]] == [True, True]
        wait = driver.tell(shown, 0)
        assert [bool(pin.state) for pin in red[:2]] == [True, True]
        while wait is not None:
            now[0] += wait
            wait = driver.tell(shown, 1)
        assert [bool(pin.state) for pin in red[:2]] == [False, False]
    driver.close()


def test_the_buzzer_howls_and_falls_silent(factory: MockFactory) -> None:
    driver = BuzzerDriver(21, factory)
    assert driver.tell(HOWL, 0) == pytest.approx(0.06)
    assert factory.pin(21).frequency == pytest.approx(520, abs=1)
    assert driver.tell(HOWL, 60) is None
    assert factory.pin(21).frequency is None
    driver.close()


class Display1637:
    """A TM1637 that listens to two pins: bytes between start and stop, sampled when the clock rises."""

    def __init__(self, factory: MockFactory, display: DisplayPins) -> None:
        """Watch the pins."""
        self._clock, self._data = factory.pin(display.clock), factory.pin(display.data)
        self._bits: list[bool] | None = None
        self.messages: list[tuple[int, ...]] = []
        self._clock._change_state = _both_ways(self._clock, self._clock_moved)
        self._data._change_state = _both_ways(self._data, self._data_moved)

    def _clock_moved(self, is_high: bool) -> None:
        if is_high and self._bits is not None:
            self._bits.append(bool(self._data.state))

    def _data_moved(self, is_high: bool) -> None:
        if not self._clock.state:
            return
        if is_high and self._bits is not None:
            self.messages.append(_bytes(self._bits))
            self._bits = None
        elif not is_high:
            self._bits = []


def _both_ways(pin: object, moved: object) -> object:
    change = pin._change_state

    def note_change(value: float) -> bool:
        has_changed = change(value)
        if has_changed:
            moved(bool(value))
        return has_changed

    return note_change


def _bytes(bits: list[bool]) -> tuple[int, ...]:
    """Take groups of nine: eight bits, lowest first, and the acknowledgement, when data must be low."""
    groups = [bits[start : start + 9] for start in range(0, len(bits) - 8, 9)]
    assert not any(group[8] for group in groups)
    return tuple(sum(bit << place for place, bit in enumerate(group[:8])) for group in groups)


def test_the_digits_are_sent_as_the_chip_wants_them(factory: MockFactory) -> None:
    display = DisplayPins(19, 26)
    driver = DigitsDriver(display, factory)
    chip = Display1637(factory, display)
    driver.tell(" -20", 0)
    assert chip.messages == [(0x40,), (0xC0, 0, 0x40, 0x5B, 0x3F), (0x8A,)]
    assert bool(factory.pin(19).state)
    assert bool(factory.pin(26).state)
    driver.close()


def test_every_sign_that_is_ever_shown_has_its_strokes() -> None:
    assert set("0123456789- End") <= SEGMENTS.keys()
    alike = {"S": "5", "Z": "2"}
    assert all(SEGMENTS[letter] == SEGMENTS[digit] for letter, digit in alike.items())
    assert len(set(SEGMENTS.values())) == len(SEGMENTS) - len(alike)
