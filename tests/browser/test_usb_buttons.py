"""The page on which buttons by USB are learned, as a phone shows it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from firmware.board.senses.usb_buttons import UsbButtons, UsbReader
from firmware.start.pages.usb_door import UsbDoor
from firmware.storage.usb_buttons import read_usb_buttons
from hardware.board.usb_box import UsbBox
from tests.browser.house import faults
from tests.browser.layout import small_targets
from tests.browser.moments import host_phone, served
from tests.firmware.board.senses.piped_inputs import PipedBox, PipedInputs
from tests.webui.room import Room, match_of, room_with

BOX = UsbBox("DragonRise Inc. Generic USB Joystick", "usb-0000:01:00.0-1.2/input0")


@pytest.fixture(name="inputs")
def _inputs() -> PipedInputs:
    return PipedInputs()


@pytest.fixture(name="room")
def _room(tmp_path: Path, inputs: PipedInputs) -> Iterator[Room]:
    buttons = UsbButtons(UsbReader((), lambda _edge: None, lambda _box, _wrong: None, inputs))
    yield room_with(match_of(), tmp_path, usb=UsbDoor(tmp_path, buttons, lambda: None))
    buttons.close()


def tap(box: PipedBox, code: int) -> None:
    """Press a button, and let it go."""
    box.press(1.0, code)
    box.release(1.1, code)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_each_press_is_seen_as_the_next_seats(
    chromium: Browser, room: Room, inputs: PipedInputs, tmp_path: Path, scheme: str
) -> None:
    box = inputs.plug_in(BOX)
    with served(room) as site:
        page = host_phone(chromium, room, site, scheme)
        page.goto("/host/usb-buttons")
        assert faults(page) == []
        page.get_by_role("button", name="Press the seats' buttons").click()
        for seat in (1, 2, 3):
            page.get_by_text(f"Press the button of seat {seat}.").wait_for()
            tap(box, 287 + seat)
        page.get_by_text("Press the button of seat 4.").wait_for()
        assert page.locator("[data-part=known] .lamp.green").count() == 3
        assert faults(page) == []
        assert small_targets(page) == []
        with page.expect_navigation():
            page.get_by_role("button", name="These are all").click()
        page.context.close()
    assert [button.code for button in read_usb_buttons(tmp_path)] == [288, 289, 290]
