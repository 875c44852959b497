"""Every page: axe finds nothing, nothing is too wide, in both schemes and languages, on a phone and on a TV."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.browser import places
from tests.browser.evening import begin
from tests.browser.house import House, Phone, become_host, faults, open_phone, take_seat
from tests.browser.layout import is_seen_at_once, small_targets
from tests.browser.seat_taps import hand_over, hold_to_call, say_number

PHONES = (Phone(320, "light", "fr"), Phone(360, "dark", "en"), Phone(1920, "dark", "fr"))
LONG = [f"Anne-Élisabeth Vandenbroucke de La Tou{seat:02}" for seat in range(12)]

each_phone = pytest.mark.parametrize(
    "phone", PHONES, ids=lambda phone: f"{phone.width}-{phone.scheme}-{phone.language}"
)


def look_at(page: Page, addresses: Iterable[str]) -> list[str]:
    """Look at pages."""
    found: list[str] = []
    for address in addresses:
        response = page.goto(address, wait_until="domcontentloaded")
        if response is None or response.status != 200:
            found.append(f"{address}: {response and response.status}")
        found += now_shown(page)
    return found


def now_shown(page: Page) -> list[str]:
    """Look at what a page shows now."""
    page.wait_for_selector("main")
    return [f"{page.url}: {fault}" for fault in faults(page)]


def test_before_the_first_match_pages_are_good(chromium: Browser, tmp_path: Path) -> None:
    house = House(tmp_path)
    try:
        with open_phone(chromium, house, PHONES[0]) as page:
            assert look_at(page, places.OPEN) == []
    finally:
        house.close()


@each_phone
def test_a_table_of_twelve_with_long_names_is_good(chromium: Browser, house: House, phone: Phone) -> None:
    with open_phone(chromium, house, phone) as page:
        assert look_at(page, places.OPEN) == []
        become_host(page, house)
        begin(page, "coyote", LONG, edition="oliphante", boxes="2")
        take_seat(page, house, 11)
        assert look_at(page, ("/", *places.SEAT, *places.HOST)) == []


@each_phone
def test_a_table_that_pauses_and_is_set_up_is_good(chromium: Browser, house: House, phone: Phone) -> None:
    with open_phone(chromium, house, phone) as page:
        become_host(page, house)
        begin(page, "coyote", ("Ana", "Bo"), edition="kidult", boxes="1")
        take_seat(page, house, 0)
        for guided in ("table", "teach"):
            page.goto(f"/host/{guided}")
            page.locator(f"form[action='/host/{guided}/open'] button").first.click()
            closing = page.locator(f"form[action='/host/{guided}/close'] button")
            closing.wait_for()
            assert now_shown(page) == []
            assert small_targets(page) == []
            assert is_seen_at_once(page, ".bottom button")
            closing.click()
            closing.wait_for(state="detached")
        page.goto("/host")
        page.click("form[action='/host/pause'] button")
        page.wait_for_selector("form[action='/host/go-on']")
        assert look_at(page, ("/host", "/host/check", "/seat", "/")) == []
        assert page.locator("#part .alarm").is_visible()


@each_phone
def test_a_seat_that_is_asked_for_cards_and_hands_over_is_good(
    chromium: Browser, house: House, phone: Phone
) -> None:
    with open_phone(chromium, house, phone) as ana, open_phone(chromium, house) as bo:
        become_host(bo, house)
        begin(bo, "coyote", ("Ana", "Bo"), edition="kidult", boxes="1")
        take_seat(ana, house, 0)
        take_seat(bo, house, 1)
        ana.locator("button[value*='\"opens\"']").first.click()
        say_number(ana, 12)
        ana.wait_for_selector(".fact.grown")
        assert now_shown(ana) == []
        assert look_at(bo, ("/seat", "/twin")) == []
        bo.goto("/seat")
        hold_to_call(bo)
        ana.wait_for_selector(".stepper")
        assert now_shown(ana) == []
        ana.click("a[href^='/seat/photo/']")
        ana.wait_for_selector("form.photo")
        assert now_shown(ana) == []
        bo.goto("/seat")
        hand_over(bo)
        assert bo.locator("p.code").inner_text() == house.codes[1]
        assert now_shown(bo) == []


def test_what_is_unfolded_stays_so_when_the_table_goes_on(chromium: Browser, house: House) -> None:
    with open_phone(chromium, house) as ana, open_phone(chromium, house) as bo:
        become_host(bo, house)
        begin(bo, "coyote", ("Ana", "Bo"), edition="kidult", boxes="1")
        take_seat(ana, house, 0)
        take_seat(bo, house, 1)
        bo.click("#peek > summary")
        bo.click("#peek .last > summary")
        ana.locator("button[value*='\"opens\"']").first.click()
        say_number(ana, 12)
        bo.wait_for_selector("button.howl")
        assert bo.locator("#peek .last button").is_visible()


def test_a_player_who_hands_a_seat_over_sees_its_code_however_slow_the_page_comes(
    chromium: Browser, house: House
) -> None:
    with open_phone(chromium, house) as host, open_phone(chromium, house) as bo:
        become_host(host, house)
        begin(host, "coyote", ("Ana", "Bo"), edition="kidult", boxes="1")
        take_seat(bo, house, 1)

        ended: list[str] = []
        # whichever comes first: the table ends the stream, or the page lets go of it
        for outcome in ("requestfinished", "requestfailed"):
            bo.on(outcome, lambda request: ended.append(request.url))

        def late(route: Route) -> None:
            # the page hears that its seat is gone before it sees what it asked for
            answer = route.fetch(max_redirects=0)
            while not any("/events/seat" in url for url in ended):
                bo.wait_for_timeout(20)
            route.fulfill(response=answer)

        bo.route("**/seat/hand-over", late)
        hand_over(bo)
        assert bo.locator("p.code").inner_text() == house.codes[1]


def test_what_is_not_there_is_said_well(chromium: Browser, house: House) -> None:
    with open_phone(chromium, house, Phone(320, misses=("404",))) as page:
        page.goto("/nowhere")
        assert now_shown(page) == []
        assert page.get_by_role("link", name="To the score").is_visible()


def test_the_focus_is_seen_and_every_page_is_walked_by_keys(chromium: Browser, house: House) -> None:
    with open_phone(chromium, house) as page:
        page.goto("/join")
        while page.evaluate("() => document.activeElement.getAttribute('href')") != "/host":
            page.keyboard.press("Tab")
            outline = page.evaluate("() => getComputedStyle(document.activeElement).outlineWidth")
            assert outline == "3px"
        page.keyboard.press("Enter")
        page.wait_for_url("**/host")


def test_a_big_screen_always_shows_the_way_in(chromium: Browser, house: House) -> None:
    with open_phone(chromium, house, Phone(1920)) as page:
        become_host(page, house)
        begin(page, "coyote", LONG, edition="oliphante", boxes="2")
        page.goto("/")
        page.set_viewport_size({"width": 1920, "height": 540})
        page.mouse.wheel(0, 5000)
        page.wait_for_function("() => scrollY > 0")
        shown = page.locator(".joining svg").bounding_box()
        assert shown is not None
        assert 0 <= shown["y"] <= 540 - shown["height"]
