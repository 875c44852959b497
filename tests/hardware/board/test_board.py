"""The wiring: our profiles can be built, and every fault in one is reported in a line."""

import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from gpiozero.pins.mock import MockFactory  # type: ignore[import-untyped]
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.board.inputs.buttons import Buttons
from firmware.board.outputs.drivers import BuzzerDriver, DigitsDriver, LampDriver, SpiDigitsDriver
from firmware.cli.wiring import document, pin_rows
from firmware.language.speaking import problem_text
from firmware.twin.simulated_board import SimulatedPins
from hardware.board.board import (
    HEADER,
    INTERFACES,
    PIN_OF,
    Board,
    BoardError,
    DialPins,
    DisplayPins,
    LampDrivers,
    LampLines,
    Leds,
    Ohms,
    Register,
    SpiDigits,
    lamp_supply,
    read_boards,
    wires,
)
from hardware.board.checks import troubles
from hardware.board.lamps import all_lamps
from hardware.board.netlist import GROUND, devices, driven_lamps, driver_legs
from hardware.board.uses import uses
from tests.hardware.board.boards import any_board
from tests.hardware.board.own_boards import BOARDS
from tests.hardware.board.slips import slip
from tests.tiers import tiered

ROOT = Path(__file__).parents[3]
SIX = BOARDS["six"]
ARCADE = LampDrivers(green=(27, 9, 6, 23, 8, 16), red=(22, 11, 13, 24, 7, 20), milliamps=35)
REGISTER_ARCADE = Register(13, 19, 26, chips=2, volts=12, milliamps=50)
FOUR = Board(seats=2, call=(17, 18), table=(5, 6), solderless=True)
every_board = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)


def test_header_matches_the_raspberry_pi() -> None:
    pins = MockFactory().board_info.headers["J8"].pins
    for pin in HEADER:
        name = pins[pin.number].name
        assert pin.name == ("ID" if name in {"GPIO0", "GPIO1"} else name)
    assert sorted(PIN_OF) == list(range(2, 28))
    for interface in ("i2c", "spi", "uart"):
        theirs = {gpio for gpio, pin in PIN_OF.items() if interface in pins[pin.number].interfaces}
        assert INTERFACES[interface] <= theirs


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"call": (17, 10, 5, 18, 25, 17)}, "clash"),
        ({"attention": 5}, "clash"),
        ({"attention": 1}, "eeprom"),
        ({"attention": 28}, "no such pin"),
        ({"attention": -1}, "no such pin"),
        ({"attention": 14, "keeps": ("uart",)}, "kept"),
        ({"dial": None, "attention": 2}, "pulled up"),
        ({"dial": None, "display": DisplayPins(3, 26)}, "pulled up"),
        ({"seats": 9}, "seats"),
        ({"seats": 5}, "not for each seat"),
        ({"call": (17, 10)}, "not for each seat"),
        ({"second": (14,)}, "not for each seat"),
        ({"lamps": LampLines(green=(27, 9), red=())}, "not for each seat"),
        ({"lamps": Register(27, 9, 6, 1)}, "too few outputs"),
        ({"seats": 0, "call": (), "table": (5,), "lamps": Register(27, 9, 6, 0)}, "too few outputs"),
        ({"lamps": Register(27, 9, 6, 2), "ohms": Ohms(green=150, red=150)}, "output current"),
        ({"lamps": Register(27, 9, 6, 2), "ohms": Ohms(green=68, red=68)}, "chip current"),
        ({"ohms": Ohms(attention=50)}, "pin current"),
        ({"ohms": Ohms(attention=0)}, "pin current"),
        ({"ohms": Ohms(green=220, red=220)}, "total current"),
        ({"table": (14, 15, 16)}, "table buttons"),
        ({"lamps": replace(ARCADE, volts=25)}, "driver volts"),
        ({"lamps": replace(ARCADE, volts=2.9)}, "driver volts"),
        ({"lamps": replace(ARCADE, milliamps=101)}, "driver current"),
        ({"lamps": replace(REGISTER_ARCADE, milliamps=101)}, "driver current"),
        ({"lamps": replace(ARCADE, milliamps=0)}, "driver current"),
        ({"lamps": replace(ARCADE, red=(27,))}, "clash"),
        ({"lamps": replace(ARCADE, red=(22,))}, "not for each seat"),
        ({"leds": Leds(green="blue")}, "dark lamp"),
        ({"leds": Leds(attention="white")}, "dark lamp"),
        ({"ohms": Ohms(red=15_000)}, "dim"),
        ({"ohms": Ohms(line=200)}, "line current"),
        ({"ohms": Ohms(line=0)}, "line current"),
        ({"ohms": Ohms(line=390)}, "presses' current"),
        ({"ohms": Ohms(pulled=560)}, "not low"),
        ({"ohms": Ohms(line=4700)}, "not low"),
        ({"max7219": SpiDigits()}, "spi"),
        ({"max7219": SpiDigits(), "attention": 10}, "clash"),
        ({"max7219": SpiDigits(), "keeps": ("spi",)}, "kept"),
        ({"max7219": SpiDigits()}, "two displays"),
        ({"max7219": SpiDigits(digits=9), "display": None}, "digits"),
        ({"max7219": SpiDigits(light=16), "display": None}, "digits"),
        ({"solderless": True}, "solderless"),
    ],
)
def test_rejects_impossible_boards(changes: dict[str, object], key: str) -> None:
    found = troubles(replace(SIX, **changes))
    assert key in {trouble.key for trouble in found}
    for trouble in found:
        assert "\n" not in problem_text(trouble)
        assert "{" not in problem_text(trouble)


