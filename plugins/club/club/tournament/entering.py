"""Entrants: registering, also late, dropping out and returning."""

from msgspec.structs import replace

from club.tournament.values import Entrant, NotPossible, Plan, Problem, Tournament, entrant_of
from referee.match import is_readable, name_key

LONGEST_NAME = 30
MAX_ENTRANTS = 2000  # most entrants of a tournament
MOST_ROUNDS = 30
NEUTRAL = "Player"  # replaces a forgotten name; in a match, with an unused number
SMALLEST, LARGEST = 3, 8  # smallest and largest number of players at a table of a tournament


def begin_tournament(plan: Plan) -> Tournament:
    tables = [place.table for place in plan.places]
    have_room = all(SMALLEST <= place.least <= place.most <= LARGEST for place in plan.places)
    if not tables or len(set(tables)) != len(tables) or not have_room:
        raise NotPossible(Problem.PLAN, "tables")
    if not 1 <= plan.rounds <= MOST_ROUNDS or not 1 <= plan.minutes <= 600 or not plan.title.strip():
        raise NotPossible(Problem.PLAN, "rounds")
    if not SMALLEST <= plan.size <= LARGEST:
        raise NotPossible(Problem.PLAN, "size")
    if not plan.points or list(plan.points) != sorted(plan.points, reverse=True) or plan.points[-1] < 0:
        raise NotPossible(Problem.PLAN, "points")
    return Tournament(plan)


def register(tournament: Tournament, name: str, person: int | None = None) -> Tournament:
    """Register a player for the next round to be drawn, with the next number."""
    name = " ".join(name.split())
    if not is_readable(name) or len(name) > LONGEST_NAME:
        raise NotPossible(Problem.NAME, name[:LONGEST_NAME])
    if tournament.is_over:
        raise NotPossible(Problem.OVER)
    if len(tournament.entrants) >= MAX_ENTRANTS:
        raise NotPossible(Problem.FULL)
    if person is not None and any(each.person == person for each in tournament.entrants):
        raise NotPossible(Problem.FULL, name)
    number = max((each.number for each in tournament.entrants), default=0) + 1
    return replace(tournament, entrants=(*tournament.entrants, Entrant(number, name, person)))


def drop_table(tournament: Tournament, table: str) -> Tournament:
    """Exclude a table from rounds drawn from now on."""
    places = tuple(each for each in tournament.plan.places if each.table != table)
    return replace(tournament, plan=replace(tournament.plan, places=places))


def change_presence(tournament: Tournament, number: int, *, is_here: bool) -> Tournament:
    """Exclude a player from rounds drawn from now on, or readmit them."""
    changed = replace(entrant_of(tournament, number), is_here=is_here)
    entrants = tuple(changed if each.number == number else each for each in tournament.entrants)
    return replace(tournament, entrants=entrants)


def release_person(tournament: Tournament, person: int) -> Tournament:
    """Remove a deleted profile from its entries, which keep their names."""
    entrants = (replace(each, person=None) if each.person == person else each for each in tournament.entrants)
    return replace(tournament, entrants=tuple(entrants))


def rename_entrants(tournament: Tournament, name: str) -> Tournament:
    """Replace a forgotten name in all its entries by the neutral one, without a person."""
    entrants = tuple(
        replace(each, name=NEUTRAL, person=None) if name_key(each.name) == name_key(name) else each
        for each in tournament.entrants
    )
    return replace(tournament, entrants=entrants)
