"""People who agreed to be stored: their matches, and forgetting them here, at tables and in backups."""

import hmac
import re
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any, LiteralString

import msgspec
from msgspec import Struct
from psycopg import Connection

from club.database import Pool, row, rows, tell_news, value
from club.keeping import Key, tell_anew
from club.tournament.entering import NEUTRAL, register, release_person, rename_entrants
from club.tournaments import KeptTournament, all_tournaments, change
from referee.match import name_key
from referee.record import names_in, with_names
from vision.files import write_whole


class PersonRow(Struct, frozen=True):
    """A person who has agreed to be stored."""

    id: int
    name: str
    agreed: datetime


def add_person(db: Connection[Any], name: str) -> int:
    return int(value(db, "INSERT INTO people (name) VALUES (%s) RETURNING id", name))


def find_person(db: Connection[Any], number: int) -> PersonRow | None:
    return row(db, PersonRow, "SELECT id, name, agreed FROM people WHERE id = %s", number)


def people(db: Connection[Any]) -> dict[int, str]:
    return dict(db.execute("SELECT id, name FROM people").fetchall())


def people_by_match(db: Connection[Any]) -> dict[int, tuple[int | None, ...]]:
    """Return the known people at the seats of each finished match.

    In a tournament, people are identified by their numbers; elsewhere by name, if only one person has it.
    """
    seated, known = _people_by_tournament_match(all_tournaments(db)), people(db)
    having = Counter(map(name_key, known.values()))
    named = {key: number for number, name in known.items() if having[key := name_key(name)] == 1}
    return {
        number: seated.get(number) or tuple(named.get(name_key(name)) for name in names)
        for number, names in db.execute("SELECT id, names FROM played_matches ORDER BY id")
    }


def _people_by_tournament_match(tournaments: Sequence[KeptTournament]) -> dict[int, tuple[int | None, ...]]:
    """Return the people seated in each tournament match; results written by the director have no match."""
    seated: dict[int, tuple[int | None, ...]] = {}
    for kept in tournaments:
        known = {each.number: each.person for each in kept.tournament.entrants}
        for result in kept.results:
            if result.match is not None:
                seated[result.match] = tuple(known[number] for number in result.entrants)
    return seated


# forgetting


def forget_person(db: Connection[Any], number: int, secret: str) -> None:
    """Delete a profile. Matches keep the name until the director deletes it, because anybody can type one."""
    person = find_person(db, number)
    if person is None:
        return
    with db.transaction():
        for kept in all_tournaments(db):
            if any(each.person == number for each in kept.tournament.entrants):
                change(db, kept.id, lambda kept: release_person(kept.tournament, number))
        db.execute("DELETE FROM people WHERE id = %s", (number,))
        _mark(db, _hash_person(secret, person))


def forget_name(db: Connection[Any], name: str, secret: str) -> bool:
    """Remove a name from everything stored, also at the tables. Return whether it was stored here."""
    with db.transaction():
        names, was_here = {name}, False
        for kept in all_tournaments(db):
            theirs = [each for each in kept.tournament.entrants if name_key(each.name) == name_key(name)]
            # tables receive repeated names with the number
            names |= {f"{each.name} {each.number}" for each in theirs}
            if theirs:
                was_here = True
                change(db, kept.id, lambda kept: rename_entrants(kept.tournament, name))
        gone = [number for number, known in people(db).items() if name_key(known) == name_key(name)]
        db.execute("DELETE FROM people WHERE id = ANY(%s)", (gone,))
        found = [_forget_one_name(db, each, secret) for each in names]
        tell_news(db, "forget")
    return was_here or bool(gone) or any(found)


def _forget_one_name(db: Connection[Any], name: str, secret: str) -> bool:
    matches = _rename_in_matches(db, name)
    # a call that mentions the name loses its text
    cleared: LiteralString = """UPDATE calls SET who = '', why = '', answer = ''
        WHERE concat_ws(' ', who, why, answer) ~* %s RETURNING table_name"""
    calling = db.execute(cleared, (rf"(?<!\w){re.escape(name)}(?!\w)",)).fetchall()
    for (table,) in calling:
        tell_news(db, f"call {table}")
    _mark(db, hash_name(secret, name))
    asked = "INSERT INTO forgettings (table_name, name) SELECT name, %s FROM tables WHERE removed IS NULL"
    db.execute(f"{asked} ON CONFLICT DO NOTHING", (name,))
    return bool(matches or calling)


