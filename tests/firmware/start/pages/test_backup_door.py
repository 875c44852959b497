"""What the pages tell of a backup before it is made."""

from pathlib import Path

from firmware.start.pages.backup_door import Backups
from firmware.storage.files import beside
from firmware.storage.journal import open_journal
from tests.firmware.board.senses.matches import bidden
from tests.firmware.storage.backups.tables import table_in


def test_what_the_journal_has_in_its_log_counts(tmp_path: Path) -> None:
    here = table_in(tmp_path, "Ana")
    backups = Backups(here, here.state / "evidence", lambda: None)
    with open_journal(here.journal) as opened:
        before = backups.holding().journal
        for _match in range(50):
            opened.journal.begin(bidden(3, 5, 8))
        log = beside(here.journal, "-wal").stat().st_size
        assert log > 50_000
        assert backups.holding().journal == here.journal.stat().st_size + log
        assert backups.holding().journal > before + 50_000
