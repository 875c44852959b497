"""The steps of an update, each done anew if it was broken off; all but the last leave what runs alone."""

import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from firmware.updates.files import read_text, remove, write_whole
from firmware.updates.layout import HIGHEST, REPOSITORY, Home, Trial, is_whole, note_trial
from firmware.updates.releases import Release
from firmware.updates.sources import unpack_commit
from firmware.updates.state_copies import copy_state
from firmware.updates.tools import UpdateError, run_tool, surroundings
from firmware.updates.trial import CAME_UP

SERVICE, GUARDED = "coyote.service", "coyote-guard.service"
"""The unit that starts the table, and the one that it names if it can go back by itself."""
LONGEST = 900.0
"""Seconds after which a check is given up that doesn't end by itself."""
RESERVE = 200_000_000
"""Bytes that stay free: the table that plays on needs some."""
CHECKED = ".draft-checked"
"""The copy of the state that the new version is started on."""
BUILT = "built"
"""The file that names the commit that was built whole, which takes most of the time, and never started."""


def require_guard(home: Home) -> None:
    """Refuse an update where the service, as version 0.1.0 installed it, couldn't go back by itself."""
    user = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    for folder, command in (
        (Path("/etc/systemd/system"), "sudo ./run table service"),
        (user / "systemd" / "user", "./run table service --user"),
    ):
        unit = read_text(folder / SERVICE)
        if f"{home.root}/" in unit and GUARDED not in unit:
            told = "The service, as an older version installed it, can't go back by itself"
            raise UpdateError(f"{told}: {command}, then try again.")


def build(home: Home, release: Release, state: Path, wheels: Path | None) -> None:
    """Take all steps up to the switch; one that fails leaves nothing behind."""
    folder, built = home.folder(release.name), home.versions / BUILT
    try:
        if read_text(built) != release.commit or not is_whole(folder):
            remove(built)
            _require_room(home)
            unpack_commit(home.versions / REPOSITORY, release.commit, folder)
            set_up(folder, wheels)
            os.sync()
            write_whole(built, release.commit.encode())
        _check(folder, state, home.versions / CHECKED)
    except (UpdateError, OSError, KeyboardInterrupt):
        # on a full disk the table needs the room; first goes what says that it is whole
        with suppress(OSError):
            for path in (built, folder):
                remove(path)
        raise


def _require_room(home: Home) -> None:
    """Refuse where the disk has no room for another environment."""
    environment = home.folder(home.current()) / ".venv"
    needed = 2 * sum(path.lstat().st_size for path in environment.rglob("*")) + RESERVE
    free = shutil.disk_usage(home.versions).free
    if free < needed:
        told = f"The disk is too full: {needed // 10**6} MB are needed, {free // 10**6} MB are free."
        raise UpdateError(f"{told} Make room, then try again.")


def set_up(folder: Path, wheels: Path | None) -> None:
    """Let a version make its environment, as only it knows what it needs."""
    environ = surroundings(**({} if wheels is None else {"COYOTE_WHEELS": str(wheels)}))
    command = (str(folder / "run"), "--version")
    done = subprocess.run(command, env=environ, stdout=subprocess.DEVNULL, check=False, close_fds=False)
    if done.returncode != 0 or not is_whole(folder):
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


def switch(home: Home, version: str, state: Path) -> None:
    """Let the new version run from the next start on; all of it is on the disk before."""
    os.sync()
    # from an earlier time that it was tried
    remove(state / CAME_UP)
    write_whole(home.versions / HIGHEST, version.encode())
    note_trial(home, Trial(version, home.current()))
    home.switch(version)
    # what doesn't come up is built anew
    remove(home.versions / BUILT)


def end_table(home: Home) -> bool:
    """End the service's table, if it runs from this checkout: systemd starts it again, and asks no password."""
    for scope in ((), ("--user",)):
        command = ("systemctl", *scope, "show", SERVICE, "--property=MainPID", "--value")
        with suppress(OSError, ValueError, subprocess.SubprocessError):
            pid = int(subprocess.run(command, capture_output=True, check=False, timeout=10).stdout)
            if f"{home.root}/".encode() in Path(f"/proc/{pid}/cmdline").read_bytes():
                os.kill(pid, signal.SIGTERM)
                return True
    return False
