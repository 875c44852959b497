"""Server-sent events: every moment, as rendered HTML or as JSON for other programs."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import lru_cache, partial
from itertools import chain, islice, takewhile
from socket import socket
from time import monotonic
from typing import TYPE_CHECKING

import msgspec
from flask import Blueprint, Request, Response, request
from msgspec.structs import replace

from firmware.services.table_sound import PageSound
from firmware.table.client import News, TableClient
from firmware.table.notices import sentence_for
from referee.announcing import Level, announce
from referee.match import Match, has_other_names, moments
from referee.public_moment import encode_moment
from vision.troubles import Problem
from webui.access import viewers
from webui.server import broadcast
from webui.server.broadcast import MatchChange
from webui.server.connection_limits import ConnectionLimit, Places
from webui.server.drawn_pages import CAMERA_PARTS, Pages, match_id
from webui.server.serving import SHARED, TAKE
from webui.views.words import Texts, page_text

if TYPE_CHECKING:
    from firmware.services.table import Table

STREAMS, STREAMS_PER_NETWORK = 400, 60
"""Most streams of strangers, in total and per network; 250 phones fit beside a few greedy networks."""
KNOWN, STREAMS_PER_DEVICE = 200, 12  # most streams of known devices, in total and per device
PAGES = ("score", "table", "overlay", "screen", "seat", "host")
PUBLIC = PAGES[:3]
"""Public streams: score and overlay as pages, the table as JSON."""
REPLAYED = 16  # most moments sent again after a gap
KIND = "text/event-stream"
RETRY = "retry: 1500\n\n"  # milliseconds after which a phone reconnects
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
PACKED_HEADERS = {**HEADERS, "Content-Encoding": "gzip", "Vary": "Accept-Encoding"}


def events_blueprint(table: "Table", pages: Pages) -> Blueprint:
    blueprint, broadcaster = Blueprint("events", __name__), broadcast.Broadcaster(table.client)
    places = Places(ConnectionLimit(STREAMS, STREAMS_PER_NETWORK), ConnectionLimit(KNOWN, STREAMS_PER_DEVICE))

    def open_stream(page: str) -> Response:
        # the stream outlives Flask's request
        asked = Request(request.environ)
        viewer = _viewer(table, page, asked)
        if viewer is None:
            return Response(event_text("gone", ""), 200, HEADERS, KIND)
        place = places.take_stream(viewers.find_known_device(table, asked.cookies), request.environ)
        if place is None:
            return too_many_watching(table, viewer)
        ends = ExitStack()
        ends.callback(place.leave)
        stream: broadcast.PhoneStream = (
            HostStream(table, pages, asked)
            if page == "host"
            else PageStream(table, pages, page, asked, lambda: broadcaster.turn)
        )
        # the retry interval, and the table's clock as the reference for deadlines
        head, headers = f"{RETRY}{event_text('clock', f'{monotonic():.3f}')}".encode(), HEADERS
        if broadcast.takes_packed(asked):
            stream, headers = broadcast.PackedStream(stream), PACKED_HEADERS
            head = broadcast.HEAD + broadcast.pack_piece(head)
        take = request.environ.get(TAKE)

        def hand_to_broadcaster(detach: Callable[[], socket]) -> Iterator[bytes]:
            yield head
            broadcaster.join(stream, detach(), ends.pop_all(), sees_own=page == "seat")

        sent = _stream_in_thread(table.client, head, stream) if take is None else hand_to_broadcaster(take)
        response = Response(sent, 200, headers, KIND)
        response.call_on_close(ends.close)
        return response

    @blueprint.get("/table.json")
    def show() -> Response:
        language = viewers.viewer_language(table, viewers.onlooker(table, request))
        return Response(encode_moment(table.client.moment(), language), mimetype="application/json")

    for page in PAGES:
        blueprint.add_url_rule(f"/events/{page}", page, partial(open_stream, page))
    return blueprint


def too_many_watching(table: "Table", viewer: viewers.Viewer) -> Response:
    told = page_text(viewers.viewer_language(table, viewer), Texts.too_many_watching)
    return Response(told, 429, {"Retry-After": "10"})


def _stream_in_thread(client: TableClient, head: bytes, stream: broadcast.PhoneStream) -> Iterator[bytes]:
    """Send events in the request's own thread, if the connection can't be detached."""
    with closing(client.subscribe_pages()) as listening:
        yield head
        while not stream.is_over:
            yield from stream.hear(listening.next(broadcast.BEAT))


class PageStream:
    """Events sent to one phone, and the next ones."""

    def __init__(
        self, table: "Table", pages: Pages, page: str, asked: Request, turn: Callable[[], MatchChange | None]
    ) -> None:
        """Resume where the phone lost the connection, even in the previous match."""
        self._table, self._pages, self._page, self._asked = table, pages, page, asked
        self._turn = turn
        last, change = asked.headers.get("Last-Event-ID", ""), turn()
        ways = [moments(table.client.moment()), *([] if change is None else [moments(change.end)])]
        latest = chain.from_iterable(islice(way, REPLAYED + 1) for way in ways)
        self._sent = next((moment for moment in latest if event_id(moment) == last), None)
        # troubles at the last send; None before this connection's first
        self._wrong: tuple[object, ...] | None = None
        self._onlooker = viewers.onlooker(table, asked)
        self.is_over, self._is_first = False, True

    def hear(self, news: News | None) -> list[bytes]:
        """Encode a moment after missed ones, a notice, or a heartbeat with current troubles."""
        viewer = self._onlooker if self._page in PUBLIC else _viewer(self._table, self._page, self._asked)
        if viewer is None:
            self.is_over = True
            return [_encode_event("gone", "")]
        client, sent = self._table.client, self._sent
        state = client.state()
        wrong = (
            *client.troubles(),
            state.is_paused,
            *state.likely,
            state.taking,
            *self._pages.free_seats(viewer),
            *self._pages.naming(viewer),
            self._pages.camera(viewer, self._page),
        )
        match news:
            case Match() if news is sent and self._wrong is not None:
                return self._redraw(wrong, viewer)
            case Match():
                self._sent, self._wrong = news, self._wrong if news is sent else wrong
                moments = missed_moments(sent, news, self._turn())
                drawn = (self._draw_moment(moment, viewer) for moment in moments)
                is_heard = sent is not None and has_other_names(sent, news)
                return [*drawn, *([] if is_heard else self._sounds(news, viewer))]
            case None:
                return [*self._redraw(wrong, viewer), _encode_event("beat", "")]
            case Problem() if self._page in CAMERA_PARTS and self._pages.reports_in_row(news):
                return self._redraw(wrong, viewer)
            case _:
                text = sentence_for(news, viewers.listener_of(self._table, viewer))
                # the notice must come last, because a new moment removes it from the page
                return [*self._redraw(wrong, viewer), _encode_event("notice", text)]

    def _redraw(self, wrong: tuple[object, ...], viewer: viewers.Viewer) -> list[bytes]:
        is_news, self._wrong = self._wrong != wrong, wrong
        return [self._draw_moment(self._sent, viewer)] if is_news and self._sent is not None else []

    def _sounds(self, news: Match, viewer: viewers.Viewer) -> list[bytes]:
        """Return a moment's sounds and speech; none for the first, because the page loaded with it."""
        is_first, self._is_first = self._is_first, False
        if is_first or self._table.client.state().is_paused:
            return []
        notes = self._notes(news, viewer)
        tune = [_encode_event("tune", msgspec.json.encode(notes).decode())] if notes else []
        return [*tune, *self._speech(news, viewer)]

    def _speech(self, news: Match, viewer: viewers.Viewer) -> list[bytes]:
        """Return the announcer's speech: on screens by the host's setting, on seats by the phone's."""
        level = self._level(viewer)
        if level == "off" or self._table.sound.is_quiet():
            return []
        # never for a seat's own language, because neighbours hear it, too
        language = viewers.viewer_language(self._table, viewer)
        told = announce(news, language, level)
        # language, interruption, and each sentence with its voice
        spoken = [(each.role, each.text) for each in told.spoken]
        said = {"lang": viewer.language, "urgent": told.is_urgent, "spoken": spoken}
        return [_encode_event("speech", msgspec.json.encode(said).decode())] if spoken else []

    def _level(self, viewer: viewers.Viewer) -> Level:
        """Return how much a page may speak; phones at seats always get at least rulings."""
        if self._page in PUBLIC:
            return "off"
        chosen = viewers.evening_of(self._table).announcer
        if self._page == "seat":
            return "play" if chosen == "play" else "rulings"
        return chosen if viewer.is_screen else "off"

    def _notes(self, news: Match, viewer: viewers.Viewer) -> Sequence[PageSound]:
        """Return a moment's tune, for seats and for a screen with sound on; seats choose on the phone."""
        if self._page == "seat":
            return self._table.sound.ruling_tune(news)
        is_on = self._page == "screen" and viewer.is_screen and viewers.evening_of(self._table).has_sound
        return self._table.sound.tune(news) if is_on else ()

    def _draw_moment(self, moment: Match, viewer: viewers.Viewer) -> bytes:
        if self._page == "table":
            told = encode_moment(moment, viewers.viewer_language(self._table, viewer))
            return _encode_event("moment", told.decode(), event_id(moment))
        return _encode_event("moment", self._pages.part(self._page, moment, viewer), event_id(moment))


