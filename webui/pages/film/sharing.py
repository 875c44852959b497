"""Sharing a match or an evening: a single-file film, a picture of the score, and a summary."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from flask import Response, abort, request
from msgspec import Struct

from firmware.services.attempt_limits import AttemptLimit
from referee.coaching import MIN_LOSS, AnalysisView, DecisionView
from referee.contract import Kind, Mood
from referee.contract.words import Phrase, phrase
from referee.film import MEMORABLE_MOODS, Film, LeadChange
from referee.match import Match
from referee.moment_view import view_of
from referee.sentences import Language
from referee.showing import moods_of
from referee.summaries import day_of
from webui.access.origins import network_of
from webui.access.viewers import Viewer, onlooker
from webui.pages.page import Page, file_to_keep, get
from webui.server.drawn_pages import Pages
from webui.server.film_making import FilmMaker
from webui.server.film_sources import FilmSources
from webui.views.bots import BOT_NAMES
from webui.views.film_step import turn_text
from webui.views.final_score import Evening, evening_of, evening_text
from webui.views.words import Texts, page_text

if TYPE_CHECKING:
    from firmware.services.table import Table

CALLS = frozenset({Mood.TRUTH, Mood.LIE})  # moods of a call that was resolved
MAX_SENTENCES = 2  # most sentences of a moment


class EveningMoment(Struct, frozen=True):
    """A memorable moment: its match, its number in the film, and its text."""

    match: int
    at: int
    time: str
    kind: str
    told: str


class _Found(Struct, frozen=True, eq=False):
    """A candidate for a memorable moment, and how far it moved the places."""

    match: int
    moment: Match
    moved: int
    turn: LeadChange | None = None
    decision: DecisionView | None = None


def moments_of_evening(
    films: Sequence[tuple[int, Film]], language: Language, analyses: Mapping[int, AnalysisView]
) -> tuple[EveningMoment, ...]:
    """Return the costliest choice, the call that moved the places most, and the closest end.

    Without an analysis, the change of lead that moved the places most replaces the costliest choice.
    """
    over = [(number, film) for number, film in films if film.match.decided is not None]
    choice = _costliest_choice(over, analyses)
    wanted = (
        (phrase("The costliest choice"), choice)
        if choice
        else (phrase("The lead changes"), _largest(_turns(over))),
        (phrase("A call"), _largest(_calls(over))),
        (phrase("Close to the end"), _closest_end(over)),
    )
    chosen = dict[tuple[int, int], EveningMoment]()
    for kind, found in wanted:
        if found is not None:
            number, moment, told = found.match, found.moment, " ".join(_sentences(found, language))
            time = "" if moment.entry is None else moment.entry.at[11:16]
            shown = EveningMoment(number, moment.number, time, page_text(language, kind), told)
            chosen.setdefault((number, moment.number), shown)
    return tuple(each for each in chosen.values() if each.told)


def _turns(films: Iterable[tuple[int, Film]]) -> Iterator[_Found]:
    for number, film in films:
        for turn in film.turns:
            moment = film.moments[turn.number].match
            if moment.outcome is None:
                yield _Found(number, moment, _moved(moment), turn)


def _costliest_choice(films: Iterable[tuple[int, Film]], analyses: Mapping[int, AnalysisView]) -> _Found | None:
    """Return the analysed decision that lost the largest chance."""
    known = [
        (each.loss, number, film.moments[each.moment + 1].match, each)
        for number, film in films
        if number in analyses
        for player in analyses[number].players
        for each in player.decisions
        if each.kind is not Kind.POINTS and each.loss >= MIN_LOSS and each.told and each.moment < film.last
    ]
    if not known:
        return None
    _loss, number, moment, decision = max(known, key=lambda each: each[:2])
    return _Found(number, moment, 0, decision=decision)


def _calls(films: Iterable[tuple[int, Film]]) -> Iterator[_Found]:
    for number, film in films:
        for each in film.moments:
            if each.later != "undone" and moods_of(each.match) & CALLS:
                yield _Found(number, each.match, _moved(each.match))


def _closest_end(films: Iterable[tuple[int, Film]]) -> _Found | None:
    """Return the end of the match whose last change of lead was nearest to its end."""
    ends = [
        (film.last - film.turns[-1].number, -number, film.moments[-1].match)
        for number, film in films
        if film.turns
    ]
    if not ends:
        return None
    _left, number, moment = min(ends, key=lambda each: each[:2])
    return _Found(-number, moment, 0)


def _largest(found: Iterable[_Found]) -> _Found | None:
    """Return the moment that moved the places most; the latest among equals."""
    return max(found, key=lambda each: (each.moved, each.match, each.moment.number), default=None)


def _moved(moment: Match) -> int:
    if moment.before is None:
        return 0
    game = moment.setup.game
    before, now = (
        {each.seat: each.place for each in game.rules.standings(state)}
        for state in (moment.before.state, moment.state)
    )
    return sum(abs(place - before.get(seat, place)) for seat, place in now.items())


def _sentences(found: _Found, language: Language) -> Sequence[str]:
    """Return the sentences for a moment: its decision, its change of lead, or its rulings."""
    if found.decision is not None:
        return found.decision.told[:MAX_SENTENCES]
    if found.turn is not None:
        return (turn_text(found.moment, found.turn, language),)
    rulings = view_of(found.moment, language).rulings
    telling = [each for each in rulings if each.mood in MEMORABLE_MOODS]
    return [each.text for each in telling[-MAX_SENTENCES:] or rulings[:1]]


PER_DEVICE, IN_TOTAL = 6, 12
"""Most files made per minute, per device and in total; each takes seconds of processor time."""
FILMS = 12
"""Newest matches of an evening to search for moments; each one has to be replayed."""
READ = 40  # matches read at once; those of older evenings are read on request
HTML, PNG, TEXT = "text/html; charset=utf-8", "image/png", "text/plain; charset=utf-8"


class SharingPages(Page):
    """Pages for sharing."""

    def __init__(self, table: "Table", pages: Pages, sources: FilmSources, films: FilmMaker) -> None:
        self._films = films
        super().__init__(table, pages)
        self._sources = sources
        self._attempts = AttemptLimit(each=PER_DEVICE, most=IN_TOTAL)

    @get("/history/<int:number>/film.html")
    def film(self, number: int) -> Response:
        pictures_of = number if request.args.get("pictures") == "1" else None
        return self._make(
            number, lambda record, language: self._films.film(record, language, pictures_of), HTML, "html"
        )

    @get("/history/<int:number>/score.png")
    def score_card(self, number: int) -> Response:
        return self._make(number, self._films.score_card, PNG, "png")

    def _make(
        self, number: int, make: Callable[[Sequence[str], str], bytes | None], kind: str, ending: str
    ) -> Response:
        record = self._table.history.lines(number)
        if not record:
            abort(404)
        viewer = onlooker(self._table, request)
        if not self._attempts.may_try(network_of(request.remote_addr or "")):
            return self._refuse(viewer, Texts.busy, 429)
        made = make(record, viewer.language)
        if made is None:
            return self._refuse(viewer, Texts.busy, 503)
        # a saved film is opened outside this site, so its inline styles and scripts never run here
        return file_to_keep(made, kind, f"match-{number}.{ending}")

    @get("/evenings/<day>")
    def evening(self, day: str) -> Response:
        viewer = onlooker(self._table, request)
        evening = self._evening(day, viewer)
        values = {
            "evening": evening,
            "link": f"{self._table.address.own()}evenings/{evening.day}",
            "moments": tuple(self._moments(evening, viewer)),
            "animals": BOT_NAMES,
        }
        return self._draw("evening", viewer, values)

    @get("/evenings/<day>.txt")
    def evening_as_text(self, day: str) -> Response:
        viewer = onlooker(self._table, request)
        text = evening_text(self._evening(day, viewer), self._language(viewer))
        return Response(text.encode(), content_type=TEXT)

    def _evening(self, day: str, viewer: Viewer) -> Evening:
        """Return an evening from the matches read so far, after reading the newest ones; 404 if unknown."""
        entries = self._table.history.entries(0, READ)
        evening = evening_of(entries, day, self._language(viewer))
        if evening is None:
            abort(404)
        return evening

    def _moments(self, evening: Evening, viewer: Viewer) -> Iterator[Mapping[str, object]]:
        """Yield the moments of an evening; moments without a picture have their game's scene."""
        found = (self._sources.of_match(match.number) for match in evening.matches[-FILMS:])
        sources = {each.number: each for each in found if each is not None and each.number is not None}
        films = [(number, each.film) for number, each in sources.items()]
        past, looked = self._table.history, self._table.analyses
        # use only earlier analyses, as a new one may take a minute
        found_before = {each: looked.found_before(each, viewer.language, past.lines(each)) for each in sources}
        analyses = {number: found for number, found in found_before.items() if found is not None}
        for each in moments_of_evening(films, self._language(viewer), analyses):
            source = sources[each.match]
            yield {
                "told": each,
                "address": f"{source.home}?at={each.at}",
                "picture": self._sources.evidence(source, each.at).picture,
                "look": self._sources.look_of(source),
            }


def shares_of(table: "Table", number: int, begun: str) -> tuple[tuple[str, Phrase], ...]:
    evening = ((f"/evenings/{day}", phrase("The whole evening")),) if (day := day_of(begun)) else ()
    films = [(f"/history/{number}/film.html", phrase("The film as one file, for any browser"))]
    if table.evidence.of(number):
        films.append((f"/history/{number}/film.html?pictures=1", phrase("The same with the camera's pictures")))
    return (
        *films,
        (f"/history/{number}/score.png", phrase("Picture of the final score, for a chat")),
        *evening,
    )
