"""History: all matches, single matches, statistics, exports, and deleting a player's name."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from flask import Response, abort, request

from firmware.language.speaking import reason_of
from firmware.storage.people.evening import forget_name
from firmware.table.notices import Notice, sentence_for
from referee.answers_view import Chooser, answers_view
from referee.coaching import AnalysisView, DecisionView, SeatView
from referee.contract import Kind
from referee.contract.words import Phrase, phrase
from referee.film import film_of, first_moments
from referee.games.catalogue import GAMES
from referee.legal import ask_named
from referee.match import Correct, Match, name_key
from referee.moment_view import ask_text
from referee.record import ParsedRecord, entry_line, read_record
from referee.sentences import Language, decimal_text, labelled_text, listener_at, share_text
from referee.summaries import ForgottenPlayer, JournalMatch, deck_readings, rounds_of, statistics
from vision.troubles import TroubleError
from webui.access.viewers import Viewer, onlooker
from webui.pages.film.sharing import shares_of
from webui.pages.page import RECORD, Answer, Page, Route, file_to_keep, get, post
from webui.pages.players.entering import Rejection, read_number, redirect_to, result_or_why
from webui.views import match_story
from webui.views.charts import COLOURS, HEIGHT, WIDTH, number_text
from webui.views.controls import control_of, value_of
from webui.views.exports import data_of, match_data, table_of
from webui.views.grids import grids_of
from webui.views.words import Texts, page_text

PAGE = 25  # matches per page
MAX_PAGE_DIGITS = 6  # most digits of a page number
JOURNAL_TIMEOUT = 20.0  # seconds for the journal to rewrite all matches
SHORT_WAIT = 1.0  # seconds for an analysis until a page shows that it is running
JSON, CSV = "application/json", "text/csv; charset=utf-8"


class JournalPage(Page):
    """Base class of pages that report when the journal can't be read or changed."""

    def _tell(self, viewer: Viewer, why: Phrase | Notice) -> str:
        return sentence_for(why, self._listener(viewer)) if isinstance(why, Notice) else self._say(viewer, why)

    def _reached(self, route: Route, act: Answer) -> Answer:
        page = super()._reached(route, act)

        def guarded_page(**values: int) -> Response:
            try:
                return page(**values)
            except (OSError, TroubleError) as error:
                return self._draw("unreadable", onlooker(self._table, request), {"why": reason_of(error)}, 503)

        return guarded_page


