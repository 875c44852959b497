"""Decisive moments of every game on all pages that show them: nothing is cut, covered, small or below the fold.

French is looked at, which takes more room than English.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from firmware.parts.live_pictures import LivePictures
from firmware.parts.looks import Looks
from tests.browser.house import Phone, open_phone
from tests.browser.layout import layout_faults, lowest, small_targets
from tests.browser.moments import MOMENTS, find_match, match_at
from tests.browser.rooms import Site, become_screen, served
from tests.tiers import ALL
from tests.webui.room import Room, room_with, said

LARGE, MIDDLE, SMALL = (1920, 1080), (1280, 800), (800, 600)
FOLD = 740
SCREEN_APART = (
    ".tab, .top h1, .facts, .live-line, .top .join, .paper, .season, .spread, .rowsfour, .year, .counting li,"
    " .sum, .scale, #notice, .alarm, .verdict, .next, .shout, .statement, .deadline, .lean,"
    " .claimed:only-child, .drawn, .cells, .rail"
)
"""What never lies over another."""
OVERLAY_APART = ".strip, .situation, .newest figcaption, .cry"
SCORE_APART = ".strip, .alarm, .window, .asked, .rail, details, .told, .ways a, .joining"
WRONG = "Je vois 5 pièces devant Zoé ; le registre dit 4 pièces. Enlevez ce qui est en trop, ou dites-le."
SAY = "text => Object.assign(document.getElementById('notice'), { textContent: text, hidden: false })"
FULLEST = ("coyote-count", "coup-block", "coup-d-etat-trick", "plenty-coups-display", "ogallala-place")
NAMES = [f"{moment.game}-{moment.name}" for moment in MOMENTS]
STACKED = ["coup-block", *(["coyote-call", "coyote-count", "coup-claim", "coup-caught"] if ALL else [])]


@pytest.fixture(name="room", scope="module")
def _room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """Give a table that shows itself live, which takes room for saying so."""
    folder = tmp_path_factory.mktemp("room")
    return room_with(find_match(MOMENTS[0]), folder, looks=Looks(), live=LivePictures(is_on=True))


@pytest.fixture(name="site", scope="module")
def _site(room: Room) -> Iterator[Site]:
    with served(room) as site:
        yield site


@pytest.fixture(name="screen", scope="module")
def _screen(chromium: Browser, room: Room, site: Site) -> Iterator[Page]:
    with open_phone(chromium, site, Phone(1920, language="fr")) as page:
        become_screen(page, room)
        yield page


@pytest.fixture(name="phone")
def _phone(chromium: Browser, site: Site) -> Iterator[Page]:
    with open_phone(chromium, site, Phone(360, language="fr", height=FOLD)) as page:
        yield page


def show(page: Page, room: Room, name: str, address: str) -> None:
    room.door.tell(match_at(name))
    page.goto(address, wait_until="load")
    page.wait_for_function("() => document.fonts.status === 'loaded'")


def faults_at(screen: Page, *sizes: tuple[int, int]) -> dict[tuple[int, int], list[str]]:
    """Look at the screen in some sizes: nothing on it is smaller than a 27th of its height."""
    found = {}
    for width, height in sizes:
        screen.set_viewport_size({"width": width, "height": height})
        found[width, height] = layout_faults(screen, min(width / 48, height / 27), SCREEN_APART)
    return {size: told for size, told in found.items() if told}


@pytest.mark.parametrize("name", NAMES if ALL else FULLEST)
def test_a_moment_is_seen_whole_on_the_screen_above_a_stream_and_on_a_phone(
    screen: Page, phone: Page, room: Room, name: str
) -> None:
    show(screen, room, name, "/screen")
    assert screen.locator(".live-line .live-link").is_visible()
    assert faults_at(screen, LARGE, SMALL) == {}
    show(phone, room, name, "/")
    assert lowest(phone, ".window, .asked .question") <= FOLD
    assert small_targets(phone) == []
    phone.set_viewport_size({"width": 320, "height": 5000})
    assert layout_faults(phone, 14.5, SCORE_APART) == []
    phone.set_viewport_size({"width": 1920, "height": 1080})
    show(phone, room, name, "/overlay")
    assert layout_faults(phone, 40, OVERLAY_APART) == []


@pytest.mark.parametrize("name", STACKED)
@pytest.mark.parametrize("kind", ["alarms", "notice"])
def test_what_is_wrong_covers_nothing_on_the_screen(screen: Page, room: Room, name: str, kind: str) -> None:
    room.door.wrong = (
        (said(WRONG), said("la caméra : ni caméra ni image à cet endroit")) if kind == "alarms" else ()
    )
    try:
        show(screen, room, name, "/screen")
        if kind == "notice":
            screen.evaluate(SAY, WRONG)
        assert faults_at(screen, LARGE, SMALL, MIDDLE) == {}
    finally:
        room.door.wrong = ()
