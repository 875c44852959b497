"""Tournaments for the club's pages: the value becomes what they show."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from psycopg import Connection

from club import tournaments, views
from club.database import Pool, plain_rows
from club.late_tables import Connections
from club.people import add_person
from club.tournament import entering, rounds
from club.tournament.movements import meetings_of
from club.tournament.standings import Standing, standings_of
from club.tournament.values import Plan, Result, Round, Tournament, draft_of, sent_rounds


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
    names = {each.number: each.name for each in tournament.entrants}
    sent, draft = sent_rounds(tournament), draft_of(tournament)
    results = {(each.round, each.table): each for each in kept.results}

    def shown(the_round: Round, before: Sequence[Round]) -> views.RoundView:
        return _round_view(the_round, results, names, titles, kept.now, _again(before, the_round))

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
        standings=_standing_rows(kept),
        penalties=tuple(
            views.PenaltyRow(
                index,
                views.Seated(each.entrant, names[each.entrant]),
                each.points,
                each.why,
                each.by,
                each.at,
                each.is_lifted,
            )
            for index, each in enumerate(tournament.penalties)
        ),
        tables=tuple(titles.items()),
    )


def _again(before: Sequence[Round], the_round: Round) -> int:
    met = meetings_of(before)
    return sum(1 for pair in meetings_of([the_round]) if met[pair])


def _round_view(
    the_round: Round,
    results: Mapping[tuple[int, str], Result],
    names: Mapping[int, str],
    titles: Mapping[str, str],
    now: float,
    again: int,
) -> views.RoundView:
    clock = the_round.clock
    return views.RoundView(
        number=the_round.number,
        seats=tuple(
            _table_seats(
                each.table,
                titles.get(each.table, each.table),
                each.game,
                tuple(views.Seated(number, names[number]) for number in each.entrants),
                results.get((the_round.number, each.table)),
            )
            for each in the_round.seatings
        ),
        byes=tuple(views.Seated(number, names[number]) for number in the_round.byes),
        seconds_left=None if clock is None else rounds.time_left(clock, now),
        is_stopped=clock is not None and clock.stopped is not None,
        again=again,
    )


def _table_seats(
    table: str, title: str, game: str, people: tuple[views.Seated, ...], result: Result | None
) -> views.TableSeats:
    if result is None:
        return views.TableSeats(table, title, game, people)
    places = dict(zip(result.entrants, result.places, strict=True))
    by_seat = tuple(places[each.number] for each in people)
    return views.TableSeats(table, title, game, people, by_seat, result.is_corrected, result.match)


def _standing_rows(kept: tournaments.KeptTournament) -> tuple[views.StandingRow, ...]:
    tournament = kept.tournament
    entrants = {each.number: each for each in tournament.entrants}
    before = _standings_before(kept)
    return tuple(
        views.StandingRow(
            place=each.place,
            number=each.number,
            name=entrants[each.number].name,
            points=each.points,
            won=each.won,
            met=each.met,
            played=each.played,
            byes=each.byes,
            penalty=each.penalty,
            moved=None if each.number not in before else before[each.number].place - each.place,
            is_here=entrants[each.number].is_here,
        )
        for each in standings_of(tournament, kept.results)
    )


def _standings_before(kept: tournaments.KeptTournament) -> Mapping[int, Standing]:
    """Give the standings before the newest round; none before the second."""
    sent = sent_rounds(kept.tournament)
    if len(sent) < 2:
        return {}
    earlier = Counter(each.number for each in sent[:-1])
    shorter = Tournament(kept.tournament.plan, kept.tournament.entrants, sent[:-1], kept.tournament.penalties)
    results = [each for each in kept.results if earlier[each.round]]
    return {each.number: each for each in standings_of(shorter, results)}
