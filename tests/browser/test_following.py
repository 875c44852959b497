"""Pages that follow a match: big moments play once and can be skipped; open and read parts stay."""

from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from referee.match import Match
from tests.browser.house import Phone, open_phone, stop_time
from tests.browser.layout import expect_at_once, script
from tests.browser.moments import MOMENTS, Moment, find_match, is_asked, match_at
from tests.browser.rooms import Site, hold, sit, trigger_redraw, with_artwork
from tests.given import present
from tests.referee.tables import after_any
from tests.webui.room import Room
from webui.server.drawn_pages import match_id

MOVING = Phone(is_still=False)
DRAWN = "document.addEventListener('drawn', () => { window.drawn = (window.drawn || 0) + 1; })"
"""Counts drawn elements from the start."""
PLAYED = script("played")
"""Records played sounds, the visible part of a count, layout shifts, and the effect of skip keys."""
ON_STREAM = "key => document.querySelector('.overlay').dataset.moment === key"
CALL, COUNT = match_at("coyote-call"), match_at("coyote-count")
BID = present(CALL.before)


def follow(page: Page, address: str) -> None:
    """Open a page, and wait until its event stream is open and its display has settled."""
    page.add_init_script(DRAWN)
    page.goto(address)
    page.evaluate(PLAYED)
    page.wait_for_function("() => window.drawn")
    settle(page)


def settle(page: Page) -> None:
    page.clock.run_for(200)


def move_to(page: Page, room: Room, match: Match) -> None:
    room.client.tell(match)
    page.wait_for_selector(f"[data-match='{match_id(match)}'][data-moment='{match.number}']")
    settle(page)


@with_artwork
@pytest.mark.parametrize("address", ["/", "/seat"])
def test_moment_plays_once_and_a_key_skips_it(chromium: Browser, site: Site, room: Room, address: str) -> None:
    room.client.match = CALL
    with open_phone(chromium, site, MOVING) as page:
        stop_time(page)
        if address == "/seat":
            sit(page, room, 1)
        follow(page, address)
        assert page.evaluate("window.played") == []
        move_to(page, room, COUNT)
        drawn = page.evaluate("window.drawn")
        # the same moment is drawn again, as after a fault
        trigger_redraw(room, "camera")
        page.wait_for_function("before => window.drawn > before", arg=drawn)
        settle(page)
        assert page.evaluate("window.played") == [f"{match_id(COUNT)}/{COUNT.number}"]
        assert page.evaluate("window.skipped") == [1, 0]
        if address == "/":
            assert page.evaluate("window.early") == ["0", "0"]
        else:
            assert page.evaluate("window.outside") == 0


def test_event_stream_opens_after_all_scripts_loaded(chromium: Browser, site: Site) -> None:
    with open_phone(chromium, site) as page:
        held, came = hold(page, "**/moments*.js*"), list[str]()
        page.on("request", lambda request: came.append("news") if "/events/" in request.url else None)
        page.on("requestfinished", lambda done: came.append("script") if "moments" in done.url else None)
        with page.expect_request("**/events/*"):
            page.goto("/", wait_until="commit")
            page.wait_for_selector("#part .sheet")
            for route in held:
                route.continue_()
        assert came[-1:] == ["news"]
        assert "script" in came


def test_open_details_stay_open_and_the_end_replaces_the_question(
    chromium: Browser, site: Site, room: Room
) -> None:
    won = match_at("coyote-won")
    assert won.before is not None
    room.client.match = CALL
    with open_phone(chromium, site) as page:
        page.goto("/")
        page.click("#all-facts summary")
        room.client.tell(won.before)
        page.wait_for_selector(f"[data-moment='{won.before.number}']")
        assert page.locator("#all-facts").get_attribute("open") is not None
        sit(page, room, 1)
        assert page.locator("form.ask [name=ask]").count()
        room.client.tell(won)
        page.wait_for_selector("form.done")


def test_dismissed_ruling_stays_hidden_until_the_next(chromium: Browser, site: Site, room: Room) -> None:
    room.client.match = BID
    with open_phone(chromium, site) as page:
        page.add_init_script(DRAWN)
        sit(page, room, 1)
        page.click(".came .away")
        page.reload()
        page.wait_for_function("() => window.drawn")
        assert page.locator(".came").count() == 0
        room.client.tell(CALL)
        page.wait_for_selector(".came .away")


