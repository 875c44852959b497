"""Count failed starts, and start without what failed after two in a row.

A start has failed if it ends before the eyes have reported anything. What failed is left out by its name and
content, so a corrected or another one is used at once: the configuration, the camera, a waiting backup. If it
is unknown, everything is set aside that a table can start without. A game in whose code the table hung is left
out at once. Nothing is deleted, and the journal stays. The configuration is its owner's file: it isn't moved.

Some failures don't count: ending the table while it starts, a mistyped option, and a journal that can't be
opened. A power cut counts, but never alone: defaults need a failure since the machine was switched on. Slow
machines get more time for a start (`slowness_of`).
"""

import fcntl
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from hashlib import sha256
from pathlib import Path
from threading import Lock
from time import sleep
from traceback import format_exc
from typing import Literal

import click
from msgspec import Struct
from msgspec.structs import replace

from firmware import state_folder
from firmware.cli.output import complain
from firmware.language import wall_clock as wall
from firmware.language.speaking import PROGRAM, _, problem_text
from firmware.start.game_calls import hung_game
from firmware.start.games import failure_text
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.backups.restoring import MARK, next_folder, undo_restore
from firmware.storage.configuration import SettingsError, may_read
from firmware.storage.errors import BackupError, JournalError
from firmware.storage.files import Kept, beside, read_text
from firmware.storage.found_table import load_calibration
from firmware.storage.match_files import MATCHES
from firmware.storage.people.links_file import read_links
from firmware.storage.state_copies import require_readable
from firmware.table.logbook import Logbook
from firmware.table.systemd import AGAIN
from referee.games.catalogue import DISABLED, GAMES, ORIGINALS, GameFailure
from vision.files import SMALL, make_folder, read_small, sync
from vision.pictures import is_bounded

STARTS, LOCK = "starts.json", ".starts.lock"
"""Files with the number of failed starts, and the lock of a running table."""
LEFT_OUT = "left-out.json"
"""File with the suspects that are left out."""
TRIES = 2
"""Failed starts in a row after which the next one leaves out what failed."""
MOST_TOLD = 12
"""Lines about set-aside files that are stored until a start succeeds."""
BOOT = Path("/proc/sys/kernel/random/boot_id")
"""File with an id that changes at each boot."""


# what may have failed


class Suspect(Struct, frozen=True):
    """What a failed start is blamed on, with a mark of its content then; without a kind, it is unknown."""

    kind: Literal["", "configuration", "camera", "game", "backup"] = ""
    name: str = ""
    content: str = ""

    def is_unchanged(self) -> bool:
        match self.kind:
            case "configuration":
                return self == configuration_suspect(Path(self.name))
            case "game":
                return self == game_suspect(self.name)
        return True


ANYTHING = Suspect()
KEPT_LEFT_OUT = Kept(LEFT_OUT, tuple[Suspect, ...], ())


def configuration_suspect(file: Path) -> Suspect:
    """Return a configuration as the suspect; anything if there is none, or it can't be read."""
    if not may_read(file) or not file.exists():
        return ANYTHING
    there = file.stat()
    # opening the file may be what kills a start
    return Suspect("configuration", str(file.resolve()), f"{there.st_size} {there.st_mtime_ns}")


def game_suspect(name: str) -> Suspect:
    """Return a game as the suspect; its content is the code beside its house rules."""
    game = ORIGINALS.get(name)
    file = None if game is None else sys.modules[game.rules.house.__module__].__file__
    content = sha256()
    for code in sorted(Path(file).parent.glob("*.py")) if file else ():
        with suppress(OSError):
            content.update(read_small(code, SMALL))
    return Suspect("game", name, content.hexdigest()[:32])


def left_out(state: Path) -> tuple[Suspect, ...]:
    return tuple(each for each in KEPT_LEFT_OUT.read(state) if each.is_unchanged())


def leave_out(suspect: Suspect, state: Path) -> None:
    """List a suspect; a backup or an unknown one is set aside instead."""
    if suspect.kind in {"", "backup"}:
        return
    with suppress(OSError):
        KEPT_LEFT_OUT.keep(state, tuple(dict.fromkeys((*left_out(state), suspect))))


