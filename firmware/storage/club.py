"""The club that a table is in, and how far the journal was delivered to it."""

from pathlib import Path
from secrets import token_hex
from typing import Annotated

from msgspec import Meta, Struct

from firmware.storage.files import Kept, KeptBeside, beside, write_private


class Membership(Struct, frozen=True):
    """What a hub gives a table that joins."""

    table: Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
    title: Annotated[str, Meta(max_length=60)]  # how the club calls this table
    club: Annotated[str, Meta(max_length=60)]
    host: Annotated[str, Meta(max_length=255, pattern=r"^[0-9A-Za-z._:%-]+$")]
    port: Annotated[int, Meta(ge=1, le=65535)]
    key: Annotated[str, Meta(min_length=16, max_length=200)]
    authority: Annotated[str, Meta(max_length=20_000)] = ""
    """The certificate of the club's own authority; the broker has one of that authority, or isn't believed."""


MEMBERSHIP = Kept[Membership | None]("club.json", Membership, None)
NAMES = ".club-names"
"""How the file beside a journal ends that has the mark that names were changed."""
MOST_CALLS = 8  # calls for the director that wait, at most: no table means more than that


class WaitingCall(Struct, frozen=True):
    """A call for the director that the club hasn't acknowledged, and what it says, as JSON."""

    id: str
    said: str


class Outbox(Struct, frozen=True):
    """What is known of deliveries."""

    epoch: str
    place: int = 0  # all lines up to this place in the order of their writing are delivered
    names_change: int = 0  # how many times other names were delivered in this epoch
    calls: tuple[WaitingCall, ...] = ()


OUTBOX = KeptBeside[Outbox | None](".club", Outbox, None)
"""How far a journal was delivered; it is dropped where what the journal holds won't be what it was."""


def read_outbox(journal: Path) -> Outbox:
    """Read how far a journal was delivered; without a cursor that can be read, another epoch begins."""
    outbox = OUTBOX.read(journal)
    if outbox is None:
        outbox = Outbox(token_hex(16))
        OUTBOX.keep(journal, outbox)
    return outbox


def note_names_changed(journal: Path) -> None:
    """Note that first lines get other names; a table that is in no club notes nothing."""
    if OUTBOX.file(journal).exists():
        write_private(beside(journal, NAMES), token_hex(8).encode())


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
