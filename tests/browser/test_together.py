"""Many phones at one table: stale taps, lost connections, sleeping phones, changing matches."""

from collections.abc import Iterator
from contextlib import ExitStack
from time import monotonic

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page

from firmware.table.client import TableSummary
from referee.contract import Answer, Option
from referee.games.catalogue import GAMES
from referee.match import hear
from tests.browser.house import ANNOUNCE_BUTTON, Phone, open_phone, say_number
from tests.browser.rooms import Site, sit, trigger_redraw, with_artwork
from tests.given import allowed
from tests.webui.matches import open_round as open_round_of
from tests.webui.room import Room, match_of
from vision.troubles import Problem

LOST = Phone(misses=("net::", "503", "409"))
COUNTDOWN = "() => /^[0-5][0-9]\\s+s/.test(document.querySelector('[role=timer][data-ends]')?.innerText)"
MARKER = "document.querySelector('#part').firstElementChild.id = 'drawn-before'"
Phones = tuple[Page, Page, Page]


@pytest.fixture
def together(chromium: Browser, site: Site, room: Room) -> Iterator[Phones]:
    with ExitStack() as open_phones:
        ana, bo, score = (open_phones.enter_context(open_phone(chromium, site, LOST)) for _phone in range(3))
        sit(ana, room, 0)
        sit(bo, room, 1)
        score.goto("/")
        yield ana, bo, score


def open_round(ana: Page) -> None:
    """Let Ana open; her page waits for the moment after the next one."""
    with ana.expect_navigation():
        ana.get_by_role("button", name="Ana opens").click()


def test_losing_simultaneous_tap_gets_a_reason(together: Phones) -> None:
    ana, bo, score = together
    # Bo's phone receives no events, so that its tap is too late
    bo.route("**/events/seat", lambda route: route.abort())
    bo.goto("/seat")
    open_round(ana)
    ana.wait_for_selector(ANNOUNCE_BUTTON)
    # buttons of a sent form are disabled for touch but not for keys
    bo.get_by_role("button", name="Bo opens").press("Enter")
    bo.locator("main [role=alert]").wait_for()
    assert "Ana" in bo.locator(".asking").inner_text()
    # a double tap is one answer
    ana.fill("input[name=other]", "12")
    ana.dblclick(ANNOUNCE_BUTTON)
    score.get_by_text("Ana says 12.").first.wait_for()
    assert "Bo" in score.locator(".asked").inner_text()


def test_phone_catches_up_after_sleep_and_back_button(together: Phones) -> None:
    ana, bo, score = together
    asleep = score.context.new_cdp_session(score)
    asleep.send("Page.setWebLifecycleState", {"state": "frozen"})
    open_round(ana)
    say_number(ana, 12)
    bo.get_by_role("button", name="Coyote").wait_for()
    ana.go_back()
    ana.locator("#question", has_text="Bo is thinking.").wait_for()
    say_number(bo, 13)
    bo.wait_for_selector("form.ask", state="detached")
    asleep.send("Page.setWebLifecycleState", {"state": "active"})
    score.get_by_text("Bo says 13.").first.wait_for()
    score.click("#lately summary")
    assert score.get_by_text("Ana says 12.").first.is_visible()


@with_artwork
def test_smaller_new_match_reaches_open_phones(together: Phones, room: Room) -> None:
    ana, chloe, score = together
    sit(chloe, room, 2)
    room.client.sit(match_of(GAMES["coup"], 2))
    score.get_by_role("heading", name="Coup").wait_for()
    score.wait_for_selector("body.look-coup[data-game=coup]")
    assert score.locator("body.look-coyote, .sheet.look-coyote").count() == 0
    # a seat's page names its player before and after; only the game is new
    ana.wait_for_selector("body.look-coup")
    assert ana.locator(".plate").count() == 2
    chloe.get_by_label("Seat code").wait_for()


@with_artwork
def test_typing_tapping_and_holding_survive_a_page_update(chromium: Browser, site: Site, room: Room) -> None:
    with open_phone(chromium, site, LOST) as ana, open_phone(chromium, site, LOST) as bo:
        sit(ana, room, 0)
        sit(bo, room, 1)
        open_round(ana)
        ana.get_by_role("spinbutton", name="Number").fill("4")
        ana.evaluate(MARKER)
        # faults are reported at once, and redraw the page
        trigger_redraw(room, Problem("hand stays"))
        ana.wait_for_selector("#drawn-before", state="detached")
        number = ana.get_by_role("spinbutton", name="Number")
        assert number.input_value() == "4"
        ana.keyboard.type("2")
        assert number.input_value() == "42"
        assert ana.evaluate("document.activeElement.name") == "other"
        trigger_redraw(room)
        for page in (ana, bo):
            page.locator(".alarm.lines").wait_for(state="detached")
        bo.wait_for_selector(f".phone[data-moment='{ana.locator('.phone').get_attribute('data-moment')}']")
        bo.evaluate(MARKER)
        # the test runs the page's timers, so that no clock decides
        bo.evaluate("window.later = []; window.setTimeout = (act) => window.later.push(act)")
        bo.hover("#peek > summary")
        bo.mouse.down()
        ana.click(ANNOUNCE_BUTTON)
        bo.wait_for_function("() => window.later.some((act) => act?.name === 'showWaiting')")
        assert bo.locator("#drawn-before").count() == 1
        bo.mouse.up()
        bo.evaluate("window.later.filter((act) => act instanceof Function).forEach((act) => act())")
        bo.wait_for_selector("#drawn-before", state="detached")
        assert bo.evaluate("document.getElementById('peek').open")
        bo.reload()
        bo.hover("button.howl")
        with bo.expect_navigation(wait_until="domcontentloaded"):
            bo.mouse.down()
            trigger_redraw(room, "camera")
        bo.mouse.up()
        ana.get_by_text("Bo calls Coyote").first.wait_for()


def test_countdown_runs_and_stops_in_a_pause(chromium: Browser, site: Site, room: Room) -> None:
    claim = open_round_of(
        match_of(GAMES["coup"], house=replace(GAMES["coup"].rules.house(), window_seconds=60))
    )
    for key, word in (("action", "tax"), ("objections", "objections")):
        room.client.match = claim = allowed(hear(claim, Answer(claim.number, key, Option(word), 0)))
    runs = room.client.summary = TableSummary(1, ends=tuple((ask.key, monotonic() + 60) for ask in claim.asks))
    with open_phone(chromium, site) as page:
        sit(page, room, claim.asks[0].seats[0])
        page.wait_for_function(COUNTDOWN)
        for status in (TableSummary(1, is_paused=True), runs):
            room.client.summary = status
            trigger_redraw(room)
            page.wait_for_selector(
                "[role=timer]:not([data-ends])" if status.is_paused else "[role=timer][data-ends]"
            )
        page.wait_for_function(COUNTDOWN)
