"""The pages of camera readings, and films, with and without scripts."""

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page

from firmware.services.looks import Looks
from firmware.storage.journal import open_journal
from firmware.storage.match_history import History
from firmware.table.client import TableSummary
from hardware.twin.player import play_on
from referee.games.catalogue import GAMES
from referee.record import record_lines
from tests.browser.house import Phone, open_phone
from tests.browser.rooms import Site, enter, look_at, served
from tests.given import present
from tests.tiers import slow
from tests.webui.matches import REVEAL, keep_picture, play_match, reveal_cards
from tests.webui.room import Room, match_of, room_with
from webui.server.film_making import FilmRequest, film_bytes

FILM = "/history/1/film"
KEPT = (
    *(f"/history/1{each}" for each in ("", "/film?at=3", "/film")),
    *(f"/why/{REVEAL}", f"/host/correct/{REVEAL}", "/history/delete", "/history/delete?player=Bo"),
)
ALL_SEEN = "() => [...document.images].every(each => each.complete && each.naturalWidth)"


@pytest.fixture(name="room", scope="module")
def _room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """A table with a stored match and its camera readings."""
    folder, match = tmp_path_factory.mktemp("filming"), reveal_cards(match_of())
    with open_journal(folder / "journal.sqlite3") as opened:
        opened.journal.begin(play_on(match, Random(1)))
    for number in ("1", "2"):
        keep_picture(folder, match=number)
    history = History(folder / "journal.sqlite3")
    room = room_with(match, folder, history=history, looks=Looks())
    room.client.summary = TableSummary(2)
    return room


@pytest.fixture(name="site", scope="module")
def _site(room: Room) -> Iterator[Site]:
    with served(room) as site:
        yield site


@slow("every page of what was kept")
def test_history_pages_follow_the_layout_rules(chromium: Browser, site: Site, room: Room) -> None:
    with open_phone(chromium, site, Phone(320, language="fr")) as page:
        enter(page, room)
        assert look_at(page, *KEPT) == []


def step_is(page: Page, number: int) -> None:
    page.wait_for_url(re.compile(rf"(at=|#){number}$"))


@slow("a film plays at its own pace")
def test_film_is_controlled_by_keys_and_taps(chromium: Browser, site: Site) -> None:
    with open_phone(chromium, site) as page:
        page.goto(f"{FILM}?at=1")
        page.wait_for_selector("#film-play:not([hidden])")
        page.keyboard.press("ArrowRight")
        step_is(page, 2)
        page.keyboard.press("ArrowLeft")
        step_is(page, 1)
        page.click("#film-on")
        step_is(page, 2)
        told = page.locator("#film-said h1").inner_text()
        page.click("#film-play")
        step_is(page, 3)
        page.click("#film-play")
        assert page.locator("#film-said h1").inner_text() != told
        page.select_option("#film-jump", index=page.locator("#film-jump option").count() - 1)
        last = int(page.get_attribute("#film", "data-last") or 0)
        step_is(page, last)
        page.locator(".steps a").first.click()
        page.wait_for_function("last => !location.href.endsWith(`=${last}`)", arg=last)
        page.goto(f"{FILM}?at={REVEAL + 1}")
        assert page.locator(".evidence img").evaluate("img => img.decode().then(() => img.naturalWidth)") > 100
        page.wait_for_function(ALL_SEEN)
        assert page.locator(".cloth image").count() >= 1


def test_exported_film_is_a_standalone_file(chromium: Browser, site: Site, tmp_path: Path) -> None:
    film = present(
        film_bytes(FilmRequest(tuple(record_lines(play_match(GAMES["coup-d-etat"], moments=60))), "en"))
    )
    file, asked = tmp_path / "film.html", list[str]()
    file.write_bytes(film)
    with open_phone(chromium, site) as page:
        page.context.set_offline(offline=True)
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{file.as_uri()}#30")
        page.wait_for_selector("#film-play:not([hidden])")
        page.keyboard.press("ArrowRight")
        step_is(page, 31)
        page.wait_for_function(f"() => document.images.length && ({ALL_SEEN})()")
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
