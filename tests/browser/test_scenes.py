"""Reveals are scenes without a time limit; a ruling stays until the next claim."""

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page

from firmware.services.looks import Looks
from firmware.twin.simulated_table import TableView
from referee.verdicts import last_verdict
from tests.browser.house import Phone, open_phone, stop_time
from tests.browser.moments import match_at
from tests.browser.rooms import STORE_LAST_EVENT, Site, become_screen, give_seat, page_of, served
from tests.firmware.board.inputs.matches import bidden
from tests.referee.tables import after_any
from tests.waiting import until
from tests.webui.fakes import FakeTwin
from tests.webui.room import Room, room_with

COUNT = match_at("coyote-count")
HOUR, MINUTE = 3_600_000, 60_000  # milliseconds
LAMPS = (
    "() => [...document.querySelectorAll('.plate i.lamp')].map(lamp => getComputedStyle(lamp).backgroundColor)"
)
PLATES = """() => [...document.querySelectorAll(".plate")].map(plate => getComputedStyle(plate))
  .map(style => `${style.backgroundColor} ${style.color}`)"""
HEARD = "document.getElementById('aloud').textContent + (document.activeElement.ariaLabel || '')"
"""What a screen reader announces: the log, and the name of the focused element."""
SCREEN = Phone(width=1920, height=1080)


class ShowingTwin(FakeTwin):
    """A simulated table that shows a reveal until it is continued."""

    def table(self, seat: int | None) -> TableView:
        return replace(super().table(seat), is_showing=not self.hurries, zone=(), laid=(), wrong=())

    @property
    def hurries(self) -> int:
        return self.asked.count(("hurry",))


@pytest.fixture
def twin() -> ShowingTwin:
    return ShowingTwin()


@pytest.fixture
def at_table(chromium: Browser, twin: ShowingTwin, tmp_path: Path) -> Iterator[Page]:
    room = room_with(COUNT, tmp_path, twin=twin, looks=Looks())
    with page_of(chromium, room, Phone(width=1440, height=900, misses=("404",))) as page:
        give_seat(page, room, 0)
        stop_time(page)
        page.goto("/twin")
        page.wait_for_selector("#scene")
        yield page


def turn_all_cards(page: Page) -> str:
    """Turn the cards of a count by keys and taps; returns the verdict, which comes after the last one."""
    cards, result = page.locator("#scene .brought > li"), page.locator("#asked .result")
    for turned in range(cards.count()):
        assert page.locator("#scene .brought > li.up").count() == turned
        assert not result.is_visible()
        assert not page.locator("#scene .own.up").count(), "the own card is turned last"
        assert not page.locator("#scene .outcome").is_visible()
        assert len(set(page.evaluate(PLATES))) == len(set(page.evaluate(LAMPS))) == 1
        assert not page.locator("#digits").is_visible()
        (page.keyboard.press(" ") if turned % 2 else page.click("#next-card"))
    assert result.is_visible()
    # marks and log follow when the table goes on
    assert page.locator(".signs").count() == 3
    assert page.locator(".signs .full").count() == 0
    verdict = page.inner_text("#asked h2")
    assert verdict not in page.inner_text("#story")
    return verdict


def test_simulated_table_scene_ends_by_key_only(at_table: Page, twin: ShowingTwin) -> None:
    verdict = turn_all_cards(at_table)
    at_table.wait_for_function(f"verdict => ({HEARD}).includes(verdict)", arg=verdict)
    assert "called Coyote on" in at_table.inner_text("#scene")
    # only one bot remarks on it
    assert at_table.locator("#asked .aside").count() == 1
    assert at_table.locator("#hurry").inner_text().startswith("On to round")
    assert at_table.locator(".plate.lost").count() == 1
    assert at_table.locator(".plate.turn").count() == 0
    # running each frame of the hour would take seconds
    at_table.clock.fast_forward(HOUR)
    at_table.clock.run_for(MINUTE)
    at_table.keyboard.press("Tab")
    at_table.keyboard.press("Shift")
    assert at_table.locator("#scene").is_visible()
    assert twin.hurries == 0
    at_table.keyboard.press("x")
    until(lambda: twin.hurries == 1)
    at_table.locator("#scene").wait_for(state="detached")


def test_shared_question_is_announced_once(chromium: Browser, tmp_path: Path) -> None:
    match = bidden(15)
    room = room_with(match, tmp_path, twin=FakeTwin())
    phone = Phone(width=1440, height=900, language="fr", misses=("404",))
    with served(room) as site, open_phone(chromium, site, phone) as page:
        give_seat(page, room, match.asks[0].seats[0])
        page.goto("/twin")
        page.wait_for_function(f"() => {HEARD}")
        heard, questions = page.evaluate(HEARD), page.locator("#asked h2").all_inner_texts()
    assert [heard.count(" ".join(each.split())) for each in questions] == [1, 1]
    assert heard.count("dit 15") == 1
    # with the language's typography
    assert not re.search(r"\w:", heard)


def test_scene_stays_open_when_another_player_continues(at_table: Page, twin: ShowingTwin) -> None:
    other = at_table.context.new_page()
    other.add_init_script(STORE_LAST_EVENT)
    other.goto(at_table.url)
    other.wait_for_selector("#scene")
    # its event stream is open
    other.wait_for_function("() => window.newest")
    at_table.click("#show-all")
    at_table.click("#hurry")
    at_table.locator("#scene").wait_for(state="detached")
    other.wait_for_function("() => window.newest && !window.newest.includes('stagecard')")
    assert other.locator("#scene").is_visible()
    other.click("#show-all")
    other.click("#hurry")
    other.locator("#scene").wait_for(state="detached")
    assert twin.hurries == 1


def test_ruling_stays_on_screen_until_the_next_claim(chromium: Browser, site: Site, room: Room) -> None:
    room.client.match = claimed = decided = match_at("coup-decided")
    rng = Random(1)
    while last_verdict(claimed) is not None:
        claimed = after_any(claimed, rng)
    with open_phone(chromium, site, SCREEN) as page:
        become_screen(page, room)
        page.goto("/screen")
        assert "showed no" in page.inner_text(f"[data-moment='{decided.number}'] > .lastline b")
        room.client.tell(claimed)
        page.wait_for_selector(f"[data-moment='{claimed.number}']")
        assert page.locator(".lastline").count() == 0
