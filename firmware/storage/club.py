"""The table's club, and its progress in delivering the journal."""

from pathlib import Path
from secrets import token_hex
from typing import Annotated

from msgspec import Meta, Struct

from firmware.storage.files import Kept, KeptBeside, beside, write_private


class Membership(Struct, frozen=True):
    """Data that a hub gives a joining table."""

    table: Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
    title: Annotated[str, Meta(max_length=60)]  # the club's name for this table
    club: Annotated[str, Meta(max_length=60)]
    host: Annotated[str, Meta(max_length=255, pattern=r"^[0-9A-Za-z._:%-]+$")]
    port: Annotated[int, Meta(ge=1, le=65535)]
    key: Annotated[str, Meta(min_length=16, max_length=200)]
    authority: Annotated[str, Meta(max_length=20_000)] = ""
    """Certificate of the club's own authority; the broker's certificate must be signed by it."""


MEMBERSHIP = Kept[Membership | None]("club.json", Membership, None)
NAMES = ".club-names"
"""Suffix of the file beside a journal that marks changed names."""
MOST_CALLS = 8  # most waiting calls for the director; more than a table needs


class WaitingCall(Struct, frozen=True):
    """A call for the director that the club hasn't acknowledged, with its content as JSON."""

    id: str
    said: str


class Outbox(Struct, frozen=True):
    """Progress of deliveries."""

    epoch: str
    place: int = 0  # all lines up to this position in writing order are delivered
    names_change: int = 0  # number of name changes delivered in this epoch
    calls: tuple[WaitingCall, ...] = ()


OUTBOX = KeptBeside[Outbox | None](".club", Outbox, None)
"""Progress of a journal's delivery; deleted whenever the journal's content may differ from what was sent."""


def read_outbox(journal: Path) -> Outbox:
    """Read a journal's delivery progress; without a readable one, start a new epoch."""
    outbox = OUTBOX.read(journal)
    if outbox is None:
        outbox = Outbox(token_hex(16))
        OUTBOX.keep(journal, outbox)
    return outbox


def note_names_changed(journal: Path) -> None:
    """Mark that names in first lines changed; without a club, do nothing."""
    if OUTBOX.file(journal).exists():
        write_private(beside(journal, NAMES), token_hex(8).encode())


def names_changed(journal: Path) -> bytes:
    """Return the mark of the last undelivered change of names; empty if all are delivered."""
    try:
        return beside(journal, NAMES).read_bytes()
    except OSError:
        return b""


def names_delivered(journal: Path, mark: bytes) -> None:
    """Delete the mark unless names changed again meanwhile."""
    if names_changed(journal) == mark:
        beside(journal, NAMES).unlink(missing_ok=True)
