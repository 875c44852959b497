"""Each sealed line a second time, in a plain file beside the database: one line after the other, as they came.

It is a file and no second table: in SQLite's log both copies of the newest line would stand in neighbouring
frames, where one bad sector hits both, and a damaged first page or frame there hides all that follows. It is
written after the commit and without a sync of its own: a second sync would double what an answer costs, which
`python -m tests.trust.flipped_bits --commits 3000` measures. So what stands here was committed:

- killed before the commit: neither file has the line, and no player was told;
- killed after it, or cut off from power before the system has written this file: the database has the line, and
  the next start copies it;
- not even written, on a full disk: it goes with the next line, or with the next start.

A seal is a plain checksum that another table's line fits, too. So each line here is marked with its table,
which the database names in its `application_id`, and with the beginning of its match.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from secrets import randbelow
from zlib import crc32

from msgspec import Struct

from firmware.storage.database import Database, table_in
from firmware.storage.files import beside, read_raw
from firmware.storage.sealed_lines import SealedLine, carve_with_places, each_line, heads_of, sealed
from referee.record import begun_in
from vision.files import sync, write_whole

COPY = ".copy"
"""How the file ends."""
_MARKS = re.compile(rb"([0-9a-f]{8}) ([0-9a-f]{8}) ")
_LENGTH = 18
NO_TABLE = 0
"""What a database says that no version with copies has written."""


class CopiedLine(Struct, frozen=True):
    """A line in the copy, and whose it is."""

    table: int
    beginning: int
    line: SealedLine


def beginning_of(head: str) -> int:
    """Give the mark of a match's beginning: when it was begun, or all of a first line that doesn't say it."""
    return crc32((begun_in(head) or head).encode())


def beginnings_in(lines: Iterable[SealedLine]) -> dict[int, int]:
    """Give the mark of each match whose first line is among these; the first one found counts."""
    marks: dict[int, int] = {}
    for line in lines:
        if line.number == 0:
            marks.setdefault(line.match_id, beginning_of(line.text))
    return marks


def copied_lines(path: Path) -> list[CopiedLine]:
    """Read what stands whole in the copy of a journal."""
    file, found = beside(path, COPY), list[CopiedLine]()
    raw = read_raw(file) if file.is_file() else b""
    for at, line in carve_with_places(raw):
        if marks := _MARKS.fullmatch(raw[max(0, at - _LENGTH) : at]):
            found.append(CopiedLine(int(marks[1], 16), int(marks[2], 16), line))
    return found


def own_lines(copied: Iterable[CopiedLine], table: int, found: Sequence[SealedLine]) -> list[SealedLine]:
    """Choose this table's lines, of each match those with its beginning; for a place the later one counts."""
    marks = beginnings_in(found)
    own: dict[tuple[int, int], SealedLine] = {}
    for each in copied:
        if each.table == table and marks.setdefault(each.line.match_id, each.beginning) == each.beginning:
            own[each.line.match_id, each.line.number] = each.line
    return on_same_course(own.values(), found)


def on_same_course(lines: Iterable[SealedLine], found: Iterable[SealedLine]) -> list[SealedLine]:
    """Leave out what follows a line that was found otherwise: there the match was played on in another way.

    So it is where the newest lines were lost, others were played, and then the lost ones were found on a stick.
    """
    there, told = {(line.match_id, line.number): line.text for line in found}, list(lines)
    parted: dict[int, int] = {}
    for line in told:
        if line.number and there.get((line.match_id, line.number), line.text) != line.text:
            parted[line.match_id] = min(line.number, parted.get(line.match_id, line.number))
    return [line for line in told if line.number < parted.get(line.match_id, line.number + 1)]


def of_beginnings(lines: Iterable[SealedLine], marks: dict[int, int]) -> Iterator[SealedLine]:
    """Choose of another copy's lines those of the same matches, and of matches that aren't known yet."""
    told = list(lines)
    theirs = beginnings_in(told)
    for line in told:
        mark = theirs.get(line.match_id)
        if mark is not None and marks.setdefault(line.match_id, mark) == mark:
            yield line


def lay_found(path: Path, db: Database, lines: Iterable[SealedLine]) -> None:
    """Lay lines that a journal has lost into its copy, where the next start finds them."""
    laid = read_raw(beside(path, COPY))
    LineCopies(path, table_in(db)).add(db, [line for line in lines if sealed(line) not in laid])


# the table's mark


def new_table() -> int:
    """Draw a mark for a table: the second half checks the first, so that a damaged one is known for that."""
    half = 1 + randbelow(0x7FFF)
    return half << 16 | _check(half)


def is_table(said: int) -> bool:
    """Return whether a mark is whole."""
    return 0 < said < 2**31 and said & 0xFFFF == _check(said >> 16)


def _check(half: int) -> int:
    return crc32(b"%d" % half) & 0xFFFF


def table_of(said: int | None, copied: Iterable[CopiedLine]) -> int:
    """Give the mark of this table: what its database says, or, if that is damaged or gone, what its copy says.

    A database that never had one was written by a version without copies: what lies beside it isn't its own.
    """
    if said is not None and (said == NO_TABLE or is_table(said)):
        return said or new_table()
    return next((each.table for each in copied if is_table(each.table)), None) or new_table()


def table_in_head(path: Path) -> int | None:
    """Read the mark from a database that SQLite can't open; nothing if that part is damaged."""
    return mark_in(read_raw(path))


def mark_in(raw: bytes) -> int | None:
    """Read the mark from the bytes of a database; nothing if that part is damaged."""
    head = raw[:72]
    return int.from_bytes(head[68:]) if head.startswith(b"SQLite format 3\0") and len(head) == 72 else None


class LineCopies:
    """The copy of one journal, which is open for writing."""

    def __init__(self, path: Path, table: int) -> None:
        self._file, self._table = beside(path, COPY), table
        self._beginnings: dict[int, int] = {}
        self._behind = b""

    def add(self, db: Database, lines: Iterable[SealedLine]) -> None:
        """Copy lines that were committed."""
        told = list(lines)
        if any(line.match_id not in self._beginnings for line in told):
            self._beginnings = beginnings_in(heads_of(db))
        self._behind += _copied(told, self._table, self._beginnings)
        with suppress(OSError):
            with self._file.open("ab") as file:
                file.write(self._behind)
            self._behind = b""

    def erase(self) -> None:
        """Remove all of it for good: before something is forgotten, so that no start finds it here again."""
        self._beginnings, self._behind = {}, b""
        if self._file.exists():
            self._file.unlink()
            sync(self._file.parent)

    def bring_up_to_date(self, db: Database) -> None:
        """Make it what the database has, unless it is."""
        self._beginnings, self._behind = beginnings_in(heads_of(db)), b""
        content = _copied(each_line(db), self._table, self._beginnings)
        if read_raw(self._file) != content:
            write_whole(self._file, content)


def is_copied(path: Path, table: int | None, lines: Sequence[SealedLine]) -> bool:
    """Return whether the copy of a journal is what it should be: then there is no need to take it apart."""
    file = beside(path, COPY)
    is_there = table is not None and is_table(table) and file.is_file()
    return is_there and read_raw(file) == _copied(lines, table or 0, beginnings_in(lines))


def _copied(lines: Iterable[SealedLine], table: int, beginnings: Mapping[int, int]) -> bytes:
    marked = ((b"%08x %08x " % (table, beginnings.get(line.match_id, 0)), sealed(line)) for line in lines)
    return b"".join(b"%s%s\n" % each for each in marked)
