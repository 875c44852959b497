"""A copy of each sealed line in a plain append-only file beside the database.

It is a file instead of a second table, because both copies of the newest line would be in adjacent frames of
SQLite's log. One bad sector could damage both, and a damaged first page or frame there hides everything behind
it. The copy is written after the commit and without a sync of its own, which would double the cost of an answer
(`python -m tests.trust.flipped_bits` measures the present cost). So every line here was committed:

- killed before the commit: neither file has the line, and no player was informed;
- killed after the commit, or power cut before the system has written this file: the database has the line, and
  the next start copies it;
- not written because the disk is full: it is written with the next line, or at the next start.

A seal is a plain checksum, which another table's line matches, too. Therefore each line here is marked with its
table, which the database stores in its `application_id`, and with the start of its match. The mark has a
checksum over itself and the line. The file begins with the table's number of lines, updated with each line,
which detects lines lost at the end of all files.
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
_COUNT_LINE = re.compile(rb"(lines ([0-9]{12}) of ([0-9a-f]{8})) ([0-9a-f]{8})\n")
HEAD = b"SQLite format 3\0"
NO_TABLE = 0  # the id in the database of a restored backup


class CopiedLine(Struct, frozen=True):
    """A line in the copy with its table and match; these are unknown if the mark is damaged."""

    line: SealedLine
    table: int | None = None
    beginning: int | None = None
    is_sealed: bool = False  # whether the mark has a valid checksum


class CopiedLines(Struct, frozen=True):
    """The intact lines of a copy, and the table's number of lines, if readable."""

    lines: Sequence[CopiedLine] = ()
    told: int | None = None
    teller: int = NO_TABLE

    @property
    def table(self) -> int | None:
        return most_frequent(each.table for each in self.lines if is_table(each.table or 0))

    @property
    def is_counted(self) -> bool:
        """Return whether the number of lines is readable."""
        return self.told is not None


def most_frequent(values: Iterable[int | None]) -> int | None:
    counted = Counter(each for each in values if each is not None)
    return max(counted, key=counted.__getitem__, default=None)


def beginning_of(head: str) -> int:
    """Return the mark of a match's start: its start time, or else the whole first line."""
    return crc32((begun_in(head) or head).encode())


def beginnings_in(lines: Iterable[SealedLine]) -> dict[int, int]:
    """Return the marks of all matches whose first line is among these; the first one found wins."""
    heads = [line for line in lines if line.number == 0]
    return {head.match_id: beginning_of(head.text) for head in reversed(heads)}


def copied_lines(path: Path) -> CopiedLines:
    file = beside(path, COPY)
    raw = read_raw(file) if file.is_file() else b""
    lines = [_copied_line(raw, at, line) for at, line in database.carve_with_places(raw)]
    if any(each.is_sealed for each in lines):
        lines = [each if each.is_sealed else CopiedLine(each.line) for each in lines]
    head = _COUNT_LINE.match(raw)
    if head is None or head[4] != _checksum(head[1]):
        return CopiedLines(lines)
    return CopiedLines(lines, int(head[2]), int(head[3], 16))


def _copied_line(raw: bytes, at: int, line: SealedLine) -> CopiedLine:
    marks = _MARKS.fullmatch(raw[max(0, at - 18) : at])
    if marks is None:
        return CopiedLine(line)
    is_sealed = raw[max(0, at - 27) : at - 18] == _checksum(marks[0] + sealed(line)) + b" "
    # without its first line, the start of a match is unknown
    return CopiedLine(line, int(marks[1], 16), int(marks[2], 16) or None, is_sealed)


def _checksum(content: bytes) -> bytes:
    return b"%08x" % crc32(content)


def own_lines(copied: CopiedLines, table: int, found: Sequence[SealedLine]) -> list[SealedLine]:
    """Return this table's lines of matches with the right start; the last one for each position wins.

    A line with a damaged mark belongs where the others of its match do.
    """
    most = copied.table
    ours = [each for each in copied.lines if (most if each.table is None else each.table) == table]
    marks = {**_beginnings_by_majority(ours), **beginnings_in(found)}
    fitting = (each.line for each in ours if each.beginning in {None, marks.get(each.line.match_id)})
    return on_same_course({line.place: line for line in fitting}.values(), found)


def _beginnings_by_majority(lines: Iterable[CopiedLine]) -> dict[int, int]:
    """Return each match's start by majority of its lines; the text of a first line counts, too."""
    starts: defaultdict[int, list[int | None]] = defaultdict(list)
    for each in lines:
        own = [] if each.line.number else [beginning_of(each.line.text)]
        starts[each.line.match_id] += [each.beginning, *own]
    most = {match_id: most_frequent(marks) for match_id, marks in starts.items()}
    return {match_id: mark for match_id, mark in most.items() if mark is not None}


def lines_only_in_copy(copied: CopiedLines, found: Iterable[SealedLine]) -> list[SealedLine]:
    """Return the lines that only a copy has; a first line with other names isn't one."""
    there = texts_in(found)
    return [each.line for each in copied.lines if not _is_in(each.line, there)]


def _is_in(line: SealedLine, there: Mapping[tuple[int, int], str]) -> bool:
    text = there.get(line.place)
    if text is None or line.number:
        return text == line.text
    return beginning_of(text) == beginning_of(line.text)


