"""Take pictures of every page for people to look at: `python -m tests.browser.look FOLDER`.

Each page is taken at three widths, light and dark, in English and French: PAGE-WIDTH-SCHEME-LANGUAGE.png.
"""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import places
from tests.browser.evening import begin, newest_answer, newest_match, play_coyote
from tests.browser.house import FULL, House, Phone, become_host, launch_chromium, open_phone, take_seat

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
    with open_phone(browser, house, Phone(misses=("409",))) as host, open_phone(browser, house) as seat:
        taken = Taken(browser, house, folder)
        taken.of("empty", places.OPEN)
        become_host(host, house)
        begin(
            host, "coyote", [f"{LONG[:38]}{number:02}" for number in range(12)], edition="oliphante", boxes="2"
        )
        taken.of("crowded", ("/", "/twin"))
        taken.of("crowded-seat", ("/seat", "/twin"), seat=0)
        taken.of("crowded-host", ("/host", "/host/new"), is_host=True)
        begin(host, "coyote", ["Ana", "Bo"], bots={1}, edition="kidult", boxes="1")
        take_seat(seat, house, 0)
        seat.goto("/twin")
        play_coyote(seat)
        there_is = {"answer": newest_answer(seat), "match": newest_match(host)}
        rows = [page.format(**there_is) for page in (*places.KEPT, *places.HOST_KEPT)]
        taken.of("over", (*places.OPEN, *rows[: len(places.KEPT)]))
        taken.of("over-seat", ("/seat", "/twin", rows[0]), seat=0)
        taken.of("over-host", (*places.HOST, *rows), is_host=True)
        for game, names in (("coup", 3), ("coup-d-etat", 4), ("plenty-coups", 4), ("ogallala", 4)):
            begin(host, game, ["Ana", "Bo", "Chloé", "Dora"][:names])
            taken.of(game, ("/", "/twin"))
            taken.of(f"{game}-seat", ("/seat", "/twin"), seat=0)


class Taken:
    """Pictures that are taken into a folder."""

    def __init__(self, browser: Browser, house: House, folder: Path) -> None:
        """Take the folder."""
        self._browser, self._house, self._folder = browser, house, folder

    def of(
        self, name: str, pages: tuple[str, ...] | list[str], seat: int | None = None, is_host: bool = False
    ) -> None:
        """Take pictures of pages as one person sees them."""
        for phone in PHONES:
            with report_complaints(), open_phone(self._browser, self._house, phone) as page:
                if seat is not None:
                    take_seat(page, self._house, seat)
                if is_host:
                    become_host(page, self._house)
                for address in pages:
                    self._take(
                        page,
                        address,
                        f"{name}{file_name(address)}-{phone.width}-{phone.scheme}-{phone.language}",
                    )

    def _take(self, page: Page, address: str, name: str) -> None:
        page.goto(address)
        page.screenshot(path=self._folder / f"{name}.png", full_page=True)
        print(name)


@contextmanager
def report_complaints() -> Iterator[None]:
    """Tell what a console complains of, and go on."""
    try:
        yield
    except AssertionError as error:
        print(error)


def file_name(address: str) -> str:
    """Write an address so that a file may be called so."""
    return "".join(letter if letter.isalnum() else "-" for letter in address)


if __name__ == "__main__":
    main()
