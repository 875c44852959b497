"""Copying to a stick that is killed at any moment: what lies there is old or new, and the next copy right."""

import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from time import monotonic, sleep

from msgspec import Struct

from firmware.start.starting import COPY_PROCESS
from firmware.storage.backups.parts import BackupError
from firmware.storage.backups.unpacking import verify_backup
from firmware.storage.second_copy.jobs import encode_job
from firmware.storage.second_copy.mirror import places_in_copy, versions_in
from firmware.storage.second_copy.nightly import nightly_copies
from tests.firmware.storage.backups.tables import table_in
from tests.firmware.storage.second_copy.sticks_of_tests import Stick, add_match, content_of

SHARE = 1.1
"""How long copying may take at most, by what it took at first."""
DAYS = 28


class KilledCopies(Struct):
    """What is counted."""

    kills: int = 0
    finished: int = 0
    """Copies that were done before the kill."""
    wrong: list[str] = []

    def line(self) -> str:
        """Give the figures."""
        return "\n  ".join(
            [f"{self.kills} kills, {self.finished} too late, {len(self.wrong)} wrong", *self.wrong]
        )


def kill_copies(folder: Path, times: int, rng: Random) -> KilledCopies:
    """Let a table change and copy, and kill the copying."""
    figures = KilledCopies()
    stick = Stick(folder / "STICK", table_in(folder, "Ana"))
    stick.use()
    begun = monotonic()
    subprocess.run(_command(stick, 1), stdout=subprocess.DEVNULL, check=True)
    longest = SHARE * (monotonic() - begun)
    for time in range(times):
        journal = stick.home / "journal.sqlite3"
        before = versions_in(journal)
        add_match(stick.here, time + 10)
        process = subprocess.Popen(_command(stick, 1 + time % DAYS), stdout=subprocess.DEVNULL)
        sleep(rng.uniform(0, longest))
        process.send_signal(signal.SIGKILL)
        figures.kills += 1
        figures.finished += process.wait() == 0
        if versions_in(journal) not in (before, versions_in(stick.here.journal)):
            figures.wrong.append(f"after kill {time} the journal is neither old nor new")
        for copy in nightly_copies(stick.home):
            try:
                verify_backup(copy)
            except BackupError as error:
                figures.wrong.append(f"{copy.name}: {error}")
    stick.copy(1)
    if content_of(places_in_copy(stick.home)) != content_of(stick.here):
        figures.wrong.append("the next copy isn't what the table keeps")
    return figures


def _command(stick: Stick, day: int) -> list[str]:
    return [sys.executable, "-P", "-m", COPY_PROCESS, encode_job(stick.job(day))]
