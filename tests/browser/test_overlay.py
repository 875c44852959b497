"""The overlay above another picture: see-through, readable at every decisive moment, and brief."""

from collections.abc import Iterator
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page

from firmware.start.pages.look_door import Looks
from tests.browser.layout import layout_faults
from tests.browser.moments import MOMENTS, Moment, find_match, served
from tests.webui.room import Room, room_with

SIZE = (1920, 1080)
APART = ".strip, .situation, .newest figcaption, .cry"
"""What never lies over another."""
DRAWN = "key => document.querySelector('.overlay').dataset.moment === key"
MOMENT = {f"{moment.game}-{moment.name}": moment for moment in MOMENTS}


@pytest.fixture(name="room", scope="module")
def _room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    return room_with(find_match(MOMENTS[0]), tmp_path_factory.mktemp("room"), looks=Looks())


@pytest.fixture(name="stream", scope="module")
def _stream(chromium: Browser, room: Room) -> Iterator[BrowserContext]:
    with served(room) as site:
        width, height = SIZE
        context = chromium.new_context(
            base_url=site, reduced_motion="reduce", locale="fr", viewport={"width": width, "height": height}
        )
        yield context
        context.close()


@pytest.fixture(name="page")
def _page(stream: BrowserContext) -> Iterator[Page]:
    page = stream.new_page()
    # a test says itself how time goes by
    page.clock.install()
    yield page
    page.close()


def show(page: Page, room: Room, moment: Moment, address: str = "/overlay") -> None:
    room.door.tell(find_match(moment))
    page.goto(address, wait_until="load")
    page.wait_for_function("() => document.fonts.status === 'loaded'")


@pytest.mark.parametrize("moment", MOMENTS, ids=lambda moment: f"{moment.game}-{moment.name}")
def test_nothing_is_cut_covered_or_small(page: Page, room: Room, moment: Moment) -> None:
    show(page, room, moment)
    assert layout_faults(page, 40, APART) == []


def test_the_picture_behind_it_is_seen(page: Page, room: Room) -> None:
    show(page, room, MOMENT["coyote-call"])
    page.evaluate("document.body.style.setProperty('background', 'transparent')")
    seen = Image.open(BytesIO(page.screenshot(omit_background=True))).convert("RGBA").getchannel("A")
    assert seen.getextrema() == (0, 255)
    width, height = SIZE
    assert seen.crop((0, 0, width, 460)).getextrema() == (0, 0)
    page.goto("/overlay?parts=line")
    seen = Image.open(BytesIO(page.screenshot(omit_background=True))).convert("RGBA").getchannel("A")
    assert seen.crop((0, 1000, width, height)).getextrema() == (0, 0)


def test_a_cry_stays_while_play_goes_on_and_goes_after_its_time(page: Page, room: Room) -> None:
    call = find_match(MOMENT["coyote-call"])
    assert call.before is not None
    room.door.tell(call.before)
    page.goto("/overlay", wait_until="load")
    room.door.tell(call)
    page.wait_for_function(DRAWN, arg=str(call.number))
    # the same moment is drawn again, as when a trouble comes
    page.evaluate("document.querySelector('.overlay').id = 'before'")
    room.door.wrong = ("camera",)
    room.door.listeners[-1].news.put("a notice")
    page.wait_for_selector("#before", state="detached")
    room.door.wrong = ()
    page.clock.run_for(3_000)
    assert page.is_visible(".cry")
    page.clock.run_for(2_000)
    assert not page.is_visible(".cry")
    assert page.is_visible(".situation")


def test_a_delay_holds_moments_back(page: Page, stream: BrowserContext, room: Room) -> None:
    call = find_match(MOMENT["coyote-call"])
    assert call.before is not None
    room.door.tell(call.before)
    page.goto("/overlay?delay=60", wait_until="load")
    at_once = stream.new_page()
    at_once.goto("/overlay", wait_until="load")
    room.door.tell(call)
    at_once.wait_for_function(DRAWN, arg=str(call.number))
    at_once.close()
    page.clock.run_for(50_000)
    assert page.evaluate(DRAWN, str(call.before.number))
    while not page.evaluate(DRAWN, str(call.number)):
        page.clock.run_for(15_000)