class HostStream:
    """Notifies a host's page that its content has changed; the page then reloads itself."""

    def __init__(self, table: "Table", pages: Pages, asked: Request) -> None:
        """Start with an unknown state, as the page may be older than this stream."""
        self._table, self._pages, self._asked = table, pages, asked
        # state that the page shows; it is outdated once this changes
        self._last_event: tuple[object, ...] = ()
        self.is_over = False

    def hear(self, news: News | None) -> list[bytes]:
        viewer = _viewer(self._table, "host", self._asked)
        if viewer is None:
            self.is_over = True
            return [_encode_event("gone", "")]
        client, before = self._table.client, self._last_event
        state = client.state()
        # ignore the running time, so that controls don't move while the host taps
        evening = replace(viewers.evening_of(self._table), ran=0.0)
        unknown = tuple(each.number for each in state.unknown)
        self._last_event = (
            evening,
            client.moment(),
            *client.troubles(),
            state.is_paused,
            state.is_saving,
            unknown,
            tuple(each.unknown.number for each in state.questions),
            client.deck,
            self._pages.camera(viewer, "host"),
        )
        change = [] if self._last_event == before else [_encode_event("change", "")]
        match news:
            case Match() | None:
                return [*change, _encode_event("beat", "")]
            case _:
                text = sentence_for(news, viewers.listener_of(self._table, viewer))
                return [*change, _encode_event("notice", text)]


