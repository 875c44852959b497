"""What if: from a moment of a film on with other answers. Its link says all of it, so that nothing is kept."""

from collections.abc import Mapping
from urllib.parse import urlencode

from flask import Blueprint, Response, request

from firmware.parts.trials import TriedOut
from firmware.table.table import Table
from firmware.twin.table_view import BotStrength, is_bot_strength, strengths_offered
from referee.branches import MOST, Branch, encode_branch, read_branch
from referee.contract import Refusal
from referee.contract.words import Phrase, phrase
from referee.record import record_lines, what_if_lines
from referee.telling import Language, tell_refusal
from webui.access.origins import network_of
from webui.access.viewers import Viewer, onlooker, viewer_language
from webui.drawing.branches import (
    answer_in_branch,
    asked_in,
    story_of_branch,
    view_of_branch,
)
from webui.drawing.film_step import FilmView, sentences_of, title_of_film
from webui.drawing.words import Texts, page_text
from webui.pages.film.film import found
from webui.pages.film.trial_view import bars_of
from webui.pages.players.entering import redirect_to
from webui.server.drawn_pages import Pages
from webui.server.film_sources import FilmSource, FilmSources, listener_to

REFUSALS: Mapping[str, Phrase] = {
    "busy": phrase("Bots are trying out something else just now. Try again in a few seconds."),
    "often": phrase("That is enough for a minute. Wait a while, then try again."),
    "failed": phrase(
        "Bots can't play on from here: too little is known of who holds which cards, or the match was over."
    ),
}
"""Why bots haven't played on."""
RECORD = "application/jsonl; charset=utf-8"


def what_if_blueprint(table: Table, pages: Pages, sources: FilmSources) -> Blueprint:
    """Create the pages of what-ifs."""
    blueprint, page = Blueprint("what_if", __name__), WhatIfPages(table, pages, sources)
    for ending, draw in (("", page.show), (".jsonl", page.save)):
        kept, opened = found(sources.of_match)(draw), found(sources.of_file)(draw)
        name = draw.__name__
        blueprint.add_url_rule(f"/history/<int:number>/film/what-if/<int:at>{ending}", f"kept_{name}", kept)
        blueprint.add_url_rule(f"/film/<token>/what-if/<int:at>{ending}", f"opened_{name}", opened)
    return blueprint


