"""Tournaments in the database: one row each, changed under its lock; results are found among the matches."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from psycopg import Connection
from psycopg.types.json import Jsonb

from club.database import plain_rows, row, tell_news
from club.tournament.results import PlayedMatch, results_of, seat_names
from club.tournament.rounds import time_left
from club.tournament.values import NotPossible, Problem, Result, Round, Tournament, sent_rounds
from firmware.outside.club_messages import ClubNote, NotedSeat

Change = Callable[[Tournament, Sequence[Result], float], Tournament]


class TournamentRow(Struct, frozen=True):
    """A tournament, as it is kept."""

    id: int
    state: dict[str, Any]


class KeptTournament(Struct, frozen=True):
    """A tournament with the results that are there."""

    id: int
    tournament: Tournament
    results: tuple[Result, ...]


def begin(db: Connection[Any], tournament: Tournament) -> int:
    """Keep a new tournament; it is the current one from now on."""
    with db.transaction():
        state = Jsonb(msgspec.to_builtins(tournament))
        made = db.execute("INSERT INTO tournaments (state) VALUES (%s) RETURNING id", (state,)).fetchone()
        tell_news(db, "tournament")
    return 0 if made is None else int(made[0])


def current(db: Connection[Any]) -> KeptTournament | None:
    """Give the newest tournament, with its results."""
    found = row(db, TournamentRow, "SELECT id, state FROM tournaments ORDER BY id DESC LIMIT 1")
    return None if found is None else _with_results(db, found)


def all_tournaments(db: Connection[Any]) -> list[KeptTournament]:
    """Give all tournaments, each with its results."""
    ids = plain_rows(db, "SELECT id, state FROM tournaments ORDER BY id")
    return [_with_results(db, TournamentRow(each["id"], each["state"])) for each in ids]


def change(db: Connection[Any], number: int, how: Change) -> Tournament:
    """Change a tournament; who changes it at the same time waits, and then changes what we have made of it."""
    with db.transaction():
        kept = row(db, TournamentRow, "SELECT id, state FROM tournaments WHERE id = %s FOR UPDATE", number)
        if kept is None:
            raise NotPossible(Problem.OVER)
        before = _with_results(db, kept)
        after = how(before.tournament, before.results, now(db))
        save(db, number, after)
        _note_tables(db, before.tournament, after)
        tell_news(db, "tournament")
    return after


def save(db: Connection[Any], number: int, tournament: Tournament) -> None:
    """Write a tournament down."""
    state = Jsonb(msgspec.to_builtins(tournament))
    db.execute("UPDATE tournaments SET state = %s, updated = now() WHERE id = %s", (state, number))


def now(db: Connection[Any]) -> float:
    """Give the time by the database's clock, which says when matches were heard of, too."""
    said = db.execute("SELECT extract(epoch FROM now())").fetchone()
    return 0.0 if said is None else float(said[0])


def _with_results(db: Connection[Any], kept: TournamentRow) -> KeptTournament:
    tournament = msgspec.convert(kept.state, Tournament)
    rounds = sent_rounds(tournament)
    matches = played_matches(db, rounds[0].sent or 0.0) if rounds else []
    return KeptTournament(kept.id, tournament, results_of(tournament, matches))


def played_matches(db: Connection[Any], since: float = 0.0) -> list[PlayedMatch]:
    """List the finished matches that the club has heard of since a time, in the order in which they came."""
    found = plain_rows(
        db,
        "SELECT n.id, m.table_name, m.game, m.names, m.standings,"
        " extract(epoch FROM m.first_heard)::float AS heard"
        " FROM standing_matches AS m JOIN match_numbers AS n USING (table_name, epoch, match)"
        " WHERE m.is_over AND m.fault = '' AND m.first_heard >= to_timestamp(%s) ORDER BY n.id",
        since,
    )
    return [_played(each) for each in found if len(each["standings"]) == len(each["names"])]


def _played(found: dict[str, Any]) -> PlayedMatch:
    places = {each["seat"]: each["place"] for each in found["standings"]}
    return PlayedMatch(
        found["id"],
        found["table_name"],
        found["game"],
        tuple(found["names"]),
        tuple(places.get(seat, 0) for seat in range(len(found["names"]))),
        found["heard"],
    )


def _note_tables(db: Connection[Any], before: Tournament, after: Tournament) -> None:
    """Note for each table whom it seats in the round that was sent; nothing, if no player any more."""
    old, new = _notes(db, before), _notes(db, after)
    for table in old.keys() | new.keys():
        note = new.get(table, ClubNote())
        if note != old.get(table):
            write_note(db, table, note)


def write_note(db: Connection[Any], table: str, note: ClubNote) -> None:
    """Let a table be told something; a table that the club doesn't have is told nothing."""
    db.execute(
        "INSERT INTO notes (table_name, note) SELECT name, %s FROM tables WHERE name = %s"
        " ON CONFLICT (table_name) DO UPDATE SET note = EXCLUDED.note, updated = now()",
        (Jsonb(msgspec.to_builtins(note)), table),
    )
    tell_news(db, f"note {table}")


def _notes(db: Connection[Any], tournament: Tournament) -> dict[str, ClubNote]:
    rounds = sent_rounds(tournament)
    if not rounds or tournament.is_over:
        return {}
    last, names = rounds[-1], seat_names(tournament)
    title = f"{tournament.plan.title} {last.number}/{max(tournament.plan.rounds, last.number)}"
    ends = _end_of(db, last)
    return {
        each.table: ClubNote(
            title=title,
            game=each.game,
            seats=[NotedSeat(names[number]) for number in each.entrants],
            ends=ends,
            rules=dict(tournament.plan.rules.get(each.game, {})),
        )
        for each in last.seatings
    }


def _end_of(db: Connection[Any], the_round: Round) -> str:
    """Say when a round is over; nothing while its clock stands still."""
    clock = the_round.clock
    if clock is None or clock.stopped is not None:
        return ""
    end = clock.began + time_left(clock, clock.began)
    said = db.execute(
        "SELECT to_char(to_timestamp(%s) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')", (end,)
    )
    found = said.fetchone()
    return "" if found is None else str(found[0])
