"""A contact gets about 1 mA, and its pin reads each press, over all tolerances."""

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
from hardware.board.netlist import WETTED, WETTING_OHMS, devices

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


def test_cable_resistance_counts_both_cores() -> None:
    assert cable_ohms(10) == pytest.approx(2.5)


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
