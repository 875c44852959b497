"""Draw pages at decisive moments, for people to look at: `python -m tests.browser.gallery FOLDER [NAME …]`.

Each picture is named GAME-MOMENT-SIZE-SCHEME.png. The matches are played at random until a moment is found.
"""

import sys
from contextlib import ExitStack
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from firmware.start.games import hand_in_games
from firmware.start.pages.look_door import Looks
from tests.browser.house import CHROMIUM, launch_chromium
from tests.browser.moments import MOMENTS, Moment, find_match, served
from tests.webui.room import room_with

SIZES = {"tv": (1920, 1080), "small": (800, 600), "tablet": (1024, 768), "phone": (360, 740)}


def take_pictures(browser: Browser, moment: Moment, folder: Path, shown: tuple[str, str, str, str]) -> None:
    """Draw a page at a moment: its address, the size, the scheme, the language."""
    address, size, scheme, language = shown
    width, height = SIZES[size]
    with TemporaryDirectory() as kept:
        room = room_with(find_match(moment), Path(kept), looks=Looks())
        with served(room) as site:
            context = browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme=scheme,  # type: ignore[arg-type]
                locale=language,
                base_url=site,
                reduced_motion="reduce",
            )
            page = context.new_page()
            page.on("console", lambda said: print(said.text) if said.type == "error" else None)
            if address == "/screen":
                page.goto("/host")
                page.fill("input[name=pin]", room.browser().links.pin)
                page.click("main button")
                page.goto("/screen")
                page.click("main button")
            page.goto(address)
            page.wait_for_function("document.fonts.status === 'loaded'")
            name = (
                f"{moment.game}-{moment.name}{address.replace('/', '-').rstrip('-')}-{size}-{scheme}-{language}"
            )
            page.screenshot(path=folder / f"{name}.png", full_page=size == "phone")
            print(name)
            context.close()


def main() -> None:
    """Draw what is asked for: all moments, or those that are named."""
    folder, words = Path(sys.argv[1]), set(sys.argv[2:])
    sizes = [size for size in SIZES if size in words] or ["tv"]
    pages = [word for word in words if word.startswith("/")] or ["/screen"]
    scheme, language = "dark" if "dark" in words else "light", "fr" if "fr" in words else "en"
    names = words - {*SIZES, *pages, "dark", "fr"}
    folder.mkdir(parents=True, exist_ok=True)
    hand_in_games()
    assert CHROMIUM.exists(), "chromium isn't installed: apt install chromium"
    with sync_playwright() as play, ExitStack() as ends:
        browser = launch_chromium(play)
        ends.callback(browser.close)
        for moment in MOMENTS:
            if not names or f"{moment.game}-{moment.name}" in names or moment.game in names:
                for page, size in product(pages, sizes):
                    take_pictures(browser, moment, folder, (page, size, scheme, language))


if __name__ == "__main__":
    main()
