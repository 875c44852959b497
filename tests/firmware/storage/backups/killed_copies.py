"""Copying killed before any file operation: files are old or new, and the next copy is correct."""

import os
from pathlib import Path
from random import Random

from msgspec import Struct

from firmware.storage.backups.archive import kept_copies, verify_backup
from firmware.storage.errors import BackupError
from tests.firmware.storage.backups.copying_tables import (
    CopyingTable,
    add_match,
    content_of,
    copied_content,
    other_disk,
)
from tests.firmware.storage.backups.tables import table_in
from tests.firmware.storage.faults import KilledRun, run_and_kill

DAYS = 28


class KilledCopies(Struct):
    """Counts over all kills."""

    kills: int = 0
    finished: int = 0  # copies completed before the kill
    wrong: list[str] = []

    def line(self) -> str:
        return "\n  ".join(
            [f"{self.kills} kills, {self.finished} too late, {len(self.wrong)} wrong", *self.wrong]
        )


def kill_copies(folder: Path, times: int, rng: Random) -> KilledCopies:
    """Let a table change and copy, and kill the copying process."""
    with other_disk(folder) as disk:
        return _kill_copies(CopyingTable(disk, table_in(folder, "Ana")), times, rng)


def _kill_copies(table: CopyingTable, times: int, rng: Random) -> KilledCopies:
    figures = KilledCopies()
    table.copy()

    def copy(day: int, at: int) -> KilledRun:
        return run_and_kill(lambda: table.copy(day, "backup"), at, os.environ)

    add_match(table.here, 9)
    deeds = len(copy(2, 0).deeds)
    for time in range(times):
        before = copied_content(table)
        add_match(table.here, time + 10)
        figures.kills += 1
        figures.finished += not copy(1 + time % DAYS, rng.randint(1, deeds)).was_killed
        if copied_content(table) not in (before, content_of(table.here)):
            figures.wrong.append(f"after kill {time} the newest copy is neither old nor new")
        for each in kept_copies(table.home):
            try:
                verify_backup(each)
            except BackupError as error:
                figures.wrong.append(f"{each.name}: {error}")
    table.copy(1)
    if copied_content(table) != content_of(table.here):
        figures.wrong.append("the next copy isn't what the table keeps")
    return figures