POSSIBLE = {
    **BOARDS,
    "buttons and dials pulled up": replace(SIX, dial=DialPins(3, 2, 4)),
    "bright lamps": replace(SIX, ohms=Ohms(green=4700, red=4700)),
    "orange lamps": replace(SIX, leds=Leds(green="orange"), ohms=Ohms(green=1000, red=700)),
    "no lamps, of whatever colour": replace(BOARDS["minimal"], leds=Leds(green="blue", red="white")),
    "lamps of one colour": replace(SIX, lamps=LampLines(green=(27, 9, 6, 23, 8, 16))),
    "arcade": replace(SIX, lamps=ARCADE, leds=Leds(green="white")),
    "arcade of little": replace(SIX, lamps=replace(ARCADE, volts=3)),
    "arcade of much": replace(BOARDS["full"], lamps=replace(REGISTER_ARCADE, volts=24, milliamps=100)),
    "full arcade": replace(BOARDS["full"], lamps=REGISTER_ARCADE, leds=Leds(green="white")),
    "four without solder": FOUR,
}


@pytest.mark.parametrize("name", POSSIBLE)
def test_accepts_buildable_boards(name: str) -> None:
    assert troubles(POSSIBLE[name]) == ()


@pytest.mark.parametrize(
    "text",
    [
        "[six]\nseats = 'six'",
        "[six]\nseats = 6\nlamp = 3",
        "[six\nseats = 6",
        "seats = 6",
        "[six]\nseats = 6\nlamps = { kind = 'candles' }",
        "[six]\nseats = 6\nkeeps = ['usb']",
        "[six]",
    ],
)
def test_invalid_board_file_is_reported_in_one_line(text: str) -> None:
    with pytest.raises(BoardError) as error:
        read_boards(text, "my.toml")
    told = problem_text(error.value.trouble)
    assert told.startswith("my.toml: not a board: ")
    assert "\n" not in told


@every_board
def test_every_used_part_is_wired_once(board: Board) -> None:
    wired = [end.gpio for device in devices(board) for end in device.terminals if end.gpio is not None]
    assert sorted(wired) == sorted(use.gpio for use in uses(board))
    assert set(wires(board).values()) == {use.gpio for use in uses(board) if not use.is_output}


@every_board
def test_every_external_line_has_a_resistor(board: Board) -> None:
    """The lines of the registers and of the level shifter stay inside the box, and lead only to inputs."""
    inside = {"register", "shifter"}
    for device in devices(board):
        for end in device.terminals:
            assert (end.ohms >= 330) == (end.gpio is not None and device.kind not in inside)