def readmit_camera(state: Path) -> None:
    """Need the camera again, because it works."""
    kept = KEPT_LEFT_OUT.read(state)
    others = tuple(each for each in kept if each.kind != "camera")
    if others != kept:
        with suppress(OSError):
            KEPT_LEFT_OUT.keep(state, others)


# the count


class Starts(Struct, frozen=True):
    """Number of failed starts in a row, the boot id of the last one, and the suspect."""

    failed: int = 0
    boot: str = ""
    suspect: Suspect = ANYTHING
    told: tuple[str, ...] = ()
    """Sentences about set-aside files, repeated at the next start in case nobody has read them."""


class StartCount:
    """Counts a start as failed until it is proven or forgiven."""

    blamed: Suspect | None = None
    """What to leave out; None for a normal start, ANYTHING if leaving one suspect out didn't help."""

    def __init__(self, state: Path, held: ExitStack, boot: str) -> None:
        """Count the start, unless another table runs here or the count can't be stored."""
        before = KEPT_STARTS.read(state)
        if not before.suspect.is_unchanged():
            before = Starts(told=before.told)
        self._state, self._before = state, before
        self._begun = Starts(min(before.failed + 1, TRIES + 1), boot, told=before.told)
        self.is_counted = _is_alone(state, held) and _save_starts(state, self._begun)
        if self.is_counted and before.failed >= TRIES and before.boot == boot:
            self.blamed = before.suspect if before.failed == TRIES else ANYTHING

    def blame(self, suspect: Suspect) -> None:
        """Record what has failed, or will have if this start fails."""
        self._begun = replace(self._begun, suspect=suspect)
        if self.is_counted:
            _save_starts(self._state, self._begun)

    def tell(self, told: tuple[str, ...]) -> tuple[str, ...]:
        """Store sentences about set-aside files. Returns those of earlier starts, then these."""
        everything = tuple(dict.fromkeys((*self._before.told, *told)))[-MOST_TOLD:]
        self._begun = replace(self._begun, told=everything)
        if self.is_counted:
            _save_starts(self._state, self._begun)
        return everything

    def forgive(self) -> None:
        """Stop counting this start as failed; its sentences stay stored."""
        if self.is_counted and (self._state / STARTS).exists():
            _save_starts(self._state, replace(self._before, told=self._begun.told))


KEPT_STARTS = Kept(STARTS, Starts, Starts())


def forget_failed_starts(state: Path) -> None:
    """Reset the count after a successful start."""
    with suppress(OSError):
        KEPT_STARTS.drop(state)


def _save_starts(state: Path, count: Starts) -> bool:
    """Return whether a count is stored; an equal one isn't written again, to spare the card."""
    if (state / STARTS).exists() and not (state / STARTS).is_file():
        return False
    try:
        if count != KEPT_STARTS.read(state):
            KEPT_STARTS.keep(state, count)
    except OSError:
        return False
    return True


def _is_alone(state: Path, held: ExitStack) -> bool:
    """Lock this state folder, and return whether no other table has locked it."""
    try:
        make_folder(state, is_private=True)
        lock = held.enter_context((state / LOCK).open("ab"))
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


# a start


class Start(Struct, frozen=True):
    """How to start, and messages for people about it."""

    with_defaults: bool = False
    told: tuple[str, ...] = ()
    blame: Callable[[Suspect], None] = lambda _suspect: None
    """See `StartCount.blame`."""


class StartError(click.ClickException):
    """A failed start: the reason in one line, and the suspect."""

    def __init__(self, message: str, suspect: Suspect) -> None:
        super().__init__(message)
        self.suspect = suspect


class Proof:
    """Calls a function once all needed parts work; later failures aren't failures of the start."""

    def __init__(self, parts: Iterable[str], do: Callable[[], None]) -> None:
        self._lock, self._missing, self._do = Lock(), set(parts), do

    def note(self, part: str) -> None:
        with self._lock:
            is_last = self._missing == {part}
            self._missing.discard(part)
        if is_last:
            self._do()


