"""Storing tables' lines: each once and in order, acknowledged only after the commit."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, LiteralString, NamedTuple

from msgspec import Struct
from psycopg import Connection

from club.database import value
from firmware.integrations.club_messages import Acked, ClubAck, ClubLine, ClubLines, ClubNames, hash_of
from referee.record import names_in

TABLE_LOCK = 427  # class of the advisory locks for storing a table's lines
MOST_QUARANTINED, MOST_EPOCHS = 1000, 1000
"""Most lines in quarantine and most epochs of one table, so that a faulty table doesn't fill the disk."""
CLASH, FORGED = "a different line is already there", "the line doesn't fit its hash"
"""Reasons for a line's quarantine."""
PLACE = attrgetter("match", "number")
INSERT: LiteralString = """
    INSERT INTO lines (table_name, epoch, match, number, hash, body)
    SELECT t, e, m, n, decode(h, 'hex'), body FROM unnest(%s::text[], %s::text[], %s::integer[],
    %s::integer[], %s::text[], %s::text[]) AS new (t, e, m, n, h, body)
"""


class Key(NamedTuple):
    """A match of a table."""

    table: str
    epoch: str
    match: int


class Judged(Struct, frozen=True):
    """Sorted lines of a match: the next ones to store, and the rejected ones."""

    fresh: Sequence[ClubLine]
    doubted: Sequence[tuple[ClubLine, str]]  # each with the reason


def judge(lines: Iterable[ClubLine], kept: int, hashes: Mapping[int, str]) -> Judged:
    """Sort lines of a match with `kept` stored lines; skip known ones and stop at a gap."""
    fresh, doubted = list[ClubLine](), list[tuple[ClubLine, str]]()
    for line in lines:
        if hash_of(line.number, line.body) != line.hash:
            doubted.append((line, FORGED))
            break
        if line.number > kept + len(fresh):
            break
        if line.number == kept + len(fresh):
            fresh.append(line)
        elif hashes.get(line.number, line.hash) != line.hash:
            doubted.append((line, CLASH))
    return Judged(fresh, doubted)


def keep_lines(db: Connection[Any], received: Mapping[str, ClubLines]) -> dict[str, ClubAck]:
    """Store lines of many tables in one commit; the returned acknowledgements are then valid."""
    with db.transaction():
        mine = _locked(db, received)
        lines_by_table = {name: received[name] for name in mine}
        epochs = _known_epochs(db, {name: each.epoch for name, each in lines_by_table.items()})
        lines_by_table = {name: each for name, each in lines_by_table.items() if name in epochs}
        matches = {
            Key(name, each.epoch, number): list(lines)
            for name, each in lines_by_table.items()
            for number, lines in groupby(sorted(each.lines, key=PLACE), lambda line: line.match)
        }
        kept = _kept_counts(db, matches)
        hashes = _kept_hashes(db, matches, kept)
        judged = {key: judge(lines, kept[key], hashes[key]) for key, lines in matches.items()}
        rows = [
            (*key, each.number, each.hash, each.body) for key, found in judged.items() for each in found.fresh
        ]
        if rows:
            db.execute(INSERT, [list(column) for column in zip(*rows, strict=True)])
        _quarantine(db, judged)
        totals = _count(db, judged, kept, lines_by_table)
    kept_now = sorted((key, kept[key] + len(each.fresh)) for key, each in judged.items())
    acked = {
        name: [Acked(key.match, lines) for key, lines in some]
        for name, some in groupby(kept_now, lambda each: each[0].table)
    }
    return {
        name: ClubAck(each.epoch, acked.get(name, []), *totals[name]) for name, each in lines_by_table.items()
    }


def _locked(db: Connection[Any], tables: Iterable[str]) -> list[str]:
    """Return the club's tables that no other hub is storing now."""
    found = db.execute(
        """SELECT name FROM tables WHERE name = ANY(%s) AND removed IS NULL
        AND pg_try_advisory_xact_lock(%s, hashtext(name)) ORDER BY name""",
        (list(tables), TABLE_LOCK),
    )
    return [name for (name,) in found]


def _known_epochs(db: Connection[Any], epochs: Mapping[str, str]) -> set[str]:
    """Store new epochs. Return the tables whose epoch is known now."""
    both = list(epochs), list(epochs.values())
    db.execute(
        """INSERT INTO epochs (table_name, epoch) SELECT name, epoch FROM unnest(%s::text[], %s::text[])
        AS new (name, epoch) WHERE (SELECT count(*) FROM epochs WHERE table_name = name) < %s
        ON CONFLICT DO NOTHING""",
        (*both, MOST_EPOCHS),
    )
    known = db.execute(
        """SELECT table_name FROM epochs JOIN unnest(%s::text[], %s::text[]) AS asked (name, said)
        ON table_name = name AND epoch = said""",
        both,
    )
    return {name for (name,) in known}


def _columns(keys: Iterable[Key]) -> tuple[list[str], list[str], list[int]]:
    keys = list(keys)
    return [key.table for key in keys], [key.epoch for key in keys], [key.match for key in keys]


