"""The host's control room in a thumb's reach."""

import pytest
from playwright.sync_api import Browser

from tests.browser.evening import begin
from tests.browser.house import House, Phone, become_host, faults, open_phone, take_seat
from tests.browser.layout import is_seen_at_once, overlaps, small_targets
from tests.browser.seat_taps import say_number

HOST = Phone(misses=("404",))
"""The simulated table, where bots are sent away, still asks for cards of the match before."""
PARTS = ".health a, .people li, .answers li, .bottom .choice, .bottom .say, .strip > *"


@pytest.mark.parametrize("language", ["en", "fr"])
def test_what_the_host_needs_is_seen_at_once(chromium: Browser, house: House, language: str) -> None:
    with open_phone(chromium, house, Phone(language=language, misses=HOST.misses)) as page:
        become_host(page, house)
        # other tests have let in people by other names
        begin(page, "coyote", ("Ulla", "Nils", "Frieda", "Dédé"), edition="gigamic", boxes="1")
        for part in (".health li:last-child", ".people li:last-child", ".bottom .say", ".bottom a", ".more"):
            assert is_seen_at_once(page, part), part
        for address in ("/host", "/host/more", "/host/people"):
            page.goto(address)
            assert small_targets(page) == []
            assert overlaps(page, PARTS) == []


def test_two_taps_correct_and_the_room_follows_by_itself(chromium: Browser, house: House) -> None:
    with open_phone(chromium, house, HOST) as host, open_phone(chromium, house) as seat:
        become_host(host, house)
        begin(host, "coyote", ("Ana", "Bo"), edition="kidult", boxes="1")
        take_seat(seat, house, 0)
        host.goto("/host")
        seat.locator("button[name=option]").first.click()
        host.locator(".answers .choice").first.wait_for()
        seat.goto("/seat")
        say_number(seat, 3)
        host.locator(".answers").get_by_text("Ana: 3").wait_for()
        host.locator(".answers .choice").first.click()
        host.locator("button[name=number][value='5']").click()
        host.locator(".answers").get_by_text("Ana: 5").wait_for()
        assert small_targets(host) == []


def test_a_person_is_put_out_only_when_that_is_said_twice(chromium: Browser, house: House) -> None:
    with open_phone(chromium, house, HOST) as host, open_phone(chromium, house) as seat:
        become_host(host, house)
        begin(host, "coyote", ("Gil", "Bo"), edition="kidult", boxes="1")
        take_seat(seat, house, 0)
        host.goto("/host")
        row = host.locator(".people li", has_text="Gil")
        row.locator("summary").click()
        assert host.locator(".people li", has_text="Gil").locator("summary").count() == 1
        row.get_by_role("button", name="Put Gil out").click()
        row.get_by_role("link", name="Code of Gil").wait_for()


def test_a_camera_that_is_framed_is_seen_with_its_gauges(chromium: Browser, house: House) -> None:
    with open_phone(chromium, house, Phone(language="fr", misses=HOST.misses)) as page:
        become_host(page, house)
        begin(page, "coyote", ("Ana", "Bo"), edition="kidult", boxes="1")
        page.goto("/host/table")
        page.click("form[action='/host/table/open'] button")
        # the simulated camera hangs where it belongs
        page.wait_for_selector(".sight .needed.well")
        assert page.locator(".gauges .good").count() == 3
        assert page.locator("h1").inner_text() == "Bien. Les quatre repères sont en place."
        assert faults(page) == []
        for part in ("h1", ".gauges li:last-child", ".bottom .say"):
            assert is_seen_at_once(page, part), part
        page.click("form[action='/host/table/close'] button")