class HistoryPages(JournalPage):
    """Pages of the history."""

    @get("/history")
    def matches(self) -> Response:
        asked = read_number(request.args.get("page", ""), MAX_PAGE_DIGITS)
        page = 1 if asked is None else asked
        entries = self._table.history.entries((page - 1) * PAGE, page * PAGE) if page else ()
        shown = entries[(page - 1) * PAGE : page * PAGE]
        if not shown and page != 1:
            abort(404)
        viewer = self._viewer()
        language = self._language(viewer)
        values = {
            "may_open": viewer.is_host or viewer.seat is not None,
            "rows": [match_story.row_of(entry, language) for entry in shown],
            "count": len(entries),
            "number": page,
            "pages": max(1, -(-len(entries) // PAGE)),
        }
        return self._draw("history", viewer, values)

    @get("/history/<int:number>")
    def match(self, number: int) -> Response:
        reading, viewer = self._reading(number), self._viewer()
        match, language = reading.match, self._language(viewer)
        # an unfinished match that isn't on the table now
        is_left = match is not None and match.outcome is None and number != self._table.client.state().id
        values = {
            "number": number,
            "may_go_on": viewer.is_host and is_left,
            "is_foreign": match is not None and self._table.cards.is_of_other_table(match.setup.begun),
            "is_real": self._table.cards.is_real,
            "whole": match_story.story_of(reading, language),
            "damage": match_story.reading_damage(reading, language),
            "may_say": viewer.is_host and reading.asks_host,
            "size": (WIDTH, HEIGHT),
            "written": number_text,
            "firsts": {} if match is None else first_moments(film_of(match)),
            "shares": () if match is None else shares_of(self._table, number, match.setup.begun),
        }
        return self._draw("past", viewer, values)

    @get("/history/<int:number>/decisions")
    def decisions(self, number: int) -> Response:
        match, viewer = self._reading(number).match, self._viewer()
        if match is None or match.outcome is None:
            abort(404)
        language = self._language(viewer)
        record = self._table.history.lines(number)
        try:
            found = self._table.analyses.analysis(number, viewer.language, record, SHORT_WAIT)
        except TimeoutError:
            reviewing = self._draw("reviewing", viewer, {"number": number})
            reviewing.headers["Refresh"] = "2"
            return reviewing
        if found is None:
            why = phrase("This match can't be shown: it isn't over, or its record is damaged.")
            return self._refuse(viewer, why, 503)
        kinds = {each.kind for player in found.players for each in player.decisions}
        values = {
            "number": number,
            "players": decisions_of(found, language),
            "size": (DECISIONS_WIDTH, DECISIONS_HEIGHT),
            # the seed matters only for results found by simulated play
            "seed": found.seed if Kind.WINS in kinds else None,
        }
        return self._draw("decisions", viewer, values)

    @get("/statistics")
    def statistics(self) -> Response:
        history, viewer = self._table.history, self._viewer()
        values = statistics_shown(history.entries(), history.names(), self._language(viewer))
        return self._draw("statistics", viewer, values)

    @get("/history.csv")
    def as_table(self) -> Response:
        return self._export_all(lambda entries: table_of(entries).encode(), CSV, "coyote-table.csv")

    @get("/history.json")
    def as_data(self) -> Response:
        return self._export_all(data_of, JSON, "coyote-table.json")

    @get("/history/<int:number>.json")
    def match_as_data(self, number: int) -> Response:
        match = self._reading(number).match
        if match is None:
            abort(404)
        return match_file(number, match, self._language(onlooker(self._table, request)))

    @get("/history/<int:number>.jsonl")
    def match_as_record(self, number: int) -> Response:
        match = self._reading(number).match
        if match is None or match.outcome is None:
            abort(404)
        return record_file(number, self._table.history.lines(number))

    @get("/history/delete", "host")
    def look_at_deleting(self, viewer: Viewer) -> Response:
        return self._delete_page(viewer, name=request.args.get("player", ""))

    def _turn_away(self) -> Response:
        return self._draw("fault", onlooker(self._table, request), {"why": Texts.stale_form}, 403)

    @post("/history/delete", "host")
    def delete(self, viewer: Viewer) -> Response:
        name = request.form.get("player", "")
        if not self._is_known(name):
            return self._delete_page(viewer, why=phrase("No match has a player with that name."), code=404)
        result = result_or_why(self._table.client.forget(name), JOURNAL_TIMEOUT)
        if not isinstance(result, ForgottenPlayer):
            return self._delete_page(viewer, why=result, code=409)
        self._table.links.change(partial(forget_name, name=name))
        seated = self._table.privacy.seated((name,))
        return self._draw("deleted", viewer, {"forgotten": result, "seated": seated})

    def _is_known(self, name: str) -> bool:
        return any(name_key(name) == name_key(each) for each in self._table.history.names())

    def _delete_page(
        self, viewer: Viewer, name: str = "", why: Phrase | Notice | None = None, code: int = 200
    ) -> Response:
        told = "" if why is None else self._tell(viewer, why)
        known = name if self._is_known(name) else ""
        values = {"players": self._table.history.names(), "name": known, "told": told}
        return self._draw("delete", viewer, values, code)

    def _reading(self, number: int) -> ParsedRecord:
        reading = self._table.history.match(number)
        if reading is None:
            abort(404)
        return reading

    def _export_all(self, wrote: Callable[[Sequence[JournalMatch]], bytes], kind: str, name: str) -> Response:
        entries = self._table.history.entries()
        unread = sum(1 for entry in entries if entry.summary is None and entry.fault is None)
        if unread:
            viewer = onlooker(self._table, request)
            why = phrase("Matches still loading: {count}. Reload this page in a moment.")
            response = self._refuse(viewer, why, 503, count=unread)
            response.headers["Retry-After"] = "10"
            return response
        return file_to_keep(wrote(entries), kind, name)


def statistics_shown(
    entries: Sequence[JournalMatch], names: Sequence[str], language: Language
) -> dict[str, object]:
    summaries = [entry.summary for entry in entries if entry.summary is not None]
    player, game = request.args.get("player", ""), request.args.get("game", "")
    played = {each.game for each in summaries}
    chosen = [each for each in summaries if game in ("", each.game)]
    figures = [each for each in statistics(chosen) if not player or name_key(each.name) == name_key(player)]
    decks = () if player else deck_readings(chosen)
    return {
        "sections": match_story.sections_of(figures, chosen, language),
        "camera": [row for deck in decks for row in match_story.camera_rows(deck, language)],
        "players": names,
        "games": [(name, match_story.title_of(name, language)) for name in GAMES if name in played],
        "player": player,
        "game": game,
        "unread": sum(1 for entry in entries if entry.summary is None and entry.fault is None),
    }


def match_file(number: int, match: Match, language: Language) -> Response:
    rounds = rounds_of(match)
    told = [match_story.round_sentences(match, each, language) for each in rounds]
    return file_to_keep(match_data(number, match, rounds, told), JSON, f"match-{number}.json")


def record_file(number: int, lines: Sequence[str]) -> Response:
    return file_to_keep("".join(f"{line}\n" for line in lines).encode(), RECORD, f"match-{number}.jsonl")


DECISIONS_WIDTH, DECISIONS_HEIGHT = 480, 84
LEFT, RIGHT, TOP, BOTTOM = 8, 472, 22, 76
THIN = 1.5  # minimum bar height, so that decisions without a loss are visible, too


def decisions_of(analysis: AnalysisView, language: Language) -> tuple[Mapping[str, Any], ...]:
    """Return each player's decisions as bars; the scale is the same for all players."""
    every = [each for player in analysis.players for each in player.decisions]
    if not every:
        return ()
    span = (min(each.moment for each in every), max(each.moment for each in every))
    most = max((each.loss for each in every), default=0.0)
    return tuple(_player(player, seat, span, most, language) for seat, player in enumerate(analysis.players))


def _player(
    player: SeatView, seat: int, span: tuple[int, int], most: float, language: Language
) -> Mapping[str, Any]:
    numbers = {moment: number for number, moment in enumerate(player.turning_points, 1)}
    by_moment = {each.moment: each for each in player.decisions}
    return {
        "name": player.name,
        "key": f"decisions-{seat}",
        "colour": seat % COLOURS,
        "judged": len(player.decisions),
        "total": _total(player.decisions, language),
        "bars": tuple(_bars(player.decisions, numbers, span, most)),
        "width": round(min(9.0, max(3.0, (RIGHT - LEFT) / (2 * (span[1] - span[0] + 1)))), 1),
        "points": [
            {"moment": moment, "cost": _cost(by_moment[moment], language), "told": by_moment[moment].told}
            for moment in numbers
        ],
    }


def _bars(
    decisions: Sequence[DecisionView], numbers: dict[int, int], span: tuple[int, int], most: float
) -> Iterator[Mapping[str, object]]:
    """Yield the bars of decisions; turning points have a number above theirs."""
    first, last = span
    for each in decisions:
        share = each.loss / most if most else 0.0
        height = round(max(THIN, share * (BOTTOM - TOP)), 1)
        x = LEFT + (RIGHT - LEFT) * (each.moment - first) / max(1, last - first)
        number = numbers.get(each.moment)
        yield {"x": round(x, 1), "y": round(BOTTOM - height, 1), "height": height, "number": number}


def _cost(decision: DecisionView, language: Language) -> str:
    if decision.kind is Kind.POINTS:
        loss = decision.loss
        # a renown is worth a lot more than a franc
        points = decimal_text(language, loss) if loss < 10 else number_text(round(loss))
        return page_text(language, phrase("points lost: {points}"), points=points)
    return page_text(language, phrase("winning chance lost: {share}"), share=share_text(decision.loss))


def _total(decisions: Sequence[DecisionView], language: Language) -> str:
    """Return the average lost chance per decision; point losses of one turn overlap and aren't averaged."""
    if not decisions or decisions[0].kind is Kind.POINTS:
        return ""
    lost = sum(each.loss for each in decisions)
    return page_text(
        language, phrase("winning chance lost on average: {share}"), share=share_text(lost / len(decisions))
    )


# an answer missing from a record: the host enters it, and the later answers are replayed


class MissingPage(JournalPage):
    """Page of a missing answer."""

    @get("/history/<int:number>/missing")
    def show(self, number: int) -> Response:
        viewer, reading = self._viewer(), self._table.history.match(number)
        if not viewer.is_host or reading is None or not reading.asks_host:
            return redirect_to(f"/history/{number}")
        return self._page(viewer, number, reading)

    def _tell_host(self, viewer: Viewer, rejection: Rejection) -> Response:
        values = {"rejection": rejection, "home": request.path.removesuffix("/missing")}
        return self._draw("unsent", viewer, values)

    @post("/history/<int:number>/missing", "host")
    def say(self, viewer: Viewer, number: int) -> Response:
        past, home = self._table.history, f"/history/{number}"
        reading, lines = past.match(number), past.lines(number)
        if reading is None or not reading.asks_host or request.form.get("line") != str(_line(reading)):
            return redirect_to(home)
        entry = _read_answer(reading, len(lines) - 1)
        if entry is None:
            return self._page(viewer, number, reading, Texts.not_understood, 400)
        after = read_record([*lines, entry_line(entry)])
        if after.fault is not None and not (after.asks_host and _line(after) > _line(reading)):
            why = phrase("That can't be the missing answer: later answers don't fit.")
            return self._page(viewer, number, reading, why, 409)
        told = result_or_why(self._table.client.say_missing(number, len(lines), entry), JOURNAL_TIMEOUT)
        return redirect_to(home) if told is None else self._page(viewer, number, reading, told, 409)

    def _page(
        self,
        viewer: Viewer,
        number: int,
        reading: ParsedRecord,
        why: Phrase | Notice | None = None,
        code: int = 200,
    ) -> Response:
        match = reading.match
        values = {
            "number": number,
            "line": _line(reading),
            "round": 1 if match is None else len(rounds_of(match)),
            "questions": () if match is None else tuple(_questions(match, self._language(viewer))),
            "look": None if match is None else self._pages.book.look_of(match),
            "told": "" if why is None else self._tell(viewer, why),
        }
        return self._draw("missing", viewer, values, code)


def _line(reading: ParsedRecord) -> int:
    return 0 if reading.fault is None else reading.fault.line


def _questions(match: Match, language: Language) -> Iterator[Mapping[str, object]]:
    """Yield the possible asks at that moment, one for each of their seats."""
    listener, game, grids = listener_at(match.setup, language), match.setup.game, grids_of(match, None)
    for ask in match.asks:
        told = ask_text(listener, game, match.position, ask.key)
        for seat in ask.seats or (None,):
            chooser = Chooser(listener, game, match.state, seat, grids, is_now=False)
            control = control_of(answers_view(chooser, ask), grids, seat)
            named = told if seat is None else labelled_text(language, match.setup.names[seat], told)
            yield {"asked": named, "control": control, "seat": "" if seat is None else seat}


def _read_answer(reading: ParsedRecord, moment: int) -> Correct | None:
    match, seat = reading.match, request.form.get("seat", "")
    ask = None if match is None else ask_named(match.asks, request.form.get("ask", ""))
    if match is None or ask is None or seat not in {*map(str, ask.seats), *([] if ask.seats else [""])}:
        return None
    try:
        value = value_of(ask, request.form)
    except ValueError:
        return None
    now = datetime.now().astimezone().isoformat(timespec="seconds")
    return Correct(moment, match.number, value, at=now, seat=int(seat) if seat else None)