@with_artwork
def test_player_who_proved_a_card_swaps_it_and_presses_done(chromium: Browser, site: Site, room: Room) -> None:
    proved = Moment(
        "swapped", "coup", 4, lambda match, _board: any(each.key == "swaps" for each in match.rulings)
    )
    match = find_match(proved)
    seat = next(each.values["seat"] for each in match.rulings if each.key == "swaps")
    room.client.match = match
    with open_phone(chromium, site, Phone(height=740)) as page:
        sit(page, room, seat)
        expect(page.locator(".to-do p")).to_contain_text("Shuffle it into the Court, and draw another card.")
        expect_at_once(page, ".to-do button")
        page.click(".to-do button")
        expect(page.locator(".to-do")).to_have_count(0)
        page.reload()
        expect(page.locator("#question")).to_be_visible()
        expect(page.locator(".to-do")).to_have_count(0)


def test_dismissed_hint_preserves_the_chosen_number(chromium: Browser, site: Site, room: Room) -> None:
    room.client.tell(find_match(replace(MOMENTS[1], fits=is_asked("announce"), after=3)))
    with open_phone(chromium, site) as page:
        sit(page, room, next(ask.seats[0] for ask in room.client.match.asks if ask.key == "announce"))
        page.fill("input[name=other]", "77")
        page.click(".hint summary")
        page.keyboard.press("Escape")
        page.wait_for_selector(".hint:not([open])")
        page.click(".hint summary")
        page.click(".hint .say")
        page.wait_for_selector(".hint", state="detached")
        assert page.input_value("input[name=other]") == "77"
        expect(page.locator("#question")).to_be_focused()
        page.reload()
        assert page.locator(".hint").count() == 0


@pytest.fixture(name="seat")
def _seat(chromium: Browser, site: Site, room: Room) -> Iterator[Page]:
    asked = replace(MOMENTS[8], fits=is_asked("action"), after=20)
    room.client.tell(find_match(asked))
    with open_phone(chromium, site) as page:
        page.context.add_cookies([{"name": "hints", "value": "off", "url": site.address("/")}])
        sit(page, room, next(ask.seats[0] for ask in room.client.match.asks if ask.key == "action"))
        yield page


def test_long_press_explains_an_option_without_choosing_it(seat: Page, room: Room) -> None:
    match, option = room.client.match, seat.locator("[data-word]:visible").first
    option.hover()
    seat.mouse.down()
    seat.wait_for_selector(f"#help[open] [data-word='{option.get_attribute('data-word')}']")
    seat.mouse.up()
    assert room.client.match is match
    strip, sheet = (present(seat.locator(each).bounding_box()) for each in (".strip", "#help"))
    assert sheet["y"] >= strip["height"], "the clock runs on, and stays in sight"
    seat.keyboard.press("Escape")
    seat.wait_for_selector("#help:not([open])", state="attached")
    # the next question closes the rules
    seat.locator(".dots").click()
    seat.locator("#sheet a[href='/seat/rules']").click()
    seat.wait_for_selector("#help[open] h1")
    room.client.tell(after_any(room.client.match, Random(1)))
    seat.wait_for_selector("#help:not([open])", state="attached")


@pytest.fixture(name="stream")
def _stream(chromium: Browser, site: Site, room: Room) -> Iterator[Page]:
    room.client.match = BID
    with open_phone(chromium, site, Phone(1920)) as page:
        # the test controls the time
        stop_time(page)
        yield page


def tick_until(page: Page, is_so: str, key: str = "") -> None:
    """Advance the least time until the sent event is shown."""
    while not page.evaluate(is_so, key):
        page.clock.run_for(1)


def test_callout_disappears_only_after_its_time(stream: Page, room: Room) -> None:
    stream.goto("/overlay", wait_until="load")
    room.client.tell(CALL)
    tick_until(stream, ON_STREAM, str(CALL.number))
    # the same moment is drawn again, as after a fault
    stream.evaluate("document.querySelector('.overlay').id = 'before'")
    trigger_redraw(room, "camera")
    tick_until(stream, "() => !document.getElementById('before')")
    stream.clock.run_for(3_000)
    assert stream.is_visible(".cry")
    stream.clock.run_for(2_000)
    assert not stream.is_visible(".cry")
    assert stream.is_visible(".situation")
