"""What passes between a table and its club's hub: topics and payloads, as plugins/club/docs/club.md has them.

Fields are only ever added. Either side ignores fields that it doesn't know, and what it can't understand.
"""

import re
from contextlib import suppress
from hashlib import sha256
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from referee.record import with_names

PREFIX = "coyote-club/1"
"""What all topics begin with; the number is that of the form of what follows."""
HUB = f"{PREFIX}/hub"  # where a hub says that it is there: retained, and empty when it has gone
LARGEST = 120_000  # bytes of a payload; what is longer neither side looks at
MOST_LINES, MOST_BODY = 200, 16_000  # lines in one message, and bytes of a line
MOST_EVIDENCE = 80_000
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
    """A line of a match, as the journal has it."""

    match: MatchNumber
    number: Number
    hash: Hash
    body: Annotated[str, Meta(max_length=MOST_BODY)]


class ClubLines(Struct, frozen=True, gc=False):
    """Lines of a table, in the order of each match; `lines`, at least once."""

    epoch: Epoch
    lines: Annotated[list[ClubLine], Meta(max_length=MOST_LINES)]


class ClubHead(Struct, frozen=True, gc=False):
    """The first line of a match, with the names that it has now."""

    match: MatchNumber
    body: Annotated[str, Meta(max_length=MOST_BODY)]


class ClubNames(Struct, frozen=True, gc=False):
    """A player was forgotten: first lines whose hash is as it was, and whose names aren't; `names`.

    `change` counts up with each message of an epoch: an older one that comes late changes nothing.
    """

    epoch: Epoch
    change: Annotated[int, Meta(ge=1)]
    heads: Annotated[list[ClubHead], Meta(max_length=MOST_LINES)]


class Acked(Struct, frozen=True, gc=False):
    """Of a match so many lines, from the first on, are kept: the newest has `lines - 1` as its number."""

    match: MatchNumber
    lines: int


class ClubAck(Struct, frozen=True, gc=False):
    """The hub's database has committed what it was sent; `ack`.

    `total` counts all lines of this epoch. A table that has sent them all and counts otherwise begins anew.
    """

    epoch: Epoch
    matches: list[Acked]
    total: int
    names_change: int = 0


class ClubStatus(Struct, frozen=True, gc=False, omit_defaults=True):
    """Whether a table can be heard; `status`, retained, and the broker's last word for a table that is gone."""

    is_online: bool


class ClubCall(Struct, frozen=True, gc=False, omit_defaults=True):
    """Director, please; `call`, until the hub has it among the calls."""

    id: CallId
    who: Words = ""
    why: Words = ""
    begun: Annotated[str, Meta(max_length=60)] = ""
    moment: Number = 0
    evidence: Annotated[str, Meta(max_length=MOST_EVIDENCE)] = ""
    """A small JPEG of what the newest ruling rests on, in Base64."""


class CallAnswer(Struct, frozen=True, gc=False, omit_defaults=True):
    """What has become of a call."""

    id: CallId
    state: Literal["open", "coming", "done"]
    answer: Words = ""


class ClubCalls(Struct, frozen=True, gc=False):
    """What has become of a table's newest calls; `calls`, retained."""

    calls: list[CallAnswer]


class NotedSeat(Struct, frozen=True, gc=False, omit_defaults=True):
    """Who sits at a seat in the next match."""

    name: Words


class ClubNote(Struct, frozen=True, gc=False, omit_defaults=True):
    """What the club tells a table now; `note`, retained: it stands until another one does."""

    title: Words = ""  # a heading, such as the tournament and the round
    text: Words = ""
    game: str = ""
    seats: list[NotedSeat] = []
    """Who is to sit here, clockwise; empty if the club seats no player here."""
    rules: dict[Annotated[str, Meta(max_length=60)], Words] = {}
    """The house rules that the club has agreed on, as the form of a new match says them."""
    ends: str = ""  # when the time for the round is over, in ISO 8601 with its zone


class ClubForget(Struct, frozen=True, gc=False):
    """Names to be forgotten; `forget`, until the table says by `forgotten` that it has, now or long before."""

    names: list[Words]


class ClubHub(Struct, frozen=True, gc=False):
    """A hub is there; a table that sees another `run` sends at once what still waits."""

    run: str


def topic(table: str, what: FromTable | ToTable) -> str:
    return f"{PREFIX}/{table}/{what}"


def table_in(heard: str) -> tuple[str, str] | None:
    parts = heard.split("/")
    if len(parts) != 4 or f"{parts[0]}/{parts[1]}" != PREFIX or not _NAME.fullmatch(parts[2]):
        return None
    return parts[2], parts[3]


def understood(payload: bytes, kind: type[T]) -> T | None:
    """Read a payload; None for one that can't be understood or is too large."""
    if len(payload) > LARGEST:
        return None
    try:
        return msgspec.json.decode(payload, type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


def hash_of(number: int, body: str) -> str:
    """Give the hash of a line; names lie outside it, so that a person who is forgotten leaves it as it was."""
    if number == 0:
        with suppress(msgspec.DecodeError, UnicodeError, RecursionError):
            body = with_names(body, ())
    return sha256(body.encode()).hexdigest()