def _kept_counts(db: Connection[Any], keys: Iterable[Key]) -> dict[Key, int]:
    columns = _columns(keys)
    db.execute(
        """INSERT INTO matches (table_name, epoch, match)
        SELECT * FROM unnest(%s::text[], %s::text[], %s::integer[]) ON CONFLICT DO NOTHING""",
        columns,
    )
    found = db.execute(
        """SELECT table_name, epoch, match, lines FROM matches
        JOIN unnest(%s::text[], %s::text[], %s::integer[]) AS asked (table_name, epoch, match)
        USING (table_name, epoch, match)""",
        columns,
    )
    return {Key(*key): lines for *key, lines in found}


def _kept_hashes(
    db: Connection[Any], matches: Mapping[Key, Sequence[ClubLine]], kept: Mapping[Key, int]
) -> Mapping[Key, Mapping[int, str]]:
    hashes = defaultdict[Key, dict[int, str]](dict)
    again = {key: lines for key, lines in matches.items() if lines[0].number < kept[key]}
    if not again:
        return hashes
    firsts, lasts = [each[0].number for each in again.values()], [each[-1].number for each in again.values()]
    found = db.execute(
        """SELECT table_name, epoch, match, number, encode(hash, 'hex') FROM lines
        JOIN unnest(%s::text[], %s::text[], %s::integer[], %s::integer[], %s::integer[])
        AS asked (table_name, epoch, match, first, last) USING (table_name, epoch, match)
        WHERE number BETWEEN first AND last""",
        (*_columns(again), firsts, lasts),
    )
    for table, epoch, match, number, digest in found:
        hashes[Key(table, epoch, match)][number] = digest
    return hashes


def _quarantine(db: Connection[Any], judged: Mapping[Key, Judged]) -> None:
    for key, line, why in [(key, *each) for key, judgement in judged.items() for each in judgement.doubted]:
        db.execute(
            """INSERT INTO quarantine (table_name, epoch, match, number, hash, body, why)
            SELECT %s, %s, %s, %s, decode(%s, 'hex'), %s, %s
            WHERE (SELECT count(*) FROM quarantine WHERE table_name = %s) < %s ON CONFLICT DO NOTHING""",
            (*key, line.number, line.hash, line.body, why, key.table, MOST_QUARANTINED),
        )


def _count(
    db: Connection[Any],
    judged: Mapping[Key, Judged],
    kept: Mapping[Key, int],
    lines_by_table: Mapping[str, ClubLines],
) -> dict[str, tuple[int, int]]:
    """Count the new lines. Return each table's lines in its epoch, and its newest change of names."""
    grown = {key: each.fresh for key, each in judged.items() if each.fresh}
    db.execute(
        """UPDATE matches AS m SET lines = n, updated = now()
        FROM unnest(%s::text[], %s::text[], %s::integer[], %s::integer[]) AS new (t, e, i, n)
        WHERE (m.table_name, m.epoch, m.match) = (t, e, i)""",
        (*_columns(grown), [kept[key] + len(fresh) for key, fresh in grown.items()]),
    )
    more = dict.fromkeys(lines_by_table, 0)
    for key, fresh in grown.items():
        more[key.table] += len(fresh)
    counted = db.execute(
        """UPDATE epochs AS e SET lines = e.lines + n
        FROM unnest(%s::text[], %s::text[], %s::integer[]) AS new (t, s, n)
        WHERE (e.table_name, e.epoch) = (t, s) RETURNING e.table_name, e.lines, e.names_change""",
        (
            list(lines_by_table),
            [each.epoch for each in lines_by_table.values()],
            [more[name] for name in lines_by_table],
        ),
    )
    return {name: (lines, change) for name, lines, change in counted}


def keep_names(db: Connection[Any], table: str, received: ClubNames) -> int:
    """Replace forgotten players' names unless newer ones are stored. Return the newest change."""
    with db.transaction():
        asked: LiteralString = "SELECT names_change FROM epochs WHERE table_name = %s AND epoch = %s FOR UPDATE"
        newest = value(db, asked, table, received.epoch)
        if newest is None or newest >= received.change:
            return newest or 0
        for head in received.heads:
            _rename(db, table, head.body)
        changed = "UPDATE epochs SET names_change = %s WHERE table_name = %s AND epoch = %s"
        db.execute(changed, (received.change, table, received.epoch))
    return received.change


def _rename(db: Connection[Any], table: str, body: str) -> None:
    """Replace stored first lines that differ in names only, also in older epochs."""
    changed = db.execute(
        """UPDATE lines SET body = %s WHERE table_name = %s AND number = 0 AND hash = decode(%s, 'hex')
        AND body <> %s RETURNING epoch, match""",
        (body, table, hash_of(0, body), body),
    ).fetchall()
    for epoch, match in changed:
        tell_anew(db, Key(table, epoch, match), names_in(body))
    db.execute("DELETE FROM quarantine WHERE table_name = %s AND number = 0", (table,))


def tell_anew(db: Connection[Any], key: Key, names: Iterable[str]) -> None:
    """Discard a match's published state under other names; it is published again."""
    # negative, because another thread may be publishing the match right now
    db.execute(
        """UPDATE matches SET told = least(told, 0) - 1, names = %s, situation = NULL, updated = now()
        WHERE (table_name, epoch, match) = (%s, %s, %s)""",
        (list(names), *key),
    )
    db.execute(
        """DELETE FROM summaries WHERE id IN
        (SELECT id FROM match_numbers WHERE (table_name, epoch, match) = (%s, %s, %s))""",
        key,
    )
