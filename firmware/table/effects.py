"""What is entered at the table, and what the table orders to be done about it: values alone."""

from msgspec import Struct

from firmware.board_events import TableSign
from firmware.table.notices import Notice
from hardware.board.board import Trouble
from hardware.board.lamps import Lamp
from referee.contract import Refusal
from referee.match import Entry, Match
from vision.process.messages import EyesOrder


class EntryRequest(Struct, frozen=True):
    """Something entered: who waits for what becomes of it, and which reading of the eyes it rests on."""

    entry: Entry
    ticket: int | None = None
    reading: int | None = None
    begun: str | None = None
    """When the match began that it is meant for; None is the one that stands."""


class Sitting(Struct, frozen=True):
    """Another match to sit down at, or this one with other names; with its number, if the journal has it."""

    match: Match
    id: int | None = None
    ticket: int | None = None


MatchRequest = EntryRequest | Sitting


class Write(Struct, frozen=True):
    """Put the last entry of a match on the disk, or its names if it has none; without a number, begin it."""

    id: int | None
    after: Match
    is_resumed: bool = False  # whether the disk has all of it: only that it is on the table has to be kept


class Tell(Struct, frozen=True):
    """Show and say a new moment."""

    match: Match


class Reply(Struct, frozen=True):
    """Answer the sender of an entry: the next moment, a refusal, or that it isn't kept."""

    entered: MatchRequest
    result: Match | Refusal | Notice


class NoteTrouble(Struct, frozen=True):
    """Report what is wrong for a while, by a name; or that it is well again."""

    name: object
    wrong: Notice | Trouble | None


class LookAt(Struct, frozen=True):
    """Have the eyes look at another match: its cards, its seats."""

    match: Match


class BlinkLamp(Struct, frozen=True):
    """Let a seat's lamp blink, or the table's own, so that people see which it is."""

    seat: int | None


class ShowLamp(Struct, frozen=True):
    """Light one lamp and no other, so that people can say whether they see it; None ends that."""

    lamp: Lamp | None


class ShowSign(Struct, frozen=True):
    """Show that by which a phone proves that it is at the table; None ends that."""

    sign: TableSign | None


BoardEffect = BlinkLamp | ShowLamp | ShowSign
TableEffect = Write | Tell | Reply | Notice | NoteTrouble | EyesOrder | LookAt | BoardEffect
"""What the table orders to be done: a notice is said, and an order to the eyes given to them."""
