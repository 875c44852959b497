"""The hub's own secrets: made once, the same for all hubs of a database."""

from typing import Any

from msgspec import Struct
from psycopg import Connection

from club.database import row


class KeyRow(Struct, frozen=True):
    """The director's PIN, and what cookies are signed with."""

    pin: str
    secret: str


def ensure_keys(db: Connection[Any], pin: str, secret: str) -> KeyRow:
    asked = "SELECT pin, secret FROM club_keys"
    kept = row(db, KeyRow, asked)
    if kept is None:
        # another hub may do the same at the same time
        db.execute("INSERT INTO club_keys (pin, secret) VALUES (%s, %s) ON CONFLICT DO NOTHING", (pin, secret))
    return kept or row(db, KeyRow, asked) or KeyRow(pin, secret)


def change_pin(db: Connection[Any], pin: str) -> None:
    """Keep another PIN: the old one makes no director any more."""
    db.execute("UPDATE club_keys SET pin = %s", (pin,))
