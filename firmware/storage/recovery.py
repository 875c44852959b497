"""Finds every intact line in a journal's files, and builds a new database from them after damage.

Of two copies of a line, the database's comes first, because only it has changed names. Match files are next,
with committed lines only. SQLite's log is last, because it may contain an answer that was rolled back.
"""

import re
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from datetime import datetime
from glob import escape
from itertools import chain
from pathlib import Path
from shutil import rmtree

from msgspec import Struct

from firmware.storage import database, match_files
from firmware.storage.club import OUTBOX
from firmware.storage.database import Connect, Database, carve_lines, each_line, transaction
from firmware.storage.errors import ERRORS, is_damage
from firmware.storage.files import beside, is_locked, read_raw, remove
from firmware.storage.lines import (
    beginnings_in,
    ends_in,
    fills_gap,
    is_in,
    merge,
    of_beginnings,
    on_same_course,
    places_of,
    texts_in,
)
from firmware.storage.match_files import MATCHES
from referee.sums import FiledLine, SealedLine, lines_in
from vision.files import make_folder, sync
from vision.troubles import Problem

ASIDES = 8
"""Most folders with damaged files stored, the newest ones; everything readable was copied from them."""
DAMAGED, DRAFT = ".damaged-", ".draft"
_NUMBER = re.compile(r"\.damaged-([0-9]{4,})-")
_COMPANIONS = ("", "-wal", "-shm", "-journal")
_HEAD = b"SQLite format 3\0"


class Found(Struct, frozen=True):
    """The lines in a journal's files; each file's intact lines count, whatever is damaged in the others."""

    db: Database | None  # the open database, if SQLite reads it completely
    rows: Sequence[SealedLine]  # the database's readable lines
    lines: Sequence[SealedLine]  # the lines of all files
    table: int
    is_damaged: bool
    files: Mapping[str, bytes]  # the match files
    filed: Mapping[str, Sequence[FiledLine]]  # the lines in match files that differ from the rows


class Repaired(Struct, frozen=True):
    """An open database with all lines, and what was repaired."""

    db: Database
    table: int
    aside: Path | None  # the damaged database
    saved: Sequence[SealedLine]  # lines that weren't in the database
    mended: int  # lines that only match files had
    lost_at_end: int  # written lines at the end of matches, of which nothing is left
    is_filed: bool  # whether the match files are complete
    told: tuple[Problem, ...]


def repair(path: Path, connect: Connect, ends: ExitStack) -> Repaired:
    """Open a database; add lines that only other files have, or build a new one after damage."""
    for ending in _COMPANIONS:
        # left by a power cut
        beside(path, DRAFT + ending).unlink(missing_ok=True)
    aside = beside(path, f"{DAMAGED}{_next_stamp(path)}")
    logged, told = _read_log(path, aside)
    found = _find_lines(path, connect, logged, ends)
    there = places_of(found.rows)
    saved = [line for line in found.lines if line.place not in there]
    told += _move_strange(path, found, aside)
    is_filed = _write_files(path, found)
    if found.is_damaged or not there:
        # lines may have other positions and neighbours than those sent to a club
        OUTBOX.drop(path)
    if found.db is None or found.is_damaged:
        if found.db is not None:
            found.db.close()
        db, saved = _rebuild(path, connect, found, aside), list(found.lines)
        ends.callback(db.close)
    else:
        db = found.db
        _add(db, found.table, saved)
    # keep only the newest, so that a failing disk doesn't fill up
    for folder in asides(path)[:-ASIDES]:
        rmtree(folder, ignore_errors=True)
    lost, is_counted = _lost_at_end(found)
    told += [] if is_counted else [Problem("lines not counted")]
    filed = {each.line.place for each in chain(*found.filed.values()) if each.table == found.table}
    mended = len(filed & places_of(found.lines) - there)
    moved = aside / path.name if found.is_damaged else None
    return Repaired(db, found.table, moved, saved, mended, lost, is_filed, tuple(told))


