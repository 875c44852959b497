"""The pages of the table's computer, as a phone and a desk show them: power and loudspeakers."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.house import faults
from tests.browser.layout import small_targets
from tests.browser.moments import served
from tests.webui.fakes import FakePower, FakeSound
from tests.webui.room import Room, match_of, room_with

SIZES = ((390, 844), (1280, 800))


@pytest.fixture(name="room")
def _room(tmp_path: Path) -> Room:
    return room_with(match_of(), tmp_path, power=FakePower(), sound=FakeSound())


@pytest.fixture(name="page", params=["light", "dark"])
def _page(chromium: Browser, room: Room, request: pytest.FixtureRequest) -> Iterator[Page]:
    with served(room) as site:
        context = chromium.new_context(base_url=site, color_scheme=request.param, locale="fr")
        page = context.new_page()
        page.goto("/host")
        page.fill("input[name=pin]", room.browser().links.pin)
        page.click("main button")
        page.wait_for_selector(".room")
        yield page
        context.close()


def look_at(page: Page) -> list[str]:
    """Look at a page in both sizes: what is wrong for eyes, fingers and screen readers."""
    found = list[str]()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        found += [*faults(page), *small_targets(page)]
    return found


def test_switching_off_asks_once_more_and_says_when_to_pull_the_plug(page: Page) -> None:
    page.goto("/host/power")
    page.locator("summary").first.click()
    assert look_at(page) == []
    page.locator(".asks button").first.click()
    page.wait_for_selector("#going")
    assert look_at(page) == []
    assert page.locator("#gone").is_hidden()
    # the table ends
    page.context.set_offline(offline=True)
    page.wait_for_selector("#gone", state="visible", timeout=60_000)
    page.context.set_offline(offline=False)
    page.wait_for_selector("#gone", state="hidden", timeout=60_000)


def test_after_a_new_start_the_page_leads_back(page: Page) -> None:
    page.goto("/host/power")
    page.locator("summary").last.click()
    page.locator(".asks button").last.click()
    page.wait_for_selector("#going")
    page.context.set_offline(offline=True)
    page.wait_for_selector("#going[data-gone]", timeout=60_000)
    page.context.set_offline(offline=False)
    page.wait_for_url("**/host", timeout=60_000)


def test_a_loudspeaker_is_tried_and_said_to_be_heard(page: Page) -> None:
    page.goto("/host/loudspeakers")
    assert look_at(page) == []
    page.locator("main .people button").first.click()
    page.wait_for_selector("#heard")
    assert look_at(page) == []
