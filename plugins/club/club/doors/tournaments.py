"""Tournaments for the club's pages: the value becomes what they show."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace
from psycopg import Connection

from club import tournaments, views
from club.database import Pool, plain_rows
from club.late_tables import Connections
from club.people import add_person
from club.tournament import entering, rounds
from club.tournament.movements import meetings_of
from club.tournament.standings import standings_of, with_moves
from club.tournament.values import Plan, Result, Round, Seating, draft_of, sent_rounds


class Tournaments:
    """Reads and changes tournaments."""

    def __init__(self, pool: Pool, seen: Connections) -> None:
        self._pool, self._seen = pool, seen

    def current(self) -> views.TournamentView | None:
        """Give the newest tournament."""
        with self._seen.connection() as db:
            kept = tournaments.current(db)
            titles = _titles(db)
        return None if kept is None else view_of(kept, titles)

    def begin(self, plan: Plan) -> None:
        """Begin a tournament."""
        with self._pool.connection() as db:
            tournaments.begin(db, entering.begin_tournament(plan))

    def change(self, tournament: int, how: tournaments.Change) -> None:
        """Do what the director asks."""
        with self._pool.connection() as db:
            tournaments.change(db, tournament, how)

    def enter(self, tournament: int, name: str, person: int | None, *, agrees: bool) -> tuple[int, int | None]:
        """Let a person take part, and keep them if they agree: both or nothing."""
        with self._pool.connection() as db, db.transaction():
            known = add_person(db, name) if agrees and person is None else person
            changed = tournaments.change(
                db, tournament, lambda kept: entering.register(kept.tournament, name, known)
            )
        return changed.entrants[-1].number, known


def _titles(db: Connection[Any]) -> Mapping[str, str]:
    found = plain_rows(db, "SELECT name, title FROM tables WHERE removed IS NULL ORDER BY name")
    return {each["name"]: each["title"] for each in found}


def view_of(kept: tournaments.KeptTournament, titles: Mapping[str, str]) -> views.TournamentView:
    """Show a tournament."""
    tournament, plan = kept.tournament, kept.tournament.plan
    people = {each.number: views.Seated(each.number, each.name) for each in tournament.entrants}
    sent, draft = sent_rounds(tournament), draft_of(tournament)
    results = {(each.round, each.table): each for each in kept.results}

    def shown(the_round: Round, before: Sequence[Round]) -> views.RoundView:
        clock, met, number = the_round.clock, meetings_of(before), the_round.number
        return views.RoundView(
            number=number,
            seats=tuple(
                _table_seats(each, titles, people, results.get((number, each.table)))
                for each in the_round.seatings
            ),
            byes=tuple(people[each] for each in the_round.byes),
            seconds_left=None if clock is None else rounds.time_left(clock, kept.now),
            is_stopped=clock is not None and clock.stopped is not None,
            again=sum(1 for pair in meetings_of([the_round]) if met[pair]),
        )

    return views.TournamentView(
        id=kept.id,
        title=plan.title,
        movement=plan.movement.value,
        planned=plan.rounds,
        points=plan.points,
        bye=plan.bye,
        advance=plan.advance,
        is_over=tournament.is_over,
        rounds=tuple(shown(each, sent[:index]) for index, each in enumerate(sent)),
        draft=None if draft is None else shown(draft, sent),
        standings=with_moves(standings_of(tournament, kept.results), tournament, kept.results),
        penalties=tuple(
            views.PenaltyRow(
                index, people[each.entrant], each.points, each.why, each.by, each.at, each.is_lifted
            )
            for index, each in enumerate(tournament.penalties)
        ),
        tables=tuple(titles.items()),
    )


def _table_seats(
    seating: Seating, titles: Mapping[str, str], people: Mapping[int, views.Seated], result: Result | None
) -> views.TableSeats:
    table, seated = seating.table, tuple(people[number] for number in seating.entrants)
    seats = views.TableSeats(table, titles.get(table, table), seating.game, seated)
    if result is None:
        return seats
    places = dict(zip(result.entrants, result.places, strict=True))
    by_seat = tuple(places[number] for number in seating.entrants)
    return replace(seats, places=by_seat, is_corrected=result.is_corrected, match=result.match)
