"""Lines of match files with sums, which show damage and lost lines (`docs/dev/match-format.md`)."""

import re
from collections.abc import Iterator
from contextlib import suppress
from zlib import crc32

from msgspec import Struct

MAX_LINE_BYTES = 65_536
"""Longest line in bytes; the longest first line, with sixty names, has 10,000."""
_SUM = re.compile(rb',"sum":"(([0-9a-f]{8})-(\d{1,12})-(\d{1,9}))-([0-9a-f]{8})"\}')
_COUNT = re.compile(rb',"lines": *(\d{1,9})$')


class SealedLine(Struct, frozen=True):
    """A line of a match record, with its match and number."""

    match_id: int
    number: int
    text: str

    @property
    def place(self) -> tuple[int, int]:
        return self.match_id, self.number


class FiledLine(Struct, frozen=True):
    """A line of a match file, the table that wrote it, and in a first line the match's number of lines."""

    table: int
    line: SealedLine
    lines: int = 0


def filed(table: int, line: SealedLine, lines: int) -> bytes:
    """Return a line as in its file; `lines` is its match's number of lines."""
    text = line.text.encode()[:-1]
    if line.number == 0:
        # as wide for any number, so that it can be replaced
        text += b',"lines":%9d' % lines
    name = b"%08x-%d-%d" % (table, line.match_id, line.number)
    return b'%s,"sum":"%s-%08x"}\n' % (text, name, crc32(name + text))


def lines_in(raw: bytes) -> Iterator[FiledLine]:
    """Yield the lines whose sum is right, wherever they are in raw bytes."""
    end = 0
    for found in _SUM.finditer(raw):
        # a damaged newline belongs to neither line; in a damaged zip file, a first line follows a header
        head = raw.rfind(b'{"coyote_table":', end, found.start())
        start = max(raw.rfind(b"\n", end, found.start()) + 1, end and end + 1, head)
        text, end = raw[start : found.start()], found.end()
        if len(text) <= MAX_LINE_BYTES and b"%08x" % crc32(found[1] + text) == found[5]:
            number, count = int(found[4]), None
            if number == 0 and (count := _COUNT.search(text)):
                text = text[: count.start()]
            with suppress(UnicodeDecodeError):
                line = SealedLine(int(found[3]), number, text.decode() + "}")
                yield FiledLine(int(found[2], 16), line, int(count[1]) if count else 0)
