"""People at the hub: seats, forgetting everywhere, and backups that contain a forgotten name."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from psycopg import Connection, sql

from club import tournaments
from club.database import Pool, plain_rows
from club.history import ClubMatches
from club.people import (
    add_person,
    find_person,
    forget_again,
    forget_name,
    forget_person,
    people,
    people_by_match,
    remember_forgotten,
)
from club.tournament.entering import begin_tournament, register
from club.tournament.rounds import draw_round, send_round
from club.tournament.values import Place, Plan
from plugins.club.tests.said import add_table, keep_match
from referee.games.coyote import COYOTE
from tests.webui.matches import play_match

SECRET = "secret"  # noqa: S105 - of a test
NAMES = ("Ana", "Bo", "Chloé")


KEPT = ("matches", "lines", "people", "tournaments", "summaries", "forgotten_people")


def everything(db: Connection[Any]) -> str:
    """Return all data of the hub, except messages still to be sent to tables."""
    return str([plain_rows(db, sql.SQL("SELECT * FROM {}").format(sql.Identifier(name))) for name in KEPT])


def evening(db: Connection[Any]) -> tuple[int, int]:
    """Play a round with Ana, a registered person, and two guests; return the ids of Ana and the tournament."""
    add_table(db, "table-1", "1")
    ana = add_person(db, "Ana")
    tournament = begin_tournament(Plan("Evening", (Place("table-1", "coyote"),), size=3))
    for name in NAMES:
        tournament = register(tournament, name, ana if name == "Ana" else None)
    number = tournaments.begin(db, tournament)
    tournaments.change(
        db, number, lambda kept: send_round(draw_round(kept.tournament, kept.results, 1), kept.now)
    )
    seated = tournaments.current(db)
    names = {each.number: each.name for each in seated.tournament.entrants}
    entrants = seated.tournament.rounds[0].seatings[0].entrants
    keep_match(db, "table-1", 1, play_match(COYOTE, tuple(names[each] for each in entrants)))
    return ana, number


def test_results_name_people_and_rounds_reach_their_tables(pool: Pool) -> None:
    with pool.connection() as db:
        ana, _number = evening(db)
        kept = tournaments.current(db)
        (seated,) = people_by_match(db).values()
        (note,) = plain_rows(db, "SELECT table_name, note FROM notes")
    assert len(kept.results) == 1
    assert sorted(who or 0 for who in seated) == [0, 0, ana]
    assert (note["table_name"], note["note"]["title"]) == ("table-1", "Evening 1/4")
    assert sorted(seat["name"] for seat in note["note"]["seats"]) == list(NAMES)
    (the_round,) = kept.tournament.rounds
    ends = datetime.fromtimestamp((the_round.sent or 0.0) + 60 * kept.tournament.plan.minutes, UTC)
    assert datetime.fromisoformat(note["note"]["ends"]) == ends.replace(microsecond=0)


def test_forgotten_name_is_deleted_everywhere(pool: Pool) -> None:
    with pool.connection() as db:
        ana, _number = evening(db)
        ClubMatches(pool).entries()
        assert "Ana" in everything(db)
        forget_name(db, "ana", SECRET)
        assert find_person(db, ana) is None
        assert "Ana" not in everything(db)
        asked = {
            each["name"] for each in plain_rows(db, "SELECT name FROM forgettings WHERE table_name = 'table-1'")
        }
        assert asked == {"ana", "Ana 1"}
        # after any player is forgotten, the match is readable and its result counts
        (result,) = tournaments.current(db).results
        for name in NAMES[:0:-1]:
            forget_name(db, name, SECRET)
            assert tournaments.current(db).results == (result,)
        reading = ClubMatches(pool).reading(1)
    assert reading.fault is None
    assert "Player 1" in reading.match.setup.names


def test_forgetting_a_person_spares_the_names_of_others(pool: Pool) -> None:
    with pool.connection() as db:
        ana, _number = evening(db)
        namesake = add_person(db, "Ana")
        forget_person(db, ana, SECRET)
        assert people(db) == {namesake: "Ana"}
        assert plain_rows(db, "SELECT * FROM forgettings") == []
        kept = tournaments.current(db)
        assert (len(kept.results), {each.person for each in kept.tournament.entrants}) == (1, {None})
        assert plain_rows(db, "SELECT names FROM matches WHERE 'Ana' = ANY (names)")


def test_older_backup_restores_no_forgotten_name(pool: Pool, tmp_path: Path) -> None:
    marks = tmp_path / "forgotten.json"
    with pool.connection() as db:
        evening(db)
        before = plain_rows(db, "SELECT now() AS then")[0]["then"]
        eve = add_person(db, "Eve")
        agreed = find_person(db, eve).agreed
    with pool.connection() as db:
        forget_person(db, eve, SECRET)
        forget_name(db, "Ana", SECRET)
        remember_forgotten(db, marks)
        assert "Ana" not in marks.read_text()
    with pool.connection() as db:
        another = add_person(db, "Ana"), add_person(db, "Eve")
        keep_match(db, "table-1", 2, play_match(COYOTE, ("ana", "Bo", "Eve")))
        assert forget_again(db, marks, SECRET) == 0
        assert tuple(people(db)) == another
        # an older backup restores everything, and doesn't record the forgetting
        db.execute("DELETE FROM forgotten_people")
        back = "INSERT INTO people (id, name, agreed) OVERRIDING SYSTEM VALUE VALUES (%s, 'Eve', %s)"
        db.execute(back, (eve, agreed))
        keep_match(db, "table-1", 1, play_match(COYOTE, NAMES))
        db.execute("UPDATE matches SET first_heard = %s WHERE match = 1", (before,))
        assert forget_again(db, marks, SECRET) > 0
        assert tuple(people(db)) == another[1:]
        assert "Ana" not in everything(db)
        assert "ana" not in {
            name for each in plain_rows(db, "SELECT names FROM matches") for name in each["names"]
        }
        assert forget_again(db, marks, SECRET) == 0
        # a damaged backup forgets nobody
        marks.write_text('["zz", 3')
        assert forget_again(db, marks, SECRET) == 0
