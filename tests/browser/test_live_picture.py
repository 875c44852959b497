"""The live picture in a browser, of a table that plays: seen by who looks on, above a stream, on the screen."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.evening import begin, newest_match
from tests.browser.house import House, Phone, become_host, faults, open_phone
from tests.browser.layout import small_targets

SEEN = """() => {
  const picture = document.querySelector(".live-picture");
  return picture.naturalWidth > 100;
}"""
DRAWN = """() => {
  const picture = document.querySelector(".live-picture");
  const canvas = new OffscreenCanvas(picture.naturalWidth, picture.naturalHeight).getContext("2d");
  canvas.drawImage(picture, 0, 0);
  const {data} = canvas.getImageData(0, 0, picture.naturalWidth, picture.naturalHeight);
  return new Set(data).size;
}"""
LONG = 120_000
"""Milliseconds within which the eyes have found the table, also on a machine that is busy."""


@pytest.fixture(name="shown", scope="module")
def _shown(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Let a table play that shows itself live."""
    folder = tmp_path_factory.mktemp("live")
    file = folder / "config" / "coyote-table" / "coyote.toml"
    file.parent.mkdir(parents=True)
    file.write_text("[camera]\nlive = true\n", encoding="utf-8")
    house = House(folder)
    with open_phone(chromium, house) as host:
        become_host(host, house)
        begin(host, "coyote", ("Ana", "Bo"), edition="kidult", boxes="1")
        newest_match(host)
    yield house
    house.close()


def see_picture(page: Page) -> None:
    """Wait until the table is seen: cloth, plates' surroundings, no plain colour."""
    page.wait_for_function(SEEN, timeout=LONG)
    assert page.evaluate(DRAWN) > 8


@pytest.mark.parametrize(("width", "scheme", "language"), [(320, "light", "fr"), (1920, "dark", "en")])
def test_who_looks_on_sees_the_middle_of_the_table(
    chromium: Browser, shown: House, width: int, scheme: str, language: str
) -> None:
    with open_phone(chromium, shown, Phone(width, scheme, language)) as page:
        page.goto("/")
        page.click(".clips-note a[href='/live']")
        see_picture(page)
        assert faults(page) == []
        assert small_targets(page) == []


def test_it_is_seen_without_scripts(chromium: Browser, shown: House) -> None:
    with open_phone(chromium, shown, Phone(has_script=False)) as page:
        page.goto("/live", wait_until="commit")
        page.wait_for_selector(".live-picture")
        assert page.locator(".live-picture").get_attribute("src") == "/live.mjpg"


@pytest.mark.parametrize("parts", ["picture", "score,picture"])
def test_a_stream_has_it_above_its_own_picture(chromium: Browser, shown: House, parts: str) -> None:
    with open_phone(chromium, shown, Phone(1920)) as page:
        page.goto(f"/overlay?parts={parts}")
        see_picture(page)
        box = page.locator(".live-picture").bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 1920
        assert page.locator(".strip").is_visible() == ("score" in parts)


def test_the_host_is_told_that_it_is_on(chromium: Browser, shown: House) -> None:
    with open_phone(chromium, shown, Phone(320, "dark", "fr")) as host:
        become_host(host, shown)
        assert host.locator(".clips-line a[href='/live']").is_visible()
        assert faults(host) == []
        assert small_targets(host) == []
        host.goto("/host/privacy")
        assert "Image en direct activé" in host.locator(".kept").all_inner_texts()[1].replace("\n", " ")
