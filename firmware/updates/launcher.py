"""`./run`: the version that runs is started; one on trial is watched, and followed by the one before it.

The service asks a guard before each start: this room, packed into one file outside of all versions.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import NoReturn
from zipfile import ZipFile, ZipInfo

from firmware.updates.files import write_whole
from firmware.updates.layout import TRIES, Home, is_on_trial, read_record, write_record
from firmware.updates.trial import is_proven, prepare_start, state_folder, surroundings

TRIAL = "COYOTE_TRIAL"
"""The variable that tells a version that it is on trial."""


def start(home: Home, words: Sequence[str]) -> int:
    """Start the version that runs."""
    is_table = not words or words[0] == "run"
    for _try in range(TRIES + 1 if is_table else 0):
        prepare_safely(home)
        if not is_on_trial(read_record(home), home):
            break
        code = _run_on_trial(home, words)
        if is_proven(home, state_folder(os.environ)):
            return code
        if code == 0:
            # a start that was ended on purpose doesn't count
            update = read_record(home)
            if update is not None and update.tries:
                write_record(home, replace(update, tries=update.tries - 1))
            return code
    return _become(home, words)


def prepare_safely(home: Home) -> int:
    """Do what is done before a start; nothing that goes wrong in it keeps the table from starting."""
    try:
        for line in prepare_start(home, state_folder(os.environ)):
            sys.stderr.write(f"{line}\n")
    except Exception as error:  # noqa: BLE001 - whatever it is, the table has to start
        sys.stderr.write(f"The version can't be watched: {error}\n")
    return 0


def _run_of(home: Home) -> str:
    return str(home.folder(home.current()) / "run")


def _run_on_trial(home: Home, words: Sequence[str]) -> int:
    """Run a version that may not come up; a wish to end is passed on to it."""
    with subprocess.Popen((_run_of(home), *words), env=surroundings(**{TRIAL: "1"})) as table:
        for name in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(name, lambda number, _frame: table.send_signal(number))
        # Ctrl-C reaches the table by itself
        signal.signal(signal.SIGINT, lambda _number, _frame: None)
        return table.wait()


def _become(home: Home, words: Sequence[str]) -> NoReturn:
    run = _run_of(home)
    os.execve(run, [run, *words], surroundings())  # noqa: S606 - what was asked for


GUARD = "guard.pyz"
ROOM = Path(__file__).parent
MAIN = b"from firmware.updates.command import main\n\nmain()\n"


def place_guard(home: Home) -> None:
    """Lay the guard of the version that updates beside the versions: it is known to run."""
    if not ROOM.is_dir():
        # this is the guard
        return
    packed = packed_guard()
    file = home.versions / GUARD
    if not file.is_file() or file.read_bytes() != packed:
        write_whole(file, packed)


def packed_guard() -> bytes:
    """Pack this room, always to the same bytes."""
    sources = (ROOM.parent / "__init__.py", *sorted(ROOM.glob("*.py")))
    files = {str(path.relative_to(ROOM.parents[1])): path.read_bytes() for path in sources}
    packed = BytesIO()
    with ZipFile(packed, "w") as archive:
        for name, content in {"__main__.py": MAIN, **files}.items():
            archive.writestr(ZipInfo(name), content)
    return packed.getvalue()
