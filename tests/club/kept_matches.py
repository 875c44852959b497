"""Matches in the hub's database, as a table's lines would have brought them there."""

from gettext import NullTranslations
from hashlib import sha256
from typing import Any

import msgspec
from psycopg import Connection
from psycopg.types.json import Jsonb

from club.database import tell_news
from referee.house_rules import edition_name
from referee.match import Match
from referee.public_moment import encode_moment
from referee.record import record_lines

EPOCH = "0" * 32


def add_table(db: Connection[Any], name: str, title: str, state: str = "online") -> None:
    """Add a table that has been heard."""
    db.execute(
        "INSERT INTO tables (name, title, key_hash, state, last_seen) VALUES (%s, %s, '', %s, now())",
        (name, title, state),
    )
    db.execute("INSERT INTO epochs (table_name, epoch) VALUES (%s, %s)", (name, EPOCH))


def keep_match(db: Connection[Any], table: str, number: int, match: Match) -> None:
    """Keep a match with all its lines, and what is told of it."""
    lines, setup, outcome = record_lines(match), match.setup, match.outcome
    db.execute("DELETE FROM matches WHERE table_name = %s AND match = %s", (table, number))
    db.execute(
        "INSERT INTO matches (table_name, epoch, match, lines, told, game, edition, names, begun,"
        " is_over, reason, winners, standings, situation)"
        " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
        (
            table,
            EPOCH,
            number,
            len(lines),
            len(lines),
            setup.game.name,
            edition_name(setup.game, setup.house),
            list(setup.names),
            setup.begun,
            outcome is not None,
            "" if outcome is None else outcome.reason,
            [] if outcome is None else list(outcome.winners),
            Jsonb(msgspec.to_builtins(setup.game.rules.standings(match.state))),
            Jsonb(msgspec.json.decode(encode_moment(match, NullTranslations()))),
        ),
    )
    for at, line in enumerate(lines):
        db.execute(
            "INSERT INTO lines (table_name, epoch, match, number, hash, body) VALUES (%s, %s, %s, %s, %s, %s)",
            (table, EPOCH, number, at, sha256(line.encode()).digest(), line),
        )
    tell_news(db, f"table {table}")
