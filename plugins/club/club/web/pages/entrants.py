"""The director's people: who takes part, penalties, and beginning and ending a tournament."""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce

from flask import Blueprint, Response, request

from club.tournament import entering, rounds
from club.tournament.values import Movement, NotPossible, Penalty, Place, Plan, Problem, Result, Tournament
from club.web.access import club_viewer
from club.web.drawn_pages import ClubPages
from club.web.forms import names_in, number_in, numbers_in, text_in, text_of_file
from club.web.pages.acting import act_on, by_and_at, by_director, for_director, refuse
from club.web.words import MOVEMENTS
from referee.contract import Refusal
from referee.games.catalogue import GAMES
from referee.house_rules import house_from
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
        """Let players take part, all that are typed and listed in a file, or none."""
        listed = request.files.get("list")
        filed = () if listed is None else names_in(text_of_file(listed.read()))
        names = (*names_in(request.form.get("names", "")), *filed) or ("",)
        return act_on(self._pages, lambda was, _results, _now: reduce(entering.register, names, was), PEOPLE)

    def change_presence(self) -> Response:
        """Let a player drop out, or come back."""
        number, form = number_in(request.form, "number"), request.form
        change = entering.come_back if form.get("is_here") == "1" else entering.drop_out
        return act_on(self._pages, lambda was, _results, _now: change(was, number), PEOPLE)

    def penalise(self) -> Response:
        """Take points from a player."""
        form = request.form

        def penalised(was: Tournament, _results: Sequence[Result], now: float) -> Tournament:
            said = number_in(form, "number"), number_in(form, "points"), text_in(form, "why")
            return rounds.penalise(was, Penalty(*said, *by_and_at(self._pages, now)))

        return act_on(self._pages, penalised, PEOPLE)

    def lift(self) -> Response:
        """Lift a penalty."""
        index = number_in(request.form, "index", -1)
        return act_on(self._pages, lambda was, _results, _now: rounds.lift_penalty(was, index), PEOPLE)

    def look_at_new(self) -> Response:
        """Show what is to be said of a new tournament."""
        language = self._pages.language(club_viewer(self._services, request))
        fields = {name: fields_of(game, Listener(game.words, (), language), {}) for name, game in GAMES.items()}
        tables = self._services.tables.tables()
        return self._pages.page("new", {"tables": tables, "fields": fields, "movements": MOVEMENTS, "here": ""})

    def begin(self) -> Response:
        """Begin a tournament."""
        try:
            self._services.tournaments.begin(_plan_in(each.name for each in self._services.tables.tables()))
        except NotPossible as why:
            return refuse(self._pages, why, "/director/new")
        return redirect_to(PEOPLE)

    def end(self) -> Response:
        """End the tournament."""
        return act_on(self._pages, lambda was, _results, _now: rounds.end_tournament(was), "/standings")


def _plan_in(tables: Iterable[str]) -> Plan:
    """Read what was said of a new tournament."""
    form = request.form
    games = {name: game for name in tables if (game := form.get(f"game-{name}", "")) in GAMES}
    rules = {game: _house_rules(game) for game in {*games.values()}}
    if form.get("movement", "") not in set(Movement):
        raise NotPossible(Problem.PLAN, "movement")
    return Plan(
        title=text_in(form, "title")[:LONGEST_TITLE],
        places=tuple(_place(name, game, rules[game]) for name, game in games.items()),
        movement=Movement(form["movement"]),
        rounds=number_in(form, "rounds"),
        size=number_in(form, "size"),
        minutes=number_in(form, "minutes"),
        points=numbers_in(form.get("points", "")),
        bye=number_in(form, "bye"),
        advance=number_in(form, "advance", 1),
        rules=rules,
    )


def _place(table: str, game: str, agreed: Mapping[str, str]) -> Place:
    """Let as many sit at a table as the game allows by these house rules, and a tournament."""
    house = house_from(GAMES[game], agreed)
    if isinstance(house, Refusal):
        raise NotPossible(Problem.PLAN, "rules")
    fits = {*GAMES[game].rules.seats(house)} & {*range(entering.SMALLEST, entering.LARGEST + 1)}
    if not fits:
        raise NotPossible(Problem.PLAN, "tables")
    return Place(table, game, min(fits), max(fits))


def _house_rules(game: str) -> Mapping[str, str]:
    """Read what was chosen for a game; the fields of each game begin with its name."""
    before = f"{game} "
    said = {
        name.removeprefix(before): request.form.getlist(name)
        for name in request.form
        if name.startswith(before)
    }
    return read_form(GAMES[game], said).agreed if said else {}
