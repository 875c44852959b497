"""Events for pages that move on by themselves: each moment is sent drawn, and none is left out."""

from collections.abc import Iterator
from threading import BoundedSemaphore

from flask import Blueprint, Request, Response, request
from msgspec import Struct
from msgspec.structs import replace

from referee.match import Match, moments
from webui.handed import Handed, Listening
from webui.pages import Pages, match_id
from webui.viewers import Viewer, listener_of, onlooker, spoken, viewer_of
from webui.words import said

STREAMS = 400
"""Phones that may listen at once."""
BEAT = 4.0
"""Seconds after which a phone is told that the table lives."""
REPLAYED = 16
"""Moments that are made up for after a gap."""
KIND = "text/event-stream"
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class Told(Struct, frozen=True):
    """What a phone was told last: a moment, and what is wrong."""

    match: Match | None
    wrong: tuple[object, ...] | None = None
    """None: whatever it was told, it was on another connection."""


def events(handed: Handed, pages: Pages) -> Blueprint:
    """Make the streams."""
    blueprint, places = Blueprint("events", __name__), BoundedSemaphore(STREAMS)

    def streamed(page: str) -> Response:
        # it outlives what Flask knows of a request
        asked = Request(request.environ)
        viewer = _viewer(handed, page, asked)
        if viewer is None:
            return Response(_event("gone", ""), 200, HEADERS, KIND)
        if not places.acquire(blocking=False):
            return Response(said(spoken(handed, viewer), "full"), 429, {"Retry-After": "10"})
        stream = Stream(handed, pages, page, asked, places)
        response = Response(stream.sent(), 200, HEADERS, KIND)
        response.call_on_close(stream.close)
        return response

    @blueprint.get("/events/score")
    def score() -> Response:
        return streamed("score")

    @blueprint.get("/events/seat")
    def seat() -> Response:
        return streamed("seat")

    return blueprint


class Stream:
    """One phone that listens."""

    def __init__(
        self, handed: Handed, pages: Pages, page: str, asked: Request, places: BoundedSemaphore
    ) -> None:
        """Begin to listen."""
        self._handed, self._pages, self._page = handed, pages, page
        self._asked, self._places = asked, places
        self._listening: Listening | None = handed.door.subscribe()

    def close(self) -> None:
        """Listen no more."""
        listening, self._listening = self._listening, None
        if listening is not None:
            listening.close()
            self._places.release()

    def sent(self) -> Iterator[str]:
        """Send what comes, until the phone goes, or holds the seat no more."""
        last = self._asked.headers.get("Last-Event-ID", "")
        told = Told(_told_before(self._handed.door.moment(), last))
        yield "retry: 1500\n\n"
        while (listening := self._listening) is not None:
            news, wrong = listening.next(BEAT), self._handed.door.wrong()
            viewer = _viewer(self._handed, self._page, self._asked)
            if viewer is None:
                yield _event("gone", "")
                return
            yield from self._about(news, told, wrong, viewer)
            if isinstance(news, Match):
                told = Told(news, told.wrong if news is told.match else wrong)
            elif news is None:
                told = replace(told, wrong=wrong)

    def _about(self, news: object, told: Told, wrong: tuple[object, ...], viewer: Viewer) -> Iterator[str]:
        """Send a moment, after those that were missed; a notice; else what is wrong now, or that we live."""
        match news:
            case Match():
                for moment in missed(told.match, news):
                    drawn = self._pages.part(self._page, moment, viewer)
                    yield _event("moment", drawn, event_id(moment))
            case None:
                match = told.match
                if match is not None and told.wrong != wrong:
                    yield _event("moment", self._pages.part(self._page, match, viewer), event_id(match))
                yield _event("beat", "")
            case _:
                yield _event("notice", self._handed.told(news, listener_of(self._handed, viewer)))


def missed(told: Match | None, now: Match) -> list[Match]:
    """List the moments since the one that was told, first to last; of a long gap, the newest."""
    if told is now:
        return []
    if told is None or match_id(told) != match_id(now):
        return [now]
    since: list[Match] = []
    for moment in moments(now):
        if moment is told or len(since) == REPLAYED:
            break
        since.append(moment)
    return since[::-1]


def event_id(match: Match) -> str:
    """Name a moment, across the table's own restarts."""
    return f"{match_id(match)}#{match.number}"


def _told_before(now: Match, last: str) -> Match | None:
    """Find the moment that a phone heard last, before it lost us."""
    for back, moment in enumerate(moments(now)):
        if event_id(moment) == last:
            return moment
        if back == REPLAYED:
            break
    return None


def _viewer(handed: Handed, page: str, request: Request) -> Viewer | None:
    """Find out who listens now: a seat may have been handed over since."""
    if page == "score":
        return onlooker(handed, request)
    viewer = viewer_of(handed, request)
    return None if viewer.seat is None else viewer


def _event(kind: str, text: str, name: str = "") -> str:
    lines = [f"event: {kind}", *([f"id: {name}"] if name else [])]
    return "\n".join([*lines, *(f"data: {line}" for line in text.split("\n")), "", ""])
