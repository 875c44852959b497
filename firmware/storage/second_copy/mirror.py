"""The mirror: journal, settings, decks and the table's place as they are now, in a folder on a stick.

It is laid out as the table's own folder is. Each file is written whole, read back from the stick, and only then
takes the place of the one before, so that a stick may be pulled out at any moment.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from msgspec import Struct

from firmware.state_folder import CHOSEN
from firmware.storage.backups.packing import copy_database
from firmware.storage.backups.parts import (
    CONFIGURATION,
    DECKS,
    EMPTY,
    JOURNAL,
    TABLE,
    BackupError,
    TablePlaces,
    size_limit,
)
from firmware.storage.configuration import may_read
from firmware.storage.database import table_in
from firmware.storage.errors import ERRORS
from firmware.storage.files import read_raw
from firmware.storage.journal import MatchVersion, open_journal
from firmware.storage.line_copies import beginnings_in, lay_found, of_beginnings, on_same_course
from firmware.storage.mending import places_of
from firmware.storage.sealed_lines import (
    MATCHES,
    SEALED,
    carve_lines,
    each_line,
    line_of,
    lost_places,
)
from vision.files import make_folder, read_json, sync, write_whole
from vision.teaching.taught_decks import DECK

NOTE = "copy.json"
"""What a copy says of itself, written last."""
DRAFT = ".journal.draft"
HOUR = len("2026-11-24T20")
"""So much of a time says in which hour it is: in each, all of a copy is read again once."""
Stamp = tuple[int, int]
"""A file's size, and when it was changed: while both are the same, so is the file."""
NO_STAMP: Stamp = (-1, 0)


class CopyNote(Struct, frozen=True):
    """What a copy says of itself: whose it is, when it was made, what it has."""

    table: str
    made: str
    matches: int = 0
    forgotten: int = 0
    """How often the table had forgotten something by then."""
    files: Mapping[str, Stamp] = {}
    reread: str = ""
    """The hour in which all of it was last read again from the stick."""


def note_of(home: Path) -> CopyNote | None:
    """Read what a copy says of itself; None if it was never finished."""
    try:
        return read_json(home / NOTE, CopyNote, 8_000_000)
    except OSError:
        return None


def found_note(home: Path) -> CopyNote | None:
    """Give what a copy says of itself, or what can be seen of it if that is damaged; None if there is none."""
    journal = home / JOURNAL
    if (note := note_of(home)) is not None or not journal.is_file():
        return note
    made = datetime.fromtimestamp(journal.stat().st_mtime).astimezone().isoformat(timespec="seconds")
    return CopyNote(home.name, made, len(versions_in(journal)))


def places_in_copy(home: Path) -> TablePlaces:
    """Say where a copy has its things."""
    return TablePlaces(home, home / JOURNAL, home / CONFIGURATION)


def update_mirror(
    here: TablePlaces, home: Path, note: CopyNote, *, is_read_again: bool = False, is_damaged: bool = False
) -> CopyNote:
    """Bring a mirror up to date, and give what it says of itself then."""
    make_folder(home)
    if is_damaged:
        put_mirror(here.journal, home / JOURNAL)
    matches = mirror_journal(here.journal, home / JOURNAL)
    wanted = files_to_mirror(here)
    again = [name for name in note.files if is_read_again and not _is_same(wanted, home, name)]
    files = mirror_files(wanted, home, {**note.files, **dict.fromkeys(again, NO_STAMP)})
    after = msgspec.structs.replace(note, matches=matches, files=files)
    write_whole(home / NOTE, msgspec.json.encode(after))
    return after


# the journal


def mirror_journal(journal: Path, mirror: Path) -> int:
    """Copy a journal, unless its copy has the same matches; give how many that are."""
    now = versions_in(journal)
    if now != versions_in(mirror):
        put_mirror(journal, mirror)
    return len(versions_in(mirror))


def put_mirror(journal: Path, mirror: Path) -> None:
    """Copy a journal, read it back from the stick, and only then let it take the place of the mirror."""
    draft = mirror.with_name(DRAFT)
    draft.unlink(missing_ok=True)
    try:
        copy_database(journal, draft)
        flush_to_disk(draft)
        check_database(draft)
        draft.replace(mirror)
    finally:
        draft.unlink(missing_ok=True)
    sync(mirror.parent)


def mend_mirror(mirror: Path) -> bool:
    """Read a mirror again from the stick; tell whether it was damaged, and leave what it still has."""
    if not mirror.exists():
        return False
    flush_to_disk(mirror)
    try:
        check_database(mirror)
    except BackupError:
        with TemporaryDirectory() as scratch:
            draft = Path(scratch) / JOURNAL
            draft.write_bytes(read_raw(mirror))
            # it mends what it opens
            open_journal(draft).journal.close()
            put_mirror(draft, mirror)
        return True
    return False


