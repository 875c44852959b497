"""Tournaments in the database: one row each, changed under its lock; results come from the matches."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, LiteralString

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from psycopg import Connection
from psycopg.types.json import Jsonb

from club import views
from club.database import Pool, tell_news, value
from club.tournament.entering import begin_tournament
from club.tournament.movements import meetings_of
from club.tournament.results import PlayedMatch, results_of, seat_names
from club.tournament.rounds import time_left
from club.tournament.standings import standings_of, with_moves
from club.tournament.values import (
    Clock,
    NotPossible,
    Plan,
    Problem,
    Result,
    Round,
    Seating,
    Tournament,
    draft_of,
    sent_rounds,
)
from firmware.integrations.club_messages import ClubNote, NotedSeat

PLAYED: LiteralString = """
    SELECT id, table_name, game, names, places, heard FROM played_matches WHERE heard >= %s ORDER BY id
"""


class KeptTournament(Struct, frozen=True):
    """A tournament with its results so far."""

    id: int
    tournament: Tournament
    results: tuple[Result, ...]
    now: float  # the database's time, which also stamps received matches

    @property
    def date(self) -> str:
        return datetime.fromtimestamp(self.now, UTC).isoformat(timespec="seconds")


Change = Callable[[KeptTournament], Tournament]


def begin(db: Connection[Any], tournament: Tournament) -> int:
    with db.transaction():
        state = Jsonb(msgspec.to_builtins(tournament))
        tell_news(db, "tournament")
        return int(value(db, "INSERT INTO tournaments (state) VALUES (%s) RETURNING id", state))


def current(db: Connection[Any]) -> KeptTournament | None:
    return next(iter(_read(db, "SELECT id, state FROM tournaments ORDER BY id DESC LIMIT 1")), None)


def all_tournaments(db: Connection[Any]) -> list[KeptTournament]:
    return _read(db, "SELECT id, state FROM tournaments ORDER BY id")


def change(db: Connection[Any], number: int, how: Change) -> Tournament:
    """Change a tournament under its lock; concurrent changes are applied one after the other."""
    with db.transaction():
        found = _read(db, "SELECT id, state FROM tournaments WHERE id = %s FOR UPDATE", number)
        if not found:
            raise NotPossible(Problem.OVER)
        kept = found[0]
        after = how(kept)
        save(db, number, after)
        # update each table's note: its players in the sent round; empty if it has none any more
        old, new = _notes(kept.tournament), _notes(after)
        for table in old.keys() | new.keys():
            note = new.get(table, ClubNote())
            if note != old.get(table):
                # tables that aren't in the club get no note
                db.execute(
                    "INSERT INTO notes (table_name, note) SELECT name, %s FROM tables WHERE name = %s"
                    " ON CONFLICT (table_name) DO UPDATE SET note = EXCLUDED.note, updated = now()",
                    (Jsonb(msgspec.to_builtins(note)), table),
                )
                tell_news(db, f"note {table}")
        tell_news(db, "tournament")
    return after


def save(db: Connection[Any], number: int, tournament: Tournament) -> None:
    state = Jsonb(msgspec.to_builtins(tournament))
    db.execute("UPDATE tournaments SET state = %s, updated = now() WHERE id = %s", (state, number))


def _read(db: Connection[Any], query: LiteralString, *values: Any) -> list[KeptTournament]:
    kept, now = [], value(db, "SELECT extract(epoch FROM now())::float")
    for number, state in db.execute(query, values).fetchall():
        tournament = msgspec.convert(state, Tournament)
        rounds = sent_rounds(tournament)
        found = db.execute(PLAYED, (rounds[0].sent,)) if rounds else ()
        matches = [PlayedMatch(*each) for each in found]
        kept.append(KeptTournament(number, tournament, results_of(tournament, matches), now))
    return kept


def _notes(tournament: Tournament) -> dict[str, ClubNote]:
    rounds = sent_rounds(tournament)
    if not rounds or tournament.is_over:
        return {}
    last, names, plan = rounds[-1], seat_names(tournament), tournament.plan
    title, ends = f"{plan.title} {last.number}/{plan.rounds}", _end_of(last.clock)

    def note_of(seating: Seating) -> ClubNote:
        seats = [NotedSeat(names[number]) for number in seating.entrants]
        rules = dict(plan.rules.get(seating.game, {}))
        return ClubNote(title=title, game=seating.game, seats=seats, ends=ends, rules=rules)

    return {each.table: note_of(each) for each in last.seatings}


def _end_of(clock: Clock | None) -> str:
    """Return when a round ends; empty while its clock is stopped."""
    if clock is None or clock.stopped is not None:
        return ""
    end = datetime.fromtimestamp(clock.began + time_left(clock, clock.began), UTC)
    return f"{end:%Y-%m-%dT%H:%M:%SZ}"


# for pages


class Tournaments:
    """Reads and changes tournaments."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def current(self) -> views.TournamentView | None:
        with self._pool.connection() as db:
            kept = current(db)
            tables = db.execute("SELECT name, title, removed IS NULL FROM tables ORDER BY name").fetchall()
        standing = tuple((name, title) for name, title, stands in tables if stands)
        titles = {name: title for name, title, _stands in tables}
        return None if kept is None else view_of(kept, titles, standing)

    def begin(self, plan: Plan) -> None:
        with self._pool.connection() as db:
            begin(db, begin_tournament(plan))

    def change(self, tournament: int, how: Change) -> None:
        with self._pool.connection() as db:
            change(db, tournament, how)


def view_of(
    kept: KeptTournament, titles: Mapping[str, str], tables: tuple[tuple[str, str], ...]
) -> views.TournamentView:
    tournament = kept.tournament
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
            seconds_left=None if clock is None else time_left(clock, kept.now),
            is_stopped=clock is not None and clock.stopped is not None,
            again=sum(1 for pair in meetings_of([the_round]) if met[pair]),
        )

    return views.TournamentView(
        id=kept.id,
        plan=tournament.plan,
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
        tables=tables,
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
