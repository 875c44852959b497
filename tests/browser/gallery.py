"""Screenshots of the pages at decisive moments: `python -m tests.browser.gallery [NAME …]`.

Writes docs/gallery.md and its pictures; with names, only those with these prefixes. Random matches are played
until the moment occurs, so each picture shows a realistic table.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from itertools import groupby, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Literal

from msgspec import Struct
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import TimeoutError as TooSlow

from firmware.services.looks import Looks
from firmware.start.games import hand_in_games
from referee.games.catalogue import GAMES
from tests.browser.house import (
    CHROMIUM,
    Phone,
    become_host,
    begin,
    launch_chromium,
    open_house,
    open_phone,
    take_seat,
)
from tests.browser.moments import match_at
from tests.browser.rooms import become_screen, enter, page_of, sit
from tests.webui.laid_deck import lay_deck
from tests.webui.room import Room, room_with

DOCS = Path(__file__).parents[2] / "docs"
PICTURES = "gallery"
SIZES = {"tv": (1920, 1080), "tablet": (1024, 768), "desk": (1440, 900), "phone": (360, 740)}
WIDTHS = {"tv": 960, "tablet": 640, "desk": 960, "phone": 270}
"""Widths of the stored pictures in pixels."""
QUALITY = 82
FILM = (640, 360)  # size of the film in pixels
MOVING = "coyote-call-screen-moving"
TAPS = {"coyote": 6, "coup": 4, "coup-d-etat": 4, "ogallala": 6, "plenty-coups": 6}
"""Taps before a picture of the table is taken."""
PLAYED = {
    "hurry": "#hurry",
    "lay": "#table .take.lit",
    "choose": "#table .label :is(.options button[name=option], .confirm .say:first-child, button[data-say])",
}
"""Elements to tap at the simulated table."""
WAITS = 20_000  # milliseconds before a picture of a waiting player is taken
LOADED = """() => [...document.images].every((image) => {
  const place = image.getBoundingClientRect();
  return place.top > innerHeight || !place.width || (image.complete && image.naturalWidth > 0);
})"""
"""Whether all visible images are loaded."""
NOW = "ways => Object.keys(ways).find(way => document.querySelector(ways[way]))"
MOMENT = "document.querySelector('#table [name=moment]')?.value ?? ''"
Scheme = Literal["light", "dark"]
OWN_DECK = "/host/teach/piquet"
NAMES = ("Ana", "Bo", "Chloé", "Dédé")


class Shot(Struct, frozen=True):
    """A screenshot: its page, size, colour scheme and language."""

    page: Literal["screen", "score", "seat"]
    size: str = "phone"
    scheme: Scheme = "light"
    language: str = "en"

    @property
    def tail(self) -> str:
        language = "" if self.language == "en" else f"-{self.language}"
        return f"{self.page}-{self.size}-{self.scheme}{language}"


SCREEN, DARK_SCREEN = Shot("screen", "tv"), Shot("screen", "tv", "dark", "fr")
TABLET = Shot("screen", "tablet", "dark")
SCORE, SEAT, DARK_SEAT = Shot("score"), Shot("seat"), Shot("seat", scheme="dark", language="fr")
FULL = (SCREEN, DARK_SCREEN, SCORE, SEAT, DARK_SEAT)
SHOTS: dict[str, tuple[Shot, ...]] = {
    "coyote-bid": FULL,
    "coyote-call": (SCREEN, SCORE, DARK_SEAT),
    "coyote-count": (SCREEN, TABLET, SCORE),
    "coyote-won": (DARK_SCREEN, SCORE),
    "coyote-all-join": (SCREEN,),
    "coup-turn": (SCREEN, SEAT, DARK_SEAT),
    "coup-claim": FULL,
    "coup-block": (SCREEN, SCORE, SEAT),
    "coup-d-etat-trick": FULL,
    "coup-d-etat-dominos": (SCREEN, SEAT),
    "plenty-coups-display": FULL,
    "plenty-coups-raid": (SCREEN, SCORE, SEAT),
    "plenty-coups-won": (DARK_SCREEN, SCORE),
    "ogallala-place": FULL,
}
"""The screenshots of each moment."""


def open_page(page: Page, room: Room, shot: Shot) -> None:
    """Open a screenshot's page with the needed rights: as the screen, or as the first asked player."""
    if shot.page == "screen":
        become_screen(page, room)
    elif shot.page == "seat":
        sit(page, room, next((seat for ask in room.client.match.asks for seat in ask.seats), 0))
    page.goto("/" if shot.page == "score" else f"/{shot.page}")


