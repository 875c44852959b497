"""The steps of an update, each done anew if it was broken off; all but the last leave what runs alone."""

import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from firmware.updates.files import remove, size_of, write_whole
from firmware.updates.layout import HIGHEST, RECORD, Home, Step, Update, is_broken_off, is_whole, write_record
from firmware.updates.sources import unpack_commit
from firmware.updates.state_copies import copy_state
from firmware.updates.tools import UpdateError, run_tool
from firmware.updates.trial import CAME_UP, surroundings

RESERVE = 200_000_000
"""Bytes that stay free: the table that plays on needs some."""
CHECK = ("-I", "-m", "firmware.start.health_check")
CHECKED = ".draft-checked"
"""The copy of the state that the new version is started on."""
PATIENCE = 600.0
"""Seconds that the check may take, on a Pi with a match that goes on."""


INSTALLED: Step = "installed"
"""The step from which an update goes on; what is there by then has taken most of the time."""


@dataclass(frozen=True)
class Job:
    """An update, where it is made, and with what."""

    home: Home
    update: Update
    state: Path
    wheels: Path | None = None

    @property
    def folder(self) -> Path:
        """Give the folder of the new version."""
        return self.home.folder(self.update.version)


def begin(wanted: Update, earlier: Update | None) -> Update:
    """Go on with an update that was broken off before its version was ever started, or begin it."""
    if not is_broken_off(earlier) or replace(earlier, reached="chosen") != wanted:
        return wanted
    return wanted if earlier.reached in {"chosen", "unpacked"} else replace(wanted, reached=INSTALLED)


def build(job: Job) -> None:
    """Take all steps up to the switch; one that fails leaves nothing behind."""
    try:
        write_record(job.home, job.update)
        if job.update.reached == "chosen":
            unpack(job)
            install(job)
            os.sync()
            write_record(job.home, replace(job.update, reached=INSTALLED))
        check(job)
    except (UpdateError, OSError, KeyboardInterrupt):
        # on a full disk the table needs the room; first goes what says how far it got
        with suppress(OSError):
            for path in (job.home.versions / RECORD, job.home.versions / CHECKED, job.folder):
                remove(path)
        raise


def unpack(job: Job) -> None:
    """Lay the code into a folder of its own."""
    now = job.home.folder(job.update.before)
    needed = 2 * size_of(now / ".venv") + RESERVE
    free = shutil.disk_usage(job.home.versions).free
    if free < needed:
        told = f"The disk is too full: {needed // 10**6} MB are needed, {free // 10**6} MB are free."
        raise UpdateError(f"{told} Make room, then try again.")
    unpack_commit(job.home.repository, job.update.commit, job.folder)


def install(job: Job) -> None:
    """Make the environment of the new version from nothing."""
    remove(job.folder / ".venv")
    if not set_up(job.folder, job.wheels):
        raise UpdateError(f"{job.update.version} could not be set up (see above): nothing was changed.")


def set_up(folder: Path, wheels: Path | None) -> bool:
    """Let a version make its environment, as only it knows what it needs."""
    environ = surroundings(**({} if wheels is None else {"COYOTE_WHEELS": str(wheels)}))
    command = (str(folder / "run"), "--version")
    done = subprocess.run(command, env=environ, stdout=subprocess.DEVNULL, check=False, close_fds=False)
    return done.returncode == 0 and is_whole(folder)


def check(job: Job) -> None:
    """Start the new version on a copy of the state: it has to show its pages, read a card and play a move."""
    # it could be followed by another one
    try:
        run_tool(sys.executable, "-I", str(job.folder / "firmware" / "updates"), "update", "--help")
    except UpdateError as error:
        raise UpdateError(f"{job.update.version} isn't well, nothing was changed: {error}") from error
    copy = job.home.versions / CHECKED
    copy_state(job.state, copy)
    try:
        command = (str(job.folder / ".venv" / "bin" / "python"), *CHECK, str(copy))
        why = _run_for_a_while(command)
    finally:
        remove(copy)
    if why:
        raise UpdateError(f"{job.update.version} isn't well, nothing was changed: {why}")


def _run_for_a_while(command: tuple[str, ...]) -> str:
    """Run a program with all that it starts; give the last line of its complaint, nothing if all is well."""
    with subprocess.Popen(
        command,
        env=surroundings(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        close_fds=False,
        start_new_session=True,
    ) as program:
        try:
            said = program.communicate(timeout=PATIENCE)[1].decode(errors="replace").strip()
        except subprocess.TimeoutExpired:
            said = "it takes too long"
        finally:
            with suppress(ProcessLookupError):
                os.killpg(program.pid, signal.SIGKILL)
    return "" if program.returncode == 0 else (said or "it ended without a word").splitlines()[-1]


def switch(job: Job) -> Update:
    """Let the new version run from the next start on; all of it is on the disk before."""
    update, home = replace(job.update, reached="trial", tries=0), job.home
    if not is_whole(job.folder):
        raise UpdateError(f"{job.folder} isn't whole: nothing was changed.")
    os.sync()
    (job.state / CAME_UP).unlink(missing_ok=True)
    write_whole(home.versions / HIGHEST, update.version.encode())
    write_record(home, update)
    home.switch(update.version)
    return update


def be_modest() -> None:
    """Leave processors and memory to the table that plays."""
    os.nice(10)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("500", encoding="ascii")
