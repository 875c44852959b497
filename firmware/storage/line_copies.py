"""Each sealed line a second time, in a plain file beside the database: one line after the other, as they came.

It is a file and no second table: in SQLite's log both copies of the newest line would stand in neighbouring
frames, where one bad sector hits both, and a damaged first page or frame there hides all that follows. It is
written after the commit and without a sync of its own: a second sync would double what an answer costs
(`python -m tests.trust.flipped_bits` measures what it costs as it is). So what stands here was committed:

- killed before the commit: neither file has the line, and no player was told;
- killed after it, or cut off from power before the system has written this file: the database has the line, and
  the next start copies it;
- not even written, on a full disk: it goes with the next line, or with the next start.

A seal is a plain checksum that another table's line fits, too. So each line here is marked with its table,
which the database names in its `application_id`, and with the beginning of its match; and the mark has a
checksum over itself and the line. The file begins with how many lines the table has told, written over with
each: so lines that are cut off at the ends of all files are missed. Earlier versions wrote no checksum of
marks, and no such number.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from secrets import randbelow
from zlib import crc32

from msgspec import Struct

from firmware.storage import database
from firmware.storage.database import Database, SealedLine, sealed, texts_in
from firmware.storage.files import beside, read_raw
from referee.record import begun_in
from vision.files import private_opener, sync, write_whole

COPY = ".copy"
_MARKS = re.compile(rb"([0-9a-f]{8}) ([0-9a-f]{8}) ")
_TOLD = re.compile(rb"(lines ([0-9]{12}) of ([0-9a-f]{8})) ([0-9a-f]{8})\n")
HEAD = b"SQLite format 3\0"
NO_TABLE = 0  # what a database says that no version with copies has written


class CopiedLine(Struct, frozen=True):
    """A line in the copy, and whose it is; where the mark is damaged that isn't known."""

    line: SealedLine
    table: int | None = None
    beginning: int | None = None
    is_sealed: bool = False  # whether the mark has a checksum that fits


class CopiedLines(Struct, frozen=True):
    """What stands whole in a copy, and how many lines its table has told, if it still says so."""

    lines: Sequence[CopiedLine] = ()
    told: int | None = None
    teller: int = NO_TABLE

    @property
    def table(self) -> int | None:
        return most_said(each.table for each in self.lines if is_table(each.table or 0))

    @property
    def is_counted(self) -> bool:
        """Return whether it says how many lines there were, or never did."""
        is_earlier = bool(self.lines) and not any(each.is_sealed for each in self.lines)
        return self.told is not None or is_earlier


def most_said(said: Iterable[int | None]) -> int | None:
    counted = Counter(each for each in said if each is not None)
    return max(counted, key=counted.__getitem__, default=None)


def beginning_of(head: str) -> int:
    """Give the mark of a match's beginning: when it was begun, or all of a first line that doesn't say it."""
    return crc32((begun_in(head) or head).encode())


def beginnings_in(lines: Iterable[SealedLine]) -> dict[int, int]:
    """Give the mark of each match whose first line is among these; the first one found counts."""
    heads = [line for line in lines if line.number == 0]
    return {head.match_id: beginning_of(head.text) for head in reversed(heads)}


def copied_lines(path: Path) -> CopiedLines:
    file = beside(path, COPY)
    raw = read_raw(file) if file.is_file() else b""
    lines = [_copied_line(raw, at, line) for at, line in database.carve_with_places(raw)]
    if any(each.is_sealed for each in lines):
        lines = [each if each.is_sealed else CopiedLine(each.line) for each in lines]
    told = _TOLD.match(raw)
    if told is None or told[4] != _checksum(told[1]):
        return CopiedLines(lines)
    return CopiedLines(lines, int(told[2]), int(told[3], 16))


def _copied_line(raw: bytes, at: int, line: SealedLine) -> CopiedLine:
    marks = _MARKS.fullmatch(raw[max(0, at - 18) : at])
    if marks is None:
        return CopiedLine(line)
    is_sealed = raw[max(0, at - 27) : at - 18] == _checksum(marks[0] + sealed(line)) + b" "
    # of a match whose first line is lost the beginning isn't known
    return CopiedLine(line, int(marks[1], 16), int(marks[2], 16) or None, is_sealed)


def _checksum(content: bytes) -> bytes:
    return b"%08x" % crc32(content)


def own_lines(copied: CopiedLines, table: int, found: Sequence[SealedLine]) -> list[SealedLine]:
    """Choose this table's lines, of each match those with its beginning; for a place the later one counts.

    A line whose mark is damaged stands where the others of its match do.
    """
    most = copied.table
    ours = [each for each in copied.lines if (most if each.table is None else each.table) == table]
    marks = {**_beginnings_said(ours), **beginnings_in(found)}
    fitting = (each.line for each in ours if each.beginning in {None, marks.get(each.line.match_id)})
    return on_same_course({line.place: line for line in fitting}.values(), found)


def _beginnings_said(lines: Iterable[CopiedLine]) -> dict[int, int]:
    """Give the beginning of each match: what most of its lines say, the first of them by its text, too."""
    said: defaultdict[int, list[int | None]] = defaultdict(list)
    for each in lines:
        own = [] if each.line.number else [beginning_of(each.line.text)]
        said[each.line.match_id] += [each.beginning, *own]
    most = {match_id: most_said(marks) for match_id, marks in said.items()}
    return {match_id: mark for match_id, mark in most.items() if mark is not None}


