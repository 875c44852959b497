"""Finding the table by cards in a browser: a tap on the picture seats everybody, the middle can be dragged."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from firmware.services.looks import Looks
from tests.browser.house import Phone
from tests.browser.rooms import enter, look_at, page_of
from tests.firmware.services.finding_client import opened
from tests.given import present
from tests.tiers import slow
from tests.webui.room import match_of, room_with
from vision.process.messages import UseTable


@slow("a person finds the table in the browser, step by step")
def test_table_is_found_with_three_taps_and_a_drag(chromium: Browser, tmp_path: Path) -> None:
    finder, eyes = opened(tmp_path)
    room = room_with(match_of(), tmp_path, looks=Looks(), finder=finder)
    # once the cards are accepted, the live picture ends, perhaps before the page is left
    with page_of(chromium, room, Phone(misses=("/live/", "/cut/"))) as page:
        enter(page, room)
        assert look_at(page, "/host/table") == []
        page.click("form[action='/host/table/laid'] button")
        page.wait_for_selector("[data-seat]")
        assert look_at(page, "/host/table") == []
        box = present(page.locator("figure").bounding_box())
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] - 50)
        page.wait_for_selector(".middle")
        assert dict(finder.sight().seats)[1] == pytest.approx((640, 740), abs=60)
        cross = present(page.locator(".middle").bounding_box())
        x, y = cross["x"] + cross["width"] / 2, cross["y"] + cross["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 40, y - 12, steps=3)
        with page.expect_navigation():
            page.mouse.up()
        scale = 1280 / box["width"]
        middle = ((x + 40 - box["x"]) * scale, (y - 12 - box["y"]) * scale)
        assert finder.sight().middle == pytest.approx(middle, abs=6)
        page.click("form[action='/host/table/keep'] button")
        page.wait_for_url("**/host")
    assert isinstance(eyes.done[-1], UseTable)
