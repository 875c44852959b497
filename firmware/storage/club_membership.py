"""Which club the table is in, and the key by which it comes in: one file that only its owner reads."""

from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.json import encode

from firmware.storage.files import write_private
from vision.files import read_json

MEMBERSHIP = "club.json"


class Membership(Struct, frozen=True):
    """What a hub gives a table that joins."""

    table: Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
    title: Annotated[str, Meta(max_length=60)]
    """How the club calls this table."""
    club: Annotated[str, Meta(max_length=60)]
    host: Annotated[str, Meta(max_length=255, pattern=r"^[0-9A-Za-z._:%-]+$")]
    port: Annotated[int, Meta(ge=1, le=65535)]
    key: Annotated[str, Meta(min_length=16, max_length=200)]
    authority: Annotated[str, Meta(max_length=20_000)] = ""
    """The certificate of the club's own authority; the broker has one of that authority, or isn't believed."""


def read_membership(state: Path) -> Membership | None:
    """Read which club the table is in; None if it is in none."""
    try:
        return read_json(state / MEMBERSHIP, Membership)
    except OSError:
        return None


def keep_membership(state: Path, membership: Membership) -> None:
    """Keep it, readable by its owner alone from the first byte."""
    write_private(state / MEMBERSHIP, encode(membership))


def end_membership(state: Path) -> None:
    """Leave: nothing of the club stays here."""
    (state / MEMBERSHIP).unlink(missing_ok=True)
