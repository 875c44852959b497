"""The big moments: played once, never on loading, skipped by a key, still where people want it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep

import pytest
from playwright.sync_api import Browser, Page, Route

from firmware.start.pages.look_door import Looks
from referee.match import Match
from tests.browser.moments import MOMENTS, find_match, served
from tests.webui.room import Room, room_with
from webui.server.drawn_pages import match_id

SHOWN = "document.addEventListener('drawn', () => { window.shown = (window.shown || 0) + 1; })"
"""Counts what is drawn, from the beginning on."""

NOTED = """() => {
  window.played = [];
  new MutationObserver(() => window.played.push(document.getElementById("part").dataset.played))
    .observe(document.getElementById("part"), { attributes: true, attributeFilter: ["data-played"] });
}"""

SKIPPED = """() => {
  const count = () => document.querySelectorAll(".playing").length;
  new MutationObserver(() => {
    const before = count();
    dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
    window.skipped = [before, count()];
  }).observe(document.getElementById("part"), { attributes: true, attributeFilter: ["data-played"] });
}"""
"""Presses a key as soon as something plays, and notes how much plays before and after."""

SEEN = """() => document.addEventListener("drawn", () => {
  const shown = (name) => getComputedStyle([...document.querySelectorAll(name)].pop()).opacity;
  window.seen = [shown(".counting li"), shown(".sum .huge")];
})"""
"""Notes how much of the last card and of the total is seen as soon as they are drawn."""

MOVING = """() => {
  new MutationObserver(() => {
    const targets = document.getAnimations().map((each) => each.effect.target);
    window.moving = targets.map((each) => Boolean(each.closest(".fact")));
  }).observe(document.getElementById("part"), { attributes: true, attributeFilter: ["data-played"] });
}"""
"""Notes, as soon as something plays, of all that moves whether it is in the window."""


def moment_named(name: str) -> Match:
    return find_match(next(each for each in MOMENTS if f"{each.game}-{each.name}" == name))


CALL, COUNT = moment_named("coyote-call"), moment_named("coyote-count")


@pytest.fixture(name="room")
def _room(tmp_path: Path) -> Room:
    return room_with(CALL, tmp_path, looks=Looks())


@pytest.fixture(name="site")
def _site(room: Room) -> Iterator[str]:
    with served(room) as site:
        yield site


@contextmanager
def score_at(
    chromium: Browser, site: str, room: Room, match: Match, *, is_still: bool = False
) -> Iterator[Page]:
    """Open the score, and wait until it listens."""
    room.door.match = match
    context = chromium.new_context(base_url=site, reduced_motion="reduce" if is_still else "no-preference")
    page = context.new_page()
    page.add_init_script(SHOWN)
    page.goto("/")
    page.evaluate(NOTED)
    page.wait_for_function("() => window.shown")
    settle(page)
    yield page
    context.close()


def settle(page: Page) -> None:
    """Wait until what has arrived would be playing."""
    page.evaluate("() => new Promise((done) => setTimeout(done, 200))")


def move_to(page: Page, room: Room, *matches: Match) -> None:
    for match in matches:
        room.door.tell(match)
    page.wait_for_selector(f"[data-match='{match_id(matches[-1])}'][data-moment='{matches[-1].number}']")


def test_a_moment_is_played_once_and_loading_plays_nothing(chromium: Browser, site: str, room: Room) -> None:
    with score_at(chromium, site, room, CALL) as page:
        assert page.evaluate("window.played") == []
        move_to(page, room, COUNT)
        page.wait_for_function("() => window.played.length === 1")
        room.door.tell(COUNT)
        settle(page)
        assert page.evaluate("window.played") == [f"{match_id(COUNT)}/{COUNT.number}"]


def test_news_are_asked_for_once_all_scripts_have_come(chromium: Browser, site: str) -> None:
    page, came = chromium.new_page(base_url=site), list[str]()

    def come_late(route: Route) -> None:
        sleep(0.5)
        route.continue_()

    page.on("request", lambda request: came.append(request.url) if "/events/" in request.url else None)
    page.on("requestfinished", lambda request: came.append(request.url) if "moments" in request.url else None)
    page.route("**/moments*.js*", come_late)
    with page.expect_request("**/events/*"):
        page.goto("/")
    page.close()
    assert [each.rsplit("/", 1)[1][:7] for each in came] == ["moments", "moments", "score"]


def test_the_end_of_a_count_is_not_seen_before_it_is_played(chromium: Browser, site: str, room: Room) -> None:
    with score_at(chromium, site, room, CALL) as page:
        page.evaluate(SEEN)
        move_to(page, room, COUNT)
        page.wait_for_function("() => window.seen")
        assert page.evaluate("window.seen") == ["0", "0"]


def test_a_key_skips_a_moment(chromium: Browser, site: str, room: Room) -> None:
    with score_at(chromium, site, room, CALL) as page:
        page.evaluate(SKIPPED)
        move_to(page, room, COUNT)
        page.wait_for_function("() => window.skipped")
        assert page.evaluate("window.skipped") == [1, 0]


def test_who_wants_less_movement_sees_the_end_at_once(chromium: Browser, site: str, room: Room) -> None:
    with score_at(chromium, site, room, CALL, is_still=True) as page:
        move_to(page, room, COUNT)
        settle(page)
        assert page.evaluate("window.played") == []
        assert page.locator(".counting li").last.is_visible()


def sit_at(chromium: Browser, site: str, room: Room, match: Match) -> Page:
    """Open a seat's page."""
    room.door.match = match
    page = chromium.new_context(base_url=site).new_page()
    page.add_init_script(SHOWN)
    page.goto(f"/seat?code={room.browser().links.codes[1]}")
    page.click("main button")
    page.wait_for_selector(".phone")
    return page


def test_on_a_seat_only_the_window_moves(chromium: Browser, site: str, room: Room) -> None:
    page = sit_at(chromium, site, room, CALL)
    page.wait_for_function("() => window.shown")
    settle(page)
    page.evaluate(MOVING)
    move_to(page, room, COUNT)
    page.wait_for_function("() => window.moving")
    moving = page.evaluate("window.moving")
    assert moving
    assert all(moving)
    page.context.close()


def test_the_end_takes_the_place_of_what_a_seat_is_asked(chromium: Browser, site: str, room: Room) -> None:
    won = moment_named("coyote-won")
    assert won.before is not None
    page = sit_at(chromium, site, room, won.before)
    assert page.locator("form.ask [name=ask]").count()
    room.door.tell(won)
    page.wait_for_selector("form.done")
    page.context.close()
