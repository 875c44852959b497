"""The matches of all tables: their list, their stories, statistics, exports, drawn as on a table's own."""

from collections.abc import Callable, Sequence

from flask import Blueprint, Response, abort, request

from club.web.access import club_viewer
from club.web.drawn_pages import ClubPages
from club.web.forms import whole
from referee.contract.words import phrase
from referee.record import ParsedRecord
from referee.summaries import JournalMatch, deck_readings, name_key, rounds_of, statistics
from referee.telling import Language
from webui.drawing.camera_table import camera_table
from webui.drawing.charts import HEIGHT, WIDTH, number_text
from webui.drawing.exports import data_of, match_data, table_of
from webui.drawing.match_story import games_in, reading_damage, round_sentences, row_of, sections_of, story_of
from webui.drawing.words import page_text
from webui.pages.film.history import CSV, JSON, PAGE, RECORD


def past_blueprint(pages: ClubPages) -> Blueprint:
    """Create the pages."""
    blueprint, page = Blueprint("past", __name__), PastPages(pages)
    blueprint.get("/history")(page.matches)
    blueprint.get("/history/<int:number>")(page.match)
    blueprint.get("/history/<int:number>.json")(page.match_as_data)
    blueprint.get("/history/<int:number>.jsonl")(page.match_as_record)
    blueprint.get("/statistics")(page.statistics)
    blueprint.get("/history.csv")(page.as_table)
    blueprint.get("/history.json")(page.as_data)
    return blueprint


class PastPages:
    """Handles the history."""

    def __init__(self, pages: ClubPages) -> None:
        self._pages, self._history = pages, pages.services.history

    def matches(self) -> Response:
        """List the matches of all tables, the newest first."""
        page = whole(request.args.get("page", "1"))
        count = self._history.count()
        entries = self._history.entries((page - 1) * PAGE, page * PAGE) if page else ()
        if not entries and page != 1:
            abort(404)
        values = {
            "may_open": False,
            "rows": [row_of(entry, self._language()) for entry in entries],
            "count": count,
            "number": page,
            "pages": max(1, -(-count // PAGE)),
        }
        return self._pages.page("history", values)

    def match(self, number: int) -> Response:
        """Show one match, round by round."""
        reading, language = self._reading(number), self._language()
        values: dict[str, object] = {
            "number": number,
            "may_go_on": False,
            "whole": story_of(reading, language),
            "damage": reading_damage(reading, language),
            "size": (WIDTH, HEIGHT),
            "written": number_text,
            "firsts": {},
            "shares": (),
            "has_decisions": False,
            "place": page_text(language, phrase("At {table}"), table=self._history.table_of(number)),
        }
        return self._pages.page("past", values)

    def statistics(self) -> Response:
        """Show the statistics of all players or one, in all games or one."""
        language, entries = self._language(), self._history.entries()
        summaries = [entry.summary for entry in entries if entry.summary is not None]
        player, game = request.args.get("player", ""), request.args.get("game", "")
        chosen = [each for each in summaries if game in ("", each.game)]
        figures = [each for each in statistics(chosen) if not player or name_key(each.name) == name_key(player)]
        names = {name_key(name): name for each in summaries for name in each.names}
        values = {
            "sections": sections_of(figures, chosen, language),
            "camera": None if player else camera_table(deck_readings(chosen), language),
            "players": sorted(names.values(), key=name_key),
            "games": games_in(summaries, language),
            "player": player,
            "game": game,
            "unread": sum(1 for entry in entries if entry.summary is None and entry.fault is None),
        }
        return self._pages.page("statistics", values)

    def as_table(self) -> Response:
        """Export all matches as CSV."""
        return self._export(lambda entries: table_of(entries).encode(), CSV, "club.csv")

    def as_data(self) -> Response:
        """Export all matches as JSON."""
        return self._export(data_of, JSON, "club.json")

    def match_as_data(self, number: int) -> Response:
        """Export one match as JSON."""
        match = self._reading(number).match
        if match is None:
            abort(404)
        rounds = rounds_of(match)
        told = [round_sentences(match, each, self._language()) for each in rounds]
        return _file(match_data(number, match, rounds, told), JSON, f"match-{number}.json")

    def match_as_record(self, number: int) -> Response:
        """Export the record of a finished match: of one that isn't, it would tell what is hidden."""
        match = self._reading(number).match
        if match is None or match.outcome is None:
            abort(404)
        text = "".join(f"{line}\n" for line in self._history.lines(number))
        return _file(text.encode(), RECORD, f"match-{number}.jsonl")

    def _export(self, wrote: Callable[[Sequence[JournalMatch]], bytes], kind: str, name: str) -> Response:
        return _file(wrote(self._history.entries()), kind, name)

    def _reading(self, number: int) -> ParsedRecord:
        reading = self._history.reading(number) if number < 2**63 else None
        if reading is None:
            abort(404)
        return reading

    def _language(self) -> Language:
        return self._pages.language(club_viewer(self._pages.services, request))


def _file(content: bytes, kind: str, name: str) -> Response:
    return Response(
        content, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
