"""The match files beside a journal: each match in the documented format, with a sum on each line.

After each commit, the database's new line is appended here without a sync of its own, which would double the
cost of an answer. They are files instead of a second table, because both copies of the newest line would be in
adjacent frames of SQLite's log, and one bad sector could damage both. So every line here was committed:

- killed before the commit: neither has the line, and no player was informed;
- killed after the commit, or power cut before the system has written the file: the database has the line, and
  the next start adds it here;
- not written because the disk is full: the file is rewritten with the next line, or at the next start.

A sum names table, match and number, so that a line needs no other line to be recognized, and another table's
lines are never taken. The first line also has the match's number of lines, updated with each line, which
detects lines lost at the end of all files.
"""

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from secrets import randbelow
from zlib import crc32

from firmware.storage.files import beside, read_raw
from firmware.storage.lines import record_of
from referee.sums import FiledLine, SealedLine, filed, lines_in
from vision.files import make_folder, private_opener, sweep, sync, write_whole

MATCHES = ".matches"  # suffix of the folder beside a journal
LARGEST_MATCH = 20_000_000  # most bytes read of a match's file; one with 70 lines has about 10 kB


def contents_of(table: int, lines: Iterable[SealedLine]) -> dict[str, bytes]:
    """Return the files of matches by name; lines are in order, and a lost one is blank."""
    return {
        f"{match_id}.jsonl": _content_of(table, match_id, record_of(match))
        for match_id, match in groupby(lines, lambda line: line.match_id)
    }


def _content_of(table: int, match_id: int, texts: Sequence[str]) -> bytes:
    lines = (SealedLine(match_id, number, text) for number, text in enumerate(texts))
    return b"".join(filed(table, line, len(texts)) if line.text else b"\n" for line in lines)


def read_files(path: Path) -> dict[str, bytes]:
    files = sorted(beside(path, MATCHES).glob("*.jsonl"))
    return {file.name: read_raw(file, LARGEST_MATCH) for file in files if not file.is_symlink()}


def append(path: Path, table: int, line: SealedLine) -> bool:
    """Append a line to its match's file. Return False if the file lacks earlier lines."""
    try:
        with (beside(path, MATCHES) / f"{line.match_id}.jsonl").open("r+b") as file:
            raw = file.readline()
            head = next(lines_in(raw), None)
            if head is None or (head.table, head.lines) != (table, line.number):
                return False
            file.seek(0, os.SEEK_END)
            file.write(filed(table, line, 0))
            # last: if the line isn't written, the file counts as behind
            file.seek(0)
            file.write(filed(table, head.line, line.number + 1))
    except FileNotFoundError:
        return False
    return True


def write_match(path: Path, table: int, match_id: int, texts: Sequence[str]) -> None:
    """Write a match's file atomically."""
    folder = beside(path, MATCHES)
    make_folder(folder, is_private=True)
    write_whole(folder / f"{match_id}.jsonl", _content_of(table, match_id, texts), is_private=True)


def lay(path: Path, table: int, lines: Iterable[SealedLine]) -> None:
    """Append lines found elsewhere to their matches' files, in any order; the next start takes them in."""
    for line in lines:
        file = beside(path, MATCHES) / f"{line.match_id}.jsonl"
        content = filed(table, line, 0)
        if content not in read_raw(file):
            make_folder(file.parent, is_private=True)
            with open(file, "ab", opener=private_opener) as opened:
                opened.write(content)


def update(path: Path, table: int, lines: Iterable[SealedLine]) -> dict[Path, bytes]:
    """Make the files of these matches, with their lines in order, the only ones. Return the written files."""
    contents = contents_of(table, lines)
    there, folder, written = read_files(path), beside(path, MATCHES), dict[Path, bytes]()
    sweep(folder)
    for name in there.keys() - contents.keys():
        (folder / name).unlink()
    for name, content in contents.items():
        if there.get(name) != content:
            make_folder(folder, is_private=True)
            draft = folder / f".{name}.{os.getpid()}"
            with open(draft, "wb", opener=private_opener) as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            written[draft.replace(folder / name)] = content
    if folder.is_dir():
        sync(folder)
    return written


# the table's id


def new_table() -> int:
    """Return a random id for a table; its second half checks the first, which detects damage."""
    half = 1 + randbelow(0x7FFF)
    return half << 16 | _check(half)


def is_table(number: int) -> bool:
    return 0 < number < 2**31 and number & 0xFFFF == _check(number >> 16)


def _check(half: int) -> int:
    return crc32(b"%d" % half) & 0xFFFF


def table_among(found: Iterable[FiledLine]) -> int | None:
    """Return the table that wrote most lines."""
    counted = Counter(each.table for each in found if is_table(each.table))
    return max(counted, key=counted.__getitem__, default=None)
