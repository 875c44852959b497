"""Reveals are scenes without a time limit; a ruling stays until the next claim."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page

from firmware.language.catalogues import language
from firmware.services.looks import Looks
from firmware.twin.simulated_table import TableView
from referee.moment_view import view_of
from referee.verdicts import last_verdict, reveal_of
from tests.browser.house import Phone, faults, open_phone, stop_time
from tests.browser.layout import overhang
from tests.browser.moments import match_at
from tests.browser.rooms import (
    STORE_LAST_EVENT,
    Site,
    become_screen,
    come_in,
    delayed_stream,
    open_at,
    page_of,
    served,
    sit,
)
from tests.firmware.board.inputs.matches import bidden
from tests.given import present
from tests.referee.games.coyote.script import play
from tests.referee.tables import after_any
from tests.waiting import until
from tests.webui.fakes import FakeTwin
from tests.webui.room import Room, room_with
from webui.access.viewers import SEAT
from webui.server.drawn_pages import match_id

COUNT, CAUGHT = match_at("coyote-count"), match_at("coup-caught")
HOUR = 3_600_000
COLOURS = """() => [...document.querySelectorAll(".plate")].map(plate =>
  [plate, plate.querySelector("i.lamp")].map(each => getComputedStyle(each).backgroundColor).join())"""
LAMPS = (
    "() => [...document.querySelectorAll('.plate i.lamp')].map(lamp => getComputedStyle(lamp).backgroundColor)"
)
PLATES = """() => [...document.querySelectorAll(".plate")].map(plate => getComputedStyle(plate))
  .map(style => `${style.backgroundColor} ${style.color}`)"""
HEARD = "document.getElementById('aloud').textContent + (document.activeElement.ariaLabel || '')"
"""What a screen reader announces: the log, and the name of the focused element."""
SCREEN = Phone(width=1920, height=1080)
WIDTHS = "() => [...document.querySelectorAll('.counting .card')].map(card => card.offsetWidth)"


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
        come_in(page, room.browser().sit(0), SEAT)
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


def test_all_cards_of_a_count_are_shown_at_once_on_request(at_table: Page, twin: ShowingTwin) -> None:
    at_table.click("#show-all")
    assert at_table.locator("#scene .brought > li:not(.up)").count() == 0
    assert at_table.locator("#hurry").is_visible()
    assert twin.hurries == 0


def test_simulated_table_scene_ends_by_key_only(at_table: Page, twin: ShowingTwin) -> None:
    verdict = turn_all_cards(at_table)
    at_table.wait_for_function(f"verdict => ({HEARD}).includes(verdict)", arg=verdict)
    assert "called Coyote on" in at_table.inner_text("#scene")
    # only one bot remarks on it
    assert at_table.locator("#asked .aside").count() == 1
    assert at_table.locator("#hurry").inner_text().startswith("On to round")
    assert at_table.locator(".plate.lost").count() == 1
    assert at_table.locator(".plate.turn").count() == 0
    at_table.clock.run_for(HOUR)
    at_table.keyboard.press("Tab")
    at_table.keyboard.press("Shift")
    assert at_table.locator("#scene").is_visible()
    assert twin.hurries == 0
    at_table.keyboard.press("x")
    until(lambda: twin.hurries == 1)
    at_table.locator("#scene").wait_for(state="detached")


def test_shared_question_is_announced_once(chromium: Browser, tmp_path: Path) -> None:
    match = bidden(15)
    room = room_with(match, tmp_path, twin=FakeTwin(), looks=Looks())
    phone = Phone(width=1440, height=900, language="fr", misses=("404",))
    with served(room) as site, open_phone(chromium, site, phone) as page:
        come_in(page, room.browser().sit(match.asks[0].seats[0]), SEAT)
        page.goto("/twin")
        page.wait_for_function(f"() => {HEARD}")
        heard, questions = page.evaluate(HEARD), page.locator("#asked h2").all_inner_texts()
    assert [heard.count(" ".join(each.split())) for each in questions] == [1, 1]
    assert heard.count("dit 15") == 1
    # with the language's typography
    assert not re.search(r"\w:", heard)


def test_tap_ends_a_scene(at_table: Page, twin: ShowingTwin) -> None:
    at_table.click("#show-all")
    at_table.click("#scene .calling")
    until(lambda: twin.hurries == 1)


def test_scale_labels_do_not_overlap(at_table: Page) -> None:
    at_table.set_viewport_size({"width": 1280, "height": 800})
    lower, upper = at_table.evaluate(
        """() => {
          const [total, said] = ["0", "1"].map(each => document.querySelector(`.scale .mark${each}`));
          said.before(total);
          for (let dots = 0; dots < 15; dots += 1) said.after(document.createElement("li"));
          return [total, said].map(each => each.getBoundingClientRect()).map(({left, right}) => [left, right]);
        }"""
    )
    assert lower[1] <= upper[0]


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


def test_screen_scene_has_one_red_plate_and_no_gold(chromium: Browser, site: Site, room: Room) -> None:
    room.client.match = CAUGHT
    reveal = present(reveal_of(CAUGHT))
    with open_phone(chromium, site, SCREEN) as page:
        become_screen(page, room)
        page.goto("/screen")
        page.wait_for_selector(".revealed .ripped")
        assert page.locator(".plate.lost").count() == len(reveal.lost) == 1
        assert page.locator(".plate.turn").count() == 0
        assert page.get_attribute(".revealed .verdict", "aria-live") == "assertive"
        assert page.locator(".lastline").count() == 0
        assert faults(page) == []


def test_colours_reveal_no_winner_before_the_count(chromium: Browser, site: Site, room: Room) -> None:
    room.client.match = COUNT.before
    with open_phone(chromium, site, replace(SCREEN, is_still=False)) as page:
        become_screen(page, room)
        stop_time(page)
        with delayed_stream(page):
            page.goto("/screen")
            page.wait_for_selector(".plate")
            room.client.tell(COUNT)
        page.wait_for_selector(".playing.layout-count")
        counting = page.evaluate(COLOURS)
        page.keyboard.press("a")
        page.wait_for_selector(".layout-count:not(.playing)")
        assert (len(set(counting)), len(set(page.evaluate(COLOURS)))) == (1, 3)


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


@pytest.mark.parametrize(("players", "cards"), [(4, "20 1 1 -5"), (6, "max0 ? 8 3 -5 x2")])
def test_counted_cards_are_large_with_their_owners(
    chromium: Browser, site: Site, room: Room, players: int, cards: str
) -> None:
    script = play("3 90 coyote", players, edition="gigamic").shows(cards, tuple(range(players)))
    room.client.match = script.match if "?" not in cards else script.shows("4").match
    with open_phone(chromium, site, SCREEN) as page:
        become_screen(page, room)
        page.goto("/screen")
        page.wait_for_selector(".counting")
        assert min(page.evaluate(WIDTHS)) >= 200
        told = [name for name in page.locator(".counting .whose").all_inner_texts() if name]
        assert sorted(told) == sorted(room.client.match.setup.names)
    with open_phone(chromium, site) as phone:
        sit(phone, room, 1)
        assert phone.locator(".in-scene .whose.gold").all_inner_texts() == ["yours"]


@pytest.mark.parametrize("phone", [Phone(1366, height=650), Phone()], ids=["desk", "phone"])
def test_score_page_crops_neither_coyote_nor_sun(
    chromium: Browser, site: Site, room: Room, phone: Phone
) -> None:
    parts = {"coyote-won": ".beast", "coyote-call": ".beast", "coyote-bid": ".sun .ring"}
    with open_phone(chromium, site, phone) as page:
        for moment, part in parts.items():
            open_at(page, room, "/", match_at(moment))
            assert overhang(page, f".scene {part}", ".window") <= 0, moment


def test_seat_page_shows_the_scene_from_its_view(chromium: Browser, site: Site, room: Room) -> None:
    room.client.match = CAUGHT
    reveal = present(reveal_of(CAUGHT))
    with open_phone(chromium, site) as page:
        sit(page, room, reveal.lost[0])
        page.wait_for_selector(f"[data-match='{match_id(CAUGHT)}'] .in-scene")
        assert "your" in page.inner_text(".in-scene .calling")
        assert page.locator(".strip.lost").count() == 1
        assert page.locator(".in-scene .ripped").count() == 1


def test_phone_and_screen_share_the_ruling_text(room: Room) -> None:
    room.client.match = decided = match_at("coup-decided")
    for seat in range(len(decided.setup.names)):
        line, said = view_of(decided, language("en"), seat).verdict, ruling_on_phone(room, seat)
        assert said == [present(line).text]
    room.client.match = CAUGHT
    assert ruling_on_phone(room, 0) == []


def ruling_on_phone(room: Room, seat: int) -> list[str]:
    page = room.browser().sit(seat).get("/seat").text
    return [unescape(said) for said in re.findall('class="said">(.*?)</span>', page)]
