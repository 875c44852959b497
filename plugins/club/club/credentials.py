"""Authentication: keys for the broker, derived from one secret of the club, and a PIN for the director.

A key is derived from the secret, the table's name and the key's number whenever it is needed. The database only
has its hash.
"""

import secrets
from base64 import b64encode, urlsafe_b64encode
from functools import lru_cache
from hashlib import pbkdf2_hmac, sha256
from hmac import digest
from pathlib import Path
from typing import Any, LiteralString

from msgspec import Struct
from psycopg import Connection

from club.database import row
from firmware.storage.files import write_private
from vision.files import read_small

HUB_USER, READER_USER = "_hub", "_reader"
"""Reserved user names, which no table can have: the hub, and other programs reading public data."""
ROUNDS = 101
"""Rounds of a password's hash. A key has 256 random bits and can't be guessed, however fast the hash is."""


def club_secret(folder: Path) -> bytes:
    file = folder / "secret"
    if not file.exists():
        write_private(file, secrets.token_bytes(32))
    return read_small(file, 64)


def key_of(secret: bytes, user: str, number: int = 1) -> str:
    return urlsafe_b64encode(digest(secret, f"{user} {number}".encode(), "sha256")).decode().rstrip("=")


def users(db: Connection[Any], secret: bytes) -> dict[str, str]:
    """Return all users with their keys: the club's tables, the hub and readers."""
    found = db.execute(
        "SELECT name, key_number FROM tables WHERE removed IS NULL AND shut_out IS NULL ORDER BY name"
    )
    keys = {name: key_of(secret, name, number) for name, number in found}
    return {HUB_USER: key_of(secret, HUB_USER), READER_USER: key_of(secret, READER_USER), **keys}


class KeyRow(Struct, frozen=True):
    """The director's PIN and the key that signs cookies: created once and shared by all hubs of a database."""

    pin: str
    secret: str


def ensure_keys(db: Connection[Any], pin: str, secret: str) -> KeyRow:
    """Return the stored keys; if there are none, store these."""
    asked: LiteralString = "SELECT pin, secret FROM club_keys"
    kept = row(db, KeyRow, asked)
    if kept is None:
        # another hub may do the same concurrently
        db.execute("INSERT INTO club_keys (pin, secret) VALUES (%s, %s) ON CONFLICT DO NOTHING", (pin, secret))
    return kept or row(db, KeyRow, asked) or KeyRow(pin, secret)


def change_pin(db: Connection[Any], pin: str) -> None:
    """Replace the PIN; the old one no longer admits a director."""
    db.execute("UPDATE club_keys SET pin = %s", (pin,))


@lru_cache(maxsize=20_000)
def password_line(user: str, key: str) -> str:
    """Return a key in the format of Mosquitto's password file: hashed, with its own salt."""
    # a salt derived from the key, so that the same users give the same file
    salt = sha256(f"{user} {key}".encode()).digest()[:12]
    hashed = pbkdf2_hmac("sha512", key.encode(), salt, ROUNDS)
    return f"{user}:$7${ROUNDS}${b64encode(salt).decode()}${b64encode(hashed).decode()}"
