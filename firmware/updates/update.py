"""`./run update`: builds the newest release beside the current one and switches to it; `back` rolls back."""

import argparse
import fcntl
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from time import monotonic, sleep
from zipfile import ZipFile, ZipInfo

from firmware.updates import layout, tools
from firmware.updates.releases import Release, fetch, find_release, find_source, require_keys, unpack_commit
from firmware.updates.state_copies import copy_state
from firmware.updates.tools import UpdateError, git, remove, report, run_tool
from firmware.updates.trial import CAME_UP, has_come_up, prepare_safely, prove, start

LOCK = ".lock"
ROOM = Path(__file__).parent
MAIN = "from firmware.updates.update import main\n\nmain()\n"
NEXT, BACK = "It starts with the next ./run.", "Back again: ./run update back"
START_TIMEOUT, POLL_INTERVAL = 300.0, 0.5
"""Seconds for a version to start, with one retry, and between checks."""


def update(home: layout.Home, given: str | None) -> int:
    # check requirements before anything is created or fetched
    require_keys(home)
    with _alone(home):
        state = layout.state_directory()
        if home.current() == layout.IN_PLACE:
            _require_unchanged(home)
        # the previous update must have started successfully before another one
        trial = layout.find_trial(home)
        if trial is not None:
            if not has_come_up(home, state):
                raise UpdateError(f"{trial.version} hasn't come up yet: start the table, or ./run update back.")
            prove(home, trial)
        source = find_source(home, given)
        fetch(home, source)
        release = find_release(home)
        layout.prune(home, "" if release is None else release.name)
        if release is None:
            report("There is no newer version to take.")
            return 0
        report(f"Building {release.name} beside the version that runs ...")
        with suppress(OSError):
            # give memory to a table started by ./run first; processors are shared anyway
            Path("/proc/self/oom_score_adj").write_text("500", encoding="ascii")
        build(home, release, state, source.wheels)
        switch(home, release.name, state)
        return _start_anew(home, state, release.name)


def _require_unchanged(home: layout.Home) -> None:
    if git(home.root, "status", "--porcelain", "--untracked-files=no"):
        raise UpdateError("Files of this checkout were changed: git status shows them. Put them away first.")


def _start_anew(home: layout.Home, state: Path, version: str) -> int:
    if not end_table(home):
        report(f"{version} is next. {NEXT} {BACK}")
        return 0
    until = monotonic() + START_TIMEOUT
    while monotonic() < until and home.current() == version:
        if has_come_up(home, state):
            report(f"{version} runs. {BACK}")
            return 0
        sleep(POLL_INTERVAL)
    if home.current() != version:
        raise UpdateError(f"{version} didn't come up twice: the version before it runs again.")
    raise UpdateError(f"{version} isn't up yet: journalctl -u coyote tells more.")


def go_back(home: layout.Home) -> int:
    with _alone(home):
        trial = layout.find_trial(home)
        before = home.before() if trial is None else trial.before
        if before is None:
            raise UpdateError("There is no version before this one.")
        if layout.is_whole(home.folder(before)):
            home.switch(before)
            remove(home.versions / layout.TRIAL)
        else:
            raise UpdateError(f"{home.folder(before)} isn't whole: there is no way back.")
        is_started = end_table(home)
        current = home.current()
        name = git(home.root, "describe", "--tags", "--always") if current == layout.IN_PLACE else current
        report(f"Back at {name}." if is_started else f"Back at {name}. {NEXT}")
        return 0


def lay_out(home: layout.Home) -> int:
    home.versions.mkdir(exist_ok=True)
    if ROOM.is_dir():
        # the updating version's guard is known to work; the guard itself can't be packed again
        tools.write_whole(home.versions / layout.GUARD, packed_guard())
    if not (home.versions / layout.CURRENT).is_symlink():
        home.switch(layout.IN_PLACE)
    return 0


def packed_guard() -> bytes:
    """Pack this package reproducibly."""
    packed = BytesIO()
    with ZipFile(packed, "w") as archive:
        archive.writestr(ZipInfo("__main__.py"), MAIN)
        for path in (ROOM.parent / "__init__.py", *sorted(ROOM.glob("*.py"))):
            archive.writestr(ZipInfo(str(path.relative_to(ROOM.parents[1]))), path.read_bytes())
    return packed.getvalue()


@contextmanager
def _alone(home: layout.Home) -> Iterator[None]:
    """Lock out other updates and users other than the checkout's owner; children inherit the lock."""
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


# command lines of `./run update` and of the guard


def main() -> None:
    try:
        sys.exit(_do(*sys.argv[1:]))
    except UpdateError as error:
        told = str(error)
    except OSError as error:
        told = f"{error.filename or 'The disk'}: {error.strerror or error}. The version that runs stays."
    except KeyboardInterrupt:
        told = "Stopped. The version that runs stays."
    sys.stderr.write(f"{told}\n")
    sys.exit(1)


