"""Take pictures of the club's pages for people to look at: `python -m tests.browser.club_look FOLDER`.

Before a tournament, while people come, in its second round with calls, and after it.
The pictures are called PAGE-WIDTH-SCHEME-LANGUAGE.png.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from tests.browser.club_house import DIRECTORS, OPEN, ClubHouse, become_director
from tests.browser.house import Phone, launch_chromium, open_phone
from tests.browser.look import file_name, report_complaints
from tests.firmware.club.databases import running_postgres, with_database

PHONES = (
    Phone(360, "light", "fr"),
    Phone(360, "dark", "en"),
    Phone(1920, "light", "en"),
    Phone(1920, "dark", "fr"),
)


def main() -> None:
    """Hold an evening, and take pictures all along."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as kept, sync_playwright() as play, running_postgres() as server:
        browser = launch_chromium(play)
        with with_database(server.address) as database:
            club = ClubHouse(database, Path(kept))
            take_evening(browser, club, folder)
            club.close()
        browser.close()


def take_evening(browser: Browser, club: ClubHouse, folder: Path) -> None:
    """Take pictures at four times of an evening."""
    take(browser, club, folder / "before")
    club.begin("Ana", "Bo")
    take(browser, club, folder / "open", ("/", "/me", "/director/people"))
    club.add_tables()
    club.hold_evening()
    club.call("table-2")
    club.call("table-4", "1")
    club.doubt("table-1")
    take(browser, club, folder / "during", (*OPEN, *DIRECTORS, "/people/1", "/history/1", "/history/6"))
    club.send("/director/round/draw")
    take(browser, club, folder / "drawn", ("/director/round",))
    club.send("/director/end")
    take(browser, club, folder / "after", ("/", "/standings", "/director/round", "/director/more"))


def take(browser: Browser, club: ClubHouse, folder: Path, pages: tuple[str, ...] = (*OPEN, *DIRECTORS)) -> None:
    """Take pictures of pages, those of the director's as the director."""
    folder.mkdir(exist_ok=True)
    for phone in PHONES:
        with report_complaints(), open_phone(browser, club, phone) as page:
            become_director(page)
            for address in pages:
                page.goto(address)
                name = f"{file_name(address)}-{phone.width}-{phone.scheme}-{phone.language}.png"
                page.screenshot(path=folder / name, full_page=address != "/" or phone.width < 700)


if __name__ == "__main__":
    main()
