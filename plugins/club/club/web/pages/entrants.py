"""The director's people: who takes part, penalties, and beginning and ending a tournament."""

from collections.abc import Mapping

from flask import Blueprint, Response, request

from club.views import Begin, End, Lift, Penalise, Presence, Register
from club.web.access import club_viewer
from club.web.drawn_pages import ClubPages
from club.web.forms import names_in, number_in, numbers_in, text_in
from club.web.pages.acting import act_on, by_director, for_director
from club.web.words import MOVEMENTS
from referee.games.catalogue import GAMES
from referee.telling import Listener
from webui.drawing.match_form import fields_of, read_form
from webui.pages.players.entering import redirect_to

PEOPLE = "/director/people"
LONGEST_TITLE = 60


def entrants_blueprint(pages: ClubPages) -> Blueprint:
    """Create the pages."""
    blueprint, page = Blueprint("entrants", __name__), EntrantPages(pages)
    blueprint.get(PEOPLE)(for_director(pages, page.show))
    blueprint.get("/director/new")(for_director(pages, page.look_at_new))
    for address, act in (
        (f"{PEOPLE}/add", page.add),
        (f"{PEOPLE}/presence", page.change_presence),
        (f"{PEOPLE}/penalty", page.penalise),
        (f"{PEOPLE}/lift", page.lift),
        ("/director/new", page.begin),
        ("/director/end", page.end),
    ):
        blueprint.post(address)(by_director(pages, act))
    return blueprint


class EntrantPages:
    """Handles people and the tournament itself."""

    def __init__(self, pages: ClubPages) -> None:
        self._pages, self._services = pages, pages.services

    def show(self) -> Response:
        """Show who takes part."""
        current = self._services.tournaments.current()
        people = () if current is None else sorted(current.standings, key=lambda each: each.number)
        return self._pages.page("people", {"tournament": current, "people": people, "here": ""})

    def add(self) -> Response:
        """Let players take part, all of a list or none."""
        return act_on(self._pages, Register(names_in(request.form, "names") or ("",)), PEOPLE)

    def change_presence(self) -> Response:
        """Let a player drop out, or come back."""
        form = request.form
        return act_on(self._pages, Presence(number_in(form, "number"), form.get("is_here") == "1"), PEOPLE)

    def penalise(self) -> Response:
        """Take points from a player."""
        form = request.form
        said = Penalise(number_in(form, "number"), number_in(form, "points"), text_in(form, "why"))
        return act_on(self._pages, said, PEOPLE)

    def lift(self) -> Response:
        """Lift a penalty."""
        return act_on(self._pages, Lift(number_in(request.form, "index", -1)), PEOPLE)

    def look_at_new(self) -> Response:
        """Show what is to be said of a new tournament."""
        language = self._pages.language(club_viewer(self._services, request))
        fields = {name: fields_of(game, Listener(game.words, (), language), {}) for name, game in GAMES.items()}
        tables = self._services.tables.tables()
        return self._pages.page("new", {"tables": tables, "fields": fields, "movements": MOVEMENTS, "here": ""})

    def begin(self) -> Response:
        """Begin a tournament."""
        form = request.form
        names = [each.name for each in self._services.tables.tables()]
        games = {name: form.get(f"game-{name}", "") for name in names}
        what = Begin(
            title=text_in(form, "title")[:LONGEST_TITLE],
            movement=form.get("movement", ""),
            rounds=number_in(form, "rounds"),
            size=number_in(form, "size"),
            minutes=number_in(form, "minutes"),
            points=numbers_in(form.get("points", "")),
            bye=number_in(form, "bye"),
            advance=number_in(form, "advance", 1),
            tables=tuple((name, game) for name, game in games.items() if game in GAMES),
            rules={game: _house_rules(game) for game in {*games.values()} & GAMES.keys()},
        )
        why = self._services.tournaments.begin(what)
        if why is None:
            return redirect_to(PEOPLE)
        told = self._pages.problem(club_viewer(self._services, request), why)
        return self._pages.page("refused", {"why": told, "back": "/director/new"}, 409)

    def end(self) -> Response:
        """End the tournament."""
        return act_on(self._pages, End(), "/standings")


def _house_rules(game: str) -> Mapping[str, str]:
    """Read what was chosen for a game; the fields of each game begin with its name."""
    before = f"{game} "
    said = {
        name.removeprefix(before): request.form.getlist(name)
        for name in request.form
        if name.startswith(before)
    }
    return read_form(GAMES[game], said).agreed if said else {}
