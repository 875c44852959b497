"""Consistent readers: on any damage, reading commands return what opening for writing does, or refuse."""

from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from firmware.cli.replay import save
from firmware.services.checks import Here
from firmware.services.checks import journal as journal_finding
from firmware.state_folder import SUMS
from firmware.storage.backups.archive import TablePlaces, backup, verify_backup
from firmware.storage.forgetting import evenings_in
from firmware.storage.journal import open_journal
from firmware.storage.match_history import History
from tests.firmware.playing import kept_lines
from tests.firmware.storage.damages import DATABASE, LOG, blank_match_heads, leave_files, truncate_files
from tests.firmware.storage.read_ways import MADE, flips, incomplete_readers
from tests.tiers import slow, tiered


@slow("a journal that is read in all ways, over and over")
@pytest.mark.parametrize("is_killed", [True, False])
def test_no_reader_is_silently_incomplete(is_killed: bool, tmp_path: Path) -> None:
    left = leave_files(tmp_path / "table", 0, 9, is_killed=is_killed, begun=3)
    rng = Random(9)
    for damaged in (*flips(left, tiered(4, 400), rng), *truncate_files(left, tiered(4, 100), rng)):
        assert incomplete_readers(left, damaged, tmp_path) == [], list(damaged)


@pytest.mark.parametrize("database", [b"", b"SQLite format 3\0", "headless", None])
def test_reads_journal_from_copy_alone(database: bytes | str | None, tmp_path: Path) -> None:
    left = leave_files(tmp_path / "table", 0, 3, is_killed=False, begun=2)
    path = left.lay(
        tmp_path / "left", {DATABASE: database if isinstance(database, bytes) else blank_match_heads(left)}
    )
    if database is None:
        path.unlink()
    before = sorted(file.name for file in path.parent.rglob("*"))
    lines = kept_lines(path)
    assert {(m, n): text for m, each in lines.items() for n, text in enumerate(each)} == left.lines
    assert {entry.number: History(path).lines(entry.number) for entry in History(path).all()} == lines
    assert [len(evening.matches) for evening in evenings_in(path)] == [len(lines)]
    assert str(len(lines)) in str(journal_finding(Here(path.parent, path)).told)
    left_there = sorted(file.name for file in path.parent.rglob("*") if not file.name.endswith(SUMS))
    assert left_there == before
    with open_journal(path) as opened:
        [told] = [each.values["lines"] for each in opened.repairs() if each.key == "lines mended"]
        assert told == len(left.lines) or database == "headless"
    assert kept_lines(path) == lines


def test_reports_lost_lines(tmp_path: Path) -> None:
    left = leave_files(tmp_path / "table", 0, 3, is_killed=True)
    [copy] = left.copies
    cut = {LOG: left.files[LOG][:-9000], copy: left.files[copy][:-900]}
    path = left.lay(tmp_path / "left", cut)
    result = CliRunner().invoke(save, ["--journal", str(path)])
    assert result.exit_code == 0
    assert "last lines of the journal are lost" in result.stderr
    assert len(result.stdout.splitlines()) < len(left.lines)
    file = tmp_path / "b.zip"
    file.write_bytes(b"".join(backup(TablePlaces(path.parent, path, tmp_path / "coyote.toml"), MADE)))
    manifest = verify_backup(file)
    assert manifest.lines == len(result.stdout.splitlines())
    assert manifest.told == len(left.lines)