def missed_moments(told: Match | None, now: Match, turn: MatchChange | None = None) -> list[Match]:
    """Return the moments since the last one sent, oldest first; after a long gap, the newest."""
    if told is None:
        return [now]
    if match_id(told) == match_id(now):
        return [now] if has_other_names(told, now) else _moments_since(told, now)
    if turn is None or not _is_continuation(turn, told, now):
        return [now]
    return [*_moments_since(told, turn.end), turn.begin, *_moments_since(turn.begin, now)][-REPLAYED:]


def _is_continuation(turn: MatchChange, told: Match, now: Match) -> bool:
    """Return whether a change leads from the sent match to the current one, with the same players."""
    is_between = [match_id(turn.end), match_id(turn.begin)] == [match_id(told), match_id(now)]
    return is_between and told.setup.names == now.setup.names


def _moments_since(told: Match, now: Match) -> list[Match]:
    """Return a match's moments since one of them, oldest first; at most the newest `REPLAYED`."""
    since = takewhile(lambda moment: moment.number > told.number, moments(now))
    return list(islice(since, REPLAYED))[::-1]


def event_id(match: Match) -> str:
    """Return an id of a moment that survives a restart of the table."""
    return f"{match_id(match)}#{match.number}"


def _viewer(table: "Table", page: str, request: Request) -> viewers.Viewer | None:
    """Return the current viewer; the seat may have been handed over since."""
    if page in PUBLIC:
        return viewers.onlooker(table, request)
    viewer = viewers.viewer_of(table, request)
    rights = {"screen": viewer.is_screen, "host": viewer.is_host, "seat": viewer.seat is not None}
    return viewer if rights[page] else None


def event_text(kind: str, text: str, name: str = "") -> str:
    lines = [f"event: {kind}", *([f"id: {name}"] if name else [])]
    return "\n".join([*lines, *(f"data: {line}" for line in text.split("\n")), "", ""])


@lru_cache(SHARED)
def _encode_event(kind: str, text: str, name: str = "") -> bytes:
    return event_text(kind, text, name).encode()