def _rename_in_matches(db: Connection[Any], name: str) -> int:
    """Replace a name in all matches, which are then published again. Return their number."""
    renamed = 0
    found = db.execute(
        """SELECT m.table_name, m.epoch, m.match, m.names, l.body FROM matches AS m
        LEFT JOIN lines AS l ON (l.table_name, l.epoch, l.match, l.number) = (m.table_name, m.epoch, m.match, 0)
        WHERE EXISTS (SELECT FROM unnest(m.names) AS seat WHERE lower(seat) = lower(%s))
            OR position(lower(%s) IN lower(l.body)) > 0 FOR UPDATE OF m""",
        (name, msgspec.json.encode(name).decode()),
    ).fetchall()
    for *place, seats, head in found:
        # people who left before the match have their name in the first line only
        seated = tuple(seats) if head is None else names_in(head)
        names, key = without_name(seated, name), Key(*place)
        if names == seated:
            continue
        if head is not None:
            changed = "UPDATE lines SET body = %s WHERE (table_name, epoch, match, number) = (%s, %s, %s, 0)"
            db.execute(changed, (with_names(head, names), *key))
        tell_anew(db, key, names)
        tell_news(db, f"table {key.table}")
        renamed += 1
    return renamed


def without_name(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    """Replace a name by a neutral one with a number that nobody here has."""
    taken = {name_key(each) for each in names}
    free = next(each for number in count(1) if name_key(each := f"{NEUTRAL} {number}") not in taken)
    return tuple(free if name_key(each) == name_key(name) else each for each in names)


# restored backups


def hash_name(secret: str, name: str) -> bytes:
    """Return the hash that identifies a forgotten name without revealing it."""
    return hmac.digest(secret.encode(), name_key(name).encode(), "sha256")


def _hash_person(secret: str, person: PersonRow) -> bytes:
    """Return the hash of one profile, which reveals nothing about others with the same name."""
    return hash_name(secret, f"{person.id} {person.agreed.timestamp()}")


def _mark(db: Connection[Any], mark: bytes, when: datetime | None = None) -> None:
    db.execute(
        """INSERT INTO forgotten_people AS f VALUES (%s, coalesce(%s::timestamptz, now()))
        ON CONFLICT (name_hash) DO UPDATE SET forgotten = greatest(f.forgotten, EXCLUDED.forgotten)""",
        (mark, when),
    )


def _marks(db: Connection[Any]) -> dict[str, datetime]:
    return dict(db.execute("SELECT encode(name_hash, 'hex'), forgotten FROM forgotten_people").fetchall())


def remember_forgotten(db: Connection[Any], file: Path) -> None:
    """Store the hashes of forgotten people beside the database, where older backups don't overwrite them."""
    marks, kept = _marks(db), _read_marks(file)
    if marks != kept:
        write_whole(file, msgspec.json.encode(kept | marks))


def forget_again(db: Connection[Any], file: Path, secret: str) -> int:
    """Forget people again that an older backup restored, except later ones. Return how many."""
    for mark, when in _read_marks(file).items():
        _mark(db, bytes.fromhex(mark), when)
    marks = _marks(db)
    every = rows(db, PersonRow, "SELECT id, name, agreed FROM people")
    back = [each.id for each in every if _hash_person(secret, each).hex() in marks]
    for number in back:
        forget_person(db, number, secret)
    played = db.execute("SELECT name, first_heard FROM matches, unnest(names) AS name").fetchall()
    since = [*((each.name, each.agreed) for each in every), *played]
    again = {name for name, begun in since if marks.get(hash_name(secret, name).hex(), begun) > begun}
    for name in again:
        forget_name(db, name, secret)
    return len(back) + len(again)


def _read_marks(file: Path) -> dict[str, datetime]:
    try:
        stored = msgspec.json.decode(file.read_bytes(), type=dict[str, datetime])
    except (OSError, msgspec.DecodeError):
        return {}
    return {mark: when for mark, when in stored.items() if re.fullmatch("[0-9a-f]{64}", mark)}


# for pages


class ClubPeople:
    """Reads people from the database, and registers and forgets them."""

    def __init__(self, pool: Pool, secret: str, forgotten: Path) -> None:
        self._pool, self._secret, self._forgotten = pool, secret, forgotten

    def person(self, number: int) -> PersonRow | None:
        with self._pool.connection() as db:
            return find_person(db, number)

    def enter(self, tournament: int, name: str, person: int | None, *, agrees: bool) -> tuple[int, int | None]:
        """Register a person, and store them if they agree; both or neither."""
        with self._pool.connection() as db, db.transaction():
            known = add_person(db, name) if agrees and person is None else person
            changed = change(db, tournament, lambda kept: register(kept.tournament, name, known))
        return changed.entrants[-1].number, known

    def forget(self, number: int) -> None:
        with self._pool.connection() as db:
            forget_person(db, number, self._secret)
            remember_forgotten(db, self._forgotten)

    def forget_everywhere(self, name: str) -> bool:
        with self._pool.connection() as db:
            was_here = forget_name(db, name, self._secret)
            remember_forgotten(db, self._forgotten)
        return was_here

    def matches_of(self, number: int) -> tuple[int, ...]:
        with self._pool.connection() as db:
            seated = people_by_match(db)
        return tuple(match for match in reversed(seated) if number in seated[match])
