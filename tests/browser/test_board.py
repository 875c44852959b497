"""The page on which a board is named and pressed, as a phone shows it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory  # type: ignore[import-untyped]
from playwright.sync_api import Browser

from firmware.board.senses.pin_probe import PinProbe
from firmware.start.pages.board_door import WiredBoardDoor
from firmware.storage.wired_board import WiredBoard
from hardware.board.board import our_boards
from hardware.board.fitting import known_pins
from hardware.board.lamps import Lamp
from tests.browser.house import faults
from tests.browser.layout import small_targets
from tests.browser.moments import host_phone, served
from tests.firmware.start.pages.board_table import BoardTable
from tests.webui.room import Room, match_of, room_with

PRESSED = 0.2
"""Seconds for which a button is held."""


@pytest.fixture(name="factory")
def _factory() -> MockFactory:
    return MockFactory()


@pytest.fixture(name="room")
def _room(tmp_path: Path, factory: MockFactory) -> Iterator[Room]:
    probe = PinProbe(known_pins(our_boards()), factory)
    door = WiredBoardDoor(tmp_path, WiredBoard(), our_boards(), BoardTable(), probe)
    yield room_with(match_of(), tmp_path, board=door)
    probe.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_pressed_is_seen_at_once_and_what_does_not_fit_is_named(
    chromium: Browser, room: Room, factory: MockFactory, scheme: str
) -> None:
    with served(room) as site:
        page = host_phone(chromium, room, site, scheme)
        page.goto("/host/board")
        assert faults(page) == []
        page.get_by_role("button", name="This one: full").click()
        page.wait_for_selector("[data-each]")
        for gpio in (17, 12):
            factory.pin(gpio).drive_low()
            page.wait_for_timeout(1000 * PRESSED)
            factory.pin(gpio).drive_high()
        page.get_by_text("GPIO12 was pressed").wait_for()
        assert page.locator("[data-part=wired] .lamp.green").count() == 1
        assert faults(page) == []
        assert small_targets(page) == []
        page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_lamp_is_lit_and_asked_about_until_it_is_seen_or_given_up(
    chromium: Browser, tmp_path: Path, scheme: str
) -> None:
    table = BoardTable()
    door = WiredBoardDoor(tmp_path, WiredBoard("minimal", "confirmed"), our_boards(), table)
    room = room_with(match_of(), tmp_path, board=door)
    with served(room) as site:
        page = host_phone(chromium, room, site, scheme)
        page.goto("/host/board")
        page.get_by_role("button", name="Light one lamp after the other").click()
        page.get_by_text("Do you see it?").wait_for()
        assert table.lit == [Lamp("attention")]
        assert (faults(page), small_targets(page)) == ([], [])
        page.get_by_role("button", name="No").click()
        page.get_by_text("GPIO22, pin 15 of the header").wait_for()
        assert (faults(page), small_targets(page)) == ([], [])
        page.get_by_role("button", name="Go on without it").click()
        page.get_by_text("Played without:").wait_for()
        assert table.lit[-1] is None
        assert (faults(page), small_targets(page)) == ([], [])
        page.context.close()
