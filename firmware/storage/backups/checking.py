"""What has to hold for each part of a backup, before it leaves and before it is let in."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from itertools import groupby
from pathlib import Path

from msgspec import Struct

from firmware.state_folder import CHOSEN
from firmware.storage.backups.parts import CONFIGURATION, EMPTY, TABLE, BackupError, size_limit
from firmware.storage.chosen import merge_choice, read_choice
from firmware.storage.configuration import SettingsError, TableSettings, settings_in
from firmware.storage.database import MIGRATIONS, Database, connect_database, open_database, transaction
from firmware.storage.errors import ERRORS
from firmware.storage.eyes_settings import load_calibration
from firmware.storage.sealed_lines import SEALED, SealedLine, insert, line_of
from referee.record import read_record
from vision.pictures import HEAD, MOST, is_png, stated_pixels
from vision.table.empty_table import load_empty_table

# small files


def reads_well(name: str, file: Path) -> bool:
    """Tell whether a file that stands alone in a backup can be what it should be."""
    return file.stat().st_size <= size_limit(name) and CHECKS[name](file)


def _is_configuration(file: Path) -> bool:
    try:
        settings_in(file)
    except SettingsError:
        return False
    return True


def _is_choice(file: Path) -> bool:
    try:
        merge_choice(TableSettings(), read_choice(file), CHOSEN)
    except SettingsError:
        return False
    return True


def _is_table(file: Path) -> bool:
    return load_calibration(file) is not None


def _is_picture(file: Path) -> bool:
    return is_bounded(file) and load_empty_table(file) is not None


def is_bounded(file: Path) -> bool:
    """Look at how large a picture says it is before it is unpacked."""
    with file.open("rb") as opened:
        head = opened.read(HEAD)
    return is_png(head) and 0 < (stated_pixels(head) or 0) <= MOST


CHECKS: Mapping[str, Callable[[Path], bool]] = {
    CONFIGURATION: _is_configuration,
    CHOSEN: _is_choice,
    TABLE: _is_table,
    EMPTY: _is_picture,
}


# the journal


class RewrittenJournal(Struct, frozen=True):
    """How many matches a journal has, and how many of them can't be read by this version."""

    matches: int
    unread: int


def rewrite_journal(given: Path, fresh: Path) -> RewrittenJournal:
    """Write the lines of a foreign journal into a new one: nothing else of that file gets in."""
    source = sqlite3.connect(f"{given.as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None)
    try:
        with closing(source), closing(open_database(fresh, connect_database)) as target, transaction(target):
            source.execute("PRAGMA trusted_schema = OFF")
            if _schema(source) != _schema(target):
                raise BackupError("backup of no journal")
            return _count_readable(list(_each_match(source, target)))
    except ERRORS as error:
        raise BackupError("backup journal damaged", why=str(error)) from error


def _each_match(source: Database, target: Database) -> Iterator[bool]:
    """Take over a match after the other, and tell whether it could be read."""
    rows = source.execute(SEALED + " ORDER BY match, number")
    for _match, lines in groupby(map(line_of, rows), lambda line: line.match_id):
        kept = list(lines)
        _check_numbers(kept)
        for line in kept:
            insert(target, line)
        yield read_record([line.text for line in kept]).match is not None


def _check_numbers(lines: list[SealedLine]) -> None:
    """Refuse a match that has a gap."""
    if [line.number for line in lines] != list(range(len(lines))):
        raise sqlite3.DatabaseError(f"lines of match {lines[0].match_id} are missing")


def _count_readable(readable: list[bool]) -> RewrittenJournal:
    if readable and not any(readable):
        raise BackupError("backup not understood")
    return RewrittenJournal(len(readable), readable.count(False))


def _schema(db: Database) -> list[tuple[object, ...]]:
    [(version,)] = db.execute("PRAGMA user_version")
    rows = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name")
    return [(version <= len(MIGRATIONS),), *map(tuple, rows)]
