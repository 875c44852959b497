"""The club that a table is in, and how far the journal was delivered to it."""

from pathlib import Path
from secrets import token_hex
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.json import encode

from firmware.storage.files import beside
from firmware.storage.kept import Kept
from vision.files import read_json, write_whole


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


MEMBERSHIP = Kept[Membership | None]("club.json", Membership, None, is_private=True)
"""The club that the table is in, if any."""


CURSOR, NAMES = ".club", ".club-names"
"""How the files end that lie beside a journal: the cursor, and the mark that names were changed."""
MOST_CALLS = 8
"""Calls for the director that wait, at most: no table means more than that."""


class WaitingCall(Struct, frozen=True):
    """A call for the director that the club hasn't acknowledged, and what it says, as JSON."""

    id: str
    said: str


class Outbox(Struct, frozen=True):
    """What is known of deliveries."""

    epoch: str
    place: int = 0
    """All lines up to this place in the order of their writing are delivered."""
    names_change: int = 0
    """How many times other names were delivered in this epoch."""
    calls: tuple[WaitingCall, ...] = ()


def read_outbox(journal: Path) -> Outbox:
    """Read how far a journal was delivered; without a cursor that can be read, another epoch begins."""
    try:
        return read_json(beside(journal, CURSOR), Outbox)
    except OSError:
        fresh = Outbox(token_hex(16))
        keep_outbox(journal, fresh)
        return fresh


def keep_outbox(journal: Path, outbox: Outbox) -> None:
    """Keep it."""
    write_whole(beside(journal, CURSOR), encode(outbox))


def drop_outbox(journal: Path) -> None:
    """Let the next delivery begin another epoch: what the journal holds won't be what it was."""
    beside(journal, CURSOR).unlink(missing_ok=True)


def note_names_changed(journal: Path) -> None:
    """Note that first lines get other names; a table that is in no club notes nothing."""
    if beside(journal, CURSOR).exists():
        write_whole(beside(journal, NAMES), token_hex(8).encode())


def names_changed(journal: Path) -> bytes:
    """Give the mark of the last change of names that isn't delivered; nothing if all are."""
    try:
        return beside(journal, NAMES).read_bytes()
    except OSError:
        return b""


def names_delivered(journal: Path, mark: bytes) -> None:
    """Take the mark away, unless names were changed again meanwhile."""
    if names_changed(journal) == mark:
        beside(journal, NAMES).unlink(missing_ok=True)
