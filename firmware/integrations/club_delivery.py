"""Chooses the next message for the club, and handles acknowledgements; never waits or connects.

The journal is the outbox. A line is delivered once the hub acknowledges it, after the commit of its database;
the broker's own acknowledgements don't count.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from firmware.integrations import club_messages as messages
from firmware.integrations.club_messages import ClubAck, ClubLine, FromTable
from firmware.storage.club import OUTBOX, names_changed, names_delivered, read_outbox
from firmware.storage.journal import Journal
from referee.sums import SealedLine

RESEND_DELAY, MAX_RESEND_DELAY = 4.0, 60.0
"""Seconds before an unacknowledged message is sent again: at first, and at most."""
SAVE_INTERVAL = 15.0
"""Seconds between saves of the progress; lines sent twice are stored once."""
MAX_MESSAGE_BYTES = 80_000
Message = tuple[FromTable, bytes]


class LongLineError(Exception):
    """A line is longer than a club accepts."""


class Sending(Struct, frozen=True):
    """A message in transit or due next: lines, or first lines with changed names."""

    what: FromTable
    payload: bytes
    place: int = 0  # journal place of its last line
    wanted: Mapping[int, int] = {}  # lines to be acknowledged, by match
    change: int = 0
    mark: bytes = b""  # mark that the last message of a name change clears


class Delivery:
    """Delivery of a journal; one message is in transit at a time."""

    def __init__(self, journal: Path, clock: Callable[[], float]) -> None:
        self._path, self._clock = journal, clock
        self.outbox = read_outbox(journal)
        self._kept, self._kept_at = self.outbox, clock()
        self._sending: list[Sending] = []
        self._sent_at, self._patience = float("-inf"), RESEND_DELAY
        self._total: int | None = None
        self._has_begun_anew = False

    def send_again(self) -> None:
        """Resend the message in transit at once, after a reconnect or a restart of the hub."""
        self._sent_at, self._patience, self._has_begun_anew = float("-inf"), RESEND_DELAY, False

    def next_message(self, journal: Journal) -> Message | None:
        if not self._sending:
            self._compare(journal)
            found = journal.written_after(self.outbox.place, messages.MAX_LINES)
            if found:
                self._sending = [lines_to_send(self.outbox.epoch, found)]
            elif mark := names_changed(self._path):
                heads = [messages.ClubHead(match.id, match.head) for match in journal.matches()]
                most, epoch = MAX_MESSAGE_BYTES // 2000, self.outbox.epoch
                for change, at in enumerate(range(0, len(heads), most), self.outbox.names_change + 1):
                    told = msgspec.json.encode(messages.ClubNames(epoch, change, heads[at : at + most]))
                    is_last = at + most >= len(heads)
                    self._sending.append(Sending("names", told, change=change, mark=mark if is_last else b""))
                if self._sending:
                    # saved before sending, so that no number is used for two changes
                    self.outbox = replace(self.outbox, names_change=self._sending[-1].change)
                    self.keep(at_once=True)
                else:
                    names_delivered(self._path, mark)
            self._sent_at, self._patience = float("-inf"), RESEND_DELAY
        if not self._sending or self._clock() - self._sent_at <= self._patience:
            return None
        self._patience = (
            min(2 * self._patience, MAX_RESEND_DELAY) if self._sent_at > float("-inf") else RESEND_DELAY
        )
        self._sent_at = self._clock()
        return self._sending[0].what, self._sending[0].payload

    def take(self, ack: ClubAck) -> None:
        """Advance past acknowledged lines; if the hub has lost some, start from the beginning."""
        if ack.epoch != self.outbox.epoch or not self._sending:
            return
        sent, there = self._sending[0], {each.match: each.lines for each in ack.matches}
        if ack.names_change < sent.change or not sent.wanted.keys() <= there.keys():
            return
        self._sending, self._sent_at = self._sending[1:], float("-inf")
        if sent.mark:
            names_delivered(self._path, sent.mark)
        if not all(there[match] >= lines for match, lines in sent.wanted.items()):
            self._begin_anew()
        elif sent.what == "lines":
            self.outbox, self._total = replace(self.outbox, place=sent.place), ack.total

    def waiting(self, journal: Journal) -> int:
        return journal.still_after(self.outbox.place)

    def keep(self, *, at_once: bool = False) -> None:
        """Save the progress; not for each line, because that would wear out an SD card."""
        is_due = (
            at_once or self._clock() - self._kept_at > SAVE_INTERVAL or self.outbox.calls != self._kept.calls
        )
        if is_due and self.outbox != self._kept:
            OUTBOX.keep(self._path, self.outbox)
            self._kept, self._kept_at = self.outbox, self._clock()

    def _compare(self, journal: Journal) -> None:
        if self._total is None or journal.written_after(self.outbox.place, 1):
            return
        total, self._total = self._total, None
        if journal.written_until(self.outbox.place) != total:
            self._begin_anew()

    def _begin_anew(self) -> None:
        """Deliver all lines again, once per connection; the hub stores each line once."""
        if not self._has_begun_anew:
            self._has_begun_anew = True
            self.outbox = replace(self.outbox, place=0)


def lines_to_send(epoch: str, found: Sequence[tuple[int, SealedLine]]) -> Sending:
    lines, size, last = list[ClubLine](), 0, 0
    for place, line in found:
        size += len(line.text.encode())
        if len(line.text) > messages.MAX_BODY:
            raise LongLineError(f"line {line.number} of match {line.match_id}")
        if lines and size > MAX_MESSAGE_BYTES:
            break
        lines.append(ClubLine(line.match_id, line.number, messages.hash_of(line.number, line.text), line.text))
        last = place
    wanted = {line.match: line.number + 1 for line in lines}
    return Sending("lines", msgspec.json.encode(messages.ClubLines(epoch, lines)), last, wanted)
