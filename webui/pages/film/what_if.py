"""What if: continue from a moment of a film with other answers. The link holds them all; none are stored."""

from collections.abc import Mapping
from typing import Protocol
from urllib.parse import urlencode

from flask import Response, request
from msgspec import Struct

from firmware.services.jobs import clean_lines
from firmware.services.trials import TrialRequest
from firmware.twin.simulated_table import BotStrength, is_bot_strength, strengths_offered
from referee.contract import Answer, Refusal
from referee.contract.words import Phrase, phrase
from referee.film import MAX_BRANCH_ANSWERS, Branch, Film, encode_branch, play_branch, read_branch
from referee.legal import ask_named
from referee.match import Match, moments
from referee.moment_view import view_of
from referee.record import record_lines, what_if_lines
from referee.sentences import Language, listener_at, refusal_text
from referee.showing import board_of
from webui.access.origins import network_of
from webui.access.viewers import Viewer, onlooker
from webui.needs import HasTrials, ViewerNeeds
from webui.pages.film.film import FilmPage, of_film
from webui.pages.page import RECORD, file_to_keep
from webui.pages.players.entering import read_number, redirect_to
from webui.views.controls import Control, Misread, controls_of, value_of
from webui.views.film_step import FilmSource, sentences_of, title_of_film, told_at_once, view_of_moment
from webui.views.grids import grids_of
from webui.views.words import Texts, page_text

REFUSALS: Mapping[str, Phrase] = {
    "busy": phrase("Bots are busy with another match. Try again in a few seconds."),
    "often": phrase("Too many requests. Wait a minute, then try again."),
    "failed": phrase("Bots can't play on from here: too many cards are unknown, or the match was over."),
}


class WhatIfNeeds(ViewerNeeds, HasTrials, Protocol):
    """Parts of the table used by the what-if pages."""


class WhatIfPages(FilmPage[WhatIfNeeds]):
    """Pages of what-ifs."""

    @of_film("/what-if/<int:at>")
    def show(self, source: FilmSource, at: int) -> Response:
        """Show the result of other answers; each further answer leads to a longer link."""
        viewer = onlooker(self._table, request)
        if not source.may_imagine:
            why = phrase("What if? opens once the match is over, so that it can't reveal anything.")
            return self._refuse(viewer, why, 409)
        branch = self._branch(source, at)
        if not isinstance(branch, Branch):
            return self._draw("unreadable", viewer, {"why": self._why(source, viewer, branch)}, 400)
        if request.args.get("bots") == "play":
            return self._let_bots_play(source, branch, viewer)
        if "ask" not in request.args:
            return self._page(source, branch, viewer)
        after = answer_in_branch(branch, request.args)
        if isinstance(after, Branch):
            return _lead_to(source, after.at, encode_branch(after.answers))
        return self._page(source, branch, viewer, self._why(source, viewer, after), code=409)

    def _let_bots_play(self, source: FilmSource, branch: Branch, viewer: Viewer) -> Response:
        """Let bots play to the end, and redirect to the longer link."""
        strength = request.args.get("strength", "")
        chosen: BotStrength = strength if is_bot_strength(strength) else "plain"
        record, said = clean_lines(record_lines(source.film.match)), encode_branch(branch.answers)
        wish = TrialRequest(record, branch.at, said, chosen)
        told = self._table.trials.play_out(wish, network_of(request.remote_addr or ""))
        if told in REFUSALS:
            return self._page(source, branch, viewer, self._say(viewer, REFUSALS[told]), code=503)
        return _lead_to(source, branch.at, told)

    @of_film("/what-if/<int:at>.jsonl")
    def save(self, source: FilmSource, at: int) -> Response:
        branch = self._branch(source, at) if source.may_imagine else None
        if not isinstance(branch, Branch):
            viewer = onlooker(self._table, request)
            return self._draw("unreadable", viewer, {"why": self._why(source, viewer, branch)}, 400)
        # the film may itself be a what-if whose imagined part starts sooner
        before = source.reading.what_if
        imagined_from = at if before is None else min(at, before)
        text = "".join(f"{line}\n" for line in what_if_lines(branch.match, imagined_from))
        return file_to_keep(text.encode(), RECORD, f"what-if-{source.number or 0}-{at}.jsonl")

    def _branch(self, source: FilmSource, at: int) -> Branch | Refusal | None:
        return read_branch(source.film, at, request.args.get("said", ""))

    def _why(self, source: FilmSource, viewer: Viewer, refused: Refusal | None) -> str:
        language = self._language(viewer)
        if refused is None:
            return page_text(language, Texts.not_understood)
        return refusal_text(listener_at(source.film.match.setup, language), refused)

    def _page(
        self, source: FilmSource, branch: Branch, viewer: Viewer, why: str = "", code: int = 200
    ) -> Response:
        values = {
            **self._values(source, branch, self._language(viewer)),
            "why": why,
            "may_play_on": len(branch.answers) < MAX_BRANCH_ANSWERS,
            "strengths": strengths_offered(branch.match.setup.game),
            "strength": request.args.get("strength", "plain"),
        }
        return self._draw("what_if", viewer, values, code)

    def _values(self, source: FilmSource, branch: Branch, language: Language) -> Mapping[str, object]:
        look, match = self._sources.look_of(source), branch.match
        values = self._sources.values(source, branch.at, language)
        left = values["film"]
        assert isinstance(left, dict)  # noqa: S101 - the sources put it there
        asked = asked_in(branch, source.film, request.args.get("who", ""), language)
        played = _played(branch, source.film)
        told = sentences_of(played, language)[:1] if played is not None else ()
        imagined = (each for each in moments(match) if each.number > match.number - len(branch.answers))
        return {
            **values,
            # show the result instead of the moment where the branch starts
            "film": {**left, **view_of_moment(match, language, look), "at": "", "later": ""},
            "picture": "",
            "reading": "",
            "imagined": True,
            "title": title_of_film(source.film.match, language),
            "at": branch.at,
            "said": encode_branch(branch.answers),
            "undo": None if not branch.answers else encode_branch(branch.answers[:-1]),
            "story": tuple(told_at_once(each, language) for each in imagined),
            "asked": asked if len(branch.answers) < MAX_BRANCH_ANSWERS else None,
            "is_over": not match.asks,
            "names": source.film.match.setup.names,
            "played": "".join(
                page_text(language, phrase("Actual answer: {answer}"), answer=each) for each in told
            ),
        }