class FailurePolicy(Struct, frozen=True):
    """How to handle a failed start: the log, a check for mistyped options, and seconds to rest."""

    log: Path
    is_typed: Callable[[], bool]
    rest: float = 0.0
    elsewhere: Callable[[JournalError], int | None] = lambda _error: None
    """Runs the table with another journal and returns the exit code; None if that doesn't help."""


def start_safely(here: TablePlaces, run: Callable[[Start], int], trouble: FailurePolicy) -> int:
    """Run the table. Prints a failure in a line; returns the exit code, AGAIN if a restart may help."""
    with ExitStack() as held:
        count = StartCount(here.state, held, read_text(BOOT))
        try:
            require_readable(here.state)
            disable_left_out_games(here.state)
            told = complain(_set_aside(here, count.blamed))
            code = run(Start(count.blamed == ANYTHING, count.tell(told), count.blame))
        except (KeyboardInterrupt, SystemExit):
            count.forgive()
            raise
        except Exception as error:  # noqa: BLE001 - any failure counts for the next start
            return _handle_failure(error, count, here.configuration, trouble)
        count.forgive()
        return code


def disable_left_out_games(state: Path) -> None:
    """Leave out the game in whose code the last process hung, and those that were left out before."""
    if hung := hung_game(GAMES):
        leave_out(game_suspect(hung), state)
    for each in left_out(state):
        if each.kind == "game" and (game := GAMES.pop(each.name, None)) is not None:
            DISABLED[each.name] = GameFailure(each.name, game.words.title, "", "")


def _handle_failure(error: Exception, count: StartCount, configuration: Path, trouble: FailurePolicy) -> int:
    """Print why a start failed. Returns AGAIN if a restart may help, else the exit code after a rest."""
    complain(f"{PROGRAM}: {line}" for line in _failure_sentences(error, trouble.log))
    if isinstance(error, JournalError):
        count.forgive()
        code = trouble.elsewhere(error)
        if code is not None:
            return code
    elif isinstance(error, click.UsageError) and trouble.is_typed():
        count.forgive()
    elif count.is_counted and count.blamed != ANYTHING:
        # other errors of this kind come from the configuration
        if isinstance(error, StartError):
            count.blame(error.suspect)
        elif isinstance(error, click.ClickException | SettingsError):
            count.blame(configuration_suspect(configuration))
        return AGAIN
    sleep(trouble.rest)
    return error.exit_code if isinstance(error, click.ClickException) else 1


def _failure_sentences(error: Exception, log: Path) -> tuple[str, ...]:
    match error:
        case click.ClickException():
            return (" ".join(error.format_message().split()),)
        case SettingsError():
            return tuple(map(problem_text, error.mistakes))
        case JournalError():
            return (problem_text(error.problem),)
    book = Logbook(log)
    book.note("crash", trace=format_exc())
    book.close()
    told = _("The table has stopped ({why}). Details: {log}")
    return (told.format(why=failure_text(error), log=log),)


# setting files aside


class Thing(Struct, frozen=True):
    """A file or folder of the state, and the check whether it is usable."""

    name: str
    called: str = ""
    """Its name for people; empty if a table can't start without it."""
    reads_well: Callable[[Path], bool] = lambda _path: True
    is_folder: bool = False


THINGS = (
    Thing(state_folder.CHOSEN, _("The choices of the settings page")),
    Thing(
        state_folder.FOUND_TABLE,
        _("The table's position"),
        reads_well=lambda file: bool(load_calibration(file)),
    ),
    Thing(state_folder.EMPTY_TABLE, _("The picture of the empty table"), reads_well=is_bounded),
    Thing(state_folder.LINKS, reads_well=lambda file: read_links(file) is not None),
    *(Thing(name) for name in (STARTS, LOCK, LEFT_OUT)),
    Thing(state_folder.DECKS, _("The taught decks"), is_folder=True),
    Thing(
        state_folder.RESTORING,
        _("The backup to restore"),
        is_folder=True,
        reads_well=lambda folder: (
            not (folder / state_folder.READY).exists() or MARK.read(folder.parent) is not None
        ),
    ),
    Thing(state_folder.EVIDENCE, is_folder=True),
)
BESIDE_JOURNAL = ("-wal", "-shm", "-journal", ".lock", state_folder.SUMS)


