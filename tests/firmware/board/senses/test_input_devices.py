"""The kernel's input devices: requests and events as linux/input.h has them, byte by byte."""

from pathlib import Path

import pytest

from firmware.board.senses import input_devices
from firmware.board.senses.input_devices import EventsLost, InputDevices, KeyChange, changes_in


@pytest.mark.parametrize(
    ("name", "number"),
    [
        # as a C program prints EVIOCGNAME(256), EVIOCGPHYS(256), EVIOCGKEY(96), EVIOCGBIT(EV_KEY, 96) ...
        ("NAME", 0x81004506),
        ("PHYS", 0x81004507),
        ("HELD", 0x80604518),
        ("HAS", 0x80604521),
        ("GRAB", 0x40044590),
        ("CLOCK", 0x400445A0),
    ],
)
def test_requests_have_the_kernels_numbers(name: str, number: int) -> None:
    assert getattr(input_devices, name) == number


def test_what_a_kernel_told_is_read() -> None:
    # as it was read from a box: its button's scan code, then BTN_TRIGGER (288) down and the end of the report
    told = bytes.fromhex(
        "1e00000000000000 a086010000000000 0400 0400 01000900"
        "1e00000000000000 a086010000000000 0100 2001 01000000"
        "1e00000000000000 a086010000000000 0000 0000 00000000"
        "1f00000000000000 0100000000000000 0100 2001 00000000"
    )
    assert list(changes_in(told)) == [
        KeyChange(288, 30.1, is_down=True),
        KeyChange(288, 31.000001, is_down=False),
    ]


def test_a_key_that_repeats_itself_was_pressed_once_and_lost_events_are_told() -> None:
    told = bytes.fromhex(
        "0100000000000000 0000000000000000 0100 1e00 02000000"
        "0200000000000000 0000000000000000 0000 0300 00000000"
    )
    assert list(changes_in(told)) == [EventsLost(2.0)]


@pytest.mark.parametrize("told", [b"", b"\x00" * 23, b"\xff" * 24, b"\xff" * 500])
def test_what_is_no_event_is_no_press(told: bytes) -> None:
    assert list(changes_in(told)) == []


def test_devices_are_listed_in_the_kernels_order(tmp_path: Path) -> None:
    for name in ("event10", "event2", "mouse0", "eventful", "js0"):
        (tmp_path / name).touch()
    devices = InputDevices(tmp_path)
    assert [file.name for file in devices.files()] == ["eventful", "event2", "event10"]
    before = devices.files()[tmp_path / "event2"]
    (tmp_path / "event2").unlink()
    (tmp_path / "newer").touch()
    (tmp_path / "newer").rename(tmp_path / "event2")
    assert devices.files()[tmp_path / "event2"] != before
    assert InputDevices(tmp_path / "none").files() == {}
