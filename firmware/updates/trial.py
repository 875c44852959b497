"""Trial of a new version: after two failed starts the table returns to the previous one.

This code runs outside of all versions, as `.versions/guard.pyz`. The service runs it in a separate unit,
because the table's own unit may write only the state. `./run` runs it first, and the version then replaces the
process.
"""

import fcntl
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from firmware.updates import layout
from firmware.updates.state_copies import fit_state, form_of_version
from firmware.updates.tools import point_link, read_text, remove, surroundings, write_whole

TRIES = 2  # starts allowed for a new version before a rollback
CAME_UP = "came-up"
"""File in the state with the path of the version that was last ready."""
WENT_BACK = "went-back"
"""File with the name of the version that failed to start, for a notice to people."""
TABLE_LOCK = ".starts.lock"  # lock of a running table, beside its state
ON_TRIAL = "COYOTE_TRIAL"  # environment variable that marks a version on trial
COUNTS = ("starts.json", "chosen.trial")
"""Failed starts counted by the program, which must not count against the previous version."""


def has_come_up(home: layout.Home, state: Path) -> bool:
    return read_text(state / CAME_UP) == str(home.folder(home.current()).resolve())


def start(home: layout.Home, words: Sequence[str]) -> int:
    if not words or words[0] == "run":
        prepare_safely(home)
    more = {} if layout.find_trial(home) is None else {ON_TRIAL: "1"}
    run = str(home.folder(home.current()) / "run")
    return os.execve(run, [run, *words], surroundings(**more))  # noqa: S606 - what was asked for


def prepare_safely(home: layout.Home) -> int:
    """Prepare a start; no error in this code prevents the start."""
    try:
        for line in prepare_start(home, layout.state_directory()):
            sys.stderr.write(f"{line}\n")
    except Exception as error:  # noqa: BLE001 - whatever it is, the table has to start
        sys.stderr.write(f"The version can't be watched: {error}\n")
    return 0


def prepare_start(home: layout.Home, state: Path) -> tuple[str, ...]:
    """Count a start, roll back if necessary, and make the state readable for the current version."""
    if _is_held(state):
        return ()
    trial = layout.find_trial(home)
    told = () if trial is None else _go_on(home, trial, state)
    aside = fit_state(state, form_of_version(home.folder(home.current())))
    if aside is None:
        return told
    return (*told, f"This version can't read what newer ones have kept: that lies in {aside}.")


def _go_on(home: layout.Home, trial: layout.Trial, state: Path) -> tuple[str, ...]:
    """Confirm a version that started, retry it, or roll back; a failed count ends the trial."""
    if trial.tries and has_come_up(home, state):
        prove(home, trial)
        return ()
    why = "didn't come up twice"
    if trial.tries < TRIES:
        try:
            layout.note_trial(home, replace(trial, tries=trial.tries + 1))
        except OSError as error:
            why = f"can't be tried ({error.strerror})"
        else:
            return ()
    # the previous version runs again; all that follows the link is optional
    home.switch(trial.before if layout.is_whole(home.folder(trial.before)) else layout.IN_PLACE)
    with suppress(OSError):
        for name in COUNTS:
            remove(state / name)
        write_whole(state / WENT_BACK, trial.version.encode())
    return (f"{trial.version} {why}: the version before it runs again.",)


def prove(home: layout.Home, trial: layout.Trial) -> None:
    """Confirm a version; the one that it replaced becomes the rollback target."""
    point_link(home.versions / layout.BEFORE, trial.before)
    remove(home.versions / layout.TRIAL)


def _is_held(state: Path) -> bool:
    """Return whether a running table uses this state, which must then not be changed."""
    try:
        with (state / TABLE_LOCK).open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error:
        return not isinstance(error, FileNotFoundError)
    return False
