"""Take pictures of the club's pages for people to look at: `python -m tests.browser.club_look FOLDER`.

Before a tournament, while people come, in its second round with calls, and after it.
The pictures are called TIME-PAGE-WIDTH-SCHEME-LANGUAGE.png.
"""

import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from tests.browser.club_house import DIRECTORS, OPEN, ClubHouse, become_director
from tests.browser.house import launch_chromium
from tests.browser.look import take
from tests.firmware.club.databases import running_postgres, with_database


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
    """Take pictures at times of an evening, as the director sees the pages."""
    shoot = partial(take, browser, club, folder, come_in=become_director)
    shoot("before", (*OPEN, *DIRECTORS))
    club.begin("Ana", "Bo")
    shoot("open", ("/", "/me", "/director/people"))
    club.hold_busy_evening()
    shoot("during", (*OPEN, *DIRECTORS, "/people/1", "/history/1", "/history/6"))
    club.send("/director/round/draw")
    shoot("drawn", ("/director/round",))
    club.send("/director/end")
    shoot("after", ("/", "/standings", "/director/round", "/director/more"))


if __name__ == "__main__":
    main()
