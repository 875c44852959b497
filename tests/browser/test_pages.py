"""All pages are accessible and not too wide; they work by keyboard, plain HTML and slow networks."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from firmware.services.looks import Looks
from firmware.table.client import TableSummary
from tests.browser.house import Phone, open_phone, say_number
from tests.browser.rooms import Site, each_phone, enter, hold, look_at, sit, with_artwork
from tests.given import present
from tests.tiers import slow
from tests.webui.fakes import FakeReader
from tests.webui.matches import call_coyote
from tests.webui.room import Room, match_of, room_with

PLAIN = Phone(has_script=False)
WEIGHT = 60_000  # maximum transferred bytes of the score page's first load


@pytest.fixture(name="room")
def _room(tmp_path: Path, looks: Looks) -> Room:
    return room_with(match_of(seats=2), tmp_path, looks=looks, photographs=FakeReader())


@with_artwork
@slow("pages that only a moment of play has")
@each_phone
def test_card_question_and_pause_follow_the_layout_rules(
    chromium: Browser, site: Site, room: Room, phone: Phone
) -> None:
    called = call_coyote(match_of(seats=2))
    with open_phone(chromium, site, phone) as page:
        enter(page, room)
        sit(page, room, 0)
        room.client.summary = TableSummary(1, is_paused=True)
        assert look_at(page, "/host", "/host/check", "/", "/seat") == []
        room.client.match, room.client.summary = present(called.before), TableSummary(1)
        assert look_at(page, "/seat") == []
        room.client.match = called
        assert look_at(page, "/seat", "/seat/photo/reveal") == []


@with_artwork
def test_focus_is_visible_and_pages_work_by_keyboard(chromium: Browser, site: Site) -> None:
    with open_phone(chromium, site) as page:
        page.goto("/join")
        while page.evaluate("() => document.activeElement.getAttribute('href')") != "/host":
            page.keyboard.press("Tab")
            outline = page.evaluate("() => getComputedStyle(document.activeElement).outlineWidth")
            assert outline == "3px"
        page.keyboard.press("Enter")
        page.wait_for_url("**/host")


@slow("plain HTML suffices")
def test_match_works_without_javascript(chromium: Browser, site: Site, room: Room) -> None:
    with (
        open_phone(chromium, site, PLAIN) as host,
        open_phone(chromium, site, PLAIN) as ana,
        open_phone(chromium, site, PLAIN) as bo,
        open_phone(chromium, site, PLAIN) as score,
    ):
        sit(ana, room, 0)
        sit(bo, room, 1)
        ana.get_by_role("button", name="Ana opens").click()
        say_number(ana, 12)
        assert ana.inner_text("#question") == "Bo is thinking."
        bo.get_by_role("link", name="Reload").click()
        bo.get_by_role("button", name="Coyote").click()
        for field in ("3", "20"):
            bo.get_by_role("spinbutton", name=field, exact=True).fill("1")
        bo.get_by_role("button", name="Confirm these cards").click()
        score.goto("/")
        assert "The total is 23" in score.inner_text("main")
        enter(host, room)
        host.goto("/host")
        host.locator(".answers li", has_text="20").get_by_role("link").click()
        for field, count in (("20", "0"), ("4", "1")):
            host.get_by_role("spinbutton", name=field, exact=True).fill(count)
        host.get_by_role("button", name="Confirm these cards").click()
        score.get_by_role("link", name="Reload").click()
        assert "The total is 7" in score.inner_text("main")
        # cards were revealed, so only a correction can undo it
        assert host.get_by_role("button", name="Take back").count() == 0
        ana.get_by_role("link", name="Reload").click()
        assert ana.get_by_role("button", name="Undo the last answer").count() == 0


@with_artwork
def test_score_page_is_small_and_renders_before_scripts(chromium: Browser, site: Site) -> None:
    with open_phone(chromium, site) as page:
        weighed, bytes_each = page.context.new_cdp_session(page), list[float]()
        weighed.send("Network.enable")
        weighed.on("Network.loadingFinished", lambda told: bytes_each.append(told["encodedDataLength"]))
        page.goto("/", wait_until="load")
        assert len(bytes_each) >= 3
        assert sum(bytes_each) < WEIGHT
        waiting = hold(page, "**/*.js*")
        page.goto("/", wait_until="commit")
        page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length")
        assert page.locator(".plate").count() == 2
        assert waiting
        for route in waiting:
            route.continue_()
