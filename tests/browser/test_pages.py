"""Every page: axe finds nothing, nothing is too wide; keys and plain HTML suffice, also on a slow network."""

from playwright.sync_api import Browser, Route

from tests.browser import places
from tests.browser.evening import begin, begin_duel, hold_to_call, say_number
from tests.browser.house import House, Phone, become_host, open_phone, take_seat
from tests.browser.places import each_phone, look_at, now_shown, weight_of

LONG = [f"Anne-Élisabeth Vandenbroucke de La Tou{seat:02}" for seat in range(12)]
PLAIN = Phone(has_script=False)
WEIGHT = 60_000
"""Bytes on the wire that a first look at the score may cost."""


@each_phone
def test_a_table_of_twelve_with_long_names_is_good(chromium: Browser, house: House, phone: Phone) -> None:
    with open_phone(chromium, house, phone) as page:
        assert look_at(page, places.OPEN) == []
        become_host(page, house)
        begin(page, "coyote", LONG, edition="oliphante", boxes="2")
        take_seat(page, house, 11)
        assert look_at(page, places.SEAT) == []
        assert look_at(page, places.HOST) == []


@each_phone
def test_a_seat_that_is_asked_for_cards_and_a_table_that_pauses_are_good(
    chromium: Browser, house: House, phone: Phone
) -> None:
    with open_phone(chromium, house, phone) as ana, open_phone(chromium, house) as bo:
        begin_duel(bo, house)
        take_seat(ana, house, 0)
        bo.goto("/host")
        bo.click("form[action='/host/pause'] button")
        bo.wait_for_selector("form[action='/host/go-on']")
        assert look_at(bo, ("/host", "/host/check", "/")) == []
        assert look_at(ana, ("/seat",)) == []
        bo.goto("/host")
        bo.click("form[action='/host/go-on'] button")
        take_seat(bo, house, 1)
        bo.click("#peek > summary")
        bo.click("#peek .last > summary")
        ana.locator("button[value*='\"opens\"']").first.click()
        say_number(ana, 12)
        ana.wait_for_selector(".fact.grown")
        assert now_shown(ana) == []
        bo.wait_for_selector("button.howl")
        # what is unfolded stays so when the table goes on
        assert bo.locator("#peek .last button").is_visible()
        bo.goto("/seat")
        hold_to_call(bo)
        ana.wait_for_selector(".stepper")
        assert now_shown(ana) == []
        ana.click("a[href^='/seat/photo/']")
        ana.wait_for_selector("form.photo")
        assert now_shown(ana) == []


def test_the_focus_is_seen_and_every_page_is_walked_by_keys(chromium: Browser, house: House) -> None:
    with open_phone(chromium, house) as page:
        page.goto("/join")
        while page.evaluate("() => document.activeElement.getAttribute('href')") != "/host":
            page.keyboard.press("Tab")
            outline = page.evaluate("() => getComputedStyle(document.activeElement).outlineWidth")
            assert outline == "3px"
        page.keyboard.press("Enter")
        page.wait_for_url("**/host")


def test_a_match_goes_on_without_javascript(chromium: Browser, house: House) -> None:
    with (
        open_phone(chromium, house) as starter,
        open_phone(chromium, house, PLAIN) as host,
        open_phone(chromium, house, PLAIN) as ana,
        open_phone(chromium, house, PLAIN) as bo,
        open_phone(chromium, house, PLAIN) as score,
    ):
        begin_duel(starter, house)
        take_seat(ana, house, 0)
        take_seat(bo, house, 1)
        ana.get_by_role("button", name="Ana opens").click()
        say_number(ana, 12)
        assert "Nothing to do: this page changes by itself" in ana.inner_text("main")
        bo.get_by_role("link", name="Reload").click()
        bo.get_by_role("button", name="Coyote").click()
        for field in ("3", "20"):
            bo.get_by_role("spinbutton", name=field, exact=True).fill("1")
        bo.get_by_role("button", name="Confirm these cards").click()
        score.goto("/")
        assert "The total is 23" in score.inner_text("main")
        become_host(host, house)
        host.locator(".answers li", has_text="20").get_by_role("link").click()
        for field, count in (("20", "0"), ("4", "1")):
            host.get_by_role("spinbutton", name=field, exact=True).fill(count)
        host.get_by_role("button", name="Confirm these cards").click()
        score.get_by_role("link", name="Reload").click()
        assert "The total is 7" in score.inner_text("main")
        # cards have come to light: only a correction undoes that
        assert host.get_by_role("button", name="Take back").is_disabled()
        ana.get_by_role("link", name="Reload").click()
        assert ana.get_by_role("button", name="Undo the last answer").count() == 0


def test_the_score_weighs_little_and_is_painted_before_any_script_comes(
    chromium: Browser, house: House
) -> None:
    with open_phone(chromium, house) as host, open_phone(chromium, house) as page:
        begin_duel(host, house)
        assert weight_of(page, "/") < WEIGHT
        waiting: list[Route] = []
        page.route("**/*.js*", lambda route: waiting.append(route))  # noqa: PLW0108 - it marks what it is given
        page.goto("/", wait_until="commit")
        page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length")
        assert page.locator(".plate").count() == 2
        assert waiting
        for route in waiting:
            route.continue_()
