"""Putting a checked backup in the place of what is here, when the table starts, before anything is opened.

Each step is a renaming, and may be done again: wherever the power fails, the next start goes on from there, so
that either all is as it was or all is as in the backup. What was here is moved aside, never deleted.
"""

import errno
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import chain, count
from pathlib import Path

from msgspec import Struct

from firmware.state_folder import CHOSEN, NEW, READY, RESTORING, TRIAL
from firmware.storage.allowed_settings import strange_settings
from firmware.storage.backups.parts import (
    CONFIGURATION,
    DECKS,
    EMPTY,
    JOURNAL,
    SCRATCH,
    TABLE,
    BackupError,
    TablePlaces,
    backup_lock,
)
from firmware.storage.club import OUTBOX
from firmware.storage.configuration import SettingsError, settings_in, settings_or_usual
from firmware.storage.errors import journal_errors
from firmware.storage.files import beside, journal_lock
from firmware.storage.kept import Kept
from firmware.storage.line_copies import COPY
from firmware.storage.mending import put_mended_in_place
from firmware.storage.wired_board import is_fit_board
from vision.files import make_folder, sync, write_whole
from vision.troubles import Problem

BEFORE = "before-"
KEPT = 2
"""Folders of what was here before that are kept: the newest."""
RESTORED_CONFIGURATION = "restored.toml"
"""Where a restored configuration lies if its own folder can't be written to."""


class BackupMark(Struct, frozen=True):
    """What says that a backup was checked and may be put in place."""

    before: str
    """The folder for what is here now."""
    made: str
    matches: int
    parts: tuple[str, ...]
    """What the backup holds, by the first part of its path."""


MARK = Kept[BackupMark | None](f"{RESTORING}/{READY}", BackupMark, None)
"""The mark of a backup that waits to be put in place."""


def finish_restore(here: TablePlaces) -> tuple[Problem, ...]:
    """Put a backup in place, if one waits, and tell what was done; not while a table plays here."""
    if not any(_leftovers(here.state)):
        return ()
    try:
        with journal_errors(here.state), backup_lock(here.state):
            mark = MARK.read(here.state)
            if mark is None:
                _sweep(here.state)
                return ()
            make_folder(here.journal.parent)
            with journal_lock(here.journal):
                return _report_restore(here, mark, tuple(place_parts(here, mark)))
    except BackupError:
        # another process makes or reads a backup just now: what waits can wait for the next start
        return ()


def place_parts(here: TablePlaces, mark: BackupMark) -> Iterator[str]:
    """Do one step after the other, and name what was put in place or removed after each."""
    put_mended_in_place(here.journal)
    OUTBOX.drop(here.journal)
    before = here.state / mark.before
    before.mkdir(exist_ok=True)
    sync(here.state)
    for name, target in _targets(here).items():
        new = here.state / RESTORING / NEW / name
        if new.exists() or name not in mark.parts:
            for _step in _place_part(new, target, before / name):
                yield name
    for _step in _place_configuration(here, before):
        yield CONFIGURATION
    with suppress(OSError):
        # in an empty place nothing was laid aside
        before.rmdir()
    (here.state / RESTORING / READY).unlink()
    sync(here.state / RESTORING)
    yield READY
    _sweep(here.state)
    yield RESTORING


def undo_restore(here: TablePlaces) -> None:
    """Take back what was put in place of a backup that can't be finished; it waits no more, whole as it was.

    Each step is a renaming that may be done again, as above.
    """
    mark = MARK.read(here.state)
    if mark is None:
        return
    with journal_errors(here.state), backup_lock(here.state), journal_lock(here.journal):
        OUTBOX.drop(here.journal)
        for name, target in {**_targets(here), CONFIGURATION: here.configuration}.items():
            before, new = here.state / mark.before / name, here.state / RESTORING / NEW / name
            # a configuration that was the same already was only dropped
            is_new = name in mark.parts and name != CONFIGURATION
            if target.exists() and not new.exists() and (before.exists() or is_new):
                _move(target, new)
            if before.exists() and not target.exists():
                _move(before, target)
        (here.state / RESTORING / READY).unlink()
        sync(here.state / RESTORING)
        with suppress(OSError):
            (here.state / mark.before).rmdir()


