"""Many phones at one table: a stale tap, a table lost and found, phones that sleep, a match that changes."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.evening import SAY_IT, begin, say_number
from tests.browser.house import House, Phone, become_host, open_phone, take_seat

LOST = Phone(misses=("net::", "503", "409"))
COUNTDOWN = "() => /[0-5][0-9] s left/.test(document.body.innerText)"
MARK = "document.querySelector('#part').firstElementChild.id = 'drawn-before'"


@pytest.fixture
def host(chromium: Browser, house: House) -> Iterator[Page]:
    with open_phone(chromium, house, LOST) as page:
        become_host(page, house)
        yield page


@pytest.fixture
def together(chromium: Browser, house: House, host: Page) -> Iterator[tuple[Page, Page, Page]]:
    """Seat Ana and Bo with a phone each, and open one for a spectator."""
    begin(host, "coyote", ("Ana", "Bo", "Chloé"), edition="kidult", boxes="1")
    with ExitStack() as open_phones:
        ana, bo, score = (open_phones.enter_context(open_phone(chromium, house, LOST)) for _phone in range(3))
        take_seat(ana, house, 0)
        take_seat(bo, house, 1)
        score.goto("/")
        yield ana, bo, score


def open_round(ana: Page) -> None:
    """Let Ana open; the page that is left shows the next moment, too, until the one that follows is there."""
    with ana.expect_navigation():
        ana.get_by_role("button", name="Ana opens").click()


def test_of_two_phones_that_tap_at_once_one_is_told_why(together: tuple[Page, Page, Page]) -> None:
    ana, bo, score = together
    # Bo's phone is deaf, so that its tap comes too late
    bo.route("**/events/seat", lambda route: route.abort())
    bo.goto("/seat")
    open_round(ana)
    ana.wait_for_selector(SAY_IT)
    # fingers can't press what seems sent nowhere; keys can
    bo.get_by_role("button", name="Bo opens").press("Enter")
    bo.locator("main [role=alert]").wait_for()
    assert "Ana" in bo.locator(".asking").inner_text()
    # two taps of one thumb are one answer
    ana.fill("input[name=other]", "12")
    ana.dblclick(SAY_IT)
    score.get_by_text("Ana says 12.").first.wait_for()
    assert "Bo" in score.locator(".asked").inner_text()


def test_a_phone_that_slept_catches_up_and_one_that_goes_back_shows_what_stands(
    together: tuple[Page, Page, Page],
) -> None:
    ana, bo, score = together
    asleep = score.context.new_cdp_session(score)
    asleep.send("Page.setWebLifecycleState", {"state": "frozen"})
    open_round(ana)
    say_number(ana, 12)
    bo.get_by_role("button", name="Coyote").wait_for()
    ana.go_back()
    ana.get_by_text("Nothing to do: this page changes by itself").wait_for()
    say_number(bo, 13)
    bo.wait_for_selector(".fact.grown")
    asleep.send("Page.setWebLifecycleState", {"state": "active"})
    score.get_by_text("Bo says 13.").first.wait_for()
    score.click("#lately summary")
    assert score.get_by_text("Ana says 12.").first.is_visible()


def test_a_new_match_with_fewer_seats_reaches_open_phones(
    chromium: Browser, house: House, host: Page, together: tuple[Page, Page, Page]
) -> None:
    ana, _bo, score = together
    with open_phone(chromium, house, LOST) as chloe, open_phone(chromium, house, LOST) as twin:
        take_seat(chloe, house, 2)
        twin.goto("/twin")
        begin(host, "coup", ("Ana", "Bo"))
        score.get_by_role("heading", name="Coup").wait_for()
        ana.get_by_text("You are Ana.").wait_for()
        assert ana.locator(".plate").count() == 2
        chloe.get_by_label("Seat code").wait_for()
        twin.wait_for_selector("body.look-coup[data-game=coup]")
        assert twin.locator("body.look-coyote, .sheet.look-coyote").count() == 0


def test_what_is_typed_stays_when_the_page_moves_on(host: Page, together: tuple[Page, Page, Page]) -> None:
    ana, _bo, _score = together
    open_round(ana)
    ana.get_by_role("spinbutton", name="Number").fill("4")
    ana.evaluate(MARK)
    # what is wrong is told at once, and draws the page anew
    host.goto("/twin")
    host.click("#mischief > summary")
    host.locator("button[value=unplugged]").click()
    ana.wait_for_selector("#drawn-before", state="detached")
    number = ana.get_by_role("spinbutton", name="Number")
    assert number.input_value() == "4"
    ana.keyboard.type("2")
    assert number.input_value() == "42"
    assert ana.evaluate("document.activeElement.name") == "other"
    host.locator("button[value=well]").click()
    ana.locator(".alarm.lines").wait_for(state="detached")


def test_a_tap_is_not_lost_when_the_page_moves_on_under_the_finger(together: tuple[Page, Page, Page]) -> None:
    ana, bo, _score = together
    open_round(ana)
    bo.get_by_text("Ana").first.wait_for()
    bo.evaluate(MARK)
    # what the page would do later waits for us, so that no clock decides
    bo.evaluate("window.later = []; window.setTimeout = (act) => window.later.push(act)")
    bo.hover("#peek > summary")
    bo.mouse.down()
    say_number(ana, 12)
    bo.wait_for_function("() => window.later.some((act) => act?.name === 'showWaiting')")
    assert bo.locator("#drawn-before").count() == 1
    bo.mouse.up()
    bo.evaluate("window.later.filter((act) => act instanceof Function).forEach((act) => act())")
    bo.wait_for_selector("#drawn-before", state="detached")
    assert bo.evaluate("document.getElementById('peek').open")


def test_a_page_counts_down_what_the_clock_answers_and_stands_still_while_the_table_pauses(
    chromium: Browser, house: House, host: Page
) -> None:
    begin(host, "coup", ("Ana", "Bo", "Chloé"), window_seconds="60")
    with open_phone(chromium, house) as ana, open_phone(chromium, house) as bo:
        take_seat(ana, house, 0)
        take_seat(bo, house, 1)
        for said in ("Ana begins", "foreign aid", "any objections?"):
            with ana.expect_navigation(wait_until="domcontentloaded"):
                ana.locator("form.ask button[name=option]", has_text=said).click()
        bo.wait_for_function(COUNTDOWN)
        host.goto("/host")
        with host.expect_navigation(wait_until="domcontentloaded"):
            host.get_by_role("button", name="Pause").click()
        bo.wait_for_selector(".clock:not([data-ends])")
        with host.expect_navigation(wait_until="domcontentloaded"):
            host.get_by_role("button", name="Resume").click()
        bo.wait_for_function(COUNTDOWN)
