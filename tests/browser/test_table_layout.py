"""The page of the simulated table on laptops: nothing overlaps, is clipped or needs scrolling."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page

from firmware.language.catalogues import language
from firmware.twin.simulated_table import RequestedPose
from referee.games.catalogue import GAMES
from referee.match import Match
from referee.moment_view import view_of
from referee.verdicts import reveal_of
from tests.browser.house import Phone, open_phone
from tests.browser.layout import covered, misplaced
from tests.browser.layout_rules import page_faults
from tests.browser.rooms import STORE_LAST_EVENT, Site, give_seat, open_at, page_of, served
from tests.browser.table_states import VIEWER, DealtTable, dealt_table, kind_of
from tests.firmware.twin.twin_tables import NoBots
from tests.given import present
from tests.tiers import ALL, slow, tiered
from tests.waiting import until
from tests.webui.room import HERE

SHEET = "#rulesheet"
LAPTOPS = ((1366, 650), (1180, 760), *tiered((), ((1280, 800),)))  # first the lowest and the narrowest
HARD = {
    "coyote": (6, ("announce, turn", "lay reveal")),
    "coup": (6, ("action", "challenge-or-block")),
    "coup-d-etat": (4, ("holder, nobody", "lay card")),
    "plenty-coups": (5, ("action of many", "lay raid-rider")),
    "ogallala": (4, ("place of many", "turn, lay draw")),
}
"""Players, and questions that need much space: large hands, many answers, cards in several places."""
HAND_BELOW = """() => [...document.querySelectorAll(".hand:not(.covered)")]
  .map((hand) => hand.getBoundingClientRect().bottom - innerHeight).filter((below) => below > 0)
  .map((below) => `the hand is ${below} pixels below the fold`)"""
RIVER = """columns => document.querySelector(".spread").insertAdjacentHTML("beforeend",
  `<div class="river"><ol class="of-${columns}">${"<li></li>".repeat(columns)}</ol></div>`)"""
"""Draws a one-row river as it is after some turns."""
QUIET = ("404", "204", "Failed")  # there is no camera


@pytest.fixture(name="desk", scope="module", params=tiered(("fr",), ("en", "fr")))
def _desk(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """Open a laptop's page, for tables at several addresses one after another."""
    phone = Phone(1366, language=request.param, height=650, misses=QUIET)
    with open_phone(chromium, Site(f"http://{HERE}"), phone) as page:
        yield page


@contextmanager
def seated(desk: Page, table: DealtTable) -> Iterator[Site]:
    with served(table.room) as site:
        give_seat(desk, table.room, VIEWER)
        yield site
        desk.goto("about:blank")


def faults_now(page: Page, table: DealtTable, address: str = "/twin") -> dict[str, list[str]]:
    found = {}
    open_at(page, table.room, address, table.match)
    for width, height in LAPTOPS:
        page.set_viewport_size({"width": width, "height": height})
        found[f"{kind_of(table.match)} {width}"] = misplaced(page) + page_faults(page)
    page.set_viewport_size({"width": 390, "height": 844})
    found[f"{kind_of(table.match)} on a phone"] = page.evaluate(HAND_BELOW)
    return {key: faults for key, faults in found.items() if faults}


@slow("three sizes of several pages in a browser")
@pytest.mark.parametrize("game", GAMES)
def test_question_fits_beside_the_table(desk: Page, tmp_path: Path, game: str) -> None:
    (seats, hard), seen, found = HARD[game], set[str](), {}
    with dealt_table(GAMES[game], seats, tmp_path) as table, seated(desk, table) as site:
        for match in table.play(Random(1)):
            kind = kind_of(match)
            if kind and kind not in seen and (ALL or kind in hard):
                seen.add(kind)
                found |= faults_now(desk, table, site.address("/twin"))
            if not ALL and seen == {*hard}:
                break
    assert seen >= {*hard}
    assert found == {}


AIM_WIDTHS = "() => [...document.querySelectorAll('.rivers button')].map(card => card.offsetWidth)"


@slow("a match until the Archer may aim at each rival")
def test_archer_aims_at_cards_that_can_be_tapped(chromium: Browser, tmp_path: Path) -> None:
    with dealt_table(GAMES["ogallala"], 4, tmp_path) as table:
        aims = (match for match in table.play(Random(6)) if kind_of(match) == "archer of many")
        assert next(match for match in aims if len({each.seat for each in match.asks[0].options}) == 3)
        with page_of(chromium, table.room, Phone(1366, height=650, misses=QUIET)) as page:
            give_seat(page, table.room, VIEWER)
            assert faults_now(page, table) == {}
            page.set_viewport_size({"width": 1366, "height": 650})
            assert min(page.evaluate(AIM_WIDTHS)) >= 24  # pixels
            # nor do places of a longer river overlap
            for columns, width in product((5, 9), (390, 1280)):
                page.evaluate(RIVER, columns)
                page.set_viewport_size({"width": width, "height": 844})
                assert covered(page, f".river .of-{columns} li") == []


TOPS = "() => ['.cloth', '.zone'].map(each => document.querySelector(each).getBoundingClientRect().top)"
RIVER_WIDTH = "() => document.querySelector('.spread > .river').offsetWidth"


