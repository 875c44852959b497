"""The director's people: entrants, penalties, starting and ending a tournament."""

from collections.abc import Iterable, Mapping
from functools import reduce

from flask import Blueprint, Response, request

from club.tournament import entering, rounds
from club.tournament.values import Movement, NotPossible, Penalty, Place, Plan, Problem, Tournament
from club.tournaments import KeptTournament
from club.web.drawn_pages import pages
from club.web.forms import names_in, number_in, numbers_in, text_in, text_of_file
from club.web.pages.acting import ask_first, by_director, changing, for_director
from club.web.words import MOVEMENTS
from referee.contract import Refusal
from referee.contract.words import phrase
from referee.games.catalogue import GAMES
from referee.house_rules import house_from
from referee.sentences import Listener
from webui.pages.players.entering import redirect_to
from webui.views.match_form import fields_of, read_form

PEOPLE = "/director/people"
LONGEST_TITLE = 60
blueprint = Blueprint("entrants", __name__)


@blueprint.get(PEOPLE)
@for_director
def show() -> Response:
    current = pages.current
    people = () if current is None else sorted(current.standings, key=lambda each: each.number)
    return pages.page("people", tournament=current, people=people, here="")


@changing(blueprint, f"{PEOPLE}/add", PEOPLE)
def add(kept: KeptTournament) -> Tournament:
    """Register all typed and uploaded players, or none."""
    listed = request.files.get("list")
    filed = () if listed is None else names_in(text_of_file(listed.read()))
    names = (*names_in(request.form.get("names", "")), *filed) or ("",)
    return reduce(entering.register, names, kept.tournament)


@changing(blueprint, f"{PEOPLE}/presence", PEOPLE)
def change_presence(kept: KeptTournament) -> Tournament:
    is_here = request.form.get("is_here") == "1"
    return entering.change_presence(kept.tournament, number_in(request.form, "number"), is_here=is_here)


@changing(blueprint, f"{PEOPLE}/penalty", PEOPLE)
def penalise(kept: KeptTournament) -> Tournament:
    form = request.form
    values = number_in(form, "number"), number_in(form, "points"), text_in(form, "why")
    return rounds.penalise(kept.tournament, Penalty(*values, pages.director, kept.date))


@changing(blueprint, f"{PEOPLE}/lift", PEOPLE)
def lift(kept: KeptTournament) -> Tournament:
    return rounds.lift_penalty(kept.tournament, number_in(request.form, "index", -1))


@blueprint.post(f"{PEOPLE}/forget")
@by_director
def forget() -> Response:
    name = text_in(request.form, "name")
    question = phrase("Delete “{name}” here, in all matches and at all tables? This can't be undone.")
    if (asked := ask_first(pages.say(question, name=name), pages.say(phrase("Yes, delete it")))) is not None:
        return asked
    was_here = pages.services.people.forget_everywhere(name)
    here = phrase("The name has been deleted here.") if was_here else phrase("Nobody here has this name.")
    there = phrase("Each table deletes it once it is online and no open match needs it.")
    return pages.refuse(f"{pages.say(here)} {pages.say(there)}", PEOPLE, 200)


@changing(blueprint, "/director/end", "/standings")
def end(kept: KeptTournament) -> Tournament:
    return rounds.end_tournament(kept.tournament)


@blueprint.get("/director/new")
@for_director
def look_at_new() -> Response:
    fields = {
        name: fields_of(game, Listener(game.words, (), pages.language), {}) for name, game in GAMES.items()
    }
    tables = pages.services.tables.tables()
    return pages.page("new", tables=tables, fields=fields, movements=MOVEMENTS, here="")


@blueprint.post("/director/new")
@by_director
def begin() -> Response:
    try:
        plan = _plan_in(each.name for each in pages.services.tables.tables())
        open_one = None if (current := pages.current) is None or current.is_over else current.plan.title
        if open_one is not None:
            question = pages.say(
                phrase("“{title}” is still running. Starting another tournament ends it."), title=open_one
            )
            if (asked := ask_first(question, pages.say(phrase("Start the other one")))) is not None:
                return asked
        pages.services.tournaments.begin(plan)
    except NotPossible as why:
        return pages.refuse(pages.problem(why), "/director/new")
    return redirect_to(PEOPLE)


def _plan_in(tables: Iterable[str]) -> Plan:
    form = request.form
    games = {name: game for name in tables if (game := form.get(f"game-{name}", "")) in GAMES}
    rules = dict[str, Mapping[str, str]]()
    for game in {*games.values()}:
        # the fields of each game begin with its name
        before = f"{game} "
        values = {name.removeprefix(before): form.getlist(name) for name in form if name.startswith(before)}
        rules[game] = read_form(GAMES[game], values).agreed if values else {}
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
        rules=rules,
    )


def _place(table: str, game: str, agreed: Mapping[str, str]) -> Place:
    """Return a place whose number of players both the house rules and a tournament allow."""
    house = house_from(GAMES[game], agreed)
    if isinstance(house, Refusal):
        raise NotPossible(Problem.PLAN, "rules")
    fits = {*GAMES[game].rules.seats(house)} & {*range(entering.SMALLEST, entering.LARGEST + 1)}
    if not fits:
        raise NotPossible(Problem.PLAN, "tables")
    return Place(table, game, min(fits), max(fits))