def take_missing(journal: Path, mirror: Path) -> None:
    """Lay lines that the journal has lost, and that its mirror has, where the next start finds them.

    What goes on longer there is taken only from a mirror of this very journal: where an earlier day was
    restored, what was played later isn't wanted any more.
    """
    if not (journal.exists() and mirror.exists()):
        return
    with suppress(*ERRORS), closing(_open_copy(journal)) as db, closing(_open_copy(mirror)) as copy:
        lacking, is_whole_taken = lost_places(db), table_in(db) == table_in(copy) and has_less(journal, mirror)
        if lacking or is_whole_taken:
            here = list(each_line(db))
            carved = of_beginnings(carve_lines(read_raw(mirror)), beginnings_in(here))
            theirs = on_same_course(carved, here)
            wanted = places_of(theirs) - places_of(here) if is_whole_taken else lacking
            lay_found(journal, db, [line for line in theirs if (line.match_id, line.number) in wanted])


def versions_in(journal: Path) -> list[MatchVersion]:
    """List the matches of a journal or of a copy, without reading them; none if it can't be read."""
    if not journal.exists():
        return []
    with suppress(*ERRORS), closing(_open_copy(journal)) as db:
        return [MatchVersion(row[0], row[3], row[4]) for row in db.execute(MATCHES)]
    return []


def _open_copy(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)


def check_database(file: Path) -> None:
    """Read a copy from the stick, and check its structure, and each line by its seal."""
    try:
        with closing(_open_copy(file)) as db:
            if list(db.execute("PRAGMA integrity_check(1)")) != [("ok",)]:
                raise BackupError("copy damaged", name=JOURNAL)
            for row in db.execute(SEALED):
                line_of(row)
    except ERRORS as error:
        raise BackupError("copy damaged", name=JOURNAL) from error


def remove_from_mirror(mirror: Path, is_gone: Callable[[str], bool]) -> None:
    """Remove matches that were forgotten from a copy; one that can't be read is removed, and made anew."""
    if not mirror.exists():
        return
    with TemporaryDirectory() as scratch:
        draft = Path(scratch) / JOURNAL
        try:
            copy_database(mirror.resolve(), draft)
        except (BackupError, *ERRORS):
            mirror.unlink()
            return
        with open_journal(draft) as opened:
            opened.journal.remove(is_gone)
        mirror_journal(draft, mirror)


def has_less(journal: Path, mirror: Path) -> bool:
    """Tell whether a mirror has matches, or parts of them, that the journal no longer has."""
    now = {version.id: version.lines for version in versions_in(journal)}
    return any(now.get(version.id, 0) < version.lines for version in versions_in(mirror))


# all else


def files_to_mirror(here: TablePlaces) -> dict[str, Path]:
    """Find the files beside the journal, each by its name in the mirror."""
    single = {CONFIGURATION: here.configuration, **{name: here.state / name for name in (CHOSEN, TABLE, EMPTY)}}
    decks = {str(path.relative_to(here.state)): path for path in _deck_files(here.state / DECKS)}
    return {name: file for name, file in {**single, **decks}.items() if _is_wanted(name, file)}


def _deck_files(decks: Path) -> Iterator[Path]:
    for pattern in (f"[!.]*/{DECK}", "[!.]*/[!.]*/*.png"):
        yield from decks.glob(pattern)


def _is_wanted(name: str, file: Path) -> bool:
    return may_read(file) and file.is_file() and 0 < file.stat().st_size <= size_limit(name)


def mirror_files(files: Mapping[str, Path], home: Path, known: Mapping[str, Stamp]) -> dict[str, Stamp]:
    """Copy what has changed, remove what is gone, and give when each file was changed."""
    stamps: dict[str, Stamp] = {}
    for name, file in files.items():
        stamp = (file.stat().st_size, file.stat().st_mtime_ns)
        if known.get(name) != stamp or not _has_size(home / name, stamp[0]):
            _mirror_file(file, home / name)
        stamps[name] = stamp
    for name in known.keys() - files.keys():
        # the names are from the stick
        if size_limit(name):
            (home / name).unlink(missing_ok=True)
    return stamps


def _has_size(file: Path, size: int) -> bool:
    return file.is_file() and not file.is_symlink() and file.stat().st_size == size


def _is_same(wanted: Mapping[str, Path], home: Path, name: str) -> bool:
    """Tell whether a file on the stick is what it was copied from, by what is read from there now."""
    if name not in wanted or not (home / name).is_file():
        return False
    flush_to_disk(home / name)
    return (home / name).read_bytes() == wanted[name].read_bytes()


def _mirror_file(file: Path, mirror: Path) -> None:
    make_folder(mirror.parent)
    if mirror.is_symlink():
        mirror.unlink()
    content = file.read_bytes()
    write_whole(mirror, content)
    flush_to_disk(mirror)
    if mirror.read_bytes() != content:
        raise BackupError("copy damaged", name=mirror.name)


def flush_to_disk(file: Path) -> None:
    """Bring a file to the stick, and drop what memory has of it, so that it is read from there."""
    with file.open("r+b") as opened:
        os.fsync(opened.fileno())
        os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
