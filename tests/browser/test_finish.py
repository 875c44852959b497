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
from tests.browser.rooms import become_screen, give_seat, page_of
from tests.given import present
from tests.tiers import tiered
from tests.webui.fakes import FakeTwin
from tests.webui.room import room_with

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
def test_end_is_seen_at_once_and_covers_nothing(
    chromium: Browser, tmp_path: Path, match: Match, code: str
) -> None:
    winners = present(match.outcome).winners
    loser = next(each for each in range(4) if each not in winners)
    room = room_with(match, tmp_path, twin=FakeTwin(), looks=Looks())
    with page_of(chromium, room, Phone(1920, language=code, height=1080, misses=("404",))) as page:
        become_screen(page, room)
        _open(page, "/screen")
        assert page.evaluate(OVERLAPS, [".ring, .trophy", ".home", ".moment", ".end-words", ".ranks"]) == []
        assert page.evaluate(CUT) == []
        assert page_faults(page) == []
        for seat in (loser, winners[0]):
            give_seat(page, room, seat)
            check_phone(page)
            assert page.inner_text("h1").startswith(("Gagné", "You won")) == (seat in winners)
        # the fake of the simulated table has three seats
        give_seat(page, room, 0)
        check_laptop(page)


def check_phone(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    _open(page, "/seat")
    assert page_faults(page) == []
    assert page.evaluate(OVERLAPS, [".over", ".moment", ".ranks", ".asking"]) == []
    for width, height in ((360, 740), (NARROW, 640)):
        page.set_viewport_size({"width": width, "height": height})
        expect_at_once(page, ".end-head")
        expect_at_once(page, "form[action='/seat/again'] button")
        assert page.evaluate(CUT) == []
    assert page.evaluate("document.scrollingElement.scrollHeight") <= 640


def check_laptop(page: Page) -> None:
    page.set_viewport_size({"width": 1366, "height": 650})
    _open(page, "/twin")
    lengthen_story(page)
    expect_at_once(page, ".end-head")
    # the page itself says that the match is over
    page.evaluate("document.getElementById('notice').hidden = false")
    for each in (".ranks .first", "#again", ".end-head h1"):
        page.locator(each).first.click(trial=True, timeout=5000)
    assert page.evaluate("document.scrollingElement.scrollTop") == 0
    expect_at_once(page, "#again")
    assert page.evaluate(OVERLAPS, [".end-desk .window", ".moment", ".ranks", ".home", ".end-ways"]) == []
    assert page.evaluate(CUT) == []
