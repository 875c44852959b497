"""The club's screen: all tables at a glance, each updated by its events; events for all pages."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from datetime import datetime
from functools import partial

from flask import Blueprint, Response, abort, request
from msgspec.structs import replace

from club.news import EVERYTHING, Listener
from club.views import ClubTable
from club.web.access import ClubViewer
from club.web.drawn_pages import ClubPages, pages, pages_here
from club.web.services import ClubServices
from club.web.tiles import Tile, tile_of
from webui.server.broadcast import BEAT, pack_page
from webui.server.events import HEADERS, KIND, RETRY, event_text
from webui.views.looks import Look

Tell = Callable[[Sequence[str]], Iterable[str]]
SIZES = {"three": 3, "few": 8, "twelve": 12, "some": 15}
"""Most tables per screen size: with their people, in two or three rows of four, in rows of five."""
blueprint = Blueprint("screen", __name__)


@blueprint.get("/")
def show() -> Response:
    return pack_page(pages.page("screen", part=_draw()), request)


@blueprint.get("/part")
def part() -> Response:
    return pack_page(Response(_draw()), request)


def _draw() -> str:
    viewer = pages.viewer
    tiles = [draw_tile(pages, viewer, table) for table in pages.services.tables.tables()]
    size = next((name for name, most in SIZES.items() if len(tiles) <= most), "many")
    return pages.draw("club/screen_part", viewer, tiles=tiles, size=size, head=draw_head(pages, viewer))


def draw_tile(pages: ClubPages, viewer: ClubViewer, table: ClubTable) -> str:
    tile, look = told_by(pages, viewer, table)
    return pages.draw("club/tile", viewer, tile=tile, look=look, table=table)


def told_by(pages: ClubPages, viewer: ClubViewer, table: ClubTable) -> tuple[Tile, Look]:
    tile = tile_of(table, pages.services.languages[viewer.language], time_text)
    return tile, pages.look("" if table.moment is None else table.moment.game, table.deck)


def draw_head(pages: ClubPages, viewer: ClubViewer) -> str:
    address = f"{pages.services.address}me".partition("://")[2]
    return pages.draw("club/screen_head", viewer, tournament=pages.current, address=address)


def time_text(moment: datetime) -> str:
    """Format a time of day in this machine's timezone."""
    return f"{moment.astimezone():%H:%M}"


# event streams


@blueprint.get("/events/screen")
def screen_events() -> Response:
    return _open_stream(screen_teller(pages_here(), pages.viewer))


@blueprint.get("/events/changes/<kind>")
def change_events(kind: str) -> Response:
    services = pages.services
    contents: dict[str, Callable[[], object]] = {
        "calls": services.tables.calls,
        "tournament": partial(_tournament, services),
        "club": lambda: (services.tables.tables(), _tournament(services), services.health().has_broker),
    }
    if kind not in contents:
        abort(404)
    return _open_stream(page_teller(contents[kind]))


def _open_stream(tell: Tell) -> Response:
    place = pages.streams.take_stream(None, request.environ)
    if place is None:
        return Response("", 429, {"Retry-After": "10"})
    ends, feed = ExitStack(), pages.services.news.subscribe()
    ends.callback(place.leave)
    ends.callback(pages.services.news.unsubscribe, feed)
    response = Response(_stream(feed, tell, pages.services.is_away), 200, HEADERS, KIND)
    response.call_on_close(ends.close)
    return response


def _stream(feed: Listener, tell: Tell, is_away: Callable[[], bool]) -> Iterator[bytes]:
    yield RETRY.encode()
    while True:
        news = feed.next(BEAT)
        # skipped changes are sent once the database is back
        events = [event_text("away", "")] if is_away() else list(tell(news))
        yield "".join(events or [event_text("beat", "")]).encode()


def screen_teller(pages: ClubPages, viewer: ClubViewer) -> Tell:
    """Yield events for tiles whose content has changed, apart from their time."""
    # hashes, because whole tiles of every listener would fill the memory
    sent = dict[str, int]()

    def tell(news: Sequence[str]) -> Iterator[str]:
        if EVERYTHING in news:
            yield event_text("all", "")
            return
        changes = [each.partition(" ") for each in news]
        for name in dict.fromkeys(name for kind, _space, name in changes if kind in {"table", "call"}):
            table = pages.services.tables.table(name)
            drawn = "" if table is None else draw_tile(pages, viewer, table)
            if hash(drawn) != sent.get(name):
                sent[name] = hash(drawn)
                yield event_text("tile", drawn) if drawn else event_text("all", "")
        if "tournament" in news:
            yield event_text("head", draw_head(pages, viewer))

    return tell


def page_teller(content: Callable[[], object]) -> Tell:
    """Yield an event when the data of a page has changed."""
    shown = content()

    def tell(news: Sequence[str]) -> Iterator[str]:
        nonlocal shown
        before, shown = shown, content() if news else shown
        if shown != before:
            yield event_text("change", "")

    return tell


def _tournament(services: ClubServices) -> object:
    current = services.tournaments.current()
    # minutes that pass must not move a page under a finger
    return current and replace(
        current, rounds=tuple(replace(each, seconds_left=None) for each in current.rounds), tables=()
    )
