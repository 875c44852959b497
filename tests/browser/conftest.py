"""One Chromium, and one table that most tests share: each of them begins a match of its own at it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.house import CHROMIUM, FULL, House, launch_chromium


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip("Chromium isn't installed: apt install chromium-headless-shell")
    with sync_playwright() as play:
        browser = launch_chromium(play)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def house(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:  # noqa: ARG001 - without a browser no table is started
    table = House(tmp_path_factory.mktemp("house"), *FULL)
    yield table
    table.close()
