"""Drivers on simulated pins: the lines show what the chips and lamps would see."""

from itertools import combinations
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory  # type: ignore[import-untyped]
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.board.outputs.drivers import BuzzerDriver, DigitsDriver, LampDriver, RegisterLamps, lamps_of
from firmware.board.outputs.patterns import (
    CALLED,
    CONFIRMED,
    DARK,
    LOST,
    MAY_REACT,
    OUT,
    POINTED,
    REJECTED,
    SHUTTING_DOWN,
    TOOK,
    TROUBLE,
    TURN,
    WON,
    Light,
    Lights,
    Pattern,
    level,
    lights,
    only_lamp,
    with_flash,
)
from firmware.board.outputs.tunes import HOWL
from hardware.board.board import DisplayPins, LampDrivers, LampLines, Register
from hardware.board.lamps import Lamp
from referee.contract import Option
from referee.games.coyote.state import House
from tests.firmware.board.inputs.matches import after, bidden, call_moments, new_match
from tests.given import present
from tests.hardware.board.own_boards import BOARDS
from tests.hil.signals import Chain, Edge, Latched, messages

PATTERNS = (TURN, MAY_REACT, CALLED, LOST, OUT, WON, CONFIRMED, REJECTED, POINTED, SHUTTING_DOWN, TROUBLE)


def record(factory: MockFactory, *gpios: int) -> list[Edge]:
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
        # a two-colour lamp is lit by any of its colours; seats beyond the match are dark
        (LampLines(red=(27, 9, 6)), ("green", "", "amber"), {27, 6}),
        (LampLines(green=(27, 9, 6)), ("green",), {27}),
    ],
)
def test_lamps_on_lines(
    factory: MockFactory, lamps: LampLines | LampDrivers, shown: tuple[Light, ...], lit: set[int]
) -> None:
    opened = present(lamps_of(replace(BOARDS["minimal"], lamps=lamps), factory))
    opened.show(("amber",) * 3)
    opened.show(shown)
    assert {gpio for gpio in (*lamps.green, *lamps.red) if factory.pin(gpio).state} == lit
    opened.close()


def test_lamp_test_lights_one_lamp_for_a_minute() -> None:
    shown = only_lamp(Lights((TURN, MAY_REACT), TURN), Lamp("red", 3), 4)
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

    # zeros are shifted while the latch keeps the outputs dark: it falls once so that it can rise
    assert [(any(each.outputs), each.shifted) for each in latched()] == [(False, 16), (False, 0)]
    lamps.show(("green", "red", "amber", "", "", "", "", "red"))
    (seen,) = latched()
    assert seen.outputs == (True, False, False, True, True, True, *[False] * 9, True)
    lamps.show(("red",))
    (seen,) = latched()
    assert (seen.outputs, seen.shifted) == ((False, True, *[False] * 14), 16)
    lamps.close()
    assert not any(latched()[-1].outputs)


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    clock = [100.0]
    monkeypatch.setattr("firmware.board.outputs.drivers.monotonic", lambda: clock[0])
    return clock


def test_unchanged_pattern_keeps_its_beat(factory: MockFactory, now: list[float]) -> None:
    driver = LampDriver(BOARDS["minimal"], factory)
    assert driver.tell(Lights((), LOST), 0) == pytest.approx(0.6)
    now[0] += 0.4
    assert driver.tell(Lights((TURN,), LOST), 0) == pytest.approx(0.2)
    driver.close()


def test_every_press_flashes_and_new_moment_does_not_cut_it(factory: MockFactory, now: list[float]) -> None:
    lamps = BOARDS["six"].lamps
    assert isinstance(lamps, LampLines)
    driver, red = LampDriver(BOARDS["six"], factory), [factory.pin(gpio) for gpio in lamps.red[:2]]
    shown = Lights((TURN, TURN))
    for _press in range(3):
        for seat in (0, 1):
            driver.tell(with_flash(shown, seat, CONFIRMED), 0)
        assert [bool(pin.state) for pin in red] == [True, True]
        wait = driver.tell(shown, 0)
        assert [bool(pin.state) for pin in red] == [True, True]
        while wait is not None:
            now[0] += wait
            wait = driver.tell(shown, 1)
        assert [bool(pin.state) for pin in red] == [False, False]
    driver.close()


def test_buzzer_plays_and_falls_silent(factory: MockFactory) -> None:
    driver = BuzzerDriver(21, factory)
    assert driver.tell(HOWL, 0) == pytest.approx(0.06)
    assert factory.pin(21).frequency == pytest.approx(520, abs=1)
    assert driver.tell(HOWL, 60) is None
    assert factory.pin(21).frequency is None
    driver.close()


def test_digits_are_sent_in_chip_format(factory: MockFactory) -> None:
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


# patterns of lamps


def rhythm(pattern: Pattern) -> list[bool]:
    return [level(pattern, at / 100 + 0.005)[0] != "" for at in range(800)]


def test_patterns_differ_by_rhythm_alone() -> None:
    rhythms = {pattern: rhythm(pattern) for pattern in PATTERNS}
    for one, other in combinations(PATTERNS, 2):
        assert sum(a != b for a, b in zip(rhythms[one], rhythms[other], strict=True)) > 80, (one, other)


@given(st.sampled_from(PATTERNS), st.sampled_from(PATTERNS), st.floats(0, 100))
def test_level_lasts_its_announced_duration(first: Pattern, second: Pattern, at: float) -> None:
    pattern = replace(first, then=second)
    light, wait = level(pattern, at)
    if wait is None:
        assert level(pattern, at + 50)[0] == light
    elif wait > 1e-9:  # closer than this, rounding decides the beat
        assert level(pattern, at + wait * 0.99)[0] == light


def test_pattern_of_each_moment() -> None:
    call, verdict = call_moments()
    for match, seats, attention in (
        (new_match(), (MAY_REACT,) * 4, TURN),
        (bidden(20), (DARK, TURN, DARK, DARK), DARK),
        (bidden(20, house=House(anyone_may_contest=True)), (DARK, TURN, MAY_REACT, MAY_REACT), DARK),
        (call, (DARK, CALLED, DARK, DARK), TURN),
        (verdict, (replace(TOOK, then=DARK), replace(LOST, then=TURN), DARK, DARK), DARK),
    ):
        assert lights(match) == Lights(seats, attention)
    assert lights(bidden(20), is_in_trouble=True).attention == TROUBLE


def test_out_and_won() -> None:
    match = bidden(20, house=House(limit=1), seats=3)
    match = after(match, ("turn", Option("coyote"), 1), ("reveal", ("10", "5", "4"), None))
    assert lights(match).seats[0] == replace(LOST, then=OUT)
    match = after(match, ("announce", 20, 1), ("turn", Option("coyote"), 2), ("reveal", ("10", "5"), None))
    assert match.outcome is not None
    assert lights(match).seats == (DARK, replace(LOST, then=DARK), WON)


def test_press_flash_overrides_pattern() -> None:
    shown = lights(bidden(20))
    assert with_flash(shown, 1, CONFIRMED) == Lights(shown.seats, shown.attention, (1, CONFIRMED))
    for seatless in (None, 4):
        assert with_flash(shown, seatless, REJECTED).flash == (None, REJECTED)
