"""Repair between a second copy and the table, in both directions."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from shutil import copytree

import pytest

from firmware.state_folder import JOURNAL
from firmware.storage.backups.archive import DAYS, kept_copies
from firmware.storage.files import remove
from firmware.storage.journal import open_journal
from referee.record import read_record
from referee.sums import lines_in
from tests.firmware.playing import kept_lines, play_lines
from tests.firmware.storage.backups.copying_tables import CopyingTable, add_match, other_disk
from tests.firmware.storage.backups.damaged_copies import copied_on_four_days, damage_copy, damage_table
from tests.firmware.storage.backups.tables import places_in
from tests.firmware.storage.damages import COPY, damage_lines, flip
from tests.given import present
from tests.tiers import slow, tiered
from vision.troubles import Problem


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CopyingTable]:
    folder = tmp_path_factory.mktemp("copied")
    with other_disk(folder) as disk:
        yield copied_on_four_days(folder, disk)


@pytest.fixture
def table(copied: CopyingTable, tmp_path: Path) -> Iterator[CopyingTable]:
    """A copy of a table and of its second copy."""
    copytree(copied.here.state.parent, tmp_path, dirs_exist_ok=True)
    with other_disk(tmp_path) as disk:
        copytree(copied.folder, disk, dirs_exist_ok=True)
        yield CopyingTable(disk, places_in(tmp_path))


def test_damaged_match_file_gives_its_intact_lines(table: CopyingTable) -> None:
    before, [file] = kept_lines(table.here.journal), table.files.glob("6.jsonl")
    kept_copies(table.home)[0].write_bytes(b"")
    for name in (JOURNAL, COPY):
        damage_lines(table.here.journal.with_name(name), before[6][2])
    with open_journal(table.here.journal) as opened:
        assert sum(opened.missing.values()) == 1
    damage_lines(file, before[6][5])
    assert table.copy(day=4).trouble is None
    open_journal(table.here.journal).journal.close()
    assert kept_lines(table.here.journal) == before
    table.copy(day=4)
    assert [each.line.text for each in lines_in(file.read_bytes())] == before[6]


def test_recovers_lost_end_unless_played_on(table: CopyingTable) -> None:
    before = kept_lines(table.here.journal)
    for is_played_on in (False, True):
        for name in (JOURNAL, COPY):
            damage_lines(table.here.journal.with_name(name), *before[6][8:])
        with open_journal(table.here.journal) as opened:
            assert opened.journal.lines(6) == before[6][:8]
            if is_played_on:
                play_lines(opened.journal, 6, present(read_record(before[6][:8]).match), 2, Random(99))
                other = opened.journal.lines(6)
            table.copy(day=4)
        with open_journal(table.here.journal) as opened:
            assert opened.journal.lines(6) == (other if is_played_on else before[6])
        table.copy(day=4)


def test_deliberate_restore_is_kept(table: CopyingTable) -> None:
    before = kept_lines(table.here.journal)
    day = kept_copies(table.home)[-1]
    table.restore(table.home.name, day.name)
    for _copy in range(2):
        table.copy(day=5)
        with open_journal(table.here.journal) as opened:
            assert opened.repairs() == ()
    assert kept_lines(table.here.journal) == {number: before[number] for number in (1, 2, 3)}


@slow("two dozen damages, each copied and started over")
def test_repairs_damage_on_either_side(table: CopyingTable) -> None:
    rng = Random(1)
    for number in range(tiered(4, 100)):
        assert damage_copy(table, rng) == ""
        assert damage_table(table, rng, 5 + number % 20) == ""


def test_restores_damaged_copy_line_by_line(table: CopyingTable) -> None:
    before = kept_lines(table.here.journal)
    newest = kept_copies(table.home)[0]
    for place in (newest, table.files):
        damage_lines(place, before[3][4], before[4][0], before[6][9])
    report = table.restore(table.home.name, newest.name)
    # the newest match isn't in a daily copy yet
    assert (report.trouble, report.staged.missing, report.staged.was_damaged) == (None, 1, True)
    after = kept_lines(table.here.journal)
    assert after.pop(6) == [text if number != 9 else "" for number, text in enumerate(before.pop(6))]
    assert after == before


@slow("a few dozen copies of a day, each restored from")
def test_flipped_bit_never_prevents_restore(table: CopyingTable) -> None:
    remove(table.files)
    before = kept_lines(table.here.journal)
    for file in kept_copies(table.home)[:2]:
        whole = file.read_bytes()
        # the end has the offset of the directory
        for at in (
            *range(0, len(whole), max(1, len(whole) // tiered(3, 400))),
            *range(len(whole) - 12, len(whole), tiered(3, 1)),
        ):
            file.write_bytes(flip(whole, 8 * at + at % 8))
            report = table.restore(table.home.name, file.name)
            assert report.trouble is None, at
            after = kept_lines(table.here.journal)
            # lines of that day's newest match may be lost: no other backup has them
            for match, lines in after.items():
                assert all(text in {"", there} for text, there in zip(lines, before[match], strict=False)), at
            assert [after[match] for match in range(1, 5)] == [before[match] for match in range(1, 5)], at
        file.write_bytes(whole)


def test_reports_unreadable_day(table: CopyingTable) -> None:
    newest = kept_copies(table.home)[0]
    newest.write_bytes(flip(newest.read_bytes(), 8 * 200))
    add_match(table.here, 5)
    report = table.copy(day=5)
    assert report.trouble == Problem("copy of day damaged", {"name": newest.name})
    assert len(kept_copies(table.home)) == 5


def test_removes_drafts_of_killed_copies(table: CopyingTable) -> None:
    drafts = [table.home / DAYS / f".0011-2026-11-0{day}.zip.99999{day}" for day in range(1, 4)]
    for draft in (*drafts, table.files / ".3.jsonl.999999"):
        draft.write_bytes(b"half")
    table.copy(day=5)
    assert not list(table.home.rglob(".*.9999*"))
