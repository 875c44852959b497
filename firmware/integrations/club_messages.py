"""Topics and payloads between a table and its club's hub; see plugins/club/docs/club.md.

Fields are only ever added. Both sides ignore unknown fields and invalid messages.
"""

import re
from contextlib import suppress
from hashlib import sha256
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from referee.record import with_names

PREFIX = "coyote-club/1"
"""Start of all topics; the number is the version of the format."""
HUB = f"{PREFIX}/hub"  # retained while a hub is online, empty otherwise
MAX_PAYLOAD = 120_000  # bytes of a payload; longer ones are ignored
MAX_LINES, MAX_BODY = 200, 16_000  # lines per message, and bytes per line
MAX_EVIDENCE = 80_000
Epoch = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}$")]
Number = Annotated[int, Meta(ge=0, le=60_001)]
MatchNumber = Annotated[int, Meta(ge=1, le=2_000_000_000)]
Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")]
CallId = Annotated[str, Meta(pattern=r"^[0-9a-f]{16}$")]
Words = Annotated[str, Meta(max_length=400)]
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
FromTable = Literal["lines", "names", "status", "call", "forgotten"]
ToTable = Literal["ack", "note", "forget", "calls", "moment"]
T = TypeVar("T", bound=Struct)


class ClubLine(Struct, frozen=True, gc=False):
    """A line of a match, exactly as in the journal."""

    match: MatchNumber
    number: Number
    hash: Hash
    body: Annotated[str, Meta(max_length=MAX_BODY)]


class ClubLines(Struct, frozen=True, gc=False):
    """Lines of a table, ordered within each match (topic `lines`, at least once)."""

    epoch: Epoch
    lines: Annotated[list[ClubLine], Meta(max_length=MAX_LINES)]


class ClubHead(Struct, frozen=True, gc=False):
    """The first line of a match, with its current names."""

    match: MatchNumber
    body: Annotated[str, Meta(max_length=MAX_BODY)]


class ClubNames(Struct, frozen=True, gc=False):
    """First lines whose names changed because a player was forgotten (topic `names`).

    Their hashes don't change. `change` increases with each message of an epoch, so that late ones are ignored.
    """

    epoch: Epoch
    change: Annotated[int, Meta(ge=1)]
    heads: Annotated[list[ClubHead], Meta(max_length=MAX_LINES)]


class Acked(Struct, frozen=True, gc=False):
    """Number of journal lines stored for a match; the newest is line `lines - 1`."""

    match: MatchNumber
    lines: int


class ClubAck(Struct, frozen=True, gc=False):
    """Lines that the hub's database has committed (topic `ack`).

    `total` counts all lines of this epoch. A table that has sent a different number starts again.
    """

    epoch: Epoch
    matches: list[Acked]
    total: int
    names_change: int = 0


class ClubStatus(Struct, frozen=True, gc=False, omit_defaults=True):
    """Whether a table is online (topic `status`, retained); also the table's last will."""

    is_online: bool


class ClubCall(Struct, frozen=True, gc=False, omit_defaults=True):
    """A call for the director (topic `call`, repeated until the hub lists it)."""

    id: CallId
    who: Words = ""
    why: Words = ""
    begun: Annotated[str, Meta(max_length=60)] = ""
    moment: Number = 0
    evidence: Annotated[str, Meta(max_length=MAX_EVIDENCE)] = ""
    """A small JPEG of the evidence for the newest ruling, in Base64."""


class CallAnswer(Struct, frozen=True, gc=False, omit_defaults=True):
    """The state of a call."""

    id: CallId
    state: Literal["open", "coming", "done"]
    answer: Words = ""


class ClubCalls(Struct, frozen=True, gc=False):
    """The states of a table's newest calls (topic `calls`, retained)."""

    calls: list[CallAnswer]


class NotedSeat(Struct, frozen=True, gc=False, omit_defaults=True):
    """The player at a seat in the next match."""

    name: Words


class ClubNote(Struct, frozen=True, gc=False, omit_defaults=True):
    """The club's current message to a table (topic `note`, retained)."""

    title: Words = ""  # a heading, such as the tournament and the round
    text: Words = ""
    game: str = ""
    seats: list[NotedSeat] = []
    """Players for this table, clockwise; empty if the club assigns none."""
    rules: dict[Annotated[str, Meta(max_length=60)], Words] = {}
    """The club's house rules, keyed as in the form for a new match."""
    ends: str = ""  # end of the round in ISO 8601 with its time zone


class ClubForget(Struct, frozen=True, gc=False):
    """Names to forget (topic `forget`, until the table confirms them by `forgotten`)."""

    names: list[Words]


class ClubHub(Struct, frozen=True, gc=False):
    """A hub is online; a new `run` means that tables resend whatever is waiting."""

    run: str


def topic(table: str, what: FromTable | ToTable) -> str:
    return f"{PREFIX}/{table}/{what}"


def table_in(heard: str) -> tuple[str, str] | None:
    parts = heard.split("/")
    if len(parts) != 4 or f"{parts[0]}/{parts[1]}" != PREFIX or not _NAME.fullmatch(parts[2]):
        return None
    return parts[2], parts[3]


def understood(payload: bytes, kind: type[T]) -> T | None:
    """Decode a payload; None if it is invalid or too large."""
    if len(payload) > MAX_PAYLOAD:
        return None
    try:
        return msgspec.json.decode(payload, type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


def hash_of(number: int, body: str) -> str:
    """Return a line's hash, without names, so that forgetting a player doesn't change it."""
    if number == 0:
        with suppress(msgspec.DecodeError, UnicodeError, RecursionError):
            body = with_names(body, ())
    return sha256(body.encode()).hexdigest()
