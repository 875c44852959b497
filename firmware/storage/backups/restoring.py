"""Restoring: a backup is checked and staged, and the next start replaces the current state with it.

What this table has forgotten is left out.

Nothing changes before a mark, written last, confirms that everything was checked. Each step of the start is a
rename and can be repeated. After a power cut, the next start continues, so either all or nothing is restored.
The replaced state is moved aside, never deleted.
"""

import errno
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from datetime import datetime
from itertools import chain, count, groupby
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from firmware import state_folder
from firmware.state_folder import (
    CHOSEN,
    CONFIGURATION,
    DECKS,
    EMPTY_TABLE,
    FOUND_TABLE,
    JOURNAL,
    NEW,
    RESTORING,
)
from firmware.storage import configuration
from firmware.storage.backups import archive
from firmware.storage.backups.archive import (
    MOST_LINES,
    Manifest,
    TablePlaces,
    day_of,
    filed_or_none,
    kept_copies,
    open_backup,
)
from firmware.storage.backups.camera_logins import with_own_login, without_login
from firmware.storage.club import OUTBOX
from firmware.storage.errors import BackupError, journal_errors
from firmware.storage.files import Kept, beside, journal_lock, remove
from firmware.storage.forgotten_names import KEPT_NAMES
from firmware.storage.journal import NEUTRAL, unused_name
from firmware.storage.lines import beginnings_in, count_told, ends_in, merge, of_beginnings, record_of
from firmware.storage.match_files import MATCHES
from firmware.storage.match_marks import FORGOTTEN_MARKS, mark_of
from firmware.storage.recovery import build
from firmware.storage.state_copies import keep_form
from firmware.storage.wired_board import is_fit_board
from referee.match import name_key
from referee.record import begun_in, names_in, read_record, with_names
from referee.sums import SealedLine
from vision.files import make_folder, sync, write_whole
from vision.table.camera_names import shown_name
from vision.teaching.picture_folders import DeckTroubleError
from vision.teaching.taught_decks import load_deck
from vision.troubles import Problem

RESERVE = 64_000_000  # bytes that must stay free on the disk
SCRATCH = ".backup-"
"""Prefix of folders for an uploaded backup, and for the state before a restore."""
CAMERA = "camera.name"
KEPT = 2  # number of folders with earlier states; the newest ones are kept


class StagedBackup(Struct, frozen=True):
    """A backup that was checked and waits for the next start, with its gaps."""

    matches: int = 0
    unread: int = 0  # matches that this version can't read
    missing: int = 0  # lines missing from all copies
    was_damaged: bool = False  # whether other copies were searched
    left_out: tuple[str, ...] = ()  # files that couldn't be read when it was made
    strange: tuple[str, ...] = ()  # settings in it that aren't accepted


class BackupMark(Struct, frozen=True):
    """Confirms that a backup was checked and may be restored."""

    before: str  # the folder for the current state
    made: str
    matches: int
    parts: tuple[str, ...]  # the backup's content, by the first part of each path


MARK = Kept[BackupMark | None](f"{RESTORING}/{state_folder.READY}", BackupMark, None)


# checking and staging


class StageJob(Struct, frozen=True):
    """A backup to check and stage, and its table's paths."""

    file: Path
    here: TablePlaces


class StageReport(Struct, frozen=True):
    """The staged backup, or why staging failed."""

    staged: StagedBackup = StagedBackup()
    trouble: Problem | None = None


def do_stage_job(job: StageJob) -> StageReport:
    try:
        return StageReport(stage(job.file, job.here))
    except BackupError as error:
        return StageReport(trouble=error.problem)
    except OSError as error:
        return StageReport(trouble=Problem("backup not laid ready", {"why": error.strerror or str(error)}))


def discard_staged(state: Path) -> None:
    """Delete the staged files of a process that was killed, unless another one is working."""
    with suppress(BackupError), archive.backup_lock(state):
        shutil.rmtree(state / RESTORING, ignore_errors=True)


def stage(file: Path, here: TablePlaces) -> StagedBackup:
    """Check and stage a backup; any problem raises BackupError and changes nothing.

    Damaged lines in a day's copy are replaced by those of other days beside it. If a copy can't be unpacked,
    its journal is restored with the other files of the newest intact one.
    """
    file = file.resolve()
    with archive.backup_lock(here.state):
        if MARK.read(here.state) is not None:
            raise BackupError("backup waits")
        with ExitStack() as undo:
            # also with a mark: a backup reported as failed must not be restored at the next start
            undo.callback(shutil.rmtree, here.state / RESTORING, ignore_errors=True)
            try:
                staged = _lay_ready(file, here)
            except OSError as error:
                raise BackupError("backup not laid ready", why=error.strerror or str(error)) from error
            undo.pop_all()
    return staged


