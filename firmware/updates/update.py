"""`./run update`: the newest release beside what runs, then the switch; and back to the version before."""

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
"""Seconds that a version has to come up, twice if need be, and between two looks."""


def update(home: layout.Home, given: str | None) -> int:
    # before anything is laid out or fetched: what can't end well
    require_keys(home)
    with _alone(home):
        state = layout.state_directory()
        if home.current() == layout.IN_PLACE:
            _require_unchanged(home)
        # the update before this one has come up, or another one can't follow it
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
            # processors are left to the table that plays by ./run, memory here
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
        # the guard of the version that updates is known to run; the guard itself has no room to pack
        tools.write_whole(home.versions / layout.GUARD, packed_guard())
    if not (home.versions / layout.CURRENT).is_symlink():
        home.switch(layout.IN_PLACE)
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
def _alone(home: layout.Home) -> Iterator[None]:
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


# the words after `./run update`, and those of the guard that is asked before each start


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
    told = "Take the newest signed release, built and checked while the table plays on."
    parser = argparse.ArgumentParser(prog="./run update", description=told)
    parser.add_argument("root", help=argparse.SUPPRESS)
    parser.add_argument("where", nargs="?", choices=("back",), help="back to the version before")
    told = "a mirror, a repository, a bundle, or a stick with one"
    parser.add_argument("--from", dest="source", metavar="SOURCE", help=told)
    wish = parser.parse_args([root, *words])
    return go_back(home) if wish.where else update(home, wish.source)


# the steps of an update, each done anew if it was broken off; all but the last leave what runs alone

SERVICE = "coyote.service"  # the unit that starts the table
LONGEST = 900.0  # seconds after which a check is given up that doesn't end by itself
RESERVE = 200_000_000  # bytes that stay free: the table that plays on needs some
CHECKED = ".draft-checked"  # the copy of the state that the new version is started on
BUILT = "built"
"""The file that names the commit that was built whole, which takes most of the time, and never started."""


def build(home: layout.Home, release: Release, state: Path, wheels: Path | None) -> None:
    """Take all steps up to the switch; one that fails leaves nothing behind."""
    folder, built = home.folder(release.name), home.versions / BUILT
    try:
        if tools.read_text(built) != release.commit or not layout.is_whole(folder):
            remove(built)
            _require_room(home)
            unpack_commit(home.versions / layout.REPOSITORY, release.commit, folder)
            set_up(folder, wheels)
            os.sync()
            tools.write_whole(built, release.commit.encode())
        _check(folder, state, home.versions / CHECKED)
    except (UpdateError, OSError, KeyboardInterrupt):
        # on a full disk the table needs the room; first goes what says that it is whole
        with suppress(OSError):
            for path in (built, folder):
                remove(path)
        raise


def _require_room(home: layout.Home) -> None:
    environment = home.folder(home.current()) / ".venv"
    needed = 2 * sum(path.lstat().st_size for path in environment.rglob("*")) + RESERVE
    free = shutil.disk_usage(home.versions).free
    if free < needed:
        told = f"The disk is too full: {needed // 10**6} MB are needed, {free // 10**6} MB are free."
        raise UpdateError(f"{told} Make room, then try again.")


def set_up(folder: Path, wheels: Path | None) -> None:
    """Let a version make its environment, as only it knows what it needs."""
    environ = tools.surroundings(**({} if wheels is None else {"COYOTE_WHEELS": str(wheels)}))
    command = (str(folder / "run"), "--version")
    done = subprocess.run(command, env=environ, stdout=subprocess.DEVNULL, check=False, close_fds=False)
    if done.returncode != 0 or not layout.is_whole(folder):
        raise UpdateError(f"{folder.name} could not be set up (see above): nothing was changed.")


def _check(folder: Path, state: Path, copy: Path) -> None:
    """Start the new version on a copy of the state: it has to show its pages, read a card and play a move."""
    try:
        # it could be followed by another one
        run_tool(
            sys.executable, "-I", str(folder / "firmware" / "updates"), "update", "--help", seconds=LONGEST
        )
        copy_state(state, copy)
        python = str(folder / ".venv" / "bin" / "python")
        run_tool(python, "-I", "-m", "firmware.start.health_check", str(copy), seconds=LONGEST)
    except UpdateError as error:
        raise UpdateError(f"{folder.name} isn't well, nothing was changed: {error}") from error
    finally:
        remove(copy)


def switch(home: layout.Home, version: str, state: Path) -> None:
    os.sync()
    # from an earlier time that it was tried
    remove(state / CAME_UP)
    tools.write_whole(home.versions / layout.HIGHEST, version.encode())
    layout.note_trial(home, layout.Trial(version, home.current()))
    home.switch(version)
    # what doesn't come up is built anew
    remove(home.versions / BUILT)


def end_table(home: layout.Home) -> bool:
    """End the service's table, if it runs from this checkout: systemd starts it again, and asks no password."""
    for scope in ((), ("--user",)):
        command = ("systemctl", *scope, "show", SERVICE, "--property=MainPID", "--value")
        with suppress(OSError, ValueError, subprocess.SubprocessError):
            pid = int(subprocess.run(command, capture_output=True, check=False, timeout=10).stdout)
            if f"{home.root}/".encode() in Path(f"/proc/{pid}/cmdline").read_bytes():
                os.kill(pid, signal.SIGTERM)
                return True
    return False
