"""The end of a match on phones, on the screen and at the simulated table: seen at once, nothing covered."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from firmware.services.looks import Looks
from referee.match import EndMatch, Match, hear
from tests.browser.house import Phone
from tests.browser.layout import is_seen_at_once, lengthen_story
from tests.browser.layout_rules import NARROW, page_faults
from tests.browser.moments import Moment, find_match, is_over, match_at
from tests.browser.rooms import become_screen, come_in, page_of
from tests.given import allowed, present
from tests.webui.fakes import FakeTwin
from tests.webui.room import room_with
from webui.access.viewers import SEAT

CROWD = find_match(Moment("crowd", "coyote", 12, is_over, "oliphante", boxes=2))
"""Twelve players, half of them with long names."""
GAMES = ("coyote", "coup", "coup-d-etat", "plenty-coups", "ogallala")
ENDS = [*(match_at(f"{game}-won") for game in GAMES), CROWD]
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
@pytest.mark.parametrize("code", ["en", "fr"])
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


@pytest.mark.parametrize("name", ["coyote-six", "coup-block", "plenty-coups-display", "ogallala-place"])
@pytest.mark.parametrize("code", ["en", "fr"])
def test_screen_of_a_match_ended_early_shows_whole_names_and_code(
    chromium: Browser, tmp_path: Path, name: str, code: str
) -> None:
    match = match_at(name)
    room = room_with(allowed(hear(match, EndMatch(match.number))), tmp_path, looks=Looks())
    with page_of(chromium, room, Phone(1920, language=code, height=1080, misses=("404",))) as page:
        become_screen(page, room)
        page.goto("/screen")
        page.evaluate("document.fonts.ready")
        names = page.locator(".who b")
        assert names.all_inner_texts() == list(match.setup.names)
        assert names.evaluate_all("each => each.every(one => one.scrollWidth <= one.clientWidth)")
        assert page.evaluate(OVERLAPS, [".ring, .trophy", ".home", ".end-words", ".rail"]) == []
        assert page.evaluate(CUT) == []
        assert is_seen_at_once(page, ".home .qr")
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
        assert is_seen_at_once(page, ".end-head")
        assert is_seen_at_once(page, "form[action='/seat/again'] button")
        assert page.evaluate(CUT) == []
        assert page_faults(page) == []
        assert page.evaluate(OVERLAPS, [".over", ".moment", ".ranks", ".asking"]) == []
        page.set_viewport_size({"width": NARROW, "height": 640})
        assert page.evaluate(CUT) == []
        assert is_seen_at_once(page, "form[action='/seat/again'] button")
        assert page.evaluate("document.scrollingElement.scrollHeight") <= 640


@pytest.mark.parametrize("match", ENDS, ids=_names)
def test_laptop_shows_the_end_without_scrolling(chromium: Browser, tmp_path: Path, match: Match) -> None:
    room = room_with(match, tmp_path, twin=FakeTwin(), looks=Looks())
    with page_of(chromium, room, Phone(1366, height=650, misses=("404",))) as page:
        come_in(page, room.browser().sit(0), SEAT)
        _open(page, "/twin")
        lengthen_story(page)
        assert is_seen_at_once(page, ".end-head")
        # the page itself says that the match is over
        page.evaluate("document.getElementById('notice').hidden = false")
        page.locator(".ranks .first").first.click(trial=True, timeout=5000)
        page.locator("#again").click(trial=True, timeout=5000)
        page.locator(".end-head h1").click(trial=True, timeout=5000)
        assert page.evaluate("document.scrollingElement.scrollTop") == 0
        assert is_seen_at_once(page, "#again")
        assert page.evaluate(OVERLAPS, [".end-desk .window", ".moment", ".ranks", ".home", ".end-ways"]) == []
        assert page.evaluate(CUT) == []


LABEL = """names => {
  const list = document.querySelector(".moment ol"), first = list.firstElementChild;
  list.closest(".moment").className = `moment of-${names.length}`;
  list.replaceChildren(...names.map(name => {
    const card = first.cloneNode(true);
    card.className = "";
    card.querySelector("span").textContent = name;
    return card;
  }));
}"""
"""Puts these labels above the cards of the moment, as in a plug-in's game."""
CUT_LABELS = """() => [...document.querySelectorAll(".moment li > span")]
  .filter(each => each.scrollWidth > each.clientWidth).map(each => each.textContent)"""


@pytest.mark.parametrize(
    "labels", [("trumps", "won"), ("trumps", "won", "won"), ("Chloé", "Maximilienne", "Ana", "Bo")], ids=len
)
@pytest.mark.parametrize("width", [NARROW, 1366])
def test_labels_above_cards_are_whole(
    chromium: Browser, tmp_path: Path, labels: tuple[str, ...], width: int
) -> None:
    match, is_phone = match_at("coup-won"), width == NARROW
    room = room_with(match, tmp_path, twin=FakeTwin(), looks=Looks())
    with page_of(chromium, room, Phone(width, height=640, misses=("404",))) as page:
        come_in(page, room.browser().sit(0), SEAT)
        _open(page, "/seat" if is_phone else "/twin")
        page.evaluate(LABEL, labels)
        assert page.evaluate(CUT_LABELS) == []
        assert not is_phone or page.evaluate("document.scrollingElement.scrollHeight") <= 640
