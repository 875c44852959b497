"""Moments of matches that are worth a picture: played at random until they come."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random

from msgspec import Struct
from msgspec.structs import replace
from playwright.sync_api import Browser, Page

from referee.contract import Board
from referee.games.catalogue import GAMES
from referee.match import Match, Setup, begin
from referee.showing import board_of
from tests.referee.tables import after_any
from tests.webui.room import Room, WaitingFeed
from webui.server.serving import serve

NAMES = (
    "Ana",
    "Bo",
    "Chloé",
    "Dédé",
    "Eve",
    "Maximilienne",
    *(f"Anne-Élisabeth {number}" for number in range(6)),
)


class Moment(Struct, frozen=True):
    """A moment worth a picture: of which game, for how many, and how it is known."""

    name: str
    game: str
    seats: int
    fits: Callable[[Match, Board], bool]
    setting: str = ""
    boxes: int = 0
    """How many boxes, where that is a house rule."""


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
    Moment("all-join", "coyote", 12, lambda match, _board: match.number == 0, "oliphante", boxes=2),
    Moment("all", "coyote", 12, has_trail(3, 0), "oliphante", boxes=2),
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
    house = replace(house, boxes=moment.boxes) if moment.boxes else house
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
    room.door.feed = WaitingFeed
    server = serve(room.app, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.shutdown()
        server.server_close()


def host_phone(chromium: Browser, room: Room, site: str, scheme: str) -> Page:
    """Open the host's page on a phone, light or dark."""
    page = chromium.new_page(
        base_url=site,
        color_scheme="dark" if scheme == "dark" else "light",
        viewport={"width": 360, "height": 740},
    )
    page.goto("/host")
    page.get_by_label("PIN").fill(room.browser().links.pin)
    page.get_by_role("button", name="Enter").click()
    page.wait_for_selector(".room")
    return page
