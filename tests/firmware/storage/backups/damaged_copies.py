"""Damage to a second copy, or to both local copies of a table: one repairs the other."""

from pathlib import Path
from random import Random

from firmware.state_folder import JOURNAL
from firmware.storage.backups.archive import day_of, kept_copies
from firmware.storage.files import remove
from firmware.storage.journal import open_journal
from tests.firmware.playing import kept_lines, play_lines
from tests.firmware.storage.backups.copying_tables import CopyingTable, content_of, copied_content, played_by
from tests.firmware.storage.backups.tables import table_in
from tests.firmware.storage.damages import COPY, damage


def copied_on_four_days(folder: Path, disk: Path) -> CopyingTable:
    """Copy a table to another disk on four days, each time with one more match."""
    table = CopyingTable(disk, table_in(folder, "Ana"))
    for day in range(1, 5):
        match = played_by(day, "Ana", "Bo", "Chloé", "Dan", "Eve")
        with open_journal(table.here.journal) as opened:
            play_lines(opened.journal, opened.journal.begin(match), match, 10, Random(day))
        table.copy(day)
    return table


def damage_copy(table: CopyingTable, rng: Random) -> str:
    """Damage the newest backup or a match file, and copy again on the same day. Returns the faults."""
    truth = content_of(table.here)
    newest = kept_copies(table.home)[0]
    file = rng.choice((newest, *sorted(table.files.iterdir())))
    file.write_bytes(damage(file.read_bytes(), rng))
    report = table.copy(int(day_of(newest)[-2:]), "backup")
    is_healed = report.trouble is None and copied_content(table) == truth
    return "" if is_healed else f"{file.name}: {report.trouble}"


def damage_table(table: CopyingTable, rng: Random, day: int) -> str:
    """Damage both local copies, then start, copy and start again. Returns the faults."""
    journal = table.here.journal
    truth = kept_lines(journal)
    for file in (journal, *sorted(journal.with_name(COPY).iterdir())):
        file.write_bytes(damage(file.read_bytes(), rng))
    open_journal(journal).journal.close()
    report = table.copy(day)
    open_journal(journal).journal.close()
    for aside in journal.parent.glob(f"{JOURNAL}.damaged-*"):
        remove(aside)
    lost = {match for match, lines in truth.items() if kept_lines(journal).get(match) != lines}
    return f"matches {lost} of the table: {report.trouble}" if lost else ""
