"""The location of a table's state: on its disk, or in memory while the disk can't be written.

It is chosen once, before a start opens anything. Everything else reads it from the environment. The folder in
memory contains a copy of the readable state. It outlives the table's process but not the machine. The next
start with a writable disk moves everything back.
"""

import errno
import os
import shlex
import shutil
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from getpass import getuser
from glob import escape
from itertools import chain
from pathlib import Path
from tempfile import gettempdir

from msgspec import Struct

from firmware.state_folder import ASIDE, BEFORE, DECKS, EVIDENCE, JOURNAL, SMALL_FILES, state_directory
from firmware.storage.club import OUTBOX
from firmware.storage.errors import JournalError, journal_errors
from firmware.storage.files import beside, is_locked, mounts, size_of
from firmware.storage.journal import FILES, Journal, TakenIn, open_journal, size_on_disk
from firmware.storage.memory_folders import (
    clear_memory,
    is_own,
    memory_folder,
    possible_folders,
    remove_unsaved,
    unsaved_records,
)
from firmware.storage.recovery import snapshot
from vision.files import make_folder, sweep, write_whole
from vision.troubles import Problem

ROOM = 512 * 1024
"""Bytes that must fit on the disk: enough for a start and part of a match."""
PROBE = "room"
KINDS: Mapping[int, str] = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), "unsaved full"),
    **dict.fromkeys((errno.EACCES, errno.EPERM), "unsaved rights"),
    **dict.fromkeys((errno.ENOTDIR, errno.EEXIST), "unsaved folder"),
    errno.EROFS: "unsaved read-only",
}
"""Reasons by system error number."""
JOURNAL_KINDS: Mapping[str, str] = {
    "journal disk full": "unsaved full",
    "journal rights": "unsaved rights",
    "newer journal": "unsaved newer",
}
"""Reasons by the journal's problem."""


class StatePlace(Struct, frozen=True):
    """The current location of the state and its journal, their proper location, and why the two differ."""

    state: Path
    journal: Path
    disk: Path
    disk_journal: Path
    unsaved: Problem | None = None


def choose_place(journal: Path) -> StatePlace:
    state = state_directory()
    # opening the journal reports that another table is playing
    why = None if is_locked(journal) else why_unsaved(journal)
    if why is not None:
        return place_in_memory(state, journal, why)
    return StatePlace(state, journal, state, journal)


