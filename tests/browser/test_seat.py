"""A seat's page in every game at decisive moments, on a small phone: what is asked stands above the fold.

French is looked at, which takes more room than English.
"""

from collections.abc import Callable, Iterator
from random import Random

import pytest
from msgspec import Struct
from msgspec.structs import replace
from playwright.sync_api import Browser, Page

from firmware.start.pages.look_door import Looks
from tests.browser.layout import layout_faults
from tests.browser.moments import Moment, find_match, served
from tests.referee.tables import after_any
from tests.webui.room import Room, room_with

STRIP = 48
"""The height of the strip at the top, in pixels."""
WIDTH, HEIGHT, LEAST = 360, 740, 11
"""A phone held in one hand, and the smallest letters, in pixels."""
APART = ".strip, .fact, h1, h2, form.ask, .callform, .besides, .peek > summary"
"""What never lies over another."""
DECISIVE = "h1, .fact, form.ask, .howl, .besides, .peek > summary"
"""What is seen without scrolling."""
UNFOLDED = """document.querySelectorAll('details:not([open]) > :not(summary)')
    .forEach((folded) => folded.remove())"""
"""Takes away what is folded up, which has a place but isn't seen."""
LOWEST = """selectors => Math.max(...[...document.querySelectorAll(selectors)]
    .map((each) => each.getBoundingClientRect().bottom))"""


class Seat(Struct, frozen=True):
    """What is asked of a seat in a game, from which moment on."""

    game: str
    ask: str
    after: int = 0
    setting: str = ""


SEATS = (
    Seat("coyote", "announce", 3, "kidult, all powers"),
    Seat("coyote", "reveal", 3, "gigamic"),
    Seat("coup", "action", 20),
    Seat("coup", "challenge-or-block", 5),
    Seat("coup-d-etat", "contract"),
    Seat("coup-d-etat", "card", 30),
    Seat("plenty-coups", "clan"),
    Seat("plenty-coups", "action", 60),
    Seat("ogallala", "place", 100),
    Seat("ogallala", "lasso", 40),
)


def moment_of(seat: Seat) -> Moment:
    """Find when a seat is asked that."""
    return Moment(seat.ask, seat.game, 4, asks_late(seat), seat.setting)


def asks_late(seat: Seat) -> Callable[..., bool]:
    """Tell whether that is asked, late enough."""
    return lambda match, _board: match.number > seat.after and any(ask.key == seat.ask for ask in match.asks)


@pytest.fixture(name="room", scope="module")
def _room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    return room_with(find_match(moment_of(SEATS[0])), tmp_path_factory.mktemp("room"), looks=Looks())


@pytest.fixture(name="page", scope="module")
def _page(chromium: Browser, room: Room) -> Iterator[Page]:
    with served(room) as site:
        context = chromium.new_context(
            base_url=site, reduced_motion="reduce", locale="fr", viewport={"width": WIDTH, "height": HEIGHT}
        )
        context.add_cookies([{"name": "hints", "value": "off", "url": site}])
        yield context.new_page()
        context.close()


def sit_where_it_is_asked(page: Page, room: Room, key: str) -> None:
    """Take the seat that is asked."""
    match = room.door.match
    ask = next(ask for ask in match.asks if ask.key == key)
    page.goto(f"/seat?code={room.browser().links.codes[ask.seats[0] if ask.seats else 0]}")
    taking = page.locator("form[action='/seat/take'] button")
    if taking.count():  # the phone may have that seat already
        taking.first.click()
    page.wait_for_selector(".phone")
    page.goto("/seat", wait_until="load")
    page.wait_for_function("() => document.fonts.status === 'loaded'")


@pytest.mark.parametrize("seat", SEATS, ids=lambda seat: f"{seat.game}-{seat.ask}")
def test_what_is_asked_stands_above_the_fold(page: Page, room: Room, seat: Seat) -> None:
    room.door.tell(find_match(moment_of(seat)))
    sit_where_it_is_asked(page, room, seat.ask)
    page.evaluate(UNFOLDED)
    assert layout_faults(page, LEAST, APART) == []
    assert page.evaluate(LOWEST, DECISIVE) <= HEIGHT


def test_beside_a_hint_what_is_pressed_and_how_stays_in_sight(page: Page, room: Room) -> None:
    room.door.tell(find_match(moment_of(replace(SEATS[0], after=5))))
    page.context.clear_cookies(name="hints")
    sit_where_it_is_asked(page, room, "announce")
    try:
        assert page.locator(".hint").is_visible()
        assert page.evaluate(LOWEST, ".howl, #hold") <= HEIGHT
    finally:
        page.context.add_cookies([{"name": "hints", "value": "off", "url": page.url}])


def test_an_option_that_is_held_is_explained_and_not_chosen(page: Page, room: Room) -> None:
    match = find_match(moment_of(SEATS[2]))
    room.door.tell(match)
    sit_where_it_is_asked(page, room, "action")
    option = page.locator("[data-word]:visible").first
    word = option.get_attribute("data-word")
    option.hover()
    page.mouse.down()
    page.wait_for_selector(f"#help[open] [data-word='{word}']")
    page.mouse.up()
    assert room.door.match is match
    box = page.locator("#help").bounding_box()
    assert box is not None
    assert box["y"] > STRIP, "the clock runs on, and stays in sight"
    page.keyboard.press("Escape")
    page.wait_for_selector("#help:not([open])", state="attached")


def test_the_next_question_closes_the_rules(page: Page, room: Room) -> None:
    room.door.tell(find_match(moment_of(SEATS[0])))
    sit_where_it_is_asked(page, room, "announce")
    page.locator(".dots").click()
    page.locator("#sheet a[href='/seat/rules']").click()
    page.wait_for_selector("#help[open] h1")
    room.door.tell(after_any(room.door.match, Random(1)))
    page.wait_for_selector("#help:not([open])", state="attached")