def _played(branch: Branch, film: Film) -> Match | None:
    """Return the match's own next moment, if no other answer has been given."""
    return None if branch.answers or branch.at >= film.last else film.moments[branch.at + 1].match


def _lead_to(source: FilmSource, at: int, said: str) -> Response:
    return redirect_to(f"{source.home}/what-if/{at}?{urlencode({'said': said})}")


class Asked(Struct, frozen=True):
    """The asked seat in a branch: its controls, and all seats that may answer."""

    seat: int
    seats: tuple[int, ...]
    controls: tuple[Control, ...]


def answer_in_branch(branch: Branch, form: Mapping[str, str]) -> Branch | Refusal | None:
    """Return the branch after a form's answer; None if the form doesn't answer the ask."""
    ask = ask_named(branch.match.asks, form.get("ask", ""))
    seat = read_number(form.get("seat", ""), 2)
    value = Misread() if ask is None else value_of(ask, form)
    if ask is None or isinstance(value, Misread) or len(branch.answers) >= MAX_BRANCH_ANSWERS:
        return None
    answer = Answer(branch.match.number, ask.key, value, seat if ask.seats else None, "phone")
    after = play_branch(branch.match, (answer,))
    return after if isinstance(after, Refusal) else Branch(branch.at, (*branch.answers, answer), after)


def asked_in(branch: Branch, film: Film, wish: str, language: Language) -> Asked | None:
    """Return the controls of a seat: the requested one, the one that answered then, or the one to move."""
    match = branch.match
    if not match.asks:
        return None
    seats = tuple(sorted({seat for ask in match.asks for seat in ask.seats}))
    played = _played(branch, film)
    answered = played.entry.seat if played is not None and isinstance(played.entry, Answer) else None
    first = (read_number(wish, 2), answered, board_of(match).turn, *seats)
    seat = next((each for each in first if each in seats), 0)
    told = view_of(match, language, seat or 0)
    return Asked(seat or 0, seats, controls_of(told, seat or 0, grids_of(match, None)))
