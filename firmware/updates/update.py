"""`./run update`: the newest release beside what runs, then the switch; and back to the version before.

The way back to version 0.1.0, which was updated in place, is the environment that it leaves in `.venv-before`:
it becomes a version like all others, with code and environment in a folder of its own.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

from firmware.updates.files import read_text, write_whole
from firmware.updates.launcher import place_guard
from firmware.updates.layout import (
    EARLIER,
    IN_PLACE,
    RECORD,
    Home,
    Update,
    is_broken_off,
    is_on_trial,
    is_whole,
    number_of,
    prune,
    read_record,
)
from firmware.updates.releases import commit_of, find_release, require_keys
from firmware.updates.running_table import end_table, main_pid, require_guard, start_hint
from firmware.updates.sources import fetch, find_source, unpack_commit
from firmware.updates.steps import Job, be_modest, begin, build, set_up, switch
from firmware.updates.tools import UpdateError, git, report, run_tool
from firmware.updates.trial import has_come_up, prove, state_folder, way_back

LOCK = ".lock"
BACK = "Back again: ./run update back"
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
        if release is None:
            # where version 0.1.0 was killed while it updated in place, its work is ended
            folder = home.folder(home.current())
            if not is_whole(folder) and not set_up(folder, source.wheels):
                raise UpdateError(f"The environment in {folder} could not be made (see above).")
            report("There is no newer version to take.")
            return 0
        report(f"Building {release.name} beside the version that runs ...")
        be_modest()
        wanted = Update(release.name, release.commit, home.current())
        job = Job(home, begin(wanted, read_record(home)), state, source.wheels)
        build(job)
        return _start_anew(home, state, switch(job))


def _require_order(home: Home) -> None:
    """Refuse before anything is fetched what can't end well."""
    require_keys(home)
    require_guard(home)
    if home.current() == IN_PLACE and git(home.root, "status", "--porcelain", "--untracked-files=no"):
        raise UpdateError("Files of this checkout were changed: git status shows them. Put them away first.")


def _settle(home: Home, state: Path) -> None:
    """End the update before this one, and remove what that one has made needless."""
    update = read_record(home)
    if is_on_trial(update, home):
        if not has_come_up(home, update, state):
            raise UpdateError(f"{update.version} hasn't come up yet: start the table, or ./run update back.")
        prove(home, update)
    prune(home, update.version if is_broken_off(update) else "")


def _start_anew(home: Home, state: Path, update: Update) -> int:
    """Have the service start with the new version, and see what comes of it."""
    pid = main_pid(home)
    if pid is None:
        report(f"{update.version} is next. {start_hint(home)} {BACK}")
        return 0
    end_table(pid)
    until = monotonic() + COMING_UP
    while monotonic() < until and home.current() == update.version:
        if has_come_up(home, update, state):
            report(f"{update.version} runs. {BACK}")
            return 0
        sleep(LOOK)
    if home.current() != update.version:
        raise UpdateError(f"{update.version} didn't come up twice: the version before it runs again.")
    raise UpdateError(f"{update.version} isn't up yet: journalctl -u coyote tells more.")


def go_back(home: Home) -> int:
    """Let the version before run again; the state follows at the next start, if it has to."""
    with _alone(home):
        before = way_back(home) or adopt_earlier(home)
        if before is None:
            raise UpdateError("There is no version before this one.")
        if not is_whole(home.folder(before)):
            raise UpdateError(f"{home.folder(before)} isn't whole: there is no way back.")
        pid = main_pid(home)
        home.switch(before)
        (home.versions / RECORD).unlink(missing_ok=True)
        if pid is not None:
            end_table(pid)
        report(f"Back at {_name_of(home)}." if pid else f"Back at {_name_of(home)}. {start_hint(home)}")
        return 0


def _name_of(home: Home) -> str:
    current = home.current()
    if number_of(current) is not None:
        return current
    return git(home.root, "describe", "--tags", "--always", commit_of(home, current))


def lay_out(home: Home) -> int:
    """Make the checkout the first of the versions."""
    home.versions.mkdir(exist_ok=True)
    place_guard(home)
    if not home.link.is_symlink():
        home.switch(IN_PLACE)
    return 0


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


NAMED = ".version"
"""The file in that environment that names its commit."""
SHORT = 12
SMALL = 1_000_000


def adopt_earlier(home: Home) -> str | None:
    """Make what an update in place has left one of the versions, and name it; None where nothing is left."""
    environment = home.root / EARLIER
    commit = read_text(environment / NAMED)
    if not commit:
        return None
    folder = home.folder(commit[:SHORT])
    unpack_commit(home.root, commit, folder)
    # what says where the environment lies, and where its code does
    for pattern in ("bin/*", "lib/*/site-packages/__editable__*"):
        for file in environment.glob(pattern):
            _move_paths(file, home.root, folder)
    environment.replace(folder / ".venv")
    if not is_whole(folder):
        raise UpdateError(f"{folder} can't be started: there is no way back.")
    run_tool(str(folder / ".venv" / "bin" / "coyote"), "--version")
    return folder.name


def _move_paths(file: Path, root: Path, folder: Path) -> None:
    """Let a file of an environment speak of the version's own folder; once is enough."""
    if not file.is_file() or file.is_symlink() or file.stat().st_size >= SMALL:
        return
    before, after = str(root).encode(), str(folder).encode()
    said, mode = file.read_bytes(), file.stat().st_mode
    if before in said and after not in said:
        write_whole(file, said.replace(before, after))
        file.chmod(mode)