def _lay_ready(file: Path, here: TablePlaces) -> StagedBackup:
    new = here.state / RESTORING / NEW
    shutil.rmtree(new.parent, ignore_errors=True)
    try:
        manifest = _unpack(file, new)
    except BackupError as error:
        # a damaged copy of a day may still have lines
        is_damaged = error.problem.key in {"no backup", "backup part damaged", "backup deck damaged"}
        if file.parent.name != archive.DAYS or not is_damaged or not filed_or_none(file):
            raise
        manifest = _unpack_others(file, new)
    lines, was_damaged = _lines_in(file)
    lost = manifest.told - len(lines)
    lines = forget_again(lines, here.state)
    matches, unread, missing = _count_readable(lines)
    with journal_errors(new / JOURNAL):
        build(new / JOURNAL, lines)
    missing = max(missing, lost)
    strange = _lay_settings(new, here)
    staged = StagedBackup(matches, unread, missing, was_damaged, manifest.left_out, strange)
    for path in (*new.rglob("*"), new, new.parent, here.state):
        sync(path)
    today = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    parts = tuple(sorted({JOURNAL, JOURNAL + MATCHES, *(name.split("/")[0] for name in manifest.files)}))
    mark = BackupMark(next_folder(here.state, state_folder.BEFORE, today), manifest.made, staged.matches, parts)
    MARK.keep(here.state, mark)
    return staged


def forget_again(lines: Sequence[SealedLine], state: Path) -> list[SealedLine]:
    """Drop the matches of evenings that this table has forgotten, and replace the names forgotten since."""
    marks, names = frozenset(FORGOTTEN_MARKS.read(state)), KEPT_NAMES.read(state)
    begun = {line.match_id: begun_in(line.text) for line in lines if line.number == 0}
    dropped = {match for match, at in begun.items() if mark_of(at) in marks}
    taken = {name_key(name) for line in lines if line.number == 0 for name in names_in(line.text)}
    fresh, left = dict[str, str](), list[SealedLine]()
    for line in (each for each in lines if each.match_id not in dropped):
        players = names_in(line.text) if line.number == 0 else ()
        gone = names.are_gone(players, begun.get(line.match_id, ""))
        for key in sorted(set(map(name_key, gone)) - fresh.keys()):
            fresh[key] = unused_name(NEUTRAL, taken)
            taken.add(name_key(fresh[key]))
        now = tuple(fresh[name_key(each)] if each in gone else each for each in players)
        left.append(replace(line, text=with_names(line.text, now)) if gone else line)
    return left


def _lay_settings(new: Path, here: TablePlaces) -> tuple[str, ...]:
    """Return the settings that aren't accepted. If it is this table's camera, it gets its login back."""
    own, strange = configuration.own_settings(here.configuration, here.state), tuple[str, ...]()
    if (new / CONFIGURATION).exists():
        camera = configuration.settings_or_usual(here.configuration).camera.name
        text = with_own_login((new / CONFIGURATION).read_text(encoding="utf-8"), camera)
        (new / CONFIGURATION).write_text(text, encoding="utf-8")
    choice = configuration.read_choice(new)
    if choice.camera.get("name") == shown_name(own.camera.name):
        choice = replace(choice, camera={**choice.camera, "name": own.camera.name})
    given = configuration.merge_choice(configuration.settings_or_usual(new / CONFIGURATION), choice, "")
    if (new / CHOSEN).exists():
        choice, strange = configuration.leave_out_strange(choice, own)
        configuration.CHOICE.keep(new, choice)
    if CAMERA not in configuration.strange_settings(given, own):
        return strange
    for name in (FOUND_TABLE, EMPTY_TABLE):
        # another camera sees the table from elsewhere
        (new / name).unlink(missing_ok=True)
    return tuple(dict.fromkeys((*strange, CAMERA)))