def _targets(here: TablePlaces) -> Mapping[str, Path]:
    """Say where each part belongs; what lies beside the journal goes before it."""
    endings = (COPY, "-wal", "-shm", "-journal", "")
    journals = {f"{JOURNAL}{ending}": beside(here.journal, ending) for ending in endings}
    return {**journals, **{name: here.state / name for name in (CHOSEN, TRIAL, TABLE, EMPTY, DECKS)}}


def _place_part(new: Path, target: Path, aside: Path) -> Iterator[None]:
    """Move what is here aside, then what is new in its place; neither need be there."""
    if target.exists():
        _move(target, _unused_path(aside))
        yield
    if new.exists():
        _move(new, target)
        yield


def _place_configuration(here: TablePlaces, before: Path) -> Iterator[None]:
    """Put the configuration in place, if there is one, its folder is ours, and its board is here."""
    new, target = here.state / RESTORING / NEW / CONFIGURATION, here.configuration
    if not new.exists():
        return
    (here.state / RESTORED_CONFIGURATION).unlink(missing_ok=True)
    if target.exists() and target.read_bytes() == new.read_bytes():
        new.unlink()
    elif (
        os.access(next(folder for folder in target.parents if folder.exists()), os.W_OK)
        and not _leads_elsewhere(new, target)
        and _has_board(new)
    ):
        yield from _place_part(new, target, before / CONFIGURATION)
    else:
        _move(new, here.state / RESTORED_CONFIGURATION)
        yield


def _has_board(configuration: Path) -> bool:
    """Return whether the board of a configuration is one that a table could start with here."""
    try:
        board = settings_in(configuration).board
    except SettingsError:
        return False
    return is_fit_board(board.profile, board.own_profiles)


def _leads_elsewhere(new: Path, own: Path) -> bool:
    """Return whether a configuration names other machines or files than this table's own does.

    A backup may be a stranger's: it must not have the table call addresses, or read files, by a tap on a page.
    """
    try:
        settings = settings_in(new)
    except SettingsError:
        return False
    return strange_settings(settings, settings_or_usual(own)) != ()


def _move(source: Path, target: Path) -> None:
    """Rename, so that it lasts; what lies on another disk is copied whole first."""
    make_folder(target.parent)
    try:
        source.rename(target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        write_whole(target, source.read_bytes())
        source.unlink()
    sync(source.parent)
    sync(target.parent)


def _unused_path(path: Path) -> Path:
    names = chain([path], (path.with_name(f"{path.name}-{number}") for number in count(2)))
    return next(name for name in names if not name.exists())


# afterwards


def _leftovers(state: Path) -> list[Path]:
    """Find what a backup has left: one that waits, or was never finished."""
    restoring = state / RESTORING
    return [*([restoring] if restoring.exists() else []), *state.glob(f"{SCRATCH}*")]


def _sweep(state: Path) -> None:
    """Remove what a backup has left that was never finished, or is in place by now."""
    for left in _leftovers(state):
        shutil.rmtree(left, ignore_errors=True)


def next_folder(state: Path, prefix: str, today: str) -> str:
    """Name a new folder: by a number first, as a Pi's clock may have stood still."""
    said = [each.name.removeprefix(prefix).split("-")[0] for each in state.glob(f"{prefix}*")]
    return f"{prefix}{max(map(int, filter(str.isdigit, said)), default=0) + 1:04}-{today}"


def before_folders(state: Path) -> tuple[Path, ...]:
    """List the folders of what was here before, newest first."""
    return tuple(sorted((each for each in state.glob(f"{BEFORE}*") if each.is_dir()), reverse=True))


def size_of(folder: Path) -> int:
    """Add up the files of a folder."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def _report_restore(here: TablePlaces, mark: BackupMark, steps: tuple[str, ...]) -> tuple[Problem, ...]:
    made, folder = mark.made[:16].replace("T", " "), here.state / mark.before
    place = "backup in place" if folder.exists() else "backup in empty place"
    told = [Problem(place, {"made": made, "matches": mark.matches, "folder": str(folder)})]
    if CONFIGURATION in steps and (here.state / RESTORED_CONFIGURATION).exists():
        aside = here.state / RESTORED_CONFIGURATION
        why = "leads elsewhere" if _leads_elsewhere(aside, here.configuration) else "by hand"
        told.append(Problem(f"configuration {why}", {"file": str(aside), "target": str(here.configuration)}))
    for old in before_folders(here.state)[KEPT:]:
        shutil.rmtree(old, ignore_errors=True)
        told.append(Problem("before removed", {"folder": str(old)}))
    return tuple(told)
