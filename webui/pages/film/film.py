"""Film of a match, from the history or an uploaded file that is not stored; read-only."""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from flask import Response, abort, request

from firmware.services.attempt_limits import AttemptLimit
from firmware.services.match_files import UnreadFile
from referee.contract.words import Phrase, phrase
from referee.sentences import Language
from webui.access.viewers import onlooker, viewer_language
from webui.pages.film.sharing import shares_of
from webui.pages.page import IS_FOR, NAMED_ANEW, Answer, F, Page, Route, get, post, withdrawable
from webui.pages.players.entering import read_number, redirect_to
from webui.server.drawn_pages import Pages
from webui.server.film_sources import MAX_FILE_BYTES, FilmSources
from webui.server.uploads import UploadError, Uploads
from webui.views.film_step import FilmSource, title_of_film
from webui.views.match_story import facts_of, reading_damage
from webui.views.words import Texts, page_text

if TYPE_CHECKING:
    from firmware.services.table import Table

UNREAD: Mapping[UnreadFile, tuple[Phrase, int]] = {
    "busy": (Texts.busy, 429),
    "too much": (
        phrase("This file takes the table too long. On a computer, make a film of it with coyote record film."),
        422,
    ),
    "no match": (phrase("This file isn't a match. Choose one that a table saved."), 400),
}
"""Reason for rejecting a file, and the HTTP status."""
DIGITS = 6  # most digits of a moment's number
PER_DEVICE, IN_TOTAL = 6, 20  # most files opened per minute, per device and in total


def of_film(ending: str) -> Callable[[F], F]:
    """Register a function for films from the history and from open files."""
    kept, opened = get(f"/history/<int:number>/film{ending}"), get(f"/film/<token>{ending}")
    return lambda draw: kept(opened(draw))


class FilmPages(Page):
    """Pages of films."""

    def __init__(self, table: "Table", pages: Pages, sources: FilmSources) -> None:
        super().__init__(table, pages)
        self._sources, limit = sources, AttemptLimit(each=PER_DEVICE, most=IN_TOTAL)
        missing = phrase("Choose a match file first.")
        too_large = phrase("This file is too large to open here.")
        self._uploads = Uploads("match", limit, MAX_FILE_BYTES, missing, too_large)

    def _reached(self, route: Route, act: Answer) -> Answer:
        if route.method != "GET":
            return super()._reached(route, act)
        finding: Callable[..., FilmSource | None] = (
            self._sources.of_file if "<token>" in route.rule else self._sources.of_match
        )

        def page(*, at: int | None = None, **where: int | str) -> Response:
            source = finding(*where.values())
            if source is None or (at is not None and at > source.film.last):
                abort(404)
            return act(source) if at is None else act(source, at)

        return page

    @of_film("")
    def show(self, source: FilmSource) -> Response:
        viewer = onlooker(self._table, request)
        language = self._language(viewer)
        number = min(read_number(request.args.get("at", ""), DIGITS) or 0, source.film.last)
        begun = source.film.match.setup.begun
        values = {
            **self._sources.values(source, number, language),
            "title": title_of_film(source.film.match, language),
            "facts": facts_of(source.film.match, language),
            "mark_of_film": source.mark,
            "notes": tuple(_notes(source, language)),
            "back": "/history" if source.number is None else f"/history/{source.number}",
            "back_text": page_text(language, phrase("History")),
            "shares": () if source.number is None else shares_of(self._table, source.number, begun),
        }
        return self._draw("film", viewer, values)

    @of_film("/<int:at>")
    def step(self, source: FilmSource, at: int) -> Response:
        """Send a single moment; it changes only with its record."""
        language = viewer_language(self._table, onlooker(self._table, request))
        response = Response(self._sources.step(source, at, language))
        is_named = request.args.get("of") == source.mark
        # the address includes the record's mark, so a cached moment never becomes stale
        response.headers["Cache-Control"] = NAMED_ANEW if is_named else "no-store"
        response.headers["Vary"] = "Accept-Language"
        return response

    @of_film("/<int:at>.jpg")
    def picture(self, source: FilmSource, at: int) -> Response:
        jpeg = self._sources.picture(source, at)
        if jpeg is None:
            abort(404)
        return withdrawable(jpeg)

    @post("/film")
    def open(self) -> Response:
        """Open a file from a player or the host. It stays in memory for a while and is never stored."""
        viewer = self._viewer()
        try:
            with self._uploads.receive(request, viewer, lambda: IS_FOR["player"](self._viewer())) as file:
                read = self._table.match_files.read(file)
        except UploadError as error:
            return self._refuse(viewer, error.text, error.code)
        if isinstance(read, bytes):
            return redirect_to(f"/film/{self._sources.opened.open(read)}")
        return self._refuse(viewer, *UNREAD[read])


def _notes(source: FilmSource, language: Language) -> Iterator[str]:
    if source.film.match.outcome is None:
        yield page_text(
            language, phrase("This match isn't over. The film shows only what everybody at the table may see.")
        )
    damage = reading_damage(source.reading, language)
    if damage:
        yield damage
