"""What must work without JavaScript, and on a slow network."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Route

from tests.browser.evening import begin
from tests.browser.house import House, Phone, become_host, open_phone, take_seat
from tests.browser.seat_taps import say_number

PLAIN = Phone(has_script=False)
WEIGHT = 60_000
"""Bytes on the wire that a first look at the score may cost."""


@pytest.fixture(autouse=True)
def match(chromium: Browser, house: House) -> Iterator[None]:
    with open_phone(chromium, house) as host:
        become_host(host, house)
        begin(host, "coyote", ("Ana", "Bo"), edition="kidult", boxes="1")
        yield


def test_a_match_goes_on_without_javascript(chromium: Browser, house: House) -> None:
    with (
        open_phone(chromium, house, PLAIN) as host,
        open_phone(chromium, house, PLAIN) as ana,
        open_phone(chromium, house, PLAIN) as bo,
        open_phone(chromium, house, PLAIN) as score,
    ):
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
        ana.get_by_text("The total is 7").first.wait_for()
        assert ana.get_by_role("button", name="Undo the last answer").count() == 0


def test_the_score_is_painted_before_any_script_comes(chromium: Browser, house: House) -> None:
    with open_phone(chromium, house) as page:
        waiting: list[Route] = []

        def hold(route: Route) -> None:
            waiting.append(route)

        page.route("**/*.js", hold)
        page.goto("/", wait_until="commit")
        page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length")
        assert page.locator(".plate").count() == 2
        assert waiting
        for route in waiting:
            route.continue_()


def test_the_score_weighs_little(chromium: Browser, house: House) -> None:
    with open_phone(chromium, house) as page:
        weighed = page.context.new_cdp_session(page)
        weighed.send("Network.enable")
        bytes_each: list[float] = []
        weighed.on("Network.loadingFinished", lambda told: bytes_each.append(told["encodedDataLength"]))
        page.goto("/", wait_until="load")
        assert len(bytes_each) >= 3
        assert sum(bytes_each) < WEIGHT
