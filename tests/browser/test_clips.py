"""Clips in a browser: one tap at the screen plays them, as at the host's and in the film, or step by step."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.evening import begin, newest_match, play_coyote
from tests.browser.house import House, Phone, become_host, faults, open_phone, take_seat
from tests.browser.layout import small_targets
from vision.process.clip_files import Clip, load_clip

MOVES = """figure => new Promise(done => {
  new MutationObserver(done).observe(figure, {attributeFilter: ["data-shown"]});
})"""
DRAWN = """canvas => {
  const {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return new Set(data).size;
}"""


@pytest.fixture(name="folder", scope="module")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("filming")
    file = folder / "config" / "coyote-table" / "coyote.toml"
    file.parent.mkdir(parents=True)
    file.write_text("[camera]\nclips = true\n", encoding="utf-8")
    return folder


@pytest.fixture(name="filming", scope="module")
def _filming(folder: Path) -> Iterator[House]:
    house = House(folder)
    yield house
    house.close()


@pytest.fixture(name="number", scope="module")
def _number(chromium: Browser, filming: House) -> str:
    """Play a match at a table that keeps clips, and give its number."""
    with open_phone(chromium, filming) as host, open_phone(chromium, filming, Phone(misses=("409",))) as ana:
        become_host(host, filming)
        begin(host, "coyote", ("Ana", "Bo"), bots={1}, edition="kidult", boxes="1")
        take_seat(ana, filming, 0)
        ana.goto("/twin")
        play_coyote(ana)
        return newest_match(host)


def show_clip(page: Page) -> None:
    """Tap the first link to a clip, and see that it plays."""
    page.locator("a.show-clip").first.click()
    figure = page.locator("dialog.replay figure.clip")
    figure.locator("canvas").wait_for()
    assert figure.locator("canvas").evaluate(DRAWN) > 8
    if figure.locator(".clip-play").get_attribute("aria-label") == "Play":
        figure.locator(".clip-play").click()
    figure.evaluate(MOVES)


def test_a_tap_on_the_tables_screen_plays_the_newest_clip(
    chromium: Browser, filming: House, number: str
) -> None:
    assert number
    with open_phone(chromium, filming, Phone(1280)) as screen:
        become_host(screen, filming)
        screen.goto("/screen")
        screen.click("main button")
        screen.wait_for_selector(".sheet")
        assert "Clips are kept" in screen.locator(".clips-line").inner_text()
        show_clip(screen)
        assert faults(screen) == []
        screen.keyboard.press("Escape")
        screen.wait_for_selector("dialog.replay", state="detached")
        # the match goes on below
        assert screen.locator(".sheet").is_visible()


def test_it_plays_at_the_hosts_and_in_the_film(chromium: Browser, filming: House, number: str) -> None:
    with open_phone(chromium, filming, Phone(320, "dark")) as host:
        become_host(host, filming)
        assert faults(host) == []
        assert small_targets(host) == []
        show_clip(host)
        assert faults(host) == []
        assert small_targets(host) == []
        host.click("dialog.replay .clip-close")
        host.goto(f"/history/{number}/film")
        last = int(host.get_attribute("#film", "data-last") or 0)
        for at in range(last + 1):
            host.goto(f"/history/{number}/film?at={at}")
            if host.locator("a.show-clip").count():
                break
        show_clip(host)


def test_without_scripts_it_is_stepped_through(chromium: Browser, filming: House, number: str) -> None:
    assert number
    with open_phone(chromium, filming, Phone(has_script=False)) as page:
        page.goto("/clips")
        page.locator("a.show-clip").first.click()
        page.wait_for_selector("figure.clip > img")
        assert not page.locator(".clip-play").is_visible()
        moving = page.locator("figure.clip-moves img")
        moving.evaluate("picture => picture.decode()")
        assert moving.bounding_box()["width"] > 100
        page.click(".clip-on")
        page.wait_for_url("**?frame=1")
        assert page.locator(".clip-at b").inner_text().startswith("Picture 2 of ")


@pytest.mark.parametrize("width", [320, 390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_its_pages_are_good_on_every_screen(
    chromium: Browser, filming: House, number: str, width: int, scheme: str
) -> None:
    assert number
    with open_phone(chromium, filming, Phone(width, scheme, "fr")) as page:
        page.goto("/clips")
        first = page.locator("a.show-clip").first.get_attribute("href") or ""
        for address in ("/clips", first):
            page.goto(address)
            page.wait_for_selector("main")
            assert faults(page) == []
            assert small_targets(page) == []


def test_a_kept_clip_shows_the_open_middle_before_and_after_the_ruling(folder: Path, number: str) -> None:
    clips: list[Clip] = []
    for file in folder.rglob(f"{number}.*.clip"):
        clip = load_clip(file)
        assert clip is not None
        clips.append(clip)
    assert clips
    for clip in clips:
        assert 0 < clip.ruled <= clip.frames[-1].at <= 10_500
        assert len(clip.frames) > 5
