"""What a table shows of what its camera read: films, its live picture; with scripts and without."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random
from threading import Event, Thread

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from firmware.parts.live_pictures import LivePictures
from firmware.parts.looks import Looks
from firmware.storage.journal import open_journal
from firmware.storage.match_history import History
from firmware.table.door import TableSummary
from hardware.twin.player import play_on
from referee.games.catalogue import GAMES
from referee.record import record_lines
from tests.browser.house import Phone, faults, open_phone
from tests.browser.layout import overhang, small_targets
from tests.browser.rooms import Site, enter, look_at, served
from tests.given import present
from tests.tiers import slow
from tests.webui.matches import REVEAL, keep_picture, play_match, reveal_cards
from tests.webui.room import Room, match_of, room_with
from vision.process.messages import LivePicture
from webui.server.film_making import FilmRequest, film_bytes

FILM = "/history/1/film"
KEPT = (
    *(f"/history/1{each}" for each in ("", "/film?at=3", "/film", "/film/what-if/2")),
    *(f"/why/{REVEAL}", f"/host/correct/{REVEAL}", "/history/delete", "/history/delete?player=Bo"),
)
ALL_SEEN = "() => [...document.images].every(each => each.complete && each.naturalWidth)"
SEEN = "() => document.querySelector('.live-picture').naturalWidth > 100"
COLOURS = """picture => {
  const [width, height] = [picture.naturalWidth || picture.width, picture.naturalHeight || picture.height];
  const canvas = new OffscreenCanvas(width, height).getContext("2d");
  canvas.drawImage(picture, 0, 0);
  return new Set(canvas.getImageData(0, 0, width, height).data).size;
}"""
"""Counts values of colours: a plain picture has few."""


@pytest.fixture(scope="module")
def live() -> LivePictures:
    return LivePictures(is_on=True)


@pytest.fixture(name="room", scope="module")
def _room(tmp_path_factory: pytest.TempPathFactory, live: LivePictures) -> Room:
    """Give a table that keeps a match, and what its camera read of it; and that shows itself live."""
    folder, match = tmp_path_factory.mktemp("filming"), reveal_cards(match_of())
    with open_journal(folder / "journal.sqlite3") as opened:
        opened.journal.begin(play_on(match, Random(1)))
    for number in ("1", "2"):
        keep_picture(folder, match=number)
    history = History(folder / "journal.sqlite3")
    room = room_with(match, folder, history=history, looks=Looks(), live=live)
    room.door.kept = TableSummary(2)
    return room


@pytest.fixture(name="site", scope="module")
def _site(room: Room) -> Iterator[Site]:
    with served(room) as site:
        yield site


@slow("every page of what was kept")
def test_pages_of_what_was_kept_are_good(chromium: Browser, site: Site, room: Room) -> None:
    with open_phone(chromium, site, Phone(320, language="fr")) as page:
        enter(page, room)
        assert look_at(page, *KEPT) == []


def step_is(page: Page, number: int) -> None:
    page.wait_for_url(re.compile(rf"(at=|#){number}$"))


@slow("a film plays at its own pace")
def test_a_film_is_played_by_keys_and_taps(chromium: Browser, site: Site) -> None:
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


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (360, 740)])
def test_a_film_ends_with_the_whole_coyote(chromium: Browser, site: Site, width: int, height: int) -> None:
    with open_phone(chromium, site, Phone(width, height=height)) as page:
        page.goto(f"{FILM}?at=0")
        last = page.get_attribute("#film", "data-last")
        page.goto(f"{FILM}?at={last}")
        assert overhang(page, ".scene .beast", ".match .window") <= 0


def test_a_film_branches_into_what_if(chromium: Browser, site: Site) -> None:
    with open_phone(chromium, site, Phone(320, "dark")) as page:
        page.goto(f"{FILM}?at=0")
        page.click("#film-branch")
        page.wait_for_selector("#answers form")
        page.locator("#answers form button").first.click()
        page.wait_for_selector(".told-step")
        assert "said=" in page.url
        assert (faults(page), small_targets(page)) == ([], [])


def test_a_film_is_one_file_that_needs_no_server(chromium: Browser, site: Site, tmp_path: Path) -> None:
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


def frame(number: int) -> bytes:
    picture = np.full((240, 640, 3), (60, 90, 30), np.uint8)
    cv2.rectangle(picture, (20 + 50 * number, 60), (90 + 50 * number, 160), (240, 240, 240), -1)
    cv2.putText(picture, str(number), (35 + 50 * number, 130), cv2.FONT_HERSHEY_SIMPLEX, 1.5, (0, 0, 0), 3)
    return cv2.imencode(".jpg", picture)[1].tobytes()


@contextmanager
def filmed(live: LivePictures) -> Iterator[None]:
    """Let one picture come after the other, as browsers show one once the next begins."""
    over = Event()

    def film() -> None:
        for number in count():
            live.show(LivePicture(frame(number % 10)))
            if over.wait(0.1):
                return

    camera = Thread(target=film)
    camera.start()
    try:
        yield
    finally:
        over.set()
        camera.join()


def test_the_middle_of_the_table_is_seen_live(
    chromium: Browser, site: Site, room: Room, live: LivePictures
) -> None:
    with filmed(live), open_phone(chromium, site, Phone(320)) as page:
        page.goto("/")
        page.click(".live-note a[href='/live']")
        page.wait_for_function(SEEN)
        assert page.locator(".live-picture").evaluate(COLOURS) > 8
        assert (faults(page), small_targets(page)) == ([], [])
        page.set_viewport_size({"width": 1920, "height": 1080})
        for parts in ("picture", "score,picture"):
            page.goto(f"/overlay?parts={parts}", wait_until="commit")
            page.wait_for_function(SEEN)
            box = present(page.locator(".live-picture").bounding_box())
            assert box["x"] + box["width"] <= 1920
            assert page.locator(".strip").is_visible() == ("score" in parts)
        enter(page, room)
        page.goto("/host")
        assert page.locator(".live-line a[href='/live']").is_visible()
