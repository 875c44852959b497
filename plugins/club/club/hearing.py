"""Messages of tables other than lines, and the club's messages to them."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, LiteralString, NamedTuple, TypeVar

import msgspec
from msgspec import Struct
from psycopg import Connection

from club.database import tell_news
from firmware.integrations.broker import discovery
from firmware.integrations.club_messages import (
    PREFIX,
    CallAnswer,
    ClubCall,
    ClubCalls,
    ClubForget,
    ClubNote,
    ClubStatus,
    ToTable,
    understood,
)

MOST_OPEN = 20  # most open calls of one table, so that a stuck button doesn't fill the screen
NEWEST_CALLS = 5  # number of calls whose state a table receives
NEWEST_ANSWERS: LiteralString = """
    SELECT table_name, id, state, answer FROM (
        SELECT *, row_number() OVER (PARTITION BY table_name ORDER BY asked DESC) AS place FROM calls
    ) AS ordered WHERE place <= %s ORDER BY table_name, asked DESC
"""


SAID = ("lines", "names", "status", "call", "forgotten")  # subtopics of its own name that a table publishes
STANDING: tuple[ToTable, ...] = ("note", "calls", "forget")
T = TypeVar("T", bound=Struct)


class Heard(NamedTuple):
    """A message of a table."""

    table: str
    what: str
    payload: bytes

    def read(self, what: str, kind: type[T]) -> T | None:
        """Return the decoded payload if the message is of this kind and valid."""
        return understood(self.payload, kind) if self.what == what else None


def keep_others(db: Connection[Any], received: Sequence[Heard]) -> None:
    for each in received:
        if (status := each.read("status", ClubStatus)) is not None:
            _keep_status(db, each.table, status)
        elif (call := each.read("call", ClubCall)) is not None:
            _keep_call(db, each.table, call)
        elif (forgotten := each.read("forgotten", ClubForget)) is not None:
            gone = "DELETE FROM forgettings WHERE table_name = %s AND name = ANY(%s)"
            db.execute(gone, (each.table, list(forgotten.names)))


def know_nobody(db: Connection[Any]) -> None:
    """Mark all tables as offline until they send something; they may have stopped together with the hub."""
    gone = db.execute("UPDATE tables SET state = 'offline' WHERE state = 'online' RETURNING name").fetchall()
    for (table,) in gone:
        tell_news(db, f"table {table}")


def _keep_status(db: Connection[Any], table: str, status: ClubStatus) -> None:
    db.execute(
        # last_seen is set once when a table goes offline
        """UPDATE tables SET state = %s,
        last_seen = CASE WHEN %s OR state = 'online' THEN now() ELSE last_seen END WHERE name = %s""",
        ("online" if status.is_online else "offline", status.is_online, table),
    )
    tell_news(db, f"table {table}")


def _keep_call(db: Connection[Any], table: str, call: ClubCall) -> None:
    kept = db.execute(
        """INSERT INTO calls (table_name, id, who, why, begun, moment, evidence)
        SELECT name, %s, %s, %s, %s, %s, decode(nullif(%s, ''), 'base64') FROM tables WHERE name = %s
        AND (SELECT count(*) FROM calls WHERE table_name = %s AND state <> 'done') < %s
        ON CONFLICT DO NOTHING""",
        (call.id, call.who, call.why, call.begun, call.moment, call.evidence, table, table, MOST_OPEN),
    )
    if kept.rowcount:
        tell_news(db, f"call {table}")


# messages for other programs


def discoveries(table: str) -> Iterator[tuple[str, bytes]]:
    for place, content in discovery(table, f"{PREFIX}/{table}"):
        # only a table's own broker has its feedback on rulings
        if "/event/" not in place:
            template = "{{ 'online' if value_json.is_online else 'offline' }}"
            yield place, msgspec.json.encode({**content, "availability_template": template})


# messages for tables


def standing_words(db: Connection[Any]) -> Mapping[tuple[str, ToTable], bytes]:
    tables = [name for (name,) in db.execute("SELECT name FROM tables")]
    words = {(name, what): b"" for name in tables for what in STANDING}
    for table, note in db.execute("SELECT table_name, note FROM notes"):
        words[table, "note"] = msgspec.json.encode(msgspec.convert(note, ClubNote))
    found = db.execute(NEWEST_ANSWERS, (NEWEST_CALLS,)).fetchall()
    for table, rows in groupby(found, itemgetter(0)):
        words[table, "calls"] = msgspec.json.encode(ClubCalls([CallAnswer(*each[1:]) for each in rows]))
    asked = "SELECT table_name, array_agg(name ORDER BY id) FROM forgettings GROUP BY table_name"
    for table, names in db.execute(asked):
        words[table, "forget"] = msgspec.json.encode(ClubForget(names))
    return words
