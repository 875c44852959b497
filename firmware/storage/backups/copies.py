"""The copies of a table on a stick: a backup for each day, the newest of them brought up to date all the time.

Each is read back from the stick before it counts, so that a stick may be pulled out at any moment. The copies
of 14 earlier days stay. One that has more than the table stays, too: what a table has lost is on the stick.
"""

import os
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from firmware.storage.backups.packing import files_to_pack, stream
from firmware.storage.backups.parts import CONFIGURATION, JOURNAL, BackupError, Manifest, TablePlaces
from firmware.storage.backups.unpacking import extract_backup, journal_in, manifest_in, verify_backup
from firmware.storage.errors import JournalError
from firmware.storage.journal import HeldLines, copy_of, open_journal, open_readonly
from firmware.storage.line_copies import beginnings_in, lay_found, mark_in, of_beginnings, on_same_course
from firmware.storage.mending import places_of
from firmware.storage.sealed_lines import SealedLine, carve_lines
from vision.files import write_whole

DAYS = "nightly"
"""The folder of the copies."""
EARLIER = 14
"""Copies that stay beside the newest one."""
_NAME = re.compile(r"(\d{4})-(\d{4}-\d\d-\d\d)\.zip")


def kept_copies(home: Path) -> tuple[Path, ...]:
    """List the copies, newest first; by their numbers, as a Pi's clock may have stood still."""
    files = (file for file in (home / DAYS).glob("*.zip") if _NAME.fullmatch(file.name) and file.is_file())
    return tuple(sorted(files, reverse=True))


def day_of(copy: Path) -> str:
    """Say of which day a copy is."""
    found = _NAME.fullmatch(copy.name)
    return "" if found is None else found[2]


def known_of(copy: Path) -> Manifest | None:
    """Read what a copy says of itself; None if that is damaged."""
    try:
        return manifest_in(copy)
    except (BackupError, OSError):
        return None


def lines_in(copy: Path) -> tuple[SealedLine, ...]:
    """Give all whole lines of the journal in a copy, damaged or not."""
    try:
        return tuple(carve_lines(journal_in(copy)))
    except OSError:
        return ()


# writing


def write_copy(home: Path, here: TablePlaces, made: str, forgotten: int) -> None:
    """Write the copy of this day anew, or begin the next one where the newest has more than the table."""
    newest = next(iter(kept_copies(home)), None)
    is_kept = newest is not None and (day_of(newest) != made[:10] or has_less(here.journal, lines_in(newest)))
    number = (0 if newest is None else int(newest.name[:4])) + (is_kept or newest is None)
    with copy_of(here.journal) as (journal, held):
        _write(home / DAYS / f"{number:04}-{made[:10]}.zip", here, journal, made, held, forgotten)
    for old in kept_copies(home)[EARLIER + 1 :]:
        old.unlink()


def _write(copy: Path, there: TablePlaces, journal: Path, made: str, held: HeldLines, forgotten: int) -> None:
    """Write a copy, and read it back from the stick before it takes the place of another."""
    pieces = stream(files_to_pack(there, journal), made, held, forgotten)
    try:
        write_whole(copy, pieces, verify_from_stick)
    except BackupError as error:
        raise BackupError("copy damaged", name=copy.name) from error


def verify_from_stick(copy: Path) -> None:
    """Read all of a copy from the stick, and not from what memory has of it."""
    with copy.open("r+b") as opened:
        os.fsync(opened.fileno())
        os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    verify_backup(copy)


def verify_earlier(home: Path) -> None:
    """Read the copies of earlier days again from the stick; one that is damaged is told, and stays."""
    for copy in kept_copies(home)[1:]:
        try:
            verify_from_stick(copy)
        except BackupError as error:
            raise BackupError("copy of day damaged", name=copy.name) from error


# what the table has lost


def has_less(journal: Path, copied: Iterable[SealedLine]) -> bool:
    """Return whether a copy has matches, or parts of them, that the journal no longer has."""
    ends = dict[int, int]()
    with suppress(JournalError), open_readonly(journal) as now:
        ends = {each.id: each.lines for each in now.versions()}
    return any(line.number >= ends.get(line.match_id, 0) for line in copied)


def take_missing(journal: Path, copy: Path) -> None:
    """Lay lines that the journal has lost, and that a copy has, where the next start finds them.

    What goes on longer there is taken only from a copy of this very journal: where an earlier day was restored,
    what was played later isn't wanted any more.
    """
    raw = journal_in(copy)
    carved = list(carve_lines(raw))
    with suppress(JournalError), open_readonly(journal) as now:
        lacking = now.lost_places()
        is_whole_taken = now.table == mark_in(raw) and has_less(journal, carved)
        if lacking or is_whole_taken:
            here = now.every_line()
            theirs = on_same_course(of_beginnings(carved, beginnings_in(here)), here)
            wanted = places_of(theirs) - places_of(here) if is_whole_taken else lacking
            found = [line for line in theirs if (line.match_id, line.number) in wanted]
            lay_found(journal, now.table, here, found)


# what is forgotten


def bring_up_to_date(home: Path, journal: Path, is_gone: Callable[[str], bool], forgotten: int) -> None:
    """Remove forgotten matches from all copies, the newest last; others get the names that they have by now."""
    with open_readonly(journal) as now:
        heads = [match.head for match in now.matches()]
    for copy in reversed(kept_copies(home)):
        with TemporaryDirectory() as scratch:
            try:
                _rewrite(copy, Path(scratch), heads, is_gone, forgotten)
            except BackupError as error:
                if error.problem.key != "no backup":
                    raise
                # damaged: it can't be put back, and can't be changed
                copy.unlink()


def _rewrite(
    copy: Path, scratch: Path, heads: Sequence[str], is_gone: Callable[[str], bool], forgotten: int
) -> None:
    manifest = extract_backup(copy, scratch)
    there = places_in(scratch)
    with open_journal(there.journal) as opened:
        opened.journal.remove(is_gone)
        opened.journal.take_names(heads)
        held = opened.journal.held()
    _write(copy, there, there.journal, manifest.made, held, forgotten)


def places_in(folder: Path) -> TablePlaces:
    """Say where a copy that lies in a folder has its things."""
    return TablePlaces(folder, folder / JOURNAL, folder / CONFIGURATION)
