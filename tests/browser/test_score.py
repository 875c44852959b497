"""The score on a phone: fact and question above the fold, nothing cut, everything large enough to tap."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from firmware.start.pages.look_door import Looks
from tests.browser.house import faults
from tests.browser.layout import layout_faults
from tests.browser.moments import MOMENTS, Moment, find_match, served
from tests.webui.room import Room, room_with

APART = ".strip, .alarm, .window, .asked, .rail, details, .told, .ways a, .joining"
SHOWN = tuple(
    moment
    for moment in MOMENTS
    if moment.name not in {"winter", "begin", "all-join", "six", "caught", "attempt"}
)
BELOW = """
(low) => [...document.querySelectorAll(".window, .asked .question")]
  .filter((node) => node.getBoundingClientRect().bottom > low).map((node) => node.className)
"""
LITTLE = """
() => [...document.querySelectorAll("a, button, summary")]
  .filter((node) => node.checkVisibility())
  .filter((node) => node.getBoundingClientRect().height < 44 || node.getBoundingClientRect().width < 44)
  .map((node) => node.textContent.trim())
"""


@pytest.fixture(name="room", scope="module")
def _room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    return room_with(find_match(MOMENTS[0]), tmp_path_factory.mktemp("room"), looks=Looks())


@pytest.fixture(name="site", scope="module")
def _site(room: Room) -> Iterator[str]:
    with served(room) as site:
        yield site


@pytest.fixture(name="page", scope="module")
def _page(chromium: Browser, site: str) -> Iterator[Page]:
    context = chromium.new_context(base_url=site, reduced_motion="reduce", locale="fr")
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("moment", SHOWN, ids=lambda moment: f"{moment.game}-{moment.name}")
def test_the_fact_and_the_question_stand_above_the_fold(page: Page, room: Room, moment: Moment) -> None:
    room.door.tell(find_match(moment))
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("/", wait_until="load")
    page.wait_for_function("() => document.fonts.status === 'loaded'")
    assert page.evaluate(BELOW, 740) == []
    assert page.evaluate(LITTLE) == []
    page.set_viewport_size({"width": 320, "height": 5000})
    assert layout_faults(page, 14.5, APART) == []


def test_folds_stay_open_when_the_page_moves_on(page: Page, room: Room) -> None:
    room.door.tell(find_match(MOMENTS[0]))
    page.goto("/")
    page.click("#all-facts summary")
    room.door.tell(find_match(MOMENTS[1]))
    page.wait_for_selector(f"[data-moment='{room.door.match.number}']")
    assert page.locator("#all-facts").get_attribute("open") is not None


def test_without_a_script_the_score_tells_as_much(chromium: Browser, site: str, room: Room) -> None:
    room.door.match = find_match(MOMENTS[1])
    context = chromium.new_context(base_url=site, java_script_enabled=False, locale="en")
    page = context.new_page()
    page.goto("/")
    assert (
        page.locator(".asked .question").inner_text() == "Will Eve say 20 or more, or call Coyote on Dédé's 19?"
    )
    page.click("#round-1 summary")
    assert page.locator("#round-1 li").first.is_visible()
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_at_decisive_moments(chromium: Browser, site: str, room: Room, scheme: str) -> None:
    context = chromium.new_context(
        base_url=site,
        reduced_motion="reduce",
        viewport={"width": 360, "height": 740},
        color_scheme=scheme,  # type: ignore[arg-type]
    )
    page, found = context.new_page(), dict[str, list[str]]()
    for moment in MOMENTS:
        if moment.name in {"bid", "count", "block", "dominos", "raid", "place"}:
            room.door.tell(find_match(moment))
            page.goto("/")
            found[f"{moment.game}-{moment.name}"] = faults(page)
    context.close()
    assert {name: told for name, told in found.items() if told} == {}