def lines_only_in_copy(copied: CopiedLines, found: Iterable[SealedLine]) -> list[SealedLine]:
    """Give the lines of a copy that stand nowhere else; a first line with other names does stand there."""
    there = texts_in(found)
    return [each.line for each in copied.lines if not _stands(each.line, there)]


def _stands(line: SealedLine, there: Mapping[tuple[int, int], str]) -> bool:
    text = there.get(line.place)
    if text is None or line.number:
        return text == line.text
    return beginning_of(text) == beginning_of(line.text)


def is_log_of(logged: Sequence[SealedLine], known: Iterable[SealedLine]) -> bool:
    """Return whether a log belongs to a journal: where both have a line, most are the same."""
    there = texts_in(known)
    told = [_stands(line, there) for line in logged if line.place in there]
    return 2 * sum(told) >= len(told)


def on_same_course(lines: Iterable[SealedLine], found: Iterable[SealedLine]) -> list[SealedLine]:
    """Leave out what follows a line that was found otherwise: there the match was played on in another way.

    So it is where the newest lines were lost, others were played, and then a second copy had the lost ones.
    """
    there, told = texts_in(found), list(lines)
    parted: dict[int, int] = {}
    for line in told:
        if line.number and there.get(line.place, line.text) != line.text:
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


def lay_found(path: Path, table: int, here: Iterable[SealedLine], lines: Iterable[SealedLine]) -> None:
    file = beside(path, COPY)
    laid = read_raw(file)
    new = [line for line in lines if sealed(line) not in laid]
    _append(file, _copied(new, table, beginnings_in(here)))


# the table's mark


def new_table() -> int:
    """Draw a mark for a table: the second half checks the first, so that a damaged one is known for that."""
    half = 1 + randbelow(0x7FFF)
    return half << 16 | _check(half)


def is_table(said: int) -> bool:
    return 0 < said < 2**31 and said & 0xFFFF == _check(said >> 16)


def _check(half: int) -> int:
    return crc32(b"%d" % half) & 0xFFFF


def table_of(said: int | None, copied: CopiedLines) -> int:
    """Give the mark of this table: what its database says, or, if that is damaged or gone, what its copy says.

    A database that never had one was written by a version without copies: what lies beside it isn't its own.
    """
    if said is not None and (said == NO_TABLE or is_table(said)):
        return said or new_table()
    return copied.table or new_table()


def mark_in(raw: bytes) -> int | None:
    head = raw[:72]
    return int.from_bytes(head[68:]) if head.startswith(HEAD) and len(head) == 72 else None


def mark_in_log(log: bytes) -> int | None:
    """Read the mark in the newest first page in SQLite's log."""
    return mark_in(log[log.rfind(HEAD) :]) if HEAD in log else None


# the file


class LineCopies:
    """The copy of one journal, which is open for writing."""

    def __init__(self, path: Path, table: int) -> None:
        self._file, self._table = beside(path, COPY), table
        self._beginnings: dict[int, int] = {}
        self._behind = b""
        self._told = 0

    def add(self, db: Database, lines: Iterable[SealedLine]) -> None:
        new = list(lines)
        if any(line.match_id not in self._beginnings for line in new):
            self._beginnings, self._told = beginnings_in(database.heads_of(db)), database.ends_of(db)
        else:
            # a first line that is known already has other names
            self._told += sum(line.number > 0 for line in new)
        self._behind += _copied(new, self._table, self._beginnings)
        with suppress(OSError):
            told = _told(self._told, self._table)
            _append(self._file, self._behind if self._file.exists() else told + self._behind)
            self._behind = b""
            with self._file.open("r+b") as file:
                if _TOLD.match(file.read(len(told))):
                    file.seek(0)
                    file.write(told)

    def erase(self) -> None:
        """Remove all of it for good: before something is forgotten, so that no start finds it here again."""
        self._beginnings, self._behind = {}, b""
        if self._file.exists():
            self._file.unlink()
            sync(self._file.parent)

    def bring_up_to_date(self, db: Database) -> None:
        lines = list(database.each_line(db))
        self._beginnings, self._behind, self._told = beginnings_in(lines), b"", database.ends_of(db)
        content = _whole_copy(lines, self._table)
        if read_raw(self._file) != content:
            write_whole(self._file, content, is_private=True)


def is_copied(path: Path, table: int | None, lines: Sequence[SealedLine]) -> bool:
    """Return whether the copy of a journal is what it should be: then there is no need to take it apart."""
    file = beside(path, COPY)
    is_there = table is not None and is_table(table) and file.is_file()
    return is_there and read_raw(file) == _whole_copy(lines, table or 0)


def _whole_copy(lines: Sequence[SealedLine], table: int) -> bytes:
    return _told(count_told(lines), table) + _copied(lines, table, beginnings_in(lines))


def count_told(lines: Iterable[SealedLine]) -> int:
    """Count the lines that were told, as their numbers say it: those that are lost by now, too."""
    return sum(database.ends_in(lines).values())


def _told(count: int, table: int) -> bytes:
    told = b"lines %012d of %08x" % (count, table)
    return b"%s %s\n" % (told, _checksum(told))


def _copied(lines: Iterable[SealedLine], table: int, beginnings: Mapping[int, int]) -> bytes:
    marked = (b"%08x %08x %s" % (table, beginnings.get(line.match_id, 0), sealed(line)) for line in lines)
    return b"".join(b"%s %s\n" % (_checksum(content), content) for content in marked)


def _append(file: Path, content: bytes) -> None:
    with open(file, "ab", opener=private_opener) as opened:
        opened.write(content)
