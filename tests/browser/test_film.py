"""A film in a browser: played, stepped and jumped through, without scripts, as a file, and otherwise."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from firmware.start.film_making import film_bytes
from referee.games.catalogue import GAMES
from referee.record import record_lines
from tests.browser.evening import begin, newest_match, play_coyote
from tests.browser.house import House, Phone, become_host, faults, open_phone, take_seat
from tests.browser.layout import small_targets
from tests.webui.matches import play_match

WIDTHS = (320, 390, 1280)


def moment_of(page: Page) -> int:
    found = re.search(r"(?:at=|#)(\d+)$", page.url)
    assert found is not None
    return int(found[1])


def step_is(page: Page, number: int) -> None:
    page.wait_for_url(re.compile(rf"(at=|#){number}$"))


def filmed_match(chromium: Browser, house: House) -> str:
    """Play a match, and give its number."""
    with open_phone(chromium, house) as host, open_phone(chromium, house, Phone(misses=("409",))) as ana:
        become_host(host, house)
        begin(host, "coyote", ("Ana", "Bo"), bots={1}, edition="kidult", boxes="1")
        take_seat(ana, house, 0)
        ana.goto("/twin")
        play_coyote(ana)
        return newest_match(host)


@pytest.fixture(scope="module")
def number(chromium: Browser, house: House) -> str:
    return filmed_match(chromium, house)


def test_a_film_is_played_by_keys_and_taps(chromium: Browser, house: House, number: str) -> None:
    with open_phone(chromium, house) as page:
        page.goto(f"/history/{number}/film?at=2")
        page.wait_for_selector("#film-play:not([hidden])")
        page.keyboard.press("ArrowRight")
        step_is(page, 3)
        page.keyboard.press("ArrowLeft")
        step_is(page, 2)
        page.click("#film-on")
        step_is(page, 3)
        told = page.locator("#film-said h1").inner_text()
        page.click("#film-play")
        step_is(page, 4)
        page.click("#film-play")
        assert page.locator("#film-said h1").inner_text() != told
        page.select_option("#film-jump", index=page.locator("#film-jump option").count() - 1)
        last = int(page.get_attribute("#film", "data-last") or 0)
        step_is(page, last)
        page.locator(".steps a").first.click()
        page.wait_for_function("last => !location.href.endsWith(`=${last}`)", arg=last)
        pictures = "[...document.images].every(picture => picture.complete && picture.naturalWidth)"
        page.wait_for_function(pictures)


def test_a_film_of_what_the_camera_read_shows_its_picture(chromium: Browser, house: House, number: str) -> None:
    with open_phone(chromium, house) as page:
        page.goto(f"/history/{number}/film")
        for at in range(int(page.get_attribute("#film", "data-last") or 0) + 1):
            page.goto(f"/history/{number}/film?at={at}")
            if page.locator(".evidence img").count():
                break
        assert page.locator(".evidence img").evaluate("img => img.decode().then(() => img.naturalWidth)") > 100
        assert page.locator(".cloth image").count() >= 1


def test_a_film_is_good_without_scripts(chromium: Browser, house: House, number: str) -> None:
    with open_phone(chromium, house, Phone(has_script=False)) as page:
        page.goto(f"/history/{number}/film?at=1")
        assert not page.locator("#film-play").is_visible()
        page.click("#film-on")
        step_is(page, 2)
        page.select_option("#film-jump", index=0)
        page.click(".jump button")
        step_is(page, 0)
        page.click("#film-branch")
        page.wait_for_selector("#answers form")
        page.locator("#answers form button").first.click()
        page.wait_for_selector(".told-step")
        assert "said=" in page.url


@pytest.mark.parametrize("has_script", [True, False])
def test_bots_play_on_from_a_what_if(chromium: Browser, house: House, number: str, *, has_script: bool) -> None:
    with open_phone(chromium, house, Phone(320, "dark", has_script=has_script)) as page:
        page.goto(f"/history/{number}/film/what-if/1")
        page.click("button[value=tries]")
        page.wait_for_selector(".chances")
        assert page.locator(".chances li").count() == page.locator(".match .plate").count()
        if has_script:
            assert faults(page) == []
            assert small_targets(page) == []
        page.click("button[value=play]")
        page.wait_for_selector(".told-step")
        assert "said=" in page.url


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_its_pages_are_good_on_every_screen(
    chromium: Browser, house: House, number: str, width: int, scheme: str
) -> None:
    with open_phone(chromium, house, Phone(width, scheme, "fr")) as page:
        home = f"/history/{number}"
        for address in (
            f"{home}/film",
            f"{home}/film?at=4",
            f"{home}/film/what-if/1",
            f"{home}/film/what-if/3",
        ):
            page.goto(address)
            page.wait_for_selector("main")
            assert faults(page) == []
            assert small_targets(page) == []


def test_a_film_is_one_file_that_needs_no_server(chromium: Browser, tmp_path: Path) -> None:
    film = film_bytes(record_lines(play_match(GAMES["coup-d-etat"], moments=60)), "en")
    assert film is not None
    file = tmp_path / "film.html"
    file.write_bytes(film)
    context = chromium.new_context(offline=True, reduced_motion="reduce")
    page, asked, complaints = context.new_page(), list[str](), list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda said: complaints.append(said.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"{file.as_uri()}#30")
    page.wait_for_selector("#film-play:not([hidden])")
    page.keyboard.press("ArrowRight")
    step_is(page, 31)
    page.wait_for_function("document.images.length && [...document.images].every(each => each.naturalWidth)")
    context.close()
    assert complaints == []
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
