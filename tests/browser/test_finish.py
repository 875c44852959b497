"""The end of a match on phones, on the screen and at the simulated table: seen at once, nothing covered."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from firmware.services.looks import Looks
from referee.match import Match
from tests.browser.house import Phone
from tests.browser.layout import expect_at_once, lengthen_story
from tests.browser.layout_rules import NARROW, page_faults
from tests.browser.moments import Moment, find_match, is_over, match_at
from tests.browser.rooms import become_screen, come_in, page_of
from tests.given import present
from tests.tiers import tiered
from tests.webui.fakes import FakeTwin
from tests.webui.room import room_with
from webui.access.viewers import SEAT

CROWD = find_match(Moment("crowd", "coyote", 12, is_over, "oliphante", boxes=2))
"""Twelve players, half of them with long names."""
GAMES = ("coyote", "coup", "coup-d-etat", "plenty-coups", "ogallala")
ENDS = [*(match_at(f"{game}-won") for game in tiered(GAMES[:2], GAMES)), CROWD]
OVERLAPS = """selectors => {
  const boxes = selectors.flatMap(each => [...document.querySelectorAll(each)].map(node =>
    [each, node.getBoundingClientRect()]));
  const apart = (a, b) => a.right <= b.left + 1 || a.bottom <= b.top + 1;
  const over = ([one, a], [other, b]) => one !== other && !apart(a, b) && !apart(b, a);
  return boxes.flatMap((one, place) => boxes.slice(place + 1).filter(other => over(one, other))
    .map(other => `${one[0]} lies over ${other[0]}`));
}"""
CUT = """() => [...document.querySelectorAll(".moment, .moment p, .ranks li, .end-head, .home")]
  .filter(each => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1)
  .map(each => each.className || each.tagName)"""


def _names(match: Match) -> str:
    return f"{match.setup.game.name} {len(match.setup.names)}"


def _open(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_selector(".ranks")
    page.evaluate("document.fonts.ready")


@pytest.mark.parametrize("match", ENDS, ids=_names)
@pytest.mark.parametrize("code", tiered(["fr"], ["en", "fr"]))
def test_screen_covers_neither_emblem_nor_words(
    chromium: Browser, tmp_path: Path, match: Match, code: str
) -> None:
    room = room_with(match, tmp_path, looks=Looks())
    with page_of(chromium, room, Phone(1920, language=code, height=1080, misses=("404",))) as page:
        become_screen(page, room)
        _open(page, "/screen")
        assert page.evaluate(OVERLAPS, [".ring, .trophy", ".home", ".moment", ".end-words", ".ranks"]) == []
        assert page.evaluate(CUT) == []
        assert page_faults(page) == []


@pytest.mark.parametrize("match", ENDS, ids=_names)
@pytest.mark.parametrize("is_winner", [True, False])
def test_phone_shows_result_and_main_button_at_once(
    chromium: Browser, tmp_path: Path, match: Match, is_winner: bool
) -> None:
    winners = present(match.outcome).winners
    seat = winners[0] if is_winner else next(each for each in range(4) if each not in winners)
    room = room_with(match, tmp_path, looks=Looks())
    with page_of(chromium, room, Phone(language="fr", height=740)) as page:
        come_in(page, room.browser().sit(seat), SEAT)
        _open(page, "/seat")
        assert page.inner_text("h1").startswith("Gagné") == is_winner
        expect_at_once(page, ".end-head")
        expect_at_once(page, "form[action='/seat/again'] button")
        assert page.evaluate(CUT) == []
        assert page_faults(page) == []
        assert page.evaluate(OVERLAPS, [".over", ".moment", ".ranks", ".asking"]) == []
        page.set_viewport_size({"width": NARROW, "height": 640})
        assert page.evaluate(CUT) == []
        expect_at_once(page, "form[action='/seat/again'] button")
        assert page.evaluate("document.scrollingElement.scrollHeight") <= 640


@pytest.mark.parametrize("match", ENDS, ids=_names)
def test_laptop_shows_the_end_without_scrolling(chromium: Browser, tmp_path: Path, match: Match) -> None:
    room = room_with(match, tmp_path, twin=FakeTwin(), looks=Looks())
    with page_of(chromium, room, Phone(1366, height=650, misses=("404",))) as page:
        come_in(page, room.browser().sit(0), SEAT)
        _open(page, "/twin")
        lengthen_story(page)
        expect_at_once(page, ".end-head")
        # the page itself says that the match is over
        page.evaluate("document.getElementById('notice').hidden = false")
        page.locator(".ranks .first").first.click(trial=True, timeout=5000)
        page.locator("#again").click(trial=True, timeout=5000)
        page.locator(".end-head h1").click(trial=True, timeout=5000)
        assert page.evaluate("document.scrollingElement.scrollTop") == 0
        expect_at_once(page, "#again")
        assert page.evaluate(OVERLAPS, [".end-desk .window", ".moment", ".ranks", ".home", ".end-ways"]) == []
        assert page.evaluate(CUT) == []
