"""Draw pages at decisive moments, for people to look at: `python -m tests.browser.gallery FOLDER [NAME …]`.

Each picture is named GAME-MOMENT-SIZE-SCHEME.png. The matches are played at random until a moment is found.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from msgspec import Struct
from playwright.sync_api import Browser, sync_playwright

from firmware.start.games import hand_in_games
from firmware.start.pages.look_door import Looks
from referee.contract import Board
from referee.games.catalogue import GAMES
from referee.match import Match, Setup, begin
from referee.showing import board_of
from tests.browser.house import CHROMIUM, launch_chromium
from tests.referee.tables import after_any
from tests.webui.room import Room, room_with
from webui.server.serving import serve

SIZES = {"tv": (1920, 1080), "tablet": (1024, 768), "phone": (360, 740)}
SHOWN: tuple[tuple[str, str, str, str], ...] = (("/screen", "tv", "light", "en"),)
NAMES = ("Ana", "Bo", "Chloé", "Dédé", "Eve", "Maximilienne")


class Moment(Struct, frozen=True):
    """A moment worth a picture: of which game, for how many, and how it is known."""

    name: str
    game: str
    seats: int
    fits: Callable[[Match, Board], bool]
    setting: str = ""


def has_row(key: str) -> Callable[[Match, Board], bool]:
    return lambda _match, board: any(row.key == key for row in board.cards)


def has_fact(key: str) -> Callable[[Match, Board], bool]:
    return lambda _match, board: any(fact.key == key for fact in board.facts)


def is_headed(key: str) -> Callable[[Match, Board], bool]:
    return lambda _match, board: board.headline is not None and board.headline.key == key


def is_over(match: Match, _board: Board) -> bool:
    return match.outcome is not None


def is_claimed(count: int) -> Callable[[Match, Board], bool]:
    return lambda _match, board: sum(row.claimed_by is not None for row in board.cards) == count


def has_long_row(key: str, cards: int) -> Callable[[Match, Board], bool]:
    return lambda _match, board: any(row.key == key and len(row.faces) >= cards for row in board.cards)


def is_caught(_match: Match, board: Board) -> bool:
    return any(row.claimed_by is not None and row.struck for row in board.cards)


def is_asked(key: str) -> Callable[[Match, Board], bool]:
    return lambda match, _board: any(ask.key == key for ask in match.asks)


def has_trail(length: int, number: int) -> Callable[[Match, Board], bool]:
    return lambda _match, board: len(board.trail) >= length and (board.number or 0) >= number


def late(fits: Callable[[Match, Board], bool], number: int) -> Callable[[Match, Board], bool]:
    return lambda match, board: match.number > number and fits(match, board)


MOMENTS = (
    Moment("begin", "coyote", 5, lambda match, _board: match.number == 0, "gigamic"),
    Moment("bid", "coyote", 5, has_trail(4, 12), "gigamic"),
    Moment("call", "coyote", 5, has_fact("call"), "gigamic"),
    Moment("count", "coyote", 5, has_long_row("counted", 5), "gigamic"),
    Moment("won", "coyote", 5, is_over, "gigamic"),
    Moment("six", "coyote", 6, has_trail(3, 0), "gigamic"),
    Moment("turn", "coup", 4, late(is_headed("purse"), 30)),
    Moment("claim", "coup", 4, is_claimed(1)),
    Moment("block", "coup", 4, is_claimed(2)),
    Moment("caught", "coup", 4, is_caught),
    Moment("won", "coup", 4, is_over),
    Moment("trick", "coup-d-etat", 4, has_long_row("trick", 3)),
    Moment("attempt", "coup-d-etat", 4, is_headed("coup")),
    Moment("dominos", "coup-d-etat", 4, has_long_row("hearts", 3)),
    Moment("won", "coup-d-etat", 4, is_over),
    Moment("display", "plenty-coups", 4, late(is_asked("take"), 60)),
    Moment("raid", "plenty-coups", 4, late(is_headed("raid"), 60)),
    Moment("winter", "plenty-coups", 4, is_headed("winter")),
    Moment("won", "plenty-coups", 4, is_over),
    Moment("place", "ogallala", 4, late(has_row("middle"), 150)),
    Moment("won", "ogallala", 4, is_over),
)


def find_match(moment: Moment) -> Match:
    """Play until the moment has come."""
    game = GAMES[moment.game]
    house = game.settings[moment.setting] if moment.setting else next(iter(game.settings.values()))
    for number in range(200):
        rng = Random(f"{moment.game} {number}")
        match = begin(Setup(game, house, NAMES[: moment.seats], begun="2026-11-21T20:00:00+00:00"))
        assert isinstance(match, Match)
        while not moment.fits(match, board_of(match)) and match.outcome is None:
            match = after_any(match, rng)
        if moment.fits(match, board_of(match)):
            return match
    raise AssertionError(f"{moment.name} of {moment.game} never came")


@contextmanager
def served(room: Room) -> Iterator[str]:
    """Serve a room's pages."""
    server = serve(room.app, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.shutdown()
        server.server_close()


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
    folder, names = Path(sys.argv[1]), sys.argv[2:]
    folder.mkdir(parents=True, exist_ok=True)
    hand_in_games()
    assert CHROMIUM.exists(), "chromium isn't installed: apt install chromium"
    with sync_playwright() as play, ExitStack() as ends:
        browser = launch_chromium(play)
        ends.callback(browser.close)
        for moment in MOMENTS:
            if not names or f"{moment.game}-{moment.name}" in names or moment.game in names:
                for shown in SHOWN:
                    take_pictures(browser, moment, folder, shown)


if __name__ == "__main__":
    main()
