"""Mending: a damaged database is moved aside, and all that can still be read goes into a new one."""

import re
from collections.abc import Iterable
from contextlib import ExitStack, closing, suppress
from datetime import datetime
from glob import escape
from pathlib import Path

from firmware.storage.club_outbox import drop_outbox
from firmware.storage.database import Connect, Database, open_database, transaction
from firmware.storage.errors import ERRORS, is_damage
from firmware.storage.files import beside, read_raw
from firmware.storage.sealed_lines import SEALED, SealedLine, carve_lines, count_of, insert, line_of
from vision.files import sync

ASIDES = 8
"""Damaged databases that lie aside at most, the newest; all that could be read of them was taken over."""
_COMPANIONS = ("", "-wal", "-shm", "-journal")
_STAMP = re.compile(r"\.damaged-([0-9]{4,})-[0-9]{8}-[0-9]{6}")


def open_if_sound(path: Path, connect: Connect) -> Database | None:
    """Open the database and read it through; None if it is damaged."""
    try:
        db = open_database(path, connect)
    except ERRORS as error:
        if not is_damage(error, path):
            raise
        return None
    with ExitStack() as undo:
        undo.callback(db.close)
        if not _reads_well(db, path):
            return None
        undo.pop_all()
    return db


def _reads_well(db: Database, path: Path) -> bool:
    """Check the structure, every seal, and that no line is missing before another."""
    try:
        told = list(db.execute("PRAGMA integrity_check(1)"))
        counts: dict[int, int] = {}
        for line in map(line_of, db.execute(SEALED + " ORDER BY match, number")):
            if line.number != counts.get(line.match_id, 0):
                return False
            counts[line.match_id] = line.number + 1
    except ERRORS as error:
        if not is_damage(error, path):
            raise
        return False
    return told == [("ok",)]


def mend(path: Path, logged: list[SealedLine], connect: Connect) -> None:
    """Write all that can still be read into a new database beside the damaged one.

    It gets its final name only when it is complete, and the damaged one is moved only after that: a power
    cut on the way loses nothing.
    """
    found = [*_read_by_sql(path, connect), *carve_lines(read_raw(path)), *logged]
    draft = beside(path, ".mending")
    for ending in _COMPANIONS:
        beside(draft, ending).unlink(missing_ok=True)
    with closing(open_database(draft, connect)) as db, transaction(db):
        for line in _unbroken_lines(found, {}):
            insert(db, line)
    draft.rename(beside(path, f".mended-{_next_stamp(path)}"))
    sync(path.parent)


def put_mended_in_place(path: Path) -> Path | None:
    """Move the damaged database aside, if there is a mended one, and say where it lies now."""
    mended = next(path.parent.glob(escape(path.name) + ".mended-*????????-??????*"), None)
    if mended is None:
        return None
    # its lines may have other places and other neighbours than those that a club was sent
    drop_outbox(path)
    aside = path.with_name(mended.name.replace(".mended-", ".damaged-"))
    for ending in _COMPANIONS:
        with suppress(FileNotFoundError):
            beside(path, ending).rename(beside(aside, ending))
    sync(path.parent)
    mended.rename(path)
    sync(path.parent)
    _leave_newest(path, aside)
    return aside


def _leave_newest(path: Path, newest: Path) -> None:
    """Leave the newest of what lies aside: a disk that breaks again and again mustn't be filled by it."""
    files = sorted(_asides(path), key=lambda file: (_number(file), file.name))
    stems = [*dict.fromkeys(_stem(file) for file in files if _stem(file) != newest.name), newest.name]
    for file in files:
        if _stem(file) in stems[:-ASIDES]:
            file.unlink(missing_ok=True)


def _asides(path: Path) -> Iterable[Path]:
    return path.parent.glob(escape(path.name) + ".damaged-*????????-??????*")


def _number(file: Path) -> int:
    """Give the number of what lies aside; earlier versions gave it none."""
    found = _STAMP.search(file.name)
    return 0 if found is None else int(found[1])


def _stem(file: Path) -> str:
    """Name what lies aside without the ending of one of SQLite's files."""
    ending = next(ending for ending in reversed(_COMPANIONS) if file.name.endswith(ending))
    return file.name.removesuffix(ending)


def _next_stamp(path: Path) -> str:
    """Give a number, by which they are in order, and the time, which is for people: a Pi's clock may jump."""
    number = max(map(_number, _asides(path)), default=0) + 1
    return f"{number:04}-{datetime.now().astimezone():%Y%m%d-%H%M%S}"


def _read_by_sql(path: Path, connect: Connect) -> list[SealedLine]:
    """Read row by row, up to where SQLite gives up."""
    lines: list[SealedLine] = []
    with suppress(*ERRORS), closing(connect(path)) as db:
        for (sealed,) in db.execute("SELECT CAST(seal || text AS BLOB) FROM line NOT INDEXED"):
            lines.extend(carve_lines(sealed or b""))
    return lines


def _unbroken_lines(found: Iterable[SealedLine], counts: dict[int, int]) -> list[SealedLine]:
    """Keep what goes on from the lines counted for each match, without a gap; the first found counts.

    The database is searched before its log: only the log can hold an answer that was given up and given anew.
    """
    lines: dict[tuple[int, int], SealedLine] = {}
    for line in found:
        lines.setdefault((line.match_id, line.number), line)
    kept, next_number = [], dict(counts)
    for match_id, number in sorted(lines):
        if number == next_number.get(match_id, 0):
            next_number[match_id] = number + 1
            kept.append(lines[match_id, number])
    return kept


def add_missing(db: Database, logged: list[SealedLine]) -> list[SealedLine]:
    """Add the lines that stand in the log and that SQLite didn't see there."""
    counts = {match_id: count_of(db, match_id) for match_id in {line.match_id for line in logged}}
    missing = _unbroken_lines(logged, counts)
    if missing:
        with transaction(db):
            for line in missing:
                insert(db, line)
    return missing
