"""What a table shows of what its camera read: why, films, clips, its live picture; with scripts and without."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from firmware.start.film_making import film_bytes
from referee.games.catalogue import GAMES
from referee.record import record_lines
from tests.browser import places
from tests.browser.evening import begin_duel, newest_answer, newest_match, play_a_match
from tests.browser.house import House, Phone, become_host, faults, open_phone
from tests.browser.layout import small_targets
from tests.tiers import ALL, release
from tests.webui.matches import play_match

LONG = 120_000
"""Milliseconds within which the eyes have found the table, also on a machine that is busy."""
PLAIN = Phone(has_script=False)
ALL_SEEN = "() => [...document.images].every(each => each.complete && each.naturalWidth)"
SEEN = "() => document.querySelector('.live-picture').naturalWidth > 100"
MOVES = """figure => new Promise(done => {
  new MutationObserver(done).observe(figure, {attributeFilter: ["data-shown"]});
})"""
COLOURS = """picture => {
  const [width, height] = [picture.naturalWidth || picture.width, picture.naturalHeight || picture.height];
  const canvas = new OffscreenCanvas(width, height).getContext("2d");
  canvas.drawImage(picture, 0, 0);
  return new Set(canvas.getImageData(0, 0, width, height).data).size;
}"""
"""Counts values of colours: a plain picture has few."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder of a table that keeps clips and shows itself live."""
    folder = tmp_path_factory.mktemp("filming")
    file = folder / "config" / "coyote-table" / "coyote.toml"
    file.parent.mkdir(parents=True)
    file.write_text("[camera]\nclips = true\nlive = true\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def filming(home: Path) -> Iterator[House]:
    house = House(home)
    yield house
    house.close()


@pytest.fixture(scope="module")
def played(chromium: Browser, filming: House) -> str:
    """Play a match that the camera reads, and give its number."""
    return play_a_match(chromium, filming)


def step_is(page: Page, number: int) -> None:
    page.wait_for_url(re.compile(rf"(at=|#){number}$"))


def find_in_film(page: Page, number: str, selector: str) -> None:
    """Go to the first step of a film that has something."""
    page.goto(f"/history/{number}/film")
    for at in range(int(page.get_attribute("#film", "data-last") or 0) + 1):
        page.goto(f"/history/{number}/film?at={at}")
        if page.locator(selector).count():
            return
    raise AssertionError(selector)


def show_clip(page: Page) -> None:
    """Tap the first link to a clip, and see that it plays."""
    page.locator("a.show-clip").first.click()
    figure = page.locator("dialog.replay figure.clip")
    assert figure.locator("canvas").evaluate(COLOURS) > 8
    if figure.locator(".clip-play").get_attribute("aria-label") == "Play":
        figure.locator(".clip-play").click()
    figure.evaluate(MOVES)


@release("a whole match by real eyes and hands; what pages say of it is recorded")
def test_a_match_that_the_camera_read_is_explained_corrected_and_kept(
    chromium: Browser, filming: House, played: str
) -> None:
    with open_phone(chromium, filming) as host, open_phone(chromium, filming) as score:
        become_host(host, filming)
        # only the match that is on can be corrected
        number = played if newest_match(host) == played else play_a_match(chromium, filming)
        lines = host.request.get(f"/history/{number}.jsonl").text().splitlines()
        shown = [each for each in map(json.loads, lines) if isinstance(each.get("value"), list)]
        assert len(shown) >= 3
        assert {each["sense"] for each in shown} == {"camera"}
        answer = newest_answer(host)
        pages = [page.format(answer=answer, match=number) for page in (*places.KEPT, *places.HOST_KEPT)]
        for page in pages if ALL else pages[:1]:
            host.goto(page)
            assert (page, faults(host)) == (page, [])
        # what the reader thought of second is right: the match goes on, or ends otherwise
        score.goto("/")
        before = score.locator(".told").first.inner_text()
        host.goto(f"/why/{answer}")
        seen = host.locator("img.seen")
        assert seen.evaluate("picture => picture.decode().then(() => picture.naturalWidth)") > 100
        host.get_by_role("link", name="Correct").click()
        runner_up = host.locator(".guess button[name=cards]").first
        right = runner_up.locator("b").inner_text()
        runner_up.click()
        host.wait_for_selector(".people")
        host.goto(f"/why/{answer}")
        assert right in host.locator(".now").inner_text()
        assert host.get_by_text("corrected by the host").is_visible()
        score.wait_for_function("before => document.querySelector('.told').innerText !== before", arg=before)


def test_a_film_is_played_by_keys_and_taps(chromium: Browser, filming: House, played: str) -> None:
    with open_phone(chromium, filming) as page:
        page.goto(f"/history/{played}/film?at=2")
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
        page.wait_for_function(ALL_SEEN)
        find_in_film(page, played, ".evidence img")
        assert page.locator(".evidence img").evaluate("img => img.decode().then(() => img.naturalWidth)") > 100
        assert page.locator(".cloth image").count() >= 1


@pytest.mark.parametrize("has_script", [True, False])
def test_a_film_branches_into_what_if(
    chromium: Browser, filming: House, played: str, *, has_script: bool
) -> None:
    with open_phone(chromium, filming, Phone(320, "dark", has_script=has_script)) as page:
        page.goto(f"/history/{played}/film?at=1")
        assert page.locator("#film-play").is_visible() == has_script
        page.click("#film-on")
        step_is(page, 2)
        page.select_option("#film-jump", index=0)
        if not has_script:
            page.click(".jump button")
        step_is(page, 0)
        page.click("#film-branch")
        page.wait_for_selector("#answers form")
        page.locator("#answers form button").first.click()
        page.wait_for_selector(".told-step")
        assert "said=" in page.url
        if has_script:
            assert (faults(page), small_targets(page)) == ([], [])


def test_a_film_is_one_file_that_needs_no_server(chromium: Browser, filming: House, tmp_path: Path) -> None:
    film = film_bytes(record_lines(play_match(GAMES["coup-d-etat"], moments=60)), "en")
    assert film is not None
    file, asked = tmp_path / "film.html", list[str]()
    file.write_bytes(film)
    with open_phone(chromium, filming) as page:
        page.context.set_offline(offline=True)
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{file.as_uri()}#30")
        page.wait_for_selector("#film-play:not([hidden])")
        page.keyboard.press("ArrowRight")
        step_is(page, 31)
        page.wait_for_function(
            "document.images.length && [...document.images].every(each => each.naturalWidth)"
        )
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []


@pytest.mark.usefixtures("played")
def test_a_tap_on_the_tables_screen_plays_the_newest_clip(chromium: Browser, filming: House) -> None:
    with open_phone(chromium, filming, Phone(1280)) as screen:
        become_host(screen, filming)
        screen.goto("/screen")
        screen.click("main button")
        screen.wait_for_selector(".sheet")
        show_clip(screen)
        assert faults(screen) == []
        screen.keyboard.press("Escape")
        screen.wait_for_selector("dialog.replay", state="detached")
        # the match goes on below
        assert screen.locator(".sheet").is_visible()


@pytest.mark.usefixtures("played")
def test_without_scripts_a_clip_is_stepped_through(chromium: Browser, filming: House) -> None:
    with open_phone(chromium, filming, PLAIN) as page:
        page.goto("/clips")
        page.locator("a.show-clip").first.click()
        page.wait_for_selector("figure.clip > img")
        assert not page.locator(".clip-play").is_visible()
        page.locator("figure.clip-moves img").evaluate("picture => picture.decode()")
        page.click(".clip-on")
        page.wait_for_url("**?frame=1")
        assert page.locator(".clip-at b").inner_text().startswith("Picture 2 of ")


@pytest.mark.parametrize("width", [320, 1920] if ALL else [320])
def test_the_middle_of_the_table_is_seen_live(chromium: Browser, filming: House, width: int) -> None:
    with open_phone(chromium, filming, Phone(320)) as host, open_phone(chromium, filming, Phone(width)) as page:
        begin_duel(host, filming)
        host.goto("/host")
        assert host.locator(".clips-line a[href='/live']").is_visible()
        page.goto("/")
        page.click(".clips-note a[href='/live']")
        page.wait_for_function(SEEN, timeout=LONG)
        # cloth, plates' surroundings, no plain colour
        assert page.locator(".live-picture").evaluate(COLOURS) > 8
        assert (faults(page), small_targets(page)) == ([], [])
        page.set_viewport_size({"width": 1920, "height": 1080})
        for parts in ("picture", "score,picture"):
            page.goto(f"/overlay?parts={parts}")
            page.wait_for_function(SEEN, timeout=LONG)
            box = page.locator(".live-picture").bounding_box()
            assert box is not None
            assert box["x"] + box["width"] <= 1920
            assert page.locator(".strip").is_visible() == ("score" in parts)
    with open_phone(chromium, filming, PLAIN) as plain:
        plain.goto("/live", wait_until="commit")
        plain.wait_for_selector(".live-picture[src='/live.mjpg']")