def _find_lines(path: Path, connect: Connect, logged: Sequence[SealedLine], ends: ExitStack) -> Found:
    raw, files = read_raw(path), match_files.read_files(path)
    db, rows = _read_if_sound(path, connect) or (None, _salvage(path, connect, raw))
    if db is not None:
        ends.callback(db.close)
    stated = _mark_in(raw) if db is None else database.table_in(db)
    whole = match_files.contents_of(stated or 0, merge(rows))
    filed = {name: list(lines_in(content)) for name, content in files.items() if whole.get(name) != content}
    # a database without an id is a restored backup's, so files beside it belong to another one
    known = None if rows and stated == 0 else match_files.table_among(chain(*filed.values()))
    table = stated if stated and match_files.is_table(stated) else known or match_files.new_table()
    here, ends_here = beginnings_in(rows), ends_in(rows)
    own = [each.line for each in chain(*filed.values()) if each.table == table]
    own = on_same_course(of_beginnings(own, {**here}), rows)
    # SQLite applies its log as it opens a database: an old page in a damaged log hides a newer one
    hidden = list(of_beginnings(carve_lines(raw), {**here})) if logged else []
    hidden = [line for line in hidden if line.match_id in ends_here]
    lines = merge([*rows, *hidden, *own, *logged])
    # a club gets lines in the order of their rows
    is_damaged = db is None or not places_of(hidden) <= places_of(rows) or fills_gap(rows, lines)
    return Found(db, rows, lines, table, is_damaged, files, filed)


def _read_log(path: Path, aside: Path) -> tuple[list[SealedLine], list[Problem]]:
    """Return the lines in SQLite's log; another journal's log is moved aside, because SQLite would apply it."""
    # before SQLite opens it: SQLite drops a log's content behind a damaged frame, on closing even in the file
    logged = list(carve_lines(read_raw(beside(path, "-wal"))))
    if not logged:
        return [], []
    raw = read_raw(path)
    filed = [*chain(*map(lines_in, match_files.read_files(path).values()))]
    table = _mark_in(raw) or match_files.table_among(filed)
    known = texts_in([*carve_lines(raw), *(each.line for each in filed if each.table == table)])
    same = [known[line.place] == line.text for line in logged if line.number and line.place in known]
    if 2 * sum(same) >= len(same):
        return logged, []
    _move(beside(path, "-wal"), aside)
    beside(path, "-shm").unlink(missing_ok=True)
    return [], [Problem("log laid aside", {"aside": str(aside), "lines": len(logged)})]


def _move_strange(path: Path, found: Found, aside: Path) -> list[Problem]:
    """Move match files aside that have lines of another table or of another course; after damage, all."""
    there, count = texts_in(found.lines), 0
    for name, lines in found.filed.items():
        strange = sum(not is_in(each.line, there) for each in lines)
        count += strange
        if strange or found.is_damaged:
            _move(beside(path, MATCHES) / name, aside)
    return [Problem("copy laid aside", {"aside": str(aside), "lines": count})] if count else []


def _write_files(path: Path, found: Found) -> bool:
    """Complete the match files. Return whether that worked; if the database is damaged, raise OSError."""
    try:
        match_files.update(path, found.table, found.lines)
    except OSError:
        if found.is_damaged:
            raise
        return False
    return True


def build(path: Path, lines: Sequence[SealedLine]) -> None:
    """Write lines into a new journal with a new id, in this order."""
    table = match_files.new_table()
    with closing(database.open_database(path, database.connect_database)) as db:
        _add(db, table, lines)
    make_folder(beside(path, MATCHES))
    match_files.update(path, table, lines)


def _rebuild(path: Path, connect: Connect, found: Found, aside: Path) -> Database:
    """Build a database beside the damaged one, and move it into its place.

    All lines are in match files: after a power cut meanwhile, the next start builds the database from them.
    """
    draft = beside(path, DRAFT)
    with closing(database.open_database(draft, connect)) as db:
        _add(db, found.table, found.lines)
    for ending in _COMPANIONS:
        _move(beside(path, ending), aside)
    draft.rename(path)
    sync(path.parent)
    return database.open_database(path, connect)


def _add(db: Database, table: int, lines: Sequence[SealedLine]) -> None:
    if lines or database.table_in(db) != table:
        with transaction(db):
            list(db.execute(f"PRAGMA application_id = {table}"))
            for line in lines:
                database.insert(db, line)
        with suppress(*ERRORS):
            # the id must be readable although the log is lost
            list(db.execute("PRAGMA wal_checkpoint(PASSIVE)"))


