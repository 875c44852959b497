"""Requests to the table and effects that it orders, as plain values."""

from typing import TYPE_CHECKING

from msgspec import Struct

from firmware.board_events import TableSign
from firmware.table.notices import LastingTrouble, Notice
from referee.contract import Refusal
from referee.match import Entry, Match
from vision.process.messages import EyesOrder

if TYPE_CHECKING:
    from hardware.board.lamps import Lamp


class EntryRequest(Struct, frozen=True):
    """An entry, the ticket of its waiting sender, and the eyes' reading that it is based on."""

    entry: Entry
    ticket: int | None = None
    reading: int | None = None
    begun: str | None = None
    """Start time of the intended match; None is the current one."""


class Sitting(Struct, frozen=True):
    """A match to switch to, or the current one with other names; numbered if it is in the journal."""

    match: Match
    id: int | None = None
    ticket: int | None = None


MatchRequest = EntryRequest | Sitting


class Write(Struct, frozen=True):
    """Store a match's last entry, or its names if it has none; without a number, begin a match."""

    id: int | None
    after: Match
    is_resumed: bool = False  # the journal is complete; only mark the match as current


class Tell(Struct, frozen=True):
    """Show and speak a new moment."""

    match: Match


class Reply(Struct, frozen=True):
    """Return a result to the sender: the next moment, a refusal, or a storage failure."""

    entered: MatchRequest
    result: Match | Refusal | Notice


class NoteTrouble(Struct, frozen=True):
    """Report a lasting problem by name, or its end."""

    name: object
    wrong: LastingTrouble | None


class LookAt(Struct, frozen=True):
    """Prepare the eyes for another match: its cards and seats."""

    match: Match


class BlinkLamp(Struct, frozen=True):
    """Blink a seat's lamp, or the table's, to identify it."""

    seat: int | None


class ShowLamp(Struct, frozen=True):
    """Light one lamp and no other, so that people can check it; None ends this."""

    lamp: "Lamp | None"


class ShowSign(Struct, frozen=True):
    """Show the sign that proves a phone is at the table; None ends this."""

    sign: TableSign | None


BoardEffect = BlinkLamp | ShowLamp | ShowSign
TableEffect = Write | Tell | Reply | Notice | NoteTrouble | EyesOrder | LookAt | BoardEffect
"""Effects that the table orders; notices are spoken, and orders passed to the eyes."""