class WhatIfPages:
    """Handles the pages of what-ifs."""

    def __init__(self, table: Table, pages: Pages, sources: FilmSources) -> None:
        """Remember the table, the pages, and where films come from."""
        self._table, self._pages, self._sources = table, pages, sources

    def show(self, source: FilmSource, at: int) -> Response:
        """Show where other answers lead; one more of them leads to the link of all."""
        viewer = onlooker(self._table, request)
        if not source.may_imagine:
            return self._refuse(
                viewer,
                phrase("What if? waits until the match is over: before that it could give something away.").one,
                409,
            )
        branch = self._branch(source, at)
        if not isinstance(branch, Branch):
            return self._refuse(viewer, self._why(source, viewer, branch), 400)
        if "bots" in request.args:
            return self._let_bots_play(source, branch, viewer)
        if "ask" not in request.args:
            return Response(self._page(source, branch, viewer))
        after = answer_in_branch(branch, request.args)
        if isinstance(after, Branch):
            return redirect_to(_address(source, after))
        return Response(self._page(source, branch, viewer, self._why(source, viewer, after)), 409)

    def _let_bots_play(self, source: FilmSource, branch: Branch, viewer: Viewer) -> Response:
        """Let bots play on once, which leads to a longer link, or again and again, which is told here."""
        asked, strength = request.args["bots"], request.args.get("strength", "")
        chosen: BotStrength = strength if is_bot_strength(strength) else "plain"
        record, said = record_lines(source.film.match), encode_branch(branch.answers)
        who = network_of(request.remote_addr or "")
        trials = self._table.trials
        act = trials.play_out if asked == "play" else trials.try_out
        told = act(record, branch.at, said, chosen, who)
        if isinstance(told, TriedOut):
            return Response(self._page(source, branch, viewer, tried=told))
        if told in REFUSALS:
            why = page_text(viewer_language(self._table, viewer), REFUSALS[told])
            return Response(self._page(source, branch, viewer, why), 503)
        return redirect_to(f"{source.home}/what-if/{branch.at}?{urlencode({'said': told})}")

    def save(self, source: FilmSource, at: int) -> Response:
        """Send a branch as a file, which says that it is no record."""
        branch = self._branch(source, at) if source.may_imagine else None
        if not isinstance(branch, Branch):
            viewer = onlooker(self._table, request)
            return self._refuse(viewer, self._why(source, viewer, branch), 400)
        text = "".join(f"{line}\n" for line in what_if_lines(branch.match, _imagined_from(source, at)))
        name = f'attachment; filename="what-if-{source.number or 0}-{at}.jsonl"'
        return Response(text.encode(), content_type=RECORD, headers={"Content-Disposition": name})

    def _branch(self, source: FilmSource, at: int) -> Branch | Refusal | None:
        return read_branch(source.film, at, request.args.get("said", ""))

    def _why(self, source: FilmSource, viewer: Viewer, refused: Refusal | None) -> str:
        language = viewer_language(self._table, viewer)
        if refused is None:
            return page_text(language, Texts.not_understood)
        return tell_refusal(listener_to(source, language), refused)

    def _page(
        self, source: FilmSource, branch: Branch, viewer: Viewer, why: str = "", tried: TriedOut | None = None
    ) -> str:
        language = viewer_language(self._table, viewer)
        values = {
            **self._values(source, branch, language, why),
            "may_play_on": len(branch.answers) < MOST,
            "strengths": strengths_offered(branch.match.setup.game),
            "strength": request.args.get("strength", "plain"),
            "tries": 0 if tried is None else tried.branch.tries,
            "bars": () if tried is None else bars_of(tried, listener_to(source, language).names),
        }
        return self._pages.page("what_if", viewer, values)

    def _values(self, source: FilmSource, branch: Branch, language: Language, why: str) -> Mapping[str, object]:
        listener, look = listener_to(source, language), self._sources.look_of(source)
        values = self._sources.values(source, branch.at, language)
        film = values["film"]
        assert isinstance(film, FilmView)  # noqa: S101 - the sources put it there
        asked = asked_in(branch, source.film, request.args.get("who", ""), listener)
        return {
            **values,
            "film": view_of_branch(film, branch, listener, look),
            "picture": "",
            "reading": "",
            "imagined": True,
            "title": title_of_film(source.film.match, listener),
            "why": why,
            "at": branch.at,
            "said": encode_branch(branch.answers),
            "undo": None if not branch.answers else encode_branch(branch.answers[:-1]),
            "story": story_of_branch(branch, listener),
            "asked": asked if len(branch.answers) < MOST else None,
            "is_over": not branch.match.asks,
            "names": listener.names,
            "played": _played(source, branch, language),
        }

    def _refuse(self, viewer: Viewer, why: str, code: int) -> Response:
        told = viewer_language(self._table, viewer).gettext(why)
        return Response(self._pages.page("unreadable", viewer, {"why": told}), code)


def _played(source: FilmSource, branch: Branch, language: Language) -> str:
    """Tell what came in the match itself, as long as nothing else has been answered."""
    if branch.answers or branch.at >= source.film.last:
        return ""
    told = sentences_of(source.film.moments[branch.at + 1].match, listener_to(source, language))
    return page_text(language, phrase("As it was: {answer}"), answer=told[0])


def _imagined_from(source: FilmSource, at: int) -> int:
    """Say from which moment on nothing was played: of a what-if, from where it was one already."""
    before = source.reading.what_if
    return at if before is None else min(at, before)


def _address(source: FilmSource, branch: Branch) -> str:
    return f"{source.home}/what-if/{branch.at}?{urlencode({'said': encode_branch(branch.answers)})}"