def misplaced(state: Path, journal: Path) -> Iterator[tuple[Path, str]]:
    own = ("",) if journal.suffix == Path(state_folder.JOURNAL).suffix else ()
    things = ((state / each.name, each.is_folder) for each in THINGS)
    journals = [(beside(journal, ending), False) for ending in (*BESIDE_JOURNAL, *own)]
    journals.append((beside(journal, MATCHES), True))
    # files before folders
    for path, is_folder in sorted((*things, *journals), key=lambda each: each[1]):
        if path.exists() and not (path.is_dir() if is_folder else path.is_file()):
            told = _("{folder} isn't a folder") if is_folder else _("{file} isn't a file")
            yield path, told.format(folder=path.name, file=path.name)


def spoilt(state: Path) -> Iterator[tuple[Path, str]]:
    for each in THINGS:
        path = state / each.name
        try:
            is_well = not (path.is_dir() if each.is_folder else path.is_file()) or each.reads_well(path)
        except OSError:
            is_well = False
        if not is_well:
            yield path, each.called if each.is_folder else _("{file} can't be read").format(file=each.name)


def _set_aside(here: TablePlaces, blamed: Suspect | None) -> Iterator[str]:
    folder = here.state / next_folder(here.state, state_folder.ASIDE, wall.now().strftime("%Y%m%d-%H%M%S"))
    yield from _move_aside(misplaced(here.state, here.journal), folder)
    if blamed is not None:
        leave_out(configuration_suspect(here.configuration) if blamed == ANYTHING else blamed, here.state)
    if blamed == ANYTHING:
        yield _("The table failed to start twice in a row. It starts with defaults now, and the match goes on.")
        with suppress(OSError):
            # sums are computed again; a set-aside copy would contain deleted names
            beside(here.journal, state_folder.SUMS).unlink(missing_ok=True)
    if blamed is not None and blamed.kind in {"", "backup"}:
        with suppress(JournalError, BackupError, OSError):
            undo_restore(here)
        # the table can start without what has a name for people
        to_blame = (
            each
            for each in THINGS
            if each.called and (blamed == ANYTHING or each.name == state_folder.RESTORING)
        )
        yield from _move_aside(((here.state / each.name, each.called) for each in to_blame), folder)
    # last: reading a damaged file may kill the process
    yield from _move_aside(spoilt(here.state), folder)
    if folder.exists():
        told = _("To restore a file, stop the table and move the file from {folder} to {state}.")
        yield told.format(folder=folder, state=here.state)


def _move_aside(things: Iterable[tuple[Path, str]], folder: Path) -> Iterator[str]:
    """Move existing files to a folder and sync it; yields a sentence for each."""
    for path, what in things:
        if not path.exists():
            continue
        try:
            make_folder(folder)
            path.rename(folder / path.name)
            sync(folder)
            sync(path.parent)
        except OSError as error:
            told = _("{what}: {path} can't be set aside ({why}): move it yourself.")
            yield told.format(what=what, path=path, why=error.strerror)
        else:
            yield _("{what}: set aside, as {path}.").format(what=what, path=folder / path.name)


# the configuration


def unused_sentences(configuration: Path, state: Path) -> tuple[str, ...]:
    if not may_read(configuration):
        told = _("{file} isn't used, because it belongs to another user: change its owner with sudo chown.")
        return (told.format(file=configuration),)
    told = _("{file} isn't used, because the table failed to start with it: correct it, and it is used again.")
    is_left = configuration_suspect(configuration) in left_out(state)
    return (told.format(file=configuration),) if is_left else ()