def _do(command: str, root: str, *words: str) -> int:
    home = layout.Home(Path(root).resolve())
    match command:
        case "start":
            return start(home, words)
        case "guard":
            return prepare_safely(home)
        case "lay-out":
            return lay_out(home)
        case "update":
            pass
        case _:
            raise UpdateError(f"{command}: there is no such word. Start it by ./run update.")
    message = "Take the newest signed release, built and checked while the table plays on."
    parser = argparse.ArgumentParser(prog="./run update", description=message)
    parser.add_argument("root", help=argparse.SUPPRESS)
    parser.add_argument("where", nargs="?", choices=("back",), help="back to the version before")
    message = "a mirror, a repository, a bundle, or a stick with one"
    parser.add_argument("--from", dest="source", metavar="SOURCE", help=message)
    wish = parser.parse_args([root, *words])
    return go_back(home) if wish.where else update(home, wish.source)


# steps of an update, repeatable after an interruption; only the last one affects the current version

SERVICE = "coyote.service"  # the unit that starts the table
CHECK_TIMEOUT = 900.0  # seconds before a hanging check is cancelled
MIN_FREE_BYTES = 200_000_000  # bytes to leave free for the running table
CHECKED_STATE = ".draft-checked"  # copy of the state for checking the new version
BUILT = "built"
"""File with the commit of a complete build that was never started; building takes most of the time."""


def build(home: layout.Home, release: Release, state: Path, wheels: Path | None) -> None:
    """Run all steps before the switch; a failure leaves nothing behind."""
    folder, built = home.folder(release.name), home.versions / BUILT
    try:
        if tools.read_text(built) != release.commit or not layout.is_whole(folder):
            remove(built)
            _require_room(home)
            unpack_commit(home.versions / layout.REPOSITORY, release.commit, folder)
            set_up(folder, wheels)
            os.sync()
            tools.write_whole(built, release.commit.encode())
        _check(folder, state, home.versions / CHECKED_STATE)
    except (UpdateError, OSError, KeyboardInterrupt):
        # free the disk for the table, removing the mark of a complete build first
        with suppress(OSError):
            for path in (built, folder):
                remove(path)
        raise


def _require_room(home: layout.Home) -> None:
    environment = home.folder(home.current()) / ".venv"
    needed = 2 * sum(path.lstat().st_size for path in environment.rglob("*")) + MIN_FREE_BYTES
    free = shutil.disk_usage(home.versions).free
    if free < needed:
        message = f"The disk is too full: {needed // 10**6} MB are needed, {free // 10**6} MB are free."
        raise UpdateError(f"{message} Make room, then try again.")


def set_up(folder: Path, wheels: Path | None) -> None:
    """Run a version's own setup, because only that version knows its requirements."""
    environ = tools.surroundings(**({} if wheels is None else {"COYOTE_WHEELS": str(wheels)}))
    command = (str(folder / "run"), "--version")
    done = subprocess.run(command, env=environ, stdout=subprocess.DEVNULL, check=False, close_fds=False)
    if done.returncode != 0 or not layout.is_whole(folder):
        raise UpdateError(f"{folder.name} could not be set up (see above): nothing was changed.")


def _check(folder: Path, state: Path, copy: Path) -> None:
    """Start the new version on a copy of the state: it must show pages, read a card and play a move."""
    try:
        # check that the new version can update itself
        run_tool(
            sys.executable,
            "-I",
            str(folder / "firmware" / "updates"),
            "update",
            "--help",
            seconds=CHECK_TIMEOUT,
        )
        copy_state(state, copy)
        python = str(folder / ".venv" / "bin" / "python")
        run_tool(python, "-I", "-m", "firmware.start.health_check", str(copy), seconds=CHECK_TIMEOUT)
    except UpdateError as error:
        raise UpdateError(f"{folder.name} isn't well, nothing was changed: {error}") from error
    finally:
        remove(copy)


def switch(home: layout.Home, version: str, state: Path) -> None:
    os.sync()
    # from an earlier trial of this version
    remove(state / CAME_UP)
    tools.write_whole(home.versions / layout.HIGHEST, version.encode())
    layout.note_trial(home, layout.Trial(version, home.current()))
    home.switch(version)
    # a version that fails to start is rebuilt
    remove(home.versions / BUILT)


def end_table(home: layout.Home) -> bool:
    """Stop the service's table if it runs from this checkout; systemd restarts it without a password."""
    for scope in ((), ("--user",)):
        command = ("systemctl", *scope, "show", SERVICE, "--property=MainPID", "--value")
        with suppress(OSError, ValueError, subprocess.SubprocessError):
            pid = int(subprocess.run(command, capture_output=True, check=False, timeout=10).stdout)
            if f"{home.root}/".encode() in Path(f"/proc/{pid}/cmdline").read_bytes():
                os.kill(pid, signal.SIGTERM)
                return True
    return False
