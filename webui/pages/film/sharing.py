"""What is shared of a match and of an evening: a film as one file, a picture of the score, a summary."""

from collections.abc import Iterable, Mapping

from flask import Blueprint, Response, abort, request
from msgspec import Struct

from firmware.parts.attempt_limits import AttemptLimit
from firmware.table.table import Table
from referee.coaching import ToldAnalysis
from referee.contract.words import Phrase, phrase
from referee.evenings import day_of
from webui.access.origins import network_of
from webui.access.viewers import Viewer, onlooker, viewer_language
from webui.drawing.bots import BOT_NAMES
from webui.drawing.final_score import Evening, evening_of, evening_text
from webui.drawing.looks import Look
from webui.drawing.words import Texts, page_text
from webui.pages.film.evening_moments import EveningMoment, moments_of_evening
from webui.server.drawn_pages import Pages
from webui.server.film_making import FilmMaker
from webui.server.film_sources import LARGEST, FilmSources

EACH, ALL = 6, 12
"""Files that one device and all of them may have made within a minute: each takes seconds of the processor."""
FILMS = 12
"""Matches of an evening, the last ones, whose moments are looked for: each is played again for it."""
READ = 40
"""Matches that are read at once; those of an evening long ago are read in time."""
HTML, PNG, TEXT = "text/html; charset=utf-8", "image/png", "text/plain; charset=utf-8"


def sharing_blueprint(table: Table, pages: Pages, sources: FilmSources, films: FilmMaker) -> Blueprint:
    """Create the addresses of what is shared."""
    blueprint, page = Blueprint("sharing", __name__), SharingPages(table, pages, sources, films)
    blueprint.get("/evenings/<day>")(page.evening)
    blueprint.get("/evenings/<day>.txt")(page.evening_as_text)
    blueprint.get("/history/<int:number>/film.html")(page.film)
    blueprint.get("/history/<int:number>/score.png")(page.score_card)
    return blueprint


class ShownMoment(Struct, frozen=True, eq=False):
    """A moment of an evening as its page shows it; without a picture, its game's scene."""

    told: EveningMoment
    address: str
    picture: str
    look: Look


class SharingPages:
    """Handles what is shared."""

    def __init__(self, table: Table, pages: Pages, sources: FilmSources, films: FilmMaker) -> None:
        """Remember the table, the pages, where films come from and what makes files of them."""
        self._films = films
        self._table, self._pages, self._sources = table, pages, sources
        self._attempts = AttemptLimit(each=EACH, most=ALL)

    def film(self, number: int) -> Response:
        """Send a film as one file, with the camera's pictures if they are wished for."""
        record, viewer = self._record(number), onlooker(self._table, request)
        with_pictures = number if request.args.get("pictures") == "1" else None
        if not self._may_make():
            return self._refuse(viewer, Texts.films_often, 429)
        made = self._films.film(record, viewer.language, with_pictures)
        return self._send(viewer, made, HTML, f"match-{number}.html")

    def score_card(self, number: int) -> Response:
        """Send the picture of the final score."""
        record, viewer = self._record(number), onlooker(self._table, request)
        if not self._may_make():
            return self._refuse(viewer, Texts.films_often, 429)
        return self._send(viewer, self._films.score_card(record, viewer.language), PNG, f"match-{number}.png")

    def evening(self, day: str) -> Response:
        """Show what was played of an evening."""
        viewer = onlooker(self._table, request)
        evening = self._evening(day, viewer)
        values = {
            "evening": evening,
            "link": f"{self._table.address.own()}evenings/{evening.day}",
            "moments": self._moments(evening, viewer),
            "animals": BOT_NAMES,
        }
        return Response(self._pages.page("evening", viewer, values))

    def evening_as_text(self, day: str) -> Response:
        """Send the same as text."""
        viewer = onlooker(self._table, request)
        text = evening_text(self._evening(day, viewer), viewer_language(self._table, viewer))
        return Response(text.encode(), content_type=TEXT)

    def _evening(self, day: str, viewer: Viewer) -> Evening:
        """Find an evening among the matches that have been read; the newest are read now."""
        entries = self._table.history.entries(0, READ)
        evening = evening_of(entries, day, viewer_language(self._table, viewer))
        if evening is None:
            abort(404)
        return evening

    def _moments(self, evening: Evening, viewer: Viewer) -> tuple[ShownMoment, ...]:
        """Draw the moments of an evening: each with the table's own picture where it is kept."""
        found = (self._sources.of_match(match.number) for match in evening.matches[-FILMS:])
        sources = {each.number: each for each in found if each is not None and each.number is not None}
        films = [(number, each.film) for number, each in sources.items()]
        language, analyses = viewer_language(self._table, viewer), self._analyses(sources, viewer)
        return tuple(
            ShownMoment(
                told=each,
                address=f"{sources[each.match].home}?at={each.at}",
                picture=self._sources.picture_address(sources[each.match], each.at),
                look=self._sources.look_of(sources[each.match]),
            )
            for each in moments_of_evening(films, language, analyses)
        )

    def _analyses(self, numbers: Iterable[int], viewer: Viewer) -> Mapping[int, ToldAnalysis]:
        """Give what was found of decisions, where that was looked at before: it may take a minute."""
        past, looked = self._table.history, self._table.analyses
        found = ((each, looked.found_before(each, viewer.language, past.lines(each))) for each in numbers)
        return {number: analysis for number, analysis in found if analysis is not None}

    def _record(self, number: int) -> tuple[str, ...]:
        record = () if number >= LARGEST else tuple(self._table.history.lines(number))
        if not record:
            abort(404)
        return record

    def _may_make(self) -> bool:
        return self._attempts.may_try(network_of(request.remote_addr or ""))

    def _send(self, viewer: Viewer, made: bytes | None, kind: str, name: str) -> Response:
        if made is None:
            return self._refuse(viewer, phrase("This can't be made now. Try again in a minute."), 503)
        # a film is to be opened from where it is saved: its own style and script don't run on this site
        headers: Mapping[str, str] = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(made, content_type=kind, headers=headers)

    def _refuse(self, viewer: Viewer, why: Phrase, code: int) -> Response:
        told = page_text(viewer_language(self._table, viewer), why)
        return Response(self._pages.page("unreadable", viewer, {"why": told}), code)


def shares_of(table: Table, number: int, begun: str) -> tuple[tuple[str, Phrase], ...]:
    """List the ways in which a match of the history is shared: where each is, and its text."""
    evening = ((f"/evenings/{day}", phrase("The whole evening")),) if (day := day_of(begun)) else ()
    films = [(f"/history/{number}/film.html", phrase("The film as one file, for any browser"))]
    if table.evidence.kept_of(number):
        films.append((f"/history/{number}/film.html?pictures=1", phrase("The same with the camera's pictures")))
    return (
        *films,
        (f"/history/{number}/score.png", phrase("Picture of the final score, for a chat")),
        *evening,
    )