@slow("two questions of a match in a browser")
def test_laying_has_its_frame_on_the_cloth_and_the_whole_width_of_a_phone(
    chromium: Browser, tmp_path: Path
) -> None:
    with dealt_table(GAMES["ogallala"], 2, tmp_path) as table:
        moments = ((kind_of(match), match) for match in table.play(Random(2)))
        next(match for kind, match in moments if kind.endswith("lay draw"))
        with page_of(chromium, table.room, Phone(1366, height=650, misses=QUIET)) as page:
            give_seat(page, table.room, VIEWER)
            page.goto("/twin")
            for width, height in (*LAPTOPS, (1280, 800), (1920, 1080)):
                page.set_viewport_size({"width": width, "height": height})
                cloth, frame = page.evaluate(TOPS)
                assert frame > cloth, width
            wide = (match for kind, match in moments if kind == "place of many")
            next(match for match in wide if len(match.state.own.rows[0]) > 8)
            page.goto("/twin")
            page.set_viewport_size({"width": 390, "height": 844})
            assert page.evaluate(RIVER_WIDTH) > 300  # pixels, beside neither the piles nor the drawn card


CARD_HEIGHTS = "() => [...document.querySelectorAll('#scene .camps .card')].map(card => card.offsetHeight)"


def reveals_cards(match: Match) -> bool:
    scene = None if reveal_of(match) is None else view_of(match, language("en"), VIEWER).short.scene
    return scene is not None and any(row.cards for row in scene.rows)


@slow("three sizes of a page in a browser")
@pytest.mark.parametrize("game", GAMES)
def test_scene_has_room_for_its_cards(
    desk: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    monkeypatch.setattr(NoBots, "is_showing", lambda _bots, match: reveal_of(match) is not None)
    with dealt_table(GAMES[game], 4, tmp_path) as table:
        next(match for match in table.play(Random(1)) if reveals_cards(match))
        with seated(desk, table) as site:
            assert faults_now(desk, table, site.address("/twin")) == {}
            for width, height in LAPTOPS:
                desk.set_viewport_size({"width": width, "height": height})
                assert min(desk.evaluate(CARD_HEIGHTS)) >= 60, width


@slow("a page in a browser")
def test_opened_answers_rules_and_a_tap_survive_changes_of_the_table(chromium: Browser, tmp_path: Path) -> None:
    with dealt_table(GAMES["coup"], 4, tmp_path) as table:
        next(match for match in table.play(Random(2)) if kind_of(match) == "action of many")
        with page_of(chromium, table.room, Phone(1366, height=650, misses=QUIET)) as page:
            give_seat(page, table.room, VIEWER)
            page.add_init_script(STORE_LAST_EVENT)
            page.goto("/twin")
            check_opened_answers(page, table)
            check_rules(page)
            check_tap(page, table)


def check_opened_answers(page: Page, table: DealtTable) -> None:
    page.locator(".label .group > summary").last.click()
    laid = page.locator(".board .laid").count()
    assert table.twin.lay(VIEWER, "hand", 0, RequestedPose(0.0, 0.0))
    page.wait_for_function("laid => document.querySelectorAll('.board .laid').length > laid", arg=laid)
    assert page.locator(".label .group").last.get_attribute("open") is not None
    assert page.locator(".label .group[open]").count() == 1


def check_rules(page: Page) -> None:
    """The rules open over the cloth, at the opened answers."""
    word = page.locator(".label .group > summary").last.get_attribute("data-word")
    page.click(".bar nav a[href='/rules']")
    page.wait_for_selector("#rulesheet[open]")
    top, found = (present(page.locator(each).bounding_box()) for each in (SHEET, f"{SHEET} [data-word={word}]"))
    assert top["y"] <= found["y"] < top["y"] + top["height"] / 2
    # answers and hand stay visible
    page.locator(".label .group > summary").last.click(trial=True, timeout=5000)
    assert covered(page, f"{SHEET}, .label, .hand, .mine .plate") == []
    page.click(f"{SHEET} a[href='/rules']")
    page.wait_for_selector(f"{SHEET} form.find")
    page.keyboard.press("Escape")
    assert not page.locator(SHEET).is_visible()
    assert page.url.endswith("/twin")


def check_tap(page: Page, table: DealtTable) -> None:
    """A tap counts although the table changes between press and release."""
    number, before = table.match.number, page.evaluate("window.newest")
    page.locator(".label .options > button[name]").first.hover()
    page.mouse.down()
    assert table.twin.withdraw(VIEWER)
    page.wait_for_function("before => window.newest !== before", arg=before)
    page.mouse.up()
    until(lambda: table.match.number > number)


@slow("a page in a browser")
def test_unseen_cards_are_chosen_by_taps_and_keys(chromium: Browser, tmp_path: Path) -> None:
    with dealt_table(GAMES["coup"], 3, tmp_path) as table:
        match = next(match for match in table.play(Random(1)) if kind_of(match) == "exchange")
        with page_of(chromium, table.room, Phone(1366, height=650, misses=QUIET)) as page:
            give_seat(page, table.room, VIEWER)
            page.goto("/twin")
            cards, give = page.locator(".hand .take"), page.locator(".give")
            assert give.is_disabled()
            cards.nth(0).click()
            page.locator("[name=give]").nth(1).press("Space")
            cards.nth(2).click()
            assert (give.inner_text(), give.is_disabled()) == ("3 of 2 chosen", True)
            # many pictures would push the button below the fold
            assert page.locator(".lifted img").count() == 2
            cards.nth(0).click()
            hand = [card.face for card in table.twin.table(VIEWER).chairs[VIEWER].cards]
            give.click(timeout=5000)
            until(lambda: table.match.number > match.number)
            left = [card.face for card in table.twin.table(VIEWER).chairs[VIEWER].cards]
            assert left == [hand[0], *hand[3:]]
