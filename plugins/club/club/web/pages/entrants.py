"""The director's people: who takes part, penalties, and beginning and ending a tournament."""

from flask import Blueprint, Response, request

from club.web.access import club_viewer
from club.web.doors import Begin, End, Lift, Penalise, Presence, Register
from club.web.drawn_pages import ClubPages
from club.web.forms import number_in, numbers_in, text_in
from club.web.pages.acting import act_on, by_director, for_director
from club.web.words import MOVEMENTS
from referee.games.catalogue import GAMES
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
        """Remember the pages."""
        self._pages, self._services = pages, pages.services

    def show(self) -> Response:
        """Show who takes part."""
        current = self._services.tournaments.current()
        people = () if current is None else sorted(current.standings, key=lambda each: each.number)
        return self._pages.page("people", {"tournament": current, "people": people, "here": ""})

    def add(self) -> Response:
        """Let a player take part."""
        return act_on(self._pages, Register(text_in(request.form, "name")), PEOPLE)

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
        tables = self._services.tables.tables()
        return self._pages.page(
            "new", {"tables": tables, "games": list(GAMES), "movements": MOVEMENTS, "here": ""}
        )

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
        )
        why = self._services.tournaments.begin(what)
        if why is None:
            return redirect_to(PEOPLE)
        told = self._pages.problem(club_viewer(self._services, request), why)
        return self._pages.page("refused", {"why": told, "back": "/director/new"}, 409)

    def end(self) -> Response:
        """End the tournament."""
        return act_on(self._pages, End(), "/standings")
