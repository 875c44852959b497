"""The history: matches that are kept, one of them round by round, statistics, exports; deleting a name."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError
from concurrent.futures import TimeoutError as TooSlow
from functools import wraps
from typing import Any

from flask import Blueprint, Response, abort, request

from referee.record import Reading
from referee.summaries import Entry, Forgotten, rounds_of, same, statistics
from webui.access.viewers import Viewer, host_sending, listener_of, onlooker, spoken, viewer_of
from webui.doors.companion import Handed, History
from webui.drawing.charts import HEIGHT, WIDTH, written
from webui.drawing.exports import data_of, match_data, table_of
from webui.drawing.match_story import damage_told, games_in, row_of, sections_of, told_of, whole_of
from webui.drawing.words import said
from webui.pages.entering import to
from webui.server.drawn_pages import Pages

PAGE = 25
"""Matches on a page."""
LONGEST = 6
"""Digits of a page's number."""
PATIENCE = 20.0
"""Seconds that the journal may take to change every match."""
JSON, CSV, RECORD = "application/json", "text/csv; charset=utf-8", "application/jsonl; charset=utf-8"


def history(handed: Handed, pages: Pages) -> Blueprint:
    """Make the pages of the history."""
    blueprint, past = Blueprint("history", __name__), Past(handed, pages)
    for address, page in (
        ("/history", past.matches),
        ("/history/<int:number>", past.match),
        ("/statistics", past.statistics),
        ("/history.csv", past.as_table),
        ("/history.json", past.as_data),
        ("/history/<int:number>.json", past.match_as_data),
        ("/history/<int:number>.jsonl", past.match_as_record),
        ("/history/delete", past.look_at_deleting),
    ):
        blueprint.get(address)(past.told_if_unreadable(page))
    blueprint.post("/history/delete")(past.told_if_unreadable(past.delete))
    return blueprint


