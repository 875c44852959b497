"""Inviting tables, from the director's page and from a second program."""

from pathlib import Path
from typing import Any

from psycopg import Connection

from club.authority import club_certificate
from club.credentials import club_secret
from club.database import Pool, row
from club.errors import ClubError
from club.members import TableRow, add_table, invite_table
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
        asked = "SELECT name, title FROM tables WHERE name = %s AND removed IS NULL"
        with self._pool.connection() as db:
            found = row(db, TableRow, asked, table)
            return None if found is None else _invite(db, self._folder, self._port, found)


def invite_new(db: Connection[Any], folder: Path, port: int, title: str) -> Invitation:
    """Add a table to a club, and give the link by which it joins."""
    return _invite(db, folder, port, add_table(db, club_secret(folder), title))


def _invite(db: Connection[Any], folder: Path, port: int, table: TableRow) -> Invitation:
    """Write the link by which a table joins: address, and the code that knows this hub."""
    code = club_certificate(folder / "tls").shown_code(invite_table(db, table.name))
    return Invitation(table.title, f"{address(port, 'https')}join#{code}")
