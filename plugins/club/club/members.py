"""The club's tables: adding, joining by a code, renewing keys, and removing."""

import re
import secrets
import unicodedata
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any, LiteralString

from msgspec import Struct
from psycopg import Connection

from club import ClubError
from club.authority import club_certificate
from club.credentials import key_of
from club.database import Pool, row, tell_news, value
from club.views import Invitation
from firmware.services.addresses import address

LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # letters of a code, without lookalikes
CODE_MINUTES = 15  # minutes for which a code is valid
LONGEST_TITLE = 60
CHANGED = "members"  # notification that the broker must update its users


class TableRow(Struct, frozen=True):
    """A table of the club: its name in topics, and its title for people."""

    name: str
    title: str


def add_table(db: Connection[Any], title: str) -> TableRow:
    title = " ".join(title.split())
    if not title or len(title) > LONGEST_TITLE or not title.isprintable():
        raise ClubError("bad title", most=LONGEST_TITLE)
    with db.transaction():
        name = _unused_name(db, title)
        # two tables with the same title would be indistinguishable
        if db.execute(
            "SELECT FROM tables WHERE lower(title) = lower(%s) AND removed IS NULL", (title,)
        ).rowcount:
            raise ClubError("title taken", title=title)
        db.execute("INSERT INTO tables (name, title) VALUES (%s, %s)", (name, title))
        tell_news(db, CHANGED)
    return TableRow(name, title)


def _unused_name(db: Connection[Any], title: str) -> str:
    """Return a unique name for topics, derived from a title."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    stem = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:30].strip("-") or "table"
    db.execute("LOCK TABLE tables IN SHARE ROW EXCLUSIVE MODE")
    taken = {name for (name,) in db.execute("SELECT name FROM tables WHERE name LIKE %s", (f"{stem}%",))}
    numbered = (f"{stem}-{number}" for number in range(2, len(taken) + 3))
    return next(name for name in (stem, *numbered) if name not in taken)


def invite_table(db: Connection[Any], name: str) -> str:
    """Create a code with which a table can join once, within minutes; earlier codes become invalid."""
    code = "".join(secrets.choice(LETTERS) for _ in range(8))
    ends = datetime.now(UTC) + timedelta(minutes=CODE_MINUTES)
    with db.transaction():
        db.execute("DELETE FROM joinings WHERE table_name = %s OR ends < now()", (name,))
        db.execute("INSERT INTO joinings VALUES (%s, %s, %s)", (_hash_code(code), name, ends))
    return code


def join_table(db: Connection[Any], secret: bytes, code: str) -> tuple[TableRow, str] | None:
    """Let the table with this code join. Return its new key; None if the code is invalid."""
    with db.transaction():
        # limits codes to minutes even if the clock was set back
        asked: LiteralString = """DELETE FROM joinings WHERE code_hash = %s AND ends > now()
            AND ends <= now() + %s * interval '1 minute' RETURNING table_name"""
        name = value(db, asked, _hash_code(code), CODE_MINUTES)
        # the old key becomes invalid
        counted = """UPDATE tables SET key_number = key_number + 1 WHERE name = %s AND removed IS NULL
            RETURNING title, key_number"""
        table = db.execute(counted, (name,)).fetchone()
        if table is None:
            return None
        tell_news(db, CHANGED)
        return TableRow(name, table[0]), key_of(secret, name, table[1])


def shut_out(db: Connection[Any], name: str, why: str) -> None:
    """Exclude a flooding table, and call the director to it."""
    call = secrets.token_hex(8)
    with db.transaction():
        shut = "UPDATE tables SET shut_out = %s WHERE name = %s AND removed IS NULL AND shut_out IS NULL"
        if db.execute(shut, (call, name)).rowcount:
            db.execute("INSERT INTO calls (table_name, id, why) VALUES (%s, %s, %s)", (name, call, why))
            tell_news(db, f"call {name}")
            tell_news(db, CHANGED)


def remove_table(db: Connection[Any], name: str) -> None:
    """Exclude a table unless it is online; its matches stay."""
    with db.transaction():
        db.execute("UPDATE tables SET removed = now() WHERE name = %s AND state <> 'online'", (name,))
        for news in (CHANGED, f"table {name}"):
            tell_news(db, news)


def let_in_again(db: Connection[Any], name: str, call: str) -> None:
    if db.execute("UPDATE tables SET shut_out = NULL WHERE name = %s AND shut_out = %s", (name, call)).rowcount:
        tell_news(db, CHANGED)


def _hash_code(code: str) -> bytes:
    plain = "".join(letter for letter in code.upper() if letter in LETTERS)
    return sha256(plain.encode()).digest()


# invitations


class Invitations:
    """Invites tables to the hub that runs here."""

    def __init__(self, pool: Pool, folder: Path, port: int) -> None:
        self._pool, self.folder, self._port = pool, folder, port

    def invite(self, title: str) -> Invitation | None:
        try:
            with self._pool.connection() as db:
                table = add_table(db, title)
                return invite(db, self.folder, self._port, table)
        except ClubError:
            return None

    def invite_again(self, table: str) -> Invitation | None:
        asked = "SELECT name, title FROM tables WHERE name = %s AND removed IS NULL"
        with self._pool.connection() as db:
            found = row(db, TableRow, asked, table)
            return None if found is None else invite(db, self.folder, self._port, found)

    def remove(self, table: str) -> None:
        with self._pool.connection() as db:
            remove_table(db, table)


def invite(db: Connection[Any], folder: Path, port: int, table: TableRow) -> Invitation:
    """Return the link by which a table joins: the address, and the code that identifies this hub."""
    code = club_certificate(folder / "tls").shown_code(invite_table(db, table.name))
    return Invitation(table.title, f"{address(port, 'https')}join#{code}")