def resize_page(page: Page, size: str) -> None:
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})


def keep_picture(page: Page, size: str, name: str) -> None:
    page.wait_for_function("() => document.fonts.status === 'loaded'")
    seen = Image.open(BytesIO(page.screenshot())).convert("RGB")
    width = WIDTHS[size]
    small = seen.resize((width, round(seen.height * width / seen.width)), Image.Resampling.BOX)
    place = DOCS / PICTURES / f"{name}.webp"
    small.save(place, quality=QUALITY)
    print(f"{name}: {place.stat().st_size // 1000} kB")


def draw_moment(browser: Browser, name: str) -> None:
    for shot in SHOTS[name]:
        width, height = SIZES[shot.size]
        phone = Phone(width, shot.scheme, shot.language, height=height)
        with TemporaryDirectory() as kept:
            room = room_with(match_at(name), Path(kept), looks=Looks())
            with page_of(browser, room, phone) as page:
                open_page(page, room, shot)
                keep_picture(page, shot.size, f"{name}-{shot.tail}")


def draw_call(browser: Browser) -> None:
    call, count = match_at("coyote-call"), match_at("coyote-count")
    assert call.before is not None
    assert count.before is not None
    with TemporaryDirectory() as kept:
        room = room_with(call.before, Path(kept), looks=Looks())
        with page_of(browser, room, Phone(960, height=540, is_still=False)) as page:
            open_page(page, room, SCREEN)
            frames = list(film_page(page, 1.0))
            for match, seconds in ((call, 4.0), (count.before, 0.1), (count, 9.0)):
                room.client.tell(match)
                frames += film_page(page, seconds)
    times = [taken for taken, _frame in frames]
    lasting = [round(1000 * (later - taken)) for taken, later in pairwise((*times, times[-1] + 2.0))]
    first, *more = [frame.resize(FILM, Image.Resampling.LANCZOS) for _taken, frame in frames]
    place = DOCS / PICTURES / f"{MOVING}.webp"
    first.save(place, save_all=True, append_images=more, duration=lasting, loop=0, quality=25, method=6)
    print(f"{MOVING}: {place.stat().st_size // 1000} kB, {len(frames)} frames")


def film_page(page: Page, seconds: float) -> Iterator[tuple[float, Image.Image]]:
    end = monotonic() + seconds
    while (now := monotonic()) < end:
        yield now, Image.open(BytesIO(page.screenshot(type="jpeg", quality=95)))


def draw_table(browser: Browser) -> None:
    with TemporaryDirectory() as kept, open_house(Path(kept)) as house, open_phone(browser, house) as page:
        page.goto("/welcome")
        page.wait_for_function(LOADED)
        keep_picture(page, "phone", "table-welcome-phone-light")
        become_host(page, house)
        for number, game in enumerate(GAMES):
            begin(page, game, NAMES)
            page.goto("/host")
            if game == "coyote":
                keep_picture(page, "phone", "table-host-phone-light")
                draw_framing(page)
            resize_page(page, "desk")
            if not number:
                take_seat(page, house, 0)
            let_bots_play(page)
            play_on(page, TAPS[game])
            keep_picture(page, "desk", f"table-{game}-desk-light")
            resize_page(page, "phone")


