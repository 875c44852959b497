"""Moving the outline of a learned card in a browser: by touch, keys and arrow buttons.

`tests/webui/pages/test_lines.py` moves it without a script.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from firmware.services.card_lines import CardLines, ShownCut
from firmware.services.looks import Looks
from tests.browser.house import Phone
from tests.browser.layout import lowest
from tests.browser.layout_rules import NARROW
from tests.browser.rooms import each_phone, enter, look_at, page_of
from tests.given import present
from tests.webui.laid_deck import lay_deck
from tests.webui.room import Room, match_of, room_with

ONE = "/host/teach/cards/coup/duke/1"
LEFT = "document.querySelector('input[name=x0]').value"
SHOWN = "document.querySelector('.cut')"


@pytest.fixture
def taught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    lay_deck("coup", 3)
    return room_with(match_of(), tmp_path, looks=Looks())


def duke_of(room: Room) -> ShownCut:
    sheet = present(CardLines(room.client).sheet("coup"))
    return next(each for each in sheet.pictures if each.face == "duke")


def opened(page: Page, room: Room) -> None:
    enter(page, room)
    page.goto(ONE)


@each_phone
def test_outline_pages_show_their_buttons_above_the_fold(chromium: Browser, taught: Room, phone: Phone) -> None:
    with page_of(chromium, taught, phone) as page:
        enter(page, taught)
        assert look_at(page, ONE, "/host/teach/cards/coup") == []
        page.set_viewport_size({"width": NARROW, "height": 640})
        page.goto(ONE)
        assert 0 < lowest(page, ".one .bottom button") <= 640


def test_dragging_a_corner_shows_magnifier_and_preview(chromium: Browser, taught: Room) -> None:
    before = duke_of(taught).cut.corners
    with page_of(chromium, taught) as page:
        opened(page, taught)
        scale = 1 / page.evaluate("document.querySelector('.whole').getScreenCTM().a")
        first = page.locator(".cut").get_attribute("src")
        box = present(page.locator(".corner").first.bounding_box())
        # as large as a thumb
        assert 54 <= box["width"] <= 68
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        assert page.locator(".lens").is_hidden()
        page.mouse.move(x + 9, y + 9)
        page.mouse.down()
        page.mouse.move(x - 11, y - 6, steps=4)
        assert page.locator(".lens").is_visible()
        page.mouse.up()
        assert page.locator(".lens").is_hidden()
        page.wait_for_function(
            "before => document.querySelector('.cut').getAttribute('src') !== before", arg=first
        )
        page.wait_for_function(f"() => {SHOWN}.naturalWidth > 0")
        assert duke_of(taught).cut.corners == before
        page.click("button[value=keep]")
        page.wait_for_url(lambda url: not url.endswith(ONE))
    after = duke_of(taught).cut.corners
    wide, high = duke_of(taught).cut.size
    assert (before[0][0] - after[0][0]) * wide == pytest.approx(20 * scale, abs=1)
    assert (before[0][1] - after[0][1]) * high == pytest.approx(15 * scale, abs=1)
    assert after[1:] == before[1:]


def test_corner_moves_by_keys_and_arrow_buttons(chromium: Browser, taught: Room) -> None:
    with page_of(chromium, taught) as page:
        opened(page, taught)
        start = float(page.evaluate(LEFT))
        page.locator(".corner").first.focus()
        page.keyboard.press("ArrowLeft")
        once = start - float(page.evaluate(LEFT))
        page.keyboard.press("Shift+ArrowRight")
        assert float(page.evaluate(LEFT)) == pytest.approx(start + 9 * once, abs=1e-4)
        page.select_option("select[name=corner]", "2")
        assert page.get_attribute(".corner >> nth=2", "aria-pressed") == "true"
        low = page.input_value("input[name=y2]")
        page.click(".nudge .down")
        assert float(page.input_value("input[name=y2]")) > float(low)
        assert page.url.endswith(ONE)
