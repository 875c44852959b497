"""Before each start: a new version is on trial until it has come up; after two starts the table goes back.

This runs outside of all versions, as `.versions/guard.pyz`: for the service in a unit of its own, as that of
the table may write nothing but its state; for `./run` in front of it.
"""

import fcntl
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from firmware.updates.files import point_link, read_text, write_whole
from firmware.updates.layout import (
    IN_PLACE,
    TRIES,
    Home,
    Update,
    is_on_trial,
    is_whole,
    read_record,
    write_record,
)
from firmware.updates.service_folders import service_folder
from firmware.updates.state_copies import fit_state, form_of_version

CAME_UP = "came-up"
"""The file in the state in which the version says where it lies that was ready last."""
WENT_BACK = "went-back"
"""The file that names the version that didn't come up, for the one that tells people."""
TABLE_LOCK = ".starts.lock"
"""What a table that runs holds, beside its state."""
COUNTS = ("starts.json", "chosen.trial")
"""Starts that failed, as the program counts them: the old version isn't to blame for those of the new one."""


def state_folder(environ: Mapping[str, str]) -> Path:
    """Find the state as the program does."""
    given = environ.get("STATE_DIRECTORY", "").split(":")[0]
    of_service = Path(given) if given else service_folder("STATE_DIRECTORY")
    usual = "Library/Application Support" if sys.platform == "darwin" else ".local/share"
    return of_service or Path(environ.get("XDG_DATA_HOME") or Path.home() / usual) / "coyote-table"


def has_come_up(home: Home, update: Update, state: Path) -> bool:
    """Return whether the new version was the last one that was ready."""
    return read_text(state / CAME_UP) == str(home.folder(update.version).resolve())


def prepare_start(home: Home, state: Path) -> tuple[str, ...]:
    """Count a start, go back where it is time to, and give the version that runs a state that it can read."""
    if is_held(state):
        return ()
    update, told = read_record(home), list[str]()
    if is_on_trial(update, home):
        told += _go_on(home, update, state)
    aside = fit_state(state, form_of_version(home.folder(home.current())))
    if aside is not None:
        told.append(f"This version can't read what newer ones have kept: that lies in {aside}.")
    return tuple(told)


def _go_on(home: Home, update: Update, state: Path) -> tuple[str, ...]:
    """Keep a version that came up, try it once more, or leave it; what can't be counted can't be tried."""
    why = "didn't come up twice"
    if update.tries and has_come_up(home, update, state):
        prove(home, update)
        return ()
    if update.tries < TRIES:
        try:
            if not update.tries:
                # from an earlier time that it was tried
                (state / CAME_UP).unlink(missing_ok=True)
            write_record(home, replace(update, tries=update.tries + 1))
        except OSError as error:
            why = f"can't be tried ({error.strerror})"
        else:
            return ()
    leave_version(home, update, state)
    return (f"{update.version} {why}: the version before it runs again.",)


def prove(home: Home, update: Update) -> None:
    """Keep a version that came up; from now on the one that it replaced is the one to go back to."""
    point_link(home.before_link, update.before)
    write_record(home, replace(update, reached="proven"))


def way_back(home: Home) -> str | None:
    """Name the version that one goes back to: while a new one is on trial, the one that it replaced."""
    update = read_record(home)
    return update.before if is_on_trial(update, home) else home.before()


def leave_version(home: Home, update: Update, state: Path) -> None:
    """Let the version before run again, and have people told; only the link counts."""
    home.switch(update.before if is_whole(home.folder(update.before)) else IN_PLACE)
    with suppress(OSError):
        write_record(home, replace(update, reached="returned"))
    with suppress(OSError):
        for name in COUNTS:
            (state / name).unlink(missing_ok=True)
        write_whole(state / WENT_BACK, update.version.encode())


def is_held(state: Path) -> bool:
    """Return whether a table runs with this state: nothing is done to it then."""
    try:
        with (state / TABLE_LOCK).open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


def is_proven(home: Home, state: Path) -> bool:
    """Return whether the version on trial has come up."""
    update = read_record(home)
    return update is None or not is_on_trial(update, home) or has_come_up(home, update, state)


def surroundings(**more: str) -> dict[str, str]:
    """Give the environment of a version's own programs, which choose no version and use no other one's code."""
    ours = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "PYTHONHOME"}}
    return {**ours, "COYOTE_CHOSEN": "1", **more}