def test_driver_pinouts_match_their_data_sheets() -> None:
    board = POSSIBLE["arcade"]
    assert driven_lamps(board)[:3] == ((0, "green"), (0, "red"), (1, "green"))
    assert [driver_legs(board, place) for place in (0, 7, 8)] == [(1, 1, 18), (1, 8, 11), (2, 1, 18)]
    # Q outputs of registers are opposite their inputs; the first output is on the register's other side
    legs = [driver_legs(POSSIBLE["full arcade"], place) for place in (0, 1, 7, 8)]
    assert legs == [(1, 1, 18), (1, 8, 11), (1, 2, 17), (2, 1, 18)]


def test_reads_leds_with_drivers_from_a_file() -> None:
    register = "kind = 'register', data = 5, clock = 6, latch = 7, chips = 1"
    for said, supply in (
        (f"{register}, volts = 5", LampDrivers(volts=5.0)),
        (f"{register}, milliamps = 35", LampDrivers(milliamps=35.0)),
        (register, None),
    ):
        text = f"[mine]\nseats = 1\ncall = [17]\nlamps = {{ {said} }}"
        assert lamp_supply(read_boards(text)["mine"]) == supply
    text = "[mine]\nseats = 1\ncall = [17]\nlamps = { kind = 'drivers', red = [27], volts = 5 }"
    assert read_boards(text)["mine"].lamps == LampDrivers(red=(27,), volts=5)


def test_ring_in_a_file_uses_no_pin() -> None:
    text = "[mine]\nseats = 1\ncall = [17]\nlamps = { kind = 'ring', each = 3, light = 64 }"
    board = read_boards(text)["mine"]
    assert [use.what for use in uses(board)] == ["call"]
    assert troubles(board) == all_lamps(board) == ()


@settings(max_examples=tiered(20, 200))
@given(st.randoms(use_true_random=False))
def test_any_board_is_rejected_or_usable(rng: Random) -> None:
    board = any_board(rng)
    if troubles(board):
        return
    assert document(board, "any").startswith("# Wiring: any")
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


# boards for a breadboard


TWO = BOARDS["two"]
Net = tuple[bool, int]  # the half of a breadboard, and its column


def net(hole: str) -> Net:
    return hole[0] in "ABCDE", int(hole[1:])


@pytest.mark.parametrize("board", [TWO, replace(TWO, call=(17, 18), table=(5, 6))])
def test_printed_wiring_connects_each_button_to_pin_and_ground(board: Board) -> None:
    told = document(board, "two")
    pins = {int(pin): hole for pin, hole in re.findall(r"header pin (\d+)[^,;]*? to hole (\w+)", told)}
    resistors = {net(above): net(below) for above, below in re.findall(r"1000 Ω from (\w+) to (\w+)", told)}
    buttons = re.findall(r"one core into (\w+), the other into (\w+)", told)
    (ground,) = [pin for pin in pins if HEADER[pin - 1].name == GROUND]
    lines = [PIN_OF[use.gpio].number for use in uses(board)]
    assert sorted(pins) == sorted([*lines, ground])
    assert [resistors[net(pins[pin])] for pin in lines] == [net(line) for line, _ground in buttons]
    assert {net(hole) for _line, hole in buttons} == {net(pins[ground])}
    used = [*pins.values(), *(hole for button in buttons for hole in button)]
    used += [hole for pair in re.findall(r"1000 Ω from (\w+) to (\w+)", told) for hole in pair]
    assert max(Counter(used).values()) == 1
    nets = [net(hole) for hole in pins.values()]
    assert len({*nets, *resistors.values()}) == 2 * len(lines) + 1
    assert not re.search(r"suppressor|strip board|[Ss]older(?!ed)", told)


def test_our_boards_do_not_drive_input_pins() -> None:
    assert {pin.meets for running in BOARDS.values() for pin in slip(running, TWO)} == {None}