def _lost_at_end(found: Found) -> tuple[int, bool]:
    """Return how many lines are lost at the end of matches, and whether all matches state their number."""
    ends, stated, there = ends_in(found.lines), found.files.keys() - found.filed.keys(), texts_in(found.lines)
    lost = 0
    for name, lines in found.filed.items():
        for each in lines:
            if each.table == found.table and each.line.number == 0 and is_in(each.line, there):
                lost += max(0, each.lines - ends[each.line.match_id])
                stated = stated | {name}
    # a table that is killed as a match begins hasn't written its file yet
    needed = {f"{match_id}.jsonl" for match_id in [*sorted(ends)][:-1]} if found.files else set()
    return lost, {*needed, *found.files} <= stated


def _read_if_sound(path: Path, connect: Connect) -> tuple[Database, list[SealedLine]] | None:
    with ExitStack() as undo:
        try:
            db = database.open_database(path, connect)
            undo.callback(db.close)
            check, lines = list(db.execute("PRAGMA integrity_check(1)")), list(each_line(db))
        except ERRORS as error:
            if not is_damage(error, path):
                raise
            return None
        if check != [("ok",)]:
            return None
        undo.pop_all()
    return db, lines


def _salvage(path: Path, connect: Connect, before: bytes) -> list[SealedLine]:
    """Read a damaged database row by row until SQLite fails, then by the seals.

    The seals are read from its content before SQLite wrote to it.
    """
    lines: list[SealedLine] = []
    with suppress(*ERRORS), closing(connect(path)) as db:
        for (content,) in db.execute("SELECT CAST(seal || text AS BLOB) FROM line NOT INDEXED"):
            lines.extend(carve_lines(content or b""))
    return [*lines, *carve_lines(before)]


def _mark_in(raw: bytes) -> int | None:
    """Return the table's id in a database's header."""
    return int.from_bytes(raw[68:72]) if raw.startswith(_HEAD) and len(raw) >= 72 else None


def snapshot(path: Path, copy: Path) -> None:
    """Copy a journal's files as they are, or as a running table sees them.

    In that case the log isn't copied, because it may contain an answer that was rolled back.
    """
    endings = [""]
    if is_locked(path):
        try:
            with closing(database.connect_to_read(path)) as source, closing(sqlite3.connect(copy)) as target:
                source.backup(target)
            endings = []
        except ERRORS as error:
            if not is_damage(error, path):
                raise
    else:
        endings.append("-wal")
    for ending in endings:
        if beside(path, ending).is_file():
            beside(copy, ending).write_bytes(read_raw(beside(path, ending)))
    beside(copy, MATCHES).mkdir()
    for name, content in match_files.read_files(path).items():
        (beside(copy, MATCHES) / name).write_bytes(content)


# damaged files


def _move(file: Path, aside: Path) -> None:
    if file.exists():
        make_folder(aside, is_private=True)
        file.rename(aside / file.name)
        sync(aside)
        sync(file.parent)


def asides(path: Path) -> list[Path]:
    """Return the folders with a journal's damaged files, oldest first."""
    found = path.parent.glob(f"{escape(path.name)}{DAMAGED}*????????-??????/")
    return sorted(found, key=lambda each: (_number_of(each), each.name))


def remove_damaged(path: Path) -> None:
    """Delete a journal's damaged files, which can't be edited reliably."""
    for damaged in path.parent.glob(f"{escape(path.name)}{DAMAGED}*"):
        remove(damaged)


def _number_of(folder: Path) -> int:
    """Return the number of a folder with damaged files; 0 for a name that isn't ours."""
    found = _NUMBER.search(folder.name)
    return 0 if found is None else int(found[1])


def _next_stamp(path: Path) -> str:
    """Return a number for sorting, and the time for people, because a Pi's clock may jump."""
    number = max(map(_number_of, asides(path)), default=0) + 1
    return f"{number:04}-{datetime.now().astimezone():%Y%m%d-%H%M%S}"
