"""Screenshots of the pages for the docs: `python -m tests.browser.gallery`.

Writes docs/pictures/page-*.webp. Random matches are played until the moment occurs, so each picture shows a
realistic table.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import TimeoutError as TooSlow

from firmware.services.looks import Looks
from firmware.start.games import hand_in_games
from hardware.twin.rendering.scene import SceneCard
from referee.contract import Answer, Option
from referee.games.catalogue import GAMES
from tests.browser.house import (
    CHROMIUM,
    Phone,
    become_host,
    begin,
    launch_chromium,
    open_house,
    open_phone,
    sit_at_computer,
    take_seat,
)
from tests.browser.moments import match_at
from tests.browser.rooms import become_screen, enter, page_of, sit
from tests.firmware.start.known_decks import lay_deck
from tests.firmware.start.program import run_table
from tests.long.card_players import PhoneClient, friends
from tests.long.real_cards import Figures, Newcomer, choose_stream, reach_match
from tests.long.seen_table import PLACES, SeenTable, network_camera
from tests.waiting import until
from tests.webui.room import room_with

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
PHONE, DESK, SCREEN = Phone(360, height=740), Phone(1440, height=900), Phone(1920, height=1080)
WIDTHS = {PHONE.width: 270, DESK.width: 960, SCREEN.width: 960}
"""Widths of the stored pictures in pixels, by the widths of the pages."""
QUALITY = 82
FILM = (640, 360)  # size of the film in pixels
PAUSE = 200  # milliseconds between its frames, besides the time to take them
TAPS = 2  # taps before the picture of the simulated table is taken
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
NAMES = ("Ana", "Bo", "Chloé", "Dédé")
FOUND = tuple(SceneCard(face, *place) for face, place in zip(("20", "5", "-5", "0"), PLACES, strict=True))
"""The four cards that give the real table."""
LAID = SceneCard("20", -70.0, 15.0, -6.0), SceneCard("-5", 60.0, 30.0, 9.0)


def picture_file(name: str) -> Path:
    return PICTURES / f"page-{name}.webp"


def keep_picture(page: Page, name: str) -> None:
    page.wait_for_function(LOADED)
    page.wait_for_function("() => document.fonts.status === 'loaded'")
    seen = Image.open(BytesIO(page.screenshot())).convert("RGB")
    width = WIDTHS[seen.width]
    small = seen.resize((width, round(seen.height * width / seen.width)), Image.Resampling.BOX)
    small.save(picture_file(name), quality=QUALITY)


def draw_bid(browser: Browser) -> None:
    """Draw a bid of Coyote on the table's screen and on the asked player's phone."""
    with TemporaryDirectory() as kept:
        match = match_at("coyote-bid")
        room = room_with(match, Path(kept), looks=Looks())
        with page_of(browser, room, SCREEN) as page:
            become_screen(page, room)
            page.goto("/screen")
            keep_picture(page, "screen")
        with page_of(browser, room, PHONE) as page:
            sit(page, room, next(seat for ask in match.asks for seat in ask.seats))
            keep_picture(page, "seat")


def draw_call(browser: Browser) -> None:
    call, count = match_at("coyote-call"), match_at("coyote-count")
    assert call.before is not None
    assert count.before is not None
    with TemporaryDirectory() as kept:
        room = room_with(call.before, Path(kept), looks=Looks())
        with page_of(browser, room, Phone(960, height=540, is_still=False)) as page:
            become_screen(page, room)
            page.goto("/screen")
            frames = list(film_page(page, 1.0))
            for match, seconds in ((call, 4.0), (count.before, 0.1), (count, 9.0)):
                room.client.tell(match)
                frames += film_page(page, seconds)
    times = [taken for taken, _frame in frames]
    lasting = [round(1000 * (later - taken)) for taken, later in pairwise((*times, times[-1] + 2.0))]
    first, *more = [frame.resize(FILM, Image.Resampling.LANCZOS) for _taken, frame in frames]
    first.save(
        picture_file("call"), save_all=True, append_images=more, duration=lasting, loop=0, quality=25, method=6
    )


def film_page(page: Page, seconds: float) -> Iterator[tuple[float, Image.Image]]:
    end = monotonic() + seconds
    while (now := monotonic()) < end:
        yield now, Image.open(BytesIO(page.screenshot(type="jpeg", quality=95)))
        page.wait_for_timeout(PAUSE)


def draw_real(browser: Browser) -> None:
    """Draw the screen of a table with real cards, of which two of three are laid."""
    seen = SeenTable("coyote-kidult", "wood", 30.0)
    seen.cards = lambda: FOUND
    with TemporaryDirectory() as kept, network_camera(seen) as address, run_table(Path(kept)) as table:
        context = browser.new_context(
            viewport={"width": DESK.width, "height": DESK.height}, base_url=f"http://localhost:{table.port}"
        )
        page = context.new_page()
        sit_at_computer(page, table.evening())
        newcomer = Newcomer(page, Figures())
        reach_match(newcomer, GAMES["coyote"], seen, lambda who: choose_stream(who, address), "printed")
        seen.cards = tuple
        client = PhoneClient(table, friends(table, 3))
        bid = (("opener", Option("opens", seat=0), None), ("announce", 12, 0), ("turn", Option("coyote"), 1))
        for number, (ask, value, seat) in enumerate(bid):
            client.submit(Answer(number, ask, value, seat))
            until(lambda: any(client.follow()))
        seen.cards = lambda: LAID
        page.set_viewport_size({"width": SCREEN.width, "height": SCREEN.height})
        page.goto("/screen")
        page.click("form[action='/screen/ask'] button")
        page.wait_for_selector(".seen polygon >> nth=1")
        keep_picture(page, "real")
        context.close()


def draw_table(browser: Browser) -> None:
    with (
        TemporaryDirectory() as kept,
        open_house(Path(kept)) as house,
        open_phone(browser, house, PHONE) as page,
    ):
        sit_at_computer(page, house.links)
        keep_picture(page, "welcome")
        become_host(page, house)
        begin(page, "coyote", NAMES)
        page.goto("/host")
        keep_picture(page, "host")
        page.set_viewport_size({"width": DESK.width, "height": DESK.height})
        take_seat(page, house, 0)
        let_bots_play(page)
        play_on(page, TAPS)
        keep_picture(page, "twin")
        page.set_viewport_size({"width": PHONE.width, "height": PHONE.height})
        # last, because the camera may still be starting before
        draw_framing(page)


def draw_deck(browser: Browser) -> None:
    with TemporaryDirectory() as kept:
        os.environ["STATE_DIRECTORY"] = kept
        lay_deck("piquet")
        room = room_with(match_at("coyote-bid"), Path(kept), looks=Looks())
        with page_of(browser, room, PHONE) as page:
            enter(page, room)
            page.goto("/host/teach/piquet")
            keep_picture(page, "deck")


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
    keep_picture(page, "framing")
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


def main() -> None:
    hand_in_games()
    assert CHROMIUM.exists(), "Chromium isn't installed: apt install chromium-headless-shell"
    with sync_playwright() as play:
        browser = launch_chromium(play)
        for draw in (draw_bid, draw_call, draw_real, draw_table, draw_deck):
            draw(browser)
        browser.close()


if __name__ == "__main__":
    main()