def draw_cards(browser: Browser) -> None:
    with TemporaryDirectory() as kept:
        os.environ["STATE_DIRECTORY"] = kept
        lay_deck("piquet")
        room = room_with(match_at("coyote-bid"), Path(kept), looks=Looks())
        with page_of(browser, room, Phone(height=SIZES["phone"][1])) as page:
            enter(page, room)
            for size in ("phone", "desk"):
                resize_page(page, size)
                page.goto(OWN_DECK)
                page.wait_for_function(LOADED)
                keep_picture(page, size, f"table-cards-{size}-light")


def let_bots_play(page: Page, seats: int = len(NAMES)) -> None:
    page.goto("/twin")
    # another match may have left the seat free
    if (free := page.query_selector(".sit button[value='0']")) is not None:
        free.click()
        page.wait_for_selector(".mine")
    page.click("#more > summary")
    page.click("#bots > summary")
    for seat in range(1, seats):
        if page.get_attribute(f"#bot-{seat}", "aria-pressed") != "true":
            page.click(f"#bot-{seat}")
            page.wait_for_selector(f"#bot-{seat}[aria-pressed=true]")
    page.keyboard.press("Escape")


def draw_framing(page: Page) -> None:
    page.goto("/host/table")
    page.click("form[action='/host/table/open'] button")
    page.wait_for_selector(".sight .needed.well")
    page.wait_for_function("() => document.querySelector('img[data-live]').naturalWidth > 0")
    keep_picture(page, "phone", "table-framing-phone-light")
    page.click("form[action='/host/table/close'] button")


def play_on(page: Page, taps: int) -> None:
    with suppress(TooSlow):
        while taps:
            way = page.wait_for_function(NOW, arg=PLAYED, timeout=WAITS).json_value()
            if way == "hurry":
                if (button := page.query_selector(PLAYED[way])) is not None:
                    # it may disappear by itself at any time
                    button.evaluate("button => button.click()")
                    button.wait_for_element_state("hidden")
                continue
            moment = page.evaluate(MOMENT)
            page.locator(PLAYED[way]).first.click()
            page.wait_for_function(f"moment => ({MOMENT}) !== moment", arg=moment, timeout=WAITS)
            taps -= 1
    page.wait_for_function(LOADED)


def game_of(name: str) -> str:
    """Return the game of a picture's name; `table` for pictures of no game."""
    return next((game for game in sorted(GAMES, key=len, reverse=True) if name.startswith(game)), "table")


def title_of(name: str) -> str:
    game = game_of(name)
    return GAMES[game].words.title if game in GAMES else "The table"


def alt_text(name: str) -> str:
    """Return a picture's alternative text, without the game in its heading and the default scheme."""
    return name.removeprefix(f"{game_of(name)}-").removesuffix("-light").replace("-", " ")


def gallery_text(names: list[str]) -> str:
    parts = [
        "# Gallery",
        "The pages at key moments. `python -m tests.browser.gallery` redraws them with Chromium.",
    ]
    for title, group in groupby(names, title_of):
        lines = (f"![{alt_text(name)}]({PICTURES}/{name}.webp)" for name in group)
        parts += [f"## {title}", "\n".join(lines)]
    return "\n\n".join(parts) + "\n"


def main() -> None:
    hand_in_games()
    assert CHROMIUM.exists(), "Chromium isn't installed: apt install chromium-headless-shell"
    (DOCS / PICTURES).mkdir(parents=True, exist_ok=True)
    wanted = tuple(sys.argv[1:]) or ("",)
    with sync_playwright() as play:
        browser = launch_chromium(play)
        for name in SHOTS:
            if name.startswith(wanted):
                draw_moment(browser, name)
        if MOVING.startswith(wanted):
            draw_call(browser)
        if "table".startswith(wanted):
            draw_table(browser)
        if "table-cards".startswith(wanted):
            draw_cards(browser)
        browser.close()
    names = [path.stem for path in (DOCS / PICTURES).glob("*.webp")]
    text = gallery_text(sorted(names, key=lambda name: (title_of(name), name)))
    (DOCS / "gallery.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