def is_log_of(logged: Sequence[SealedLine], known: Iterable[SealedLine]) -> bool:
    """Return whether a log belongs to a journal: most lines that both have are equal."""
    there = texts_in(known)
    are_same = [_is_in(line, there) for line in logged if line.place in there]
    return 2 * sum(are_same) >= len(are_same)


def on_same_course(lines: Iterable[SealedLine], found: Iterable[SealedLine]) -> list[SealedLine]:
    """Remove lines after one that differs in `found`, because the match continued differently there.

    This happens if the newest lines were lost, others were played, and then a copy had the lost ones.
    """
    there, known = texts_in(found), list(lines)
    parted: dict[int, int] = {}
    for line in known:
        if line.number and there.get(line.place, line.text) != line.text:
            parted[line.match_id] = min(line.number, parted.get(line.match_id, line.number))
    return [line for line in known if line.number < parted.get(line.match_id, line.number + 1)]


def of_beginnings(lines: Iterable[SealedLine], marks: dict[int, int]) -> Iterator[SealedLine]:
    """Yield another copy's lines of the same matches, and of unknown matches."""
    others = list(lines)
    theirs = beginnings_in(others)
    for line in others:
        mark = theirs.get(line.match_id)
        if mark is not None and marks.setdefault(line.match_id, mark) == mark:
            yield line


def lay_found(path: Path, table: int, here: Iterable[SealedLine], lines: Iterable[SealedLine]) -> None:
    file = beside(path, COPY)
    laid = read_raw(file)
    new = [line for line in lines if sealed(line) not in laid]
    _append(file, _copied(new, table, beginnings_in(here)))


# the table's id


def new_table() -> int:
    """Return a random id for a table; its second half checks the first, which detects damage."""
    half = 1 + randbelow(0x7FFF)
    return half << 16 | _check(half)


def is_table(number: int) -> bool:
    return 0 < number < 2**31 and number & 0xFFFF == _check(number >> 16)


def _check(half: int) -> int:
    return crc32(b"%d" % half) & 0xFFFF


def table_of(stored: int | None, copied: CopiedLines) -> int:
    """Return this table's id from its database, or, if damaged or missing there, from its copy.

    A database without an id is a restored backup's, so a copy beside it belongs to another one.
    """
    if stored is not None and (stored == NO_TABLE or is_table(stored)):
        return stored or new_table()
    return copied.table or new_table()


def mark_in(raw: bytes) -> int | None:
    head = raw[:72]
    return int.from_bytes(head[68:]) if head.startswith(HEAD) and len(head) == 72 else None


def mark_in_log(log: bytes) -> int | None:
    """Return the id in the newest first page in SQLite's log."""
    return mark_in(log[log.rfind(HEAD) :]) if HEAD in log else None


# the file


class LineCopies:
    """The copy of one journal, open for writing."""

    def __init__(self, path: Path, table: int) -> None:
        self._file, self._table = beside(path, COPY), table
        self._beginnings: dict[int, int] = {}
        self._behind = b""
        self._written = 0

    def add(self, db: Database, lines: Iterable[SealedLine]) -> None:
        new = list(lines)
        if any(line.match_id not in self._beginnings for line in new):
            self._beginnings, self._written = beginnings_in(database.heads_of(db)), database.ends_of(db)
        else:
            # a first line that is already known only has other names
            self._written += sum(line.number > 0 for line in new)
        self._behind += _copied(new, self._table, self._beginnings)
        with suppress(OSError):
            head = _count_line(self._written, self._table)
            _append(self._file, self._behind if self._file.exists() else head + self._behind)
            self._behind = b""
            with self._file.open("r+b") as file:
                if _COUNT_LINE.match(file.read(len(head))):
                    file.seek(0)
                    file.write(head)

    def erase(self) -> None:
        """Erase all copied lines before something is forgotten, so that no start restores it from here."""
        self._beginnings, self._behind = {}, b""
        if self._file.exists():
            self._file.unlink()
            sync(self._file.parent)

    def bring_up_to_date(self, db: Database) -> None:
        lines = list(database.each_line(db))
        self._beginnings, self._behind, self._written = beginnings_in(lines), b"", database.ends_of(db)
        content = _whole_copy(lines, self._table)
        if read_raw(self._file) != content:
            write_whole(self._file, content, is_private=True)


def is_copied(path: Path, table: int | None, lines: Sequence[SealedLine]) -> bool:
    """Return whether the copy of a journal is up to date, so that it needn't be parsed."""
    file = beside(path, COPY)
    is_there = table is not None and is_table(table) and file.is_file()
    return is_there and read_raw(file) == _whole_copy(lines, table or 0)


def _whole_copy(lines: Sequence[SealedLine], table: int) -> bytes:
    return _count_line(count_told(lines), table) + _copied(lines, table, beginnings_in(lines))


def count_told(lines: Iterable[SealedLine]) -> int:
    """Return the number of lines ever written, by their numbers, including lost ones."""
    return sum(database.ends_in(lines).values())


def _count_line(count: int, table: int) -> bytes:
    count_line = b"lines %012d of %08x" % (count, table)
    return b"%s %s\n" % (count_line, _checksum(count_line))


def _copied(lines: Iterable[SealedLine], table: int, beginnings: Mapping[int, int]) -> bytes:
    marked = (b"%08x %08x %s" % (table, beginnings.get(line.match_id, 0), sealed(line)) for line in lines)
    return b"".join(b"%s %s\n" % (_checksum(content), content) for content in marked)


def _append(file: Path, content: bytes) -> None:
    with open(file, "ab", opener=private_opener) as opened:
        opened.write(content)
