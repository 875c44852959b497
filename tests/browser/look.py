"""Take pictures of every page for people to look at: `python -m tests.browser.look FOLDER`.

Each page is taken at four widths, light and dark, in English and French: PAGE-WIDTH-SCHEME-LANGUAGE.png.
"""

import sys
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import places
from tests.browser.evening import begin, newest_answer, newest_match, play_coyote
from tests.browser.house import FULL, House, Phone, Site, become_host, launch_chromium, open_phone, take_seat

LONG = "Anne-Élisabeth Vandenbroucke de La Tour"
PHONES = (
    Phone(320, "light", "fr"),
    Phone(360, "dark", "en"),
    Phone(1280, "light", "en"),
    Phone(1920, "dark", "fr"),
)


def main() -> None:
    """Play a little, and take pictures all along."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as kept, sync_playwright() as play, ExitStack() as ends:
        browser = launch_chromium(play)
        ends.callback(browser.close)
        house = House(Path(kept), *FULL)
        ends.callback(house.close)
        look(browser, house, folder)


def look(browser: Browser, house: House, folder: Path) -> None:
    """Take pictures of all pages: before a match, in the midst of it, after it."""

    def sit(page: Page) -> None:
        take_seat(page, house, 0)

    def lead(page: Page) -> None:
        become_host(page, house)

    shoot = partial(take, browser, house, folder)
    with open_phone(browser, house, Phone(misses=("409",))) as host, open_phone(browser, house) as seat:
        shoot("empty", places.OPEN)
        lead(host)
        names = [f"{LONG[:38]}{number:02}" for number in range(12)]
        begin(host, "coyote", names, edition="oliphante", boxes="2")
        shoot("crowded", ("/", "/twin"))
        shoot("crowded-seat", ("/seat", "/twin"), sit)
        shoot("crowded-host", ("/host", "/host/new"), lead)
        begin(host, "coyote", ["Ana", "Bo"], bots={1}, edition="kidult", boxes="1")
        sit(seat)
        seat.goto("/twin")
        play_coyote(seat)
        there_is = {"answer": newest_answer(seat), "match": newest_match(host)}
        rows = [page.format(**there_is) for page in (*places.KEPT, *places.HOST_KEPT)]
        shoot("over", (*places.OPEN, *rows[: len(places.KEPT)]))
        shoot("over-seat", ("/seat", "/twin", rows[0]), sit)
        shoot("over-host", (*places.HOST, *rows), lead)
        for game, seats in (("coup", 3), ("coup-d-etat", 4), ("plenty-coups", 4), ("ogallala", 4)):
            begin(host, game, ["Ana", "Bo", "Chloé", "Dora"][:seats])
            shoot(game, ("/", "/twin"))
            shoot(f"{game}-seat", ("/seat", "/twin"), sit)


def take(
    browser: Browser,
    site: Site,
    folder: Path,
    name: str,
    pages: Iterable[str],
    come_in: Callable[[Page], object] = lambda _page: None,
) -> None:
    """Take pictures of pages as one person sees them; what a console complains of is told."""
    for phone in PHONES:
        try:
            with open_phone(browser, site, phone) as page:
                come_in(page)
                for address in pages:
                    page.goto(address)
                    told = f"{name}{file_name(address)}-{phone.width}-{phone.scheme}-{phone.language}"
                    page.screenshot(path=folder / f"{told}.png", full_page=True)
                    print(told)
        except AssertionError as error:
            print(error, *error.__notes__)


def file_name(address: str) -> str:
    """Write an address so that a file may be called so."""
    return "".join(letter if letter.isalnum() else "-" for letter in address)


if __name__ == "__main__":
    main()
