"""An answer that the record of a match has lost: the host says what it was, and the later answers follow."""

from collections.abc import Iterator
from datetime import datetime

from flask import Response, request
from msgspec import Struct

from firmware.table.notices import Notice, sentence_for
from referee.contract.words import Phrase, phrase
from referee.legal import ask_named
from referee.match import Correct, Match
from referee.record import MISSING, ParsedRecord, entry_line, read_record
from referee.summaries import rounds_of
from referee.telling import Language, listener_at, tell_labelled
from referee.told import tell_ask
from referee.told_answers import Chooser, tell_answers
from webui.access.viewers import Viewer
from webui.drawing.controls import Control, Misread, control_of, value_of
from webui.drawing.grids import grids_of
from webui.drawing.words import Texts
from webui.pages.page import Page
from webui.pages.players.entering import redirect_to, result_or_why

PATIENCE = 20.0
"""Seconds in which the journal has to keep what was said."""


class LostAnswer(Struct, frozen=True):
    """What could be asked of the host: an ask as it stood then, for one of its seats."""

    asked: str
    control: Control
    seat: int | str = ""


class MissingPage(Page):
    """Handles the page of a lost answer."""

    def show(self, number: int) -> Response:
        """Ask the host what was said."""
        viewer, reading = self._viewer(), self._table.history.match(number)
        if not viewer.is_host or reading is None or not asks_host(reading):
            return redirect_to(f"/history/{number}")
        return self._page(viewer, number, reading)

    def _turn_away(self) -> Response:
        return self._reject_form(request.path.removesuffix("/missing"))

    def say(self, viewer: Viewer, number: int) -> Response:
        """Keep what the host says, if what was answered later fits."""
        past, home = self._table.history, f"/history/{number}"
        reading, lines = past.match(number), past.lines(number)
        if reading is None or not asks_host(reading) or request.form.get("line") != str(_line(reading)):
            return redirect_to(home)
        entry = _read_answer(reading, len(lines) - 1)
        if entry is None:
            return self._page(viewer, number, reading, Texts.not_understood, 400)
        after = read_record([*lines, entry_line(entry)])
        if after.fault is not None and not (asks_host(after) and _line(after) > _line(reading)):
            why = phrase("That can't have been said: what was answered later doesn't fit.")
            return self._page(viewer, number, reading, why, 409)
        told = self._keep(viewer, number, len(lines), entry)
        return redirect_to(home) if told is None else self._page(viewer, number, reading, told, 409)

    def _keep(self, viewer: Viewer, number: int, line: int, entry: Correct) -> Phrase | str | None:
        """Have it kept; say what hinders it."""
        told = result_or_why(self._table.history.say_missing(number, line, entry), PATIENCE)
        return sentence_for(told, self._listener(viewer)) if isinstance(told, Notice) else told

    def _page(
        self, viewer: Viewer, number: int, reading: ParsedRecord, told: Phrase | str = "", code: int = 200
    ) -> Response:
        match = reading.match
        values = {
            "number": number,
            "line": _line(reading),
            "round": 1 if match is None else len(rounds_of(match)),
            "questions": () if match is None else tuple(_questions(match, self._language(viewer))),
            "look": None if match is None else self._pages.book.look_of(match),
            "told": told if isinstance(told, str) else self._say(viewer, told),
        }
        return self._draw("missing", viewer, values, code)


def asks_host(reading: ParsedRecord) -> bool:
    """Return whether a match can be read up to an answer that is lost, and that nothing else makes certain."""
    fault = reading.fault
    return reading.match is not None and fault is not None and fault.key == MISSING


def _line(reading: ParsedRecord) -> int:
    return 0 if reading.fault is None else reading.fault.line


def _questions(match: Match, language: Language) -> Iterator[LostAnswer]:
    """Put what was asked then, once for each seat that may have answered."""
    listener, game, grids = listener_at(match.setup, language), match.setup.game, grids_of(match, None)
    for ask in match.asks:
        told = tell_ask(listener, game, match.position, ask.key)
        for seat in ask.seats or (None,):
            chooser = Chooser(listener, game, match.state, seat, grids, is_now=False)
            control = control_of(tell_answers(chooser, ask), grids, seat)
            named = told if seat is None else tell_labelled(language, match.setup.names[seat], told)
            yield LostAnswer(named, control, "" if seat is None else seat)


def _read_answer(reading: ParsedRecord, moment: int) -> Correct | None:
    """Read from the form what was said, as a correction at the end of the record."""
    match, seat = reading.match, request.form.get("seat", "")
    ask = None if match is None else ask_named(match.asks, request.form.get("ask", ""))
    if match is None or ask is None or seat not in {*map(str, ask.seats), *([] if ask.seats else [""])}:
        return None
    value = value_of(ask, request.form)
    if isinstance(value, Misread):
        return None
    now = datetime.now().astimezone().isoformat(timespec="seconds")
    return Correct(moment, match.number, value, at=now, seat=int(seat) if seat else None)
