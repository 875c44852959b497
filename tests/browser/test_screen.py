"""The table's screen, in every game at every decisive moment: nothing is cut, covered, or too small to read.

French is looked at, which takes more room than English.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page

from firmware.start.pages.live_door import LivePictures
from firmware.start.pages.look_door import Looks
from tests.browser.layout import layout_faults
from tests.browser.moments import MOMENTS, Moment, find_match, served
from tests.webui.clips_kept import clip_files
from tests.webui.room import Room, room_with

LARGE, SMALL = (1920, 1080), (800, 600)
SIZES = (LARGE, SMALL, (1280, 800))
SAID = """text => {
  const said = document.getElementById("notice");
  said.textContent = text;
  said.hidden = false;
}"""
APART = (
    ".tab, .top h1, .facts, .clips-line, .top .join, .paper, .season, .spread, .rowsfour, .year, .counting li,"
    " .sum, .scale, #notice, .alarm, .verdict, .next, .shout, .statement, .deadline, .lean,"
    " .claimed:only-child, .drawn, .cells, .rail"
)
"""What never lies over another."""
LIKE_OTHERS = {"coup-won", "coup-d-etat-won", "ogallala-won", "plenty-coups-winter"}
SHOWN = tuple(moment for moment in MOMENTS if f"{moment.game}-{moment.name}" not in LIKE_OTHERS)


@pytest.fixture(name="room", scope="module")
def _room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    return room_with(find_match(MOMENTS[0]), tmp_path_factory.mktemp("room"), looks=Looks())


@pytest.fixture(name="page", scope="module")
def _page(chromium: Browser, room: Room) -> Iterator[Page]:
    with served(room) as site:
        context = chromium.new_context(base_url=site, reduced_motion="reduce", locale="fr")
        page = context.new_page()
        become_screen(page, room)
        yield page
        context.close()


def become_screen(page: Page, room: Room) -> None:
    """Let the device be a screen, as the host's own."""
    page.goto("/host")
    page.fill("input[name=pin]", room.browser().links.pin)
    page.click("main button")
    page.wait_for_load_state()
    page.goto("/screen")
    page.click("main button")
    page.wait_for_selector(".sheet")


def has_whole_facts(page: Page) -> bool:
    """Tell whether the facts in the head stand there to their last letter."""
    whole: bool = page.locator(".facts").evaluate("facts => facts.scrollWidth <= facts.clientWidth")
    return whole


def faults_at(page: Page, size: tuple[int, int]) -> list[str]:
    """Look at the screen in a size: nothing on it is smaller than a 27th of its height."""
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    return layout_faults(page, min(width / 48, height / 27), APART)


@pytest.mark.parametrize("moment", SHOWN, ids=lambda moment: f"{moment.game}-{moment.name}")
def test_nothing_is_cut_covered_or_small(page: Page, room: Room, moment: Moment) -> None:
    room.door.tell(find_match(moment))
    page.goto("/screen", wait_until="load")
    page.wait_for_function("() => document.fonts.status === 'loaded'")
    assert {size: faults_at(page, size) for size in (LARGE, SMALL)} == {LARGE: [], SMALL: []}
    assert has_whole_facts(page)


LONG = "Je vois 5 pièces devant Zoé ; le registre dit 4 pièces. Enlevez ce qui est en trop, ou dites-le."
STACKED = tuple(each for each in SHOWN if each.name in {"call", "count", "claim", "block", "caught"})


@pytest.mark.parametrize("moment", STACKED, ids=lambda moment: f"{moment.game}-{moment.name}")
@pytest.mark.parametrize("kind", ["alarms", "notice"])
def test_what_is_wrong_covers_and_cuts_nothing(page: Page, room: Room, moment: Moment, kind: str) -> None:
    room.door.wrong = (LONG, "la caméra : ni caméra ni image à cet endroit") if kind == "alarms" else ()
    room.door.tell(find_match(moment))
    page.goto("/screen", wait_until="load")
    page.wait_for_function("() => document.fonts.status === 'loaded'")
    if kind == "notice":
        page.evaluate(SAID, LONG)
    try:
        assert {size: faults_at(page, size) for size in SIZES} == {size: [] for size in SIZES}
    finally:
        room.door.wrong = ()


def test_a_screen_that_stays_open_wears_the_look_of_the_next_game(page: Page, room: Room) -> None:
    last = find_match(MOMENTS[-1])
    other = next(each for each in map(find_match, MOMENTS) if each.setup.game.name != last.setup.game.name)
    for match, begun in ((other, "2026-03-01T20:00:00+01:00"), (last, "2026-03-02T20:00:00+01:00")):
        room.door.tell(replace(match, setup=replace(match.setup, begun=begun)))
        if match is other:
            page.goto("/screen", wait_until="load")
        game = match.setup.game.name
        page.wait_for_selector(f"body.look-{game}[data-game={game}] .sheet.look-{game}")


@pytest.mark.parametrize("language", ["en", "fr"])
def test_there_is_room_to_say_that_clips_are_kept_and_a_picture_shown(
    chromium: Browser, tmp_path: Path, language: str
) -> None:
    clips = clip_files(tmp_path, [])
    live = LivePictures(is_on=True)
    room = room_with(find_match(SHOWN[0]), tmp_path, looks=Looks(), clips=clips, live=live)
    with served(room) as site:
        context = chromium.new_context(base_url=site, reduced_motion="reduce", locale=language)
        page = context.new_page()
        become_screen(page, room)
        for moment in SHOWN:
            room.door.tell(find_match(moment))
            page.goto("/screen", wait_until="load")
            page.wait_for_function("() => document.fonts.status === 'loaded'")
            assert page.locator(".clips-line").is_visible()
            assert page.locator(".clips-line .live-link").is_visible()
            found = {size: faults_at(page, size) for size in (LARGE, SMALL)}
            assert found == {LARGE: [], SMALL: []}, moment
        context.close()
