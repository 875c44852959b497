"""A contact gets about 1 mA, and its pin reads each press, over all tolerances."""

from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace

from hardware.board.board import FAB, VOLTS, our_boards
from hardware.board.checks import LOW_VOLTS
from hardware.board.levels import (
    HIGH_VOLTS,
    INNER_DOWN,
    INNER_UP,
    ContactLine,
    Pull,
    Range,
    bought,
    cable_ohms,
    contact_line,
    milliamps,
    pin_volts,
)
from hardware.board.netlist import MODULES, WETTED, WETTING_OHMS, devices

GUIDE = (Path(__file__).parents[3] / "hardware" / "board" / "README.md").read_text(encoding="utf-8")
BOARDS = our_boards()
CABLE = cable_ohms(10)
CALL = next(end for device in devices(BOARDS[FAB]) for end in device.terminals if end.what == "call")
AT_PIN = ContactLine(bought(CALL.ohms), at_pin=Pull(bought(WETTING_OHMS)))
INNER = {"up": INNER_UP, "off": None, "down": INNER_DOWN}


@pytest.mark.parametrize("inner", INNER.values(), ids=INNER)
def test_contacts_get_a_milliampere_and_pins_valid_levels(inner: Pull | None) -> None:
    ends = [end for device in devices(BOARDS[FAB]) for end in device.terminals if end.what in WETTED]
    assert len(ends) == 9
    for end in ends:
        line = contact_line(end, inner)
        least, most = milliamps(line, CABLE)
        assert 0.9 < least < most < 1.5
        assert pin_volts(line, CABLE)[1] < LOW_VOLTS / 2
        assert pin_volts(line)[0] > HIGH_VOLTS


def test_pull_up_at_the_pin_would_not_be_low_when_pressed() -> None:
    """3300 Ω against both resistors of the line: 0.95 V, where 0.8 is low."""
    exact = ContactLine((CALL.ohms, CALL.ohms), at_pin=Pull((WETTING_OHMS, WETTING_OHMS)))
    assert pin_volts(exact, 0.001)[1] == pytest.approx(0.95, abs=0.005)
    assert pin_volts(AT_PIN, CABLE)[0] > LOW_VOLTS


def test_ranges_enclose_all_values_between_their_ends() -> None:
    low, high = pin_volts(contact_line(CALL), CABLE)
    for series, pull, inner in product(
        *(_between(each) for each in (bought(1330), bought(3300), (18e3, 73e3)))
    ):
        one = ContactLine((series, series), Pull((pull, pull)), Pull((inner, inner)))
        assert low - 1e-9 <= pin_volts(one, CABLE)[0] <= high + 1e-9


def _between(ends: Range) -> tuple[float, ...]:
    return ends[0], (ends[0] + ends[1]) / 2, ends[1]


def test_module_pull_ups_leave_the_level_alone() -> None:
    """Those of the dial are outside the resistors, too: a press grounds them."""
    ends = [end for device in devices(BOARDS[FAB]) for end in device.terminals]
    for end in (each for each in ends if each.what in WETTED & MODULES):
        both = 1 / (1 / end.pull + 1 / 10_000)
        line = ContactLine(bought(end.ohms), Pull(bought(both)), INNER_UP)
        assert pin_volts(line, CABLE)[1] == pytest.approx(pin_volts(contact_line(end), CABLE)[1], abs=0.01)


def test_guide_states_the_levels() -> None:
    lines = {
        "on, as while the table runs": contact_line(CALL),
        "off": contact_line(CALL, None),
        "a pull-down, as before the table starts": contact_line(CALL, INNER_DOWN),
        "on, board 1.0": contact_line(replace(CALL, pull=0)),
        "none, and the 3.3 kΩ at the pin": AT_PIN,
    }
    for name, line in lines.items():
        current, pressed = (_told(value(line, CABLE)) for value in (milliamps, pin_volts))
        assert f"| {name} | {current} | {pressed} | {_told(pin_volts(line))} |" in GUIDE, (
            f"| {name} | {current} | {pressed} | {_told(pin_volts(line))} |"
        )
    assert f"{VOLTS:g} V" in GUIDE
    assert f"low up to {LOW_VOLTS} V, high from {HIGH_VOLTS:g} V" in GUIDE


def _told(ends: Range) -> str:
    low, high = (f"{each:.2f}" for each in ends)
    return low if low == high else f"{low} to {high}"
