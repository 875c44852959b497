"""Whose buttons by USB there are is kept beside the journal."""

from pathlib import Path

import pytest

from firmware.state_folder import USB_BUTTONS
from firmware.storage.usb_buttons import keep_usb_buttons, read_usb_buttons
from hardware.board.usb_box import UsbBox, UsbButton

BUTTONS = (UsbButton(UsbBox("Box “é”", "usb-1/input0"), 288, 0), UsbButton(UsbBox("Other"), 30, 15, "second"))


def test_what_was_learned_is_known_after_a_start(tmp_path: Path) -> None:
    assert read_usb_buttons(tmp_path / "state") == ()
    keep_usb_buttons(tmp_path / "state", BUTTONS)
    assert read_usb_buttons(tmp_path / "state") == BUTTONS


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[",
        b"\xff",
        b"6",
        b"[" * 100_000,
        b'[{"box": {"name": "a"}, "code": 1, "seat": 16}]',
        b'[{"box": {"name": "a"}, "code": 1, "seat": -1}]',
        b'[{"box": {"name": "a"}, "code": 1, "seat": 0, "role": "a"}]',
    ],
)
def test_what_cannot_be_read_is_no_button(tmp_path: Path, content: bytes) -> None:
    (tmp_path / USB_BUTTONS).write_bytes(content)
    assert read_usb_buttons(tmp_path) == ()
