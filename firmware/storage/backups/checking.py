"""What has to hold for each part of a backup, before it leaves and before it is let in."""

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from firmware.state_folder import CHOSEN
from firmware.storage.backups.parts import CONFIGURATION, EMPTY, TABLE, BackupError, size_limit
from firmware.storage.configuration import SettingsError, TableSettings, merge_choice, read_choice, settings_in
from firmware.storage.eyes_settings import load_calibration
from firmware.storage.files import read_raw
from firmware.storage.line_copies import NO_TABLE, beginnings_in, of_beginnings
from firmware.storage.mending import lines_of_foreign, merge, write_lines
from firmware.storage.sealed_lines import SealedLine, carve_lines, record_of
from referee.record import read_record
from vision.pictures import HEAD, MOST, is_png, load_picture, stated_pixels

# small files


def reads_well(name: str, file: Path) -> bool:
    """Return whether a file that stands alone in a backup can be what it should be."""
    return file.stat().st_size <= size_limit(name) and CHECKS[name](file)


def _is_configuration(file: Path) -> bool:
    try:
        settings_in(file)
    except SettingsError:
        return False
    return True


def _is_choice(file: Path) -> bool:
    try:
        merge_choice(TableSettings(), read_choice(file.parent), CHOSEN)
    except SettingsError:
        return False
    return True


def _is_table(file: Path) -> bool:
    return load_calibration(file) is not None


def _is_picture(file: Path) -> bool:
    return is_bounded(file) and load_picture(file) is not None


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


MOST_MISSING = 100_000
"""Lines that may be missing in a journal from elsewhere, whatever numbers are written there."""


class StagedBackup(Struct, frozen=True):
    """A backup that was checked and waits to be put in place: what it has, and what it lacks."""

    matches: int = 0
    unread: int = 0
    """How many of its matches this version can't read."""
    missing: int = 0
    """Lines that no copy has any more."""
    was_damaged: bool = False
    """Whether other copies were asked."""
    left_out: tuple[str, ...] = ()
    """What couldn't be read when it was made."""
    strange: tuple[str, ...] = ()
    """Settings in it that may not come in."""


class OtherCopies(Struct, frozen=True):
    """What other copies of the same table have, the nearest first: older ones, and newer ones."""

    older: tuple[tuple[SealedLine, ...], ...] = ()
    newer: tuple[tuple[SealedLine, ...], ...] = ()


def rewrite_journal(given: Path, fresh: Path, others: Callable[[], OtherCopies] = OtherCopies) -> StagedBackup:
    """Write the lines of a foreign journal into a new one: nothing else of that file gets in.

    Of a damaged one each line that fits its seal gets in, and what other copies of the same matches have.
    """
    lines = sound = lines_of_foreign(given)
    if lines is None:
        carved = merge(carve_lines(read_raw(given)))
        lines = merge([*carved, *_fitting(carved, others())])
        if not lines:
            raise BackupError("backup of no journal")
    write_lines(fresh, lines, NO_TABLE)
    return replace(_count_readable(lines), was_damaged=sound is None)


def _fitting(carved: list[SealedLine], others: OtherCopies) -> Iterator[SealedLine]:
    """Choose what fills a damaged copy: all that was there before, and of later what it lost in between."""
    ends = {line.match_id: line.number for line in carved}
    marks = beginnings_in(carved)
    for copy in others.older:
        yield from of_beginnings(copy, marks)
    for copy in others.newer:
        yield from (line for line in of_beginnings(copy, marks) if line.number < ends.get(line.match_id, 0))


def _count_readable(lines: list[SealedLine]) -> StagedBackup:
    ends = dict(sorted((line.match_id, line.number + 1) for line in lines))
    if sum(ends.values()) - len(lines) > MOST_MISSING:
        raise BackupError("backup journal damaged", why=f"more than {MOST_MISSING} lines are missing")
    ordered = sorted(lines, key=lambda line: (line.match_id, line.number))
    records = [record_of(match) for _number, match in groupby(ordered, lambda line: line.match_id)]
    readable = [read_record(record).match is not None for record in records]
    if readable and not any(readable):
        raise BackupError("backup not understood")
    return StagedBackup(len(records), readable.count(False), sum(record.count("") for record in records))
