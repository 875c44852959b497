"""`./run update`: the newest release beside what runs, then the switch; and back to the version before.

Version 0.1.0 updates in place, and leaves its environment in `.venv-before`: the way back to it is its own.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from time import monotonic, sleep
from zipfile import ZipFile, ZipInfo

from firmware.updates.files import read_text, remove, write_whole
from firmware.updates.layout import CURRENT, EARLIER, GUARD, IN_PLACE, TRIAL, Home, find_trial, is_whole, prune
from firmware.updates.releases import find_release, require_keys
from firmware.updates.sources import fetch, find_source
from firmware.updates.steps import build, end_table, require_guard, set_up, switch
from firmware.updates.tools import UpdateError, git, report
from firmware.updates.trial import has_come_up, prove, state_folder

LOCK = ".lock"
ROOM = Path(__file__).parent
MAIN = "from firmware.updates.command import main\n\nmain()\n"
NEXT, BACK = "It starts with the next ./run.", "Back again: ./run update back"
COMING_UP, LOOK = 300.0, 0.5
"""Seconds that a version has to come up, twice if need be, and between two looks."""


def update(home: Home, given: str | None) -> int:
    """Take the newest release."""
    with _alone(home):
        state = state_folder(os.environ)
        _require_order(home)
        _settle(home, state)
        source = find_source(home, given)
        fetch(home, source)
        release = find_release(home)
        prune(home, "" if release is None else release.name)
        if release is None:
            # where version 0.1.0 was killed while it updated in place, its work is ended
            folder = home.folder(home.current())
            if not is_whole(folder):
                set_up(folder, source.wheels)
            report("There is no newer version to take.")
            return 0
        report(f"Building {release.name} beside the version that runs ...")
        with suppress(OSError):
            # processors are left to the table that plays by ./run, memory here
            Path("/proc/self/oom_score_adj").write_text("500", encoding="ascii")
        build(home, release, state, source.wheels)
        switch(home, release.name, state)
        return _start_anew(home, state, release.name)


def _require_order(home: Home) -> None:
    """Refuse before anything is fetched what can't end well."""
    require_keys(home)
    require_guard(home)
    if home.current() == IN_PLACE:
        _require_unchanged(home)


def _require_unchanged(home: Home) -> None:
    if git(home.root, "status", "--porcelain", "--untracked-files=no"):
        raise UpdateError("Files of this checkout were changed: git status shows them. Put them away first.")


def _settle(home: Home, state: Path) -> None:
    """End the update before this one: its version has come up, or another one can't follow it."""
    trial = find_trial(home)
    if trial is not None:
        if not has_come_up(home, state):
            raise UpdateError(f"{trial.version} hasn't come up yet: start the table, or ./run update back.")
        prove(home, trial)


def _start_anew(home: Home, state: Path, version: str) -> int:
    """Have the service start with the new version, and see what comes of it."""
    if not end_table(home):
        report(f"{version} is next. {NEXT} {BACK}")
        return 0
    until = monotonic() + COMING_UP
    while monotonic() < until and home.current() == version:
        if has_come_up(home, state):
            report(f"{version} runs. {BACK}")
            return 0
        sleep(LOOK)
    if home.current() != version:
        raise UpdateError(f"{version} didn't come up twice: the version before it runs again.")
    raise UpdateError(f"{version} isn't up yet: journalctl -u coyote tells more.")


def go_back(home: Home) -> int:
    """Let the version before run again; the state follows at the next start, if it has to."""
    with _alone(home):
        trial = find_trial(home)
        before = home.before() if trial is None else trial.before
        if before is None:
            _undo_update_in_place(home)
        elif is_whole(home.folder(before)):
            home.switch(before)
            remove(home.versions / TRIAL)
        else:
            raise UpdateError(f"{home.folder(before)} isn't whole: there is no way back.")
        is_started = end_table(home)
        current = home.current()
        name = git(home.root, "describe", "--tags", "--always") if current == IN_PLACE else current
        report(f"Back at {name}." if is_started else f"Back at {name}. {NEXT}")
        return 0


def _undo_update_in_place(home: Home) -> None:
    """Lay code and environment of version 0.1.0 where they were; broken off, its own way back ends it."""
    earlier, environment = home.root / EARLIER, home.root / ".venv"
    commit = read_text(earlier / ".version")
    if home.current() != IN_PLACE or not commit:
        raise UpdateError("There is no version before this one.")
    _require_unchanged(home)
    git(home.root, "checkout", "--quiet", "--detach", commit)
    remove(environment)
    earlier.replace(environment)


def lay_out(home: Home) -> int:
    """Make the checkout the first of the versions."""
    home.versions.mkdir(exist_ok=True)
    if ROOM.is_dir():
        # the guard of the version that updates is known to run; the guard itself has no room to pack
        write_whole(home.versions / GUARD, packed_guard())
    if not (home.versions / CURRENT).is_symlink():
        home.switch(IN_PLACE)
    return 0


def packed_guard() -> bytes:
    """Pack this room, always to the same bytes."""
    packed = BytesIO()
    with ZipFile(packed, "w") as archive:
        archive.writestr(ZipInfo("__main__.py"), MAIN)
        for path in (ROOM.parent / "__init__.py", *sorted(ROOM.glob("*.py"))):
            archive.writestr(ZipInfo(str(path.relative_to(ROOM.parents[1]))), path.read_bytes())
    return packed.getvalue()


@contextmanager
def _alone(home: Home) -> Iterator[None]:
    """Do one update at a time, as the user who owns the checkout; what we start holds the lock, too."""
    if home.root.stat().st_uid != os.geteuid():
        raise UpdateError(f"{home.root} belongs to another user: update as that one, without sudo.")
    lay_out(home)
    with (home.versions / LOCK).open("ab") as lock:
        os.set_inheritable(lock.fileno(), True)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise UpdateError("Another update is on its way: wait until it is done.") from error
        yield