class Past:
    """What can be asked of the history."""

    def __init__(self, handed: Handed, pages: Pages) -> None:
        """Take what it is drawn with."""
        self._handed, self._pages = handed, pages

    def told_if_unreadable(self, page: Callable[..., Response]) -> Callable[..., Response]:
        """Have a page say why the journal can't be read now."""

        @wraps(page)
        def tried(**values: int) -> Response:
            try:
                return page(**values)
            except OSError as error:
                return self._page("unreadable", onlooker(self._handed, request), {"why": str(error)}, 503)

        return tried

    def matches(self) -> Response:
        """List the matches, the newest first."""
        digits = request.args.get("page", "1")
        page = int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= LONGEST else 1
        entries = self._entries((page - 1) * PAGE, page * PAGE) if page else ()
        shown = entries[(page - 1) * PAGE : page * PAGE]
        if not shown and page != 1:
            abort(404)
        viewer = onlooker(self._handed, request)
        language = spoken(self._handed, viewer)
        values = {
            "rows": [row_of(entry, language) for entry in shown],
            "count": len(entries),
            "number": page,
            "pages": max(1, -(-len(entries) // PAGE)),
        }
        return self._page("history", viewer, values)

    def match(self, number: int) -> Response:
        """Show one match, round by round."""
        reading, viewer = self._reading(number), viewer_of(self._handed, request)
        language = spoken(self._handed, viewer)
        values = {
            "number": number,
            "may_go_on": viewer.is_host and self._is_left(number, reading),
            "whole": whole_of(reading, language),
            "damage": "" if reading.fault is None else damage_told(reading.fault, language),
            "size": (WIDTH, HEIGHT),
            "written": written,
        }
        return self._page("past", viewer, values)

    def _is_left(self, number: int, reading: Reading) -> bool:
        """Tell whether a match was left open for another one."""
        match = reading.match
        return match is not None and match.outcome is None and number != self._handed.door.state().id

    def statistics(self) -> Response:
        """Show what people did, all of them or one, in all games or one."""
        entries = self._entries()
        viewer = viewer_of(self._handed, request)
        summaries = [entry.summary for entry in entries if entry.summary is not None]
        player, game = request.args.get("player", ""), request.args.get("game", "")
        chosen = [each for each in summaries if game in ("", each.game)]
        figures = [each for each in statistics(chosen) if not player or same(each.name) == same(player)]
        values = {
            "sections": sections_of(figures, chosen, spoken(self._handed, viewer)),
            "players": self._names(),
            "games": games_in(summaries, spoken(self._handed, viewer)),
            "player": player,
            "game": game,
            "unread": sum(1 for entry in entries if entry.summary is None and entry.fault is None),
        }
        return self._page("statistics", viewer, values)

    def as_table(self) -> Response:
        """Give all matches as a table."""
        return self._taken(lambda entries: table_of(entries).encode(), CSV, "coyote-table.csv")

    def as_data(self) -> Response:
        """Give all matches as data."""
        return self._taken(data_of, JSON, "coyote-table.json")

    def match_as_data(self, number: int) -> Response:
        """Give one match as data."""
        match = self._reading(number).match
        if match is None:
            abort(404)
        rounds, language = rounds_of(match), spoken(self._handed, onlooker(self._handed, request))
        told = [told_of(match, each, language) for each in rounds]
        return _file(match_data(number, match, rounds, told), JSON, f"match-{number}.json")

    def match_as_record(self, number: int) -> Response:
        """Give the record of a match that is over."""
        match = self._reading(number).match
        if match is None or match.outcome is None or self._handed.history is None:
            abort(404)
        text = "".join(f"{line}\n" for line in self._handed.history.lines(number))
        return _file(text.encode(), RECORD, f"match-{number}.jsonl")

    # deleting a name

    def look_at_deleting(self) -> Response:
        """Show whose name can go, or ask whether it really shall; only the host may."""
        viewer = viewer_of(self._handed, request)
        if not viewer.is_host:
            return to("/host")
        return self._deleting(viewer, name=request.args.get("player", ""))

    def delete(self) -> Response:
        """Have a name replaced everywhere."""
        viewer = host_sending(self._handed, request)
        if viewer is None:
            return self._page("fault", onlooker(self._handed, request), {"why": "form"}, 403)
        past, name = self._handed.history, request.form.get("player", "")
        if past is None or not any(same(name) == same(each) for each in self._names()):
            return self._deleting(viewer, why=("nobody called", 404))
        return self._forgotten(viewer, past, name)

    def _forgotten(self, viewer: Viewer, past: History, name: str) -> Response:
        try:
            result = past.forget(name).result(PATIENCE)
        except TooSlow:
            return self._deleting(viewer, why=("slow", 409))
        except CancelledError:
            return self._deleting(viewer, why=("ended", 409))
        if isinstance(result, Forgotten):
            return self._page("deleted", viewer, {"forgotten": result})
        told = self._handed.told(result, listener_of(self._handed, viewer))
        return self._page("delete", viewer, self._asked(name="", told=told), 409)

    def _deleting(self, viewer: Viewer, name: str = "", why: tuple[str, int] = ("", 200)) -> Response:
        """Ask whose name is to go, or whether it really shall."""
        key, code = why
        is_known = any(same(name) == same(each) for each in self._names())
        told = said(spoken(self._handed, viewer), key) if key else ""
        return self._page("delete", viewer, self._asked(name if is_known else "", told), code)

    def _asked(self, name: str, told: str) -> Mapping[str, object]:
        return {"players": self._names(), "name": name, "told": told}

    def _names(self) -> Sequence[str]:
        past = self._handed.history
        return () if past is None else past.names()

    # what all of them need

    def _entries(self, first: int = 0, last: int = 0) -> Sequence[Entry]:
        past = self._handed.history
        return () if past is None else past.entries(first, last)

    def _reading(self, number: int) -> Reading:
        past = self._handed.history
        reading = None if past is None or number >= 2**63 else past.match(number)
        if reading is None:
            abort(404)
        return reading

    def _taken(self, wrote: Callable[[Sequence[Entry]], bytes], kind: str, name: str) -> Response:
        """Give a file of all matches, once all have been read."""
        entries = self._entries()
        unread = sum(1 for entry in entries if entry.summary is None and entry.fault is None)
        if unread:
            viewer = onlooker(self._handed, request)
            told = said(spoken(self._handed, viewer), "unread", count=unread)
            response = self._page("unreadable", viewer, {"why": told}, 503)
            response.headers["Retry-After"] = "10"
            return response
        return _file(wrote(entries), kind, name)

    def _page(self, name: str, viewer: Viewer, values: Mapping[str, Any], code: int = 200) -> Response:
        return Response(self._pages.page(name, viewer, values), code)


def _file(content: bytes, kind: str, name: str) -> Response:
    """Give something to keep."""
    return Response(
        content, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