def _unpack(file: Path, new: Path) -> Manifest:
    shutil.rmtree(new, ignore_errors=True)
    make_folder(new)
    with open_backup(file) as there:
        size = sum(content.size for content in there.manifest.files.values())
        if size > archive.MOST_BYTES:
            raise BackupError("backup too large")
        if shutil.disk_usage(new.parents[1]).free < size + RESERVE:
            raise BackupError("backup needs room", needed=(size + RESERVE) // 1_000_000 + 1)
        for name, content in there.contents():
            make_folder((new / name).parent)
            (new / name).write_bytes(content)
    for name in archive.READERS:
        if (new / name).exists() and not archive.reads_well(name, new / name):
            raise BackupError("backup part damaged", name=name)
    for deck in (new / DECKS).glob("*"):
        try:
            load_deck(deck)
        except DeckTroubleError as error:
            raise BackupError("backup deck damaged", name=deck.name) from error
    return there.manifest


def _unpack_others(file: Path, new: Path) -> Manifest:
    """Unpack the newest intact day's files for a journal whose own backup can't be unpacked."""
    lost = (CONFIGURATION, CHOSEN, FOUND_TABLE, DECKS)
    for day in kept_copies(file.parents[1]):
        with suppress(BackupError):
            rest = _unpack(day, new)
            return replace(rest, made=day_of(file), left_out=(*lost, *rest.left_out), lines=0, told=0)
    shutil.rmtree(new)
    make_folder(new)
    return Manifest(archive.FORMAT, "", day_of(file), {}, lost)


def _lines_in(file: Path) -> tuple[list[SealedLine], bool]:
    """Return the lines of a backup, and whether it was damaged; for a day's copy then also those beside it."""
    found, is_damaged = archive.filed_in(file)
    if not is_damaged:
        # a stranger's file may have a line twice
        return [*{each.line.place: each.line for each in found}.values()], False
    lines = merge(each.line for each in found)
    ends, marks = ends_in(lines), beginnings_in(lines)
    days = kept_copies(file.parents[1]) if file.parent.name == archive.DAYS else ()
    older = [day for day in days if day.name < file.name]
    for day in (*older, *reversed(days)):
        theirs = (each.line for each in filed_or_none(day)) if day.name != file.name else ()
        # all earlier lines, and from later copies only the gaps
        lines += [
            line
            for line in of_beginnings(theirs, marks)
            if day in older or line.number < ends.get(line.match_id, 0)
        ]
        lines = merge(lines)
        if len(lines) > MOST_LINES:
            raise BackupError("backup too large")
    if not lines:
        raise BackupError("no backup")
    return lines, True


def _count_readable(lines: list[SealedLine]) -> tuple[int, int, int]:
    """Return the number of matches, of those unreadable in this version, and of missing lines."""
    missing = count_told(lines) - len(lines)
    ordered = sorted(lines, key=lambda line: line.place)
    matches = groupby(ordered, lambda line: line.match_id)
    # the first line shows whether a match is readable
    readable = [read_record(record_of(match)[:1]).match is not None for _number, match in matches]
    if readable and not any(readable):
        raise BackupError("backup not understood")
    return len(readable), readable.count(False), missing


# restoring


def finish_restore(here: TablePlaces) -> tuple[Problem, ...]:
    """Restore a staged backup, if any, and report it. No table may play here."""
    if not any(_leftovers(here.state)):
        return ()
    try:
        with journal_errors(here.state), archive.backup_lock(here.state):
            mark = MARK.read(here.state)
            if mark is None:
                _sweep(here.state)
                return ()
            make_folder(here.journal.parent)
            with journal_lock(here.journal):
                problems = [*_place_parts(here, mark)]
                for old in before_folders(here.state)[KEPT:]:
                    shutil.rmtree(old, ignore_errors=True)
                    problems.append(Problem("before removed", {"folder": str(old)}))
                return tuple(problems)
    except BackupError:
        # another process is using backups: the next start continues
        return ()


def _place_parts(here: TablePlaces, mark: BackupMark) -> tuple[Problem, ...]:
    OUTBOX.drop(here.journal)
    before = here.state / mark.before
    before.mkdir(exist_ok=True)
    sync(here.state)
    for name, target in _targets(here).items():
        new = here.state / RESTORING / NEW / name
        if new.exists() or name not in mark.parts:
            _place_part(new, target, before / name)
    problems = tuple(_place_configuration(here, before))
    with suppress(OSError):
        # empty if there was no earlier state
        before.rmdir()
    # a newer version's state was replaced
    keep_form(here.state)
    MARK.drop(here.state)
    sync(here.state / RESTORING)
    _sweep(here.state)
    place = "backup in place" if before.exists() else "backup in empty place"
    made = mark.made[:16].replace("T", " ")
    return Problem(place, {"made": made, "matches": mark.matches, "folder": str(before)}), *problems


def undo_restore(here: TablePlaces) -> None:
    """Revert a restore that can't be finished; the backup is no longer staged.

    Each step is a repeatable rename, as above.
    """
    mark = MARK.read(here.state)
    if mark is None:
        return
    with journal_errors(here.state), archive.backup_lock(here.state), journal_lock(here.journal):
        OUTBOX.drop(here.journal)
        for name, target in {**_targets(here), CONFIGURATION: here.configuration}.items():
            before, new = here.state / mark.before / name, here.state / RESTORING / NEW / name
            # a configuration that was equal was only deleted
            is_new = name in mark.parts and name != CONFIGURATION
            if target.exists() and not new.exists() and (before.exists() or is_new):
                _move(target, new)
            if before.exists() and not target.exists():
                _move(before, target)
        MARK.drop(here.state)
        sync(here.state / RESTORING)
        with suppress(OSError):
            (here.state / mark.before).rmdir()


def _targets(here: TablePlaces) -> Mapping[str, Path]:
    """Return each part's destination; the journal's companions precede it."""
    endings = (MATCHES, "-wal", "-shm", "-journal", "")
    journals = {f"{JOURNAL}{ending}": beside(here.journal, ending) for ending in endings}
    alone = (name for name in archive.READERS if name != CONFIGURATION)
    return {**journals, **{name: here.state / name for name in (*alone, DECKS)}}


def _place_part(new: Path, target: Path, aside: Path) -> None:
    if target.exists():
        names = chain([aside], (aside.with_name(f"{aside.name}-{number}") for number in count(2)))
        _move(target, next(name for name in names if not name.exists()))
    if new.exists():
        _move(new, target)


def _place_configuration(here: TablePlaces, before: Path) -> Iterator[Problem]:
    """Restore the configuration, if there is one; if that fails, store it beside the journal and report it."""
    new, target = here.state / RESTORING / NEW / CONFIGURATION, here.configuration
    aside = here.state / "restored.toml"
    if not new.exists():
        return
    aside.unlink(missing_ok=True)
    if target.exists() and _is_same_configuration(target, new):
        new.unlink()
    elif why := _hindrance(new, target):
        _move(new, aside)
        yield Problem(f"configuration {why}", {"file": str(aside), "target": str(target)})
    else:
        _place_part(new, target, before / CONFIGURATION)


def _is_same_configuration(own: Path, new: Path) -> bool:
    one, other = (without_login(CONFIGURATION, each.read_bytes()) for each in (own, new))
    return one is not None and one == other


def _hindrance(new: Path, own: Path) -> str:
    """Return why a configuration can't replace the table's own; empty if it can.

    A backup may be a stranger's. A tap on a page must not make the table call addresses or read files. The
    folder must belong to this user, and the table must be able to start with the board.
    """
    try:
        settings = configuration.settings_in(new)
    except configuration.SettingsError:
        return "by hand"
    if configuration.strange_settings(settings, configuration.settings_or_usual(own)):
        return "leads elsewhere"
    folder = next(folder for folder in own.parents if folder.exists())
    is_fit = is_fit_board(settings.board.profile, settings.board.own_profiles)
    return "" if is_fit and os.access(folder, os.W_OK) else "by hand"


def _move(source: Path, target: Path) -> None:
    """Rename durably; a file on another disk is copied first."""
    make_folder(target.parent)
    try:
        source.rename(target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            write_whole(target, source.read_bytes())
        remove(source)
    sync(source.parent)
    sync(target.parent)


def _leftovers(state: Path) -> list[Path]:
    return [*state.glob(RESTORING), *state.glob(f"{SCRATCH}*")]


def _sweep(state: Path) -> None:
    for left in _leftovers(state):
        shutil.rmtree(left, ignore_errors=True)


def next_folder(state: Path, prefix: str, today: str) -> str:
    """Return a new folder's name, numbered, because a Pi's clock may have stopped."""
    numbers = [each.name.removeprefix(prefix).split("-")[0] for each in state.glob(f"{prefix}*")]
    return f"{prefix}{max(map(int, filter(str.isdigit, numbers)), default=0) + 1:04}-{today}"


def before_folders(state: Path) -> tuple[Path, ...]:
    return tuple(sorted(state.glob(f"{state_folder.BEFORE}*/"), reverse=True))
