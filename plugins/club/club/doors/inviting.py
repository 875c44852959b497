"""Inviting tables, from the director's page and from a second program."""

from pathlib import Path
from typing import Any

from psycopg import Connection

from club.authority import club_certificate
from club.credentials import club_secret
from club.database import Pool, plain_rows
from club.errors import ClubError
from club.members import add_table, invite_table
from club.views import Invitation
from firmware.parts.addresses import address


class Invitations:
    """Invites tables to the hub that runs here."""

    def __init__(self, pool: Pool, folder: Path, port: int) -> None:
        self._pool, self._folder, self._port = pool, folder, port

    def invite(self, title: str) -> Invitation | None:
        """Add a table, and give the link by which it joins; None for a title that can't be."""
        try:
            with self._pool.connection() as db:
                return invite_new(db, self._folder, self._port, title)
        except ClubError:
            return None

    def invite_again(self, table: str) -> Invitation | None:
        """Give a table that is known another link; None if there is no such table."""
        asked = "SELECT title FROM tables WHERE name = %s AND removed IS NULL"
        with self._pool.connection() as db:
            found = plain_rows(db, asked, table)
            if not found:
                return None
            link = joining_link(self._folder, self._port, invite_table(db, table))
        return Invitation(found[0]["title"], link)


def invite_new(db: Connection[Any], folder: Path, port: int, title: str) -> Invitation:
    """Add a table to a club, and give the link by which it joins."""
    table = add_table(db, club_secret(folder), title)
    return Invitation(table.title, joining_link(folder, port, invite_table(db, table.name)))


def joining_link(folder: Path, port: int, secret: str) -> str:
    """Write the link by which a table joins: address, and the code that knows this hub."""
    tls = club_certificate(folder / "tls")
    return f"{address(port, 'https')}join#{tls.shown_code(secret)}"
