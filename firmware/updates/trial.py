"""Before each start: a new version is on trial until it has come up; after two starts the table goes back.

This runs outside of all versions, as `.versions/guard.pyz`: for the service in a unit of its own, as that of
the table may write nothing but its state; for `./run` in front of it, whose place the version then takes.
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

TRIES = 2  # starts that a new version has to come up in; after them the table goes back
CAME_UP = "came-up"
"""The file in the state in which the version says where it lies that was ready last."""
WENT_BACK = "went-back"
"""The file that names the version that didn't come up, for the one that tells people."""
TABLE_LOCK = ".starts.lock"  # what a table that runs holds, beside its state
ON_TRIAL = "COYOTE_TRIAL"  # the variable that tells a version that it is on trial
COUNTS = ("starts.json", "chosen.trial")
"""Starts that failed, as the program counts them: the old version isn't to blame for those of the new one."""


def has_come_up(home: layout.Home, state: Path) -> bool:
    return read_text(state / CAME_UP) == str(home.folder(home.current()).resolve())


def start(home: layout.Home, words: Sequence[str]) -> int:
    if not words or words[0] == "run":
        prepare_safely(home)
    more = {} if layout.find_trial(home) is None else {ON_TRIAL: "1"}
    run = str(home.folder(home.current()) / "run")
    return os.execve(run, [run, *words], surroundings(**more))  # noqa: S606 - what was asked for


def prepare_safely(home: layout.Home) -> int:
    """Do what is done before a start; nothing that goes wrong in it keeps the table from starting."""
    try:
        for line in prepare_start(home, layout.state_directory()):
            sys.stderr.write(f"{line}\n")
    except Exception as error:  # noqa: BLE001 - whatever it is, the table has to start
        sys.stderr.write(f"The version can't be watched: {error}\n")
    return 0


def prepare_start(home: layout.Home, state: Path) -> tuple[str, ...]:
    """Count a start, go back where it is time to, and give the version that runs a state that it can read."""
    if _is_held(state):
        return ()
    trial = layout.find_trial(home)
    told = () if trial is None else _go_on(home, trial, state)
    aside = fit_state(state, form_of_version(home.folder(home.current())))
    if aside is None:
        return told
    return (*told, f"This version can't read what newer ones have kept: that lies in {aside}.")


def _go_on(home: layout.Home, trial: layout.Trial, state: Path) -> tuple[str, ...]:
    """Keep a version that came up, try it once more, or leave it; what can't be counted can't be tried."""
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
    # the version before runs again, and people are told; only the link counts
    home.switch(trial.before if layout.is_whole(home.folder(trial.before)) else layout.IN_PLACE)
    with suppress(OSError):
        for name in COUNTS:
            remove(state / name)
        write_whole(state / WENT_BACK, trial.version.encode())
    return (f"{trial.version} {why}: the version before it runs again.",)


def prove(home: layout.Home, trial: layout.Trial) -> None:
    """Keep a version that came up; from now on the one that it replaced is the one to go back to."""
    point_link(home.versions / layout.BEFORE, trial.before)
    remove(home.versions / layout.TRIAL)


def _is_held(state: Path) -> bool:
    """Return whether a table runs with this state: nothing is done to it then."""
    try:
        with (state / TABLE_LOCK).open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error:
        return not isinstance(error, FileNotFoundError)
    return False