def place_in_memory(state: Path, journal: Path, why: Problem) -> StatePlace:
    """Place the state in memory, with a copy of what is readable, and of the journal if there is room."""
    memory = memory_folder(state)
    # a table that was in memory before continues with its state there
    if not (memory / FILLED).exists():
        for name in SMALL_FILES:
            with suppress(OSError):
                shutil.copyfile(state / name, memory / name)
                (memory / name).chmod(0o600)
        with suppress(OSError):
            # pictures are large and only read
            (memory / DECKS).mkdir(exist_ok=True)
            for deck in (state / DECKS).glob("[!.]*/"):
                (memory / DECKS / deck.name).symlink_to(deck)
        with suppress(OSError, JournalError), journal_errors(journal):
            # a newer version's journal would be unusable there, too
            has_room = size_on_disk(journal) <= min(LARGEST, shutil.disk_usage(memory).free // 2)
            if why.key != "unsaved newer" and has_room:
                snapshot(journal, memory / JOURNAL)
        (memory / FILLED).touch()
    list(_take_in_lines(journal, memory / JOURNAL))
    return StatePlace(memory, memory / JOURNAL, state, journal, why)


def use_place(place: StatePlace) -> None:
    """Point the environment, also of later processes, to the state."""
    os.environ["STATE_DIRECTORY"] = str(place.state)
    if place.unsaved is None:
        return
    try:
        gettempdir()
    except FileNotFoundError:
        os.environ["TMPDIR"] = str(place.state)


# checks whether the state can be written


def why_unsaved(journal: Path) -> Problem | None:
    """Return why a start can't write its state. This closes the journal's files, so it must not be open."""
    state = state_directory()
    try:
        for folder in dict.fromkeys((state, journal.parent)):
            _try_folder(folder)
        # SQLite loses its locks on a file when its process closes that file
        for ending in FILES:
            # a pipe would wait for a reader, and is irrelevant here
            if beside(journal, ending).is_file():
                beside(journal, ending).open("r+b").close()
    except OSError as error:
        # without a named folder and a home; as text, because Path raises an error without a home
        if not os.environ.get("STATE_DIRECTORY") and not os.path.isdir(os.path.expanduser("~")):  # noqa: PTH111, PTH112
            return Problem("unsaved home")
        if error.errno == errno.EACCES and closed_paths(state, journal):
            return Problem("unsaved mode")
        return _problem_of(error)
    return None if state.is_absolute() else Problem("unsaved home")


def closed_paths(state: Path, journal: Path) -> tuple[Path, ...]:
    """Return this user's own folders and files whose mode forbids writing."""
    wanted = (state, journal.parent, *(beside(journal, ending) for ending in FILES))
    # for a missing path, or one in an inaccessible folder, the folder counts
    found = (next(each for each in (path, *path.parents) if os.path.lexists(each)) for path in wanted)
    return tuple(path for path in dict.fromkeys(found) if _is_closed(path))


def _is_closed(path: Path) -> bool:
    there = path.lstat()
    needed = stat.S_IRWXU if stat.S_ISDIR(there.st_mode) else stat.S_IRUSR | stat.S_IWUSR
    return there.st_uid == os.geteuid() and there.st_mode & needed != needed


def folder_problem(folder: Path, pending: int = 0) -> Problem | None:
    """Return why a folder on the disk accepts no lines; `pending` is the number of waiting bytes."""
    try:
        _try_folder(folder)
    except OSError as error:
        return _problem_of(error, pending)
    return None


def _problem_of(error: OSError, pending: int = 0) -> Problem:
    return _unsaved(KINDS.get(error.errno or 0), error.strerror or str(error), pending)


def _try_folder(folder: Path) -> None:
    make_folder(folder, is_private=True)
    sweep(folder, PROBE)
    probe = folder / f".{PROBE}.{os.getpid()}"
    try:
        with probe.open("wb", buffering=0) as file:
            left = ROOM
            while left > 0:
                left -= file.write(bytes(left))
            os.fsync(file.fileno())
    finally:
        probe.unlink(missing_ok=True)


def _unsaved(key: str | None, why: str, pending: int = 0) -> Problem:
    match key:
        case None:
            return Problem("unsaved broken", {"why": why})
        case "unsaved full":
            return Problem(key, {"room": -(-(ROOM + pending) // MEGABYTE)})
    return Problem(key)


def journal_problem(error: JournalError, pending: int = 0) -> Problem | None:
    """Return why nothing can be stored if the journal can't be opened; None if memory doesn't help."""
    problem = error.problem
    if problem.key in {"another table", "journal busy", "newer state", "no journal", "no memory"}:
        return None
    return _unsaved(JOURNAL_KINDS.get(problem.key), str(problem.values.get("why", problem.key)), pending)


# the folder

FILLED = "filled"  # marks that everything readable was copied
LARGEST = 200_000_000  # bytes of a journal that is copied; a larger one isn't


def take_back_memory(state: Path, journal: Path) -> tuple[Problem, ...]:
    """Save everything played in memory to the disk again. Return what was saved, and clear the memory."""
    problems = [*_take_in_lines(journal, journal)]
    for memory in possible_folders(state):
        # anything that can't be saved now stays for the next start
        with suppress(OSError, JournalError):
            if is_own(memory) and (memory / FILLED).exists():
                problems += _take_back(memory, state, journal)
                clear_memory(memory)
    return tuple(problems)


def _take_in_lines(journal: Path, target: Path) -> Iterator[Problem]:
    """Import lines from memory that the disk refused into a journal, except a running table's."""
    with suppress(OSError, JournalError):
        if records := unsaved_records(journal):
            yield from _take_in_records(records, target)
            remove_unsaved(journal)


def _take_in_records(records: Mapping[int, list[str]], target: Path) -> Iterator[Problem]:
    with open_journal(target) as kept:
        # under its old epoch, a club would regard the lines from memory as newer
        OUTBOX.drop(target)
        taken = take_in_unsaved(kept.journal, records)
        if taken.lines:
            yield saved_again(taken)


def take_in_unsaved(journal: Journal, records: Mapping[int, list[str]]) -> TakenIn:
    """Import matches in memory, in writing order, and continue with the last one."""
    taken = journal.take_in(records[number] for number in sorted(records))
    for last in list(records.values())[-1:]:
        same = [each.id for each in journal.matches() if (each.head, each.lines) == (last[0], len(last))]
        for match_id in same[-1:]:
            journal.take_up(match_id)
    return taken


def saved_again(taken: TakenIn) -> Problem:
    return Problem("taken from memory", {"lines": taken.lines, "matches": taken.matches})


def _take_back(memory: Path, state: Path, journal: Path) -> Iterator[Problem]:
    with open_journal(memory / JOURNAL) as played:
        numbers = reversed(played.journal.by_writing())
        yield from _take_in_records({number: played.journal.lines(number) for number in numbers}, journal)
    for here, there in ((memory / name, state / name) for name in SMALL_FILES):
        # memory has the newer version: devices removed there must stay removed
        if here.is_file() and (not there.is_file() or there.read_bytes() != here.read_bytes()):
            write_whole(there, here.read_bytes())
            there.chmod(0o600)
    for deck in (memory / DECKS).glob("*"):
        if not deck.is_symlink() and not (state / DECKS / deck.name).exists():
            make_folder(state / DECKS)
            shutil.copytree(deck, state / DECKS / deck.name)


# remedies

MAX_DELETIONS = 6  # files listed as deletable
MEGABYTE = 1_000_000


def cures(place: StatePlace) -> tuple[Problem, ...]:
    match place.unsaved:
        case None:
            return ()
        case Problem("unsaved full"):
            steps = [*_steps_to_room(place)]
        case Problem("unsaved read-only") | Problem("unsaved broken"):
            point, device = mount_of(place.disk)
            if device.startswith("/"):
                card = {"device": device, "folder": str(place.disk)}
                return (Problem("cure along"), Problem("cure card", card))
            # memory or a network: there is no disk to check
            steps = [Problem("cure mount", {"point": shlex.quote(str(point))})]
        case Problem("unsaved rights"):
            steps = [Problem("cure rights", {"user": _user(), "folder": str(place.disk)})]
        case Problem("unsaved mode"):
            closed = closed_paths(place.disk, place.disk_journal)
            steps = [Problem("cure mode", {"paths": shlex.join(map(str, closed))})]
        case Problem("unsaved folder"):
            steps = [Problem("cure folder", {"folder": str(place.disk)})]
        case Problem("unsaved newer"):
            steps = [Problem("cure newer", {"path": str(place.disk_journal)})]
        case _:
            steps = [Problem("cure home")]
    return (*steps, Problem("cure again"))


def _steps_to_room(place: StatePlace) -> Iterator[Problem]:
    """Yield our own files that can be deleted, the largest first: old copies, and pictures of rulings."""
    free, spare = 0, list[tuple[int, Path]]()
    with suppress(OSError):
        free = shutil.disk_usage(place.disk).free // MEGABYTE
    with suppress(OSError):
        damaged = place.disk_journal.parent.glob(f"{escape(place.disk_journal.name)}.damaged-*")
        for path in chain(*map(place.disk.glob, (f"{BEFORE}*", f"{ASIDE}*", EVIDENCE)), damaged):
            with suppress(OSError):
                spare.append((size_of(path), path))
    yield Problem("cure room", {"folder": str(place.disk), "free": free})
    for size, path in sorted(spare, reverse=True)[:MAX_DELETIONS]:
        yield Problem("cure delete", {"path": str(path), "size": f"{size / MEGABYTE:.1f}"})


def mount_of(folder: Path) -> tuple[Path, str]:
    """Return the mount point of a folder, and its device as a person would type it."""
    with suppress(OSError):
        real = folder.resolve()
        # of several devices mounted at one point, the last is on top
        points = [(len(point.parts), at, point, device) for at, (point, device) in enumerate(mounts())
                  if real.is_relative_to(point)]  # fmt: skip
        return max(points, default=(0, 0, Path("/"), "?"))[2:]
    return Path("/"), "?"


def _user() -> str:
    try:
        return getuser()
    except (KeyError, OSError):
        return str(os.geteuid())
