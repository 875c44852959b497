"""The copies of earlier days: at the first copy of a new day the mirror as it was goes into a file of its own.

Such a file is a backup as the host downloads it. The newest 14 stay: as many days on which anything was copied.
A mirror that has more than the table goes into one, too: what a table has lost stays on the stick.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from firmware.storage.backups.packing import files_to_pack, stream, write_backup
from firmware.storage.backups.parts import JOURNAL, BackupError
from firmware.storage.backups.unpacking import extract_backup, verify_backup
from firmware.storage.journal import open_journal, open_readonly
from firmware.storage.second_copy.mirror import (
    flush_to_disk,
    note_of,
    places_in_copy,
    versions_in,
)

NIGHTLY = "nightly"
"""The folder of these copies."""
KEPT = 14
_NAME = re.compile(r"(\d{4})-(\d{4}-\d\d-\d\d)\.zip")


def nightly_copies(home: Path) -> tuple[Path, ...]:
    """List the copies of earlier days, newest first; by their numbers, as a Pi's clock may have stood still."""
    files = (file for file in (home / NIGHTLY).glob("*.zip") if _NAME.fullmatch(file.name) and file.is_file())
    return tuple(sorted(files, reverse=True))


def day_of(copy: Path) -> str:
    """Say of which day a copy is."""
    found = _NAME.fullmatch(copy.name)
    return "" if found is None else found[2]


def keep_mirror_of_day(home: Path) -> None:
    """Put the mirror as it is into a file of its own, check it, and remove the oldest ones."""
    note = note_of(home)
    if note is None or not versions_in(home / JOURNAL):
        return
    (home / NIGHTLY).mkdir(exist_ok=True)
    newest = next(iter(nightly_copies(home)), None)
    number = 1 if newest is None else int(newest.name[:4]) + 1
    file = home / NIGHTLY / f"{number:04}-{note.made[:10]}.zip"
    write_backup(file, stream(files_to_pack(places_in_copy(home), home / JOURNAL), note.made))
    flush_to_disk(file)
    verify_backup(file)
    for old in nightly_copies(home)[KEPT:]:
        old.unlink()


def verify_days(home: Path) -> None:
    """Read the copies of all days again from the stick; one that is damaged is told, and stays."""
    for copy in nightly_copies(home):
        flush_to_disk(copy)
        try:
            verify_backup(copy)
        except BackupError as error:
            raise BackupError("copy of day damaged", name=copy.name) from error


# what is forgotten


def bring_days_up_to_date(home: Path, journal: Path, is_gone: Callable[[str], bool]) -> None:
    """Remove forgotten matches from the copies of earlier days; others get the names that they have by now."""
    with open_readonly(journal) as now:
        heads = [match.head for match in now.matches()]
    for copy in nightly_copies(home):
        with TemporaryDirectory() as scratch:
            try:
                _rewrite(copy, Path(scratch), heads, is_gone)
            except BackupError as error:
                if error.problem.key != "no backup":
                    raise
                # damaged: it can't be put back, and can't be changed
                copy.unlink()


def _rewrite(copy: Path, scratch: Path, heads: Sequence[str], is_gone: Callable[[str], bool]) -> None:
    manifest = extract_backup(copy, scratch)
    there = places_in_copy(scratch)
    with open_journal(there.journal) as opened:
        removed = opened.journal.remove(is_gone)
        changed = opened.journal.take_names(heads)
    if removed or changed:
        write_backup(copy, stream(files_to_pack(there, there.journal), manifest.made))
