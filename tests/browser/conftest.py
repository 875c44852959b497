"""One shared Chromium; each test file has its own twin table, because it renders continuously."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright._impl._driver import compute_driver_executable
from playwright.sync_api import Browser, sync_playwright

from club.postgres import Postgres
from firmware.services.looks import Looks
from plugins.club.tests.databases import running_postgres, with_database
from tests.browser.club_house import ClubHouse
from tests.browser.house import CHROMIUM, House, launch_chromium, open_house
from tests.browser.moments import MOMENTS, find_match
from tests.browser.rooms import Site, served
from tests.webui.room import PlainLooks, Room, room_with


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip("Chromium isn't installed: apt install chromium-headless-shell")
    if subprocess.run(
        [compute_driver_executable()[0], "--version"], capture_output=True, check=False
    ).returncode:
        pytest.skip("Playwright's Node.js doesn't start: apt install libatomic1")
    with sync_playwright() as play:
        browser = launch_chromium(play)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def house(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:  # noqa: ARG001 - start no table without a browser
    with open_house(tmp_path_factory.mktemp("house")) as house:
        yield house


@pytest.fixture
def looks() -> Looks:
    """Looks without artwork, which would take a third of a page's first load."""
    return PlainLooks()


@pytest.fixture
def room(tmp_path: Path, looks: Looks) -> Room:
    return room_with(find_match(MOMENTS[0]), tmp_path, looks=looks)


@pytest.fixture
def site(room: Room) -> Iterator[Site]:
    with served(room) as site:
        yield site


@pytest.fixture(scope="session")
def postgres(chromium: Browser) -> Iterator[Postgres]:  # noqa: ARG001 - as above
    with running_postgres() as server:
        yield server


@pytest.fixture
def club(postgres: Postgres, tmp_path: Path) -> Iterator[ClubHouse]:
    with with_database(postgres.address) as database:
        house = ClubHouse(database, tmp_path)
        yield house
        house.close()
