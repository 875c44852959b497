"""A second copy: complete, verified, restorable, with those of earlier days."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

from firmware.storage.backups import copies
from firmware.storage.backups.archive import filed_or_none, kept_copies, verify_backup
from firmware.storage.backups.copies import COPY_SETTINGS
from firmware.storage.files import beside, remove
from firmware.storage.forgetting import ORDERED, KeptEvening, KeptEverywhere, finish_forgetting
from firmware.storage.journal import open_journal
from firmware.storage.match_files import MATCHES, read_files
from referee.sums import SealedLine, filed
from tests.firmware.playing import kept_lines
from tests.firmware.storage.backups import copying_tables
from tests.firmware.storage.backups.copying_tables import CopyingTable, add_match, content_of, other_disk
from tests.firmware.storage.backups.tables import table_in
from tests.firmware.storage.damages import damage_lines
from vision.troubles import Problem

GUEST = "Wilhelmina"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[CopyingTable]:
    matches = copying_tables.played_by(1, "Ana", GUEST), copying_tables.played_by(2, "Ana", "Bo")
    with other_disk(tmp_path) as disk:
        yield CopyingTable(disk, table_in(tmp_path, "Ana", *matches))


# the newest copy


def test_copies_whole_state_with_match_files_as_beside_journal(table: CopyingTable) -> None:
    [copy] = table.copy().copies
    assert (copy.is_own, copy.matches, copy.made[:10]) == (True, 2, "2026-11-01")
    assert copying_tables.copied_content(table) == content_of(table.here)
    assert not list(table.folder.rglob("links.json"))
    [backup] = kept_copies(table.home)
    before = backup.read_bytes()
    for number in (3, 4):
        add_match(table.here, number)
        assert table.copy().trouble is None
        assert read_files(table.home / "journal.sqlite3") == read_files(table.here.journal)
    unchanged = (table.files / "3.jsonl").stat().st_ino
    table.copy()
    assert (table.files / "3.jsonl").stat().st_ino == unchanged, "it was written again"
    assert backup.read_bytes() == before, "it is completed on the next day"
    assert {each.line.match_id for each in filed_or_none(backup)} == {1, 2, 3, 4}


def test_rejects_folder_on_own_disk(table: CopyingTable, tmp_path: Path) -> None:
    # mounting a disk hides the files in its mount point
    beside = CopyingTable(tmp_path / "beside", table.here)
    beside.folder.mkdir()
    assert beside.copy().trouble == Problem("copy beside")
    assert not any(beside.folder.iterdir())


def test_missing_folder_is_reported_and_retried(table: CopyingTable) -> None:
    table.folder.rmdir()
    assert table.copy().trouble == Problem("copy folder gone")
    assert not table.folder.exists()
    table.folder.mkdir()
    report = table.copy()
    assert (report.trouble, len(report.copies)) == (None, 1)


def test_unverified_copy_is_reported_and_old_one_stays(
    table: CopyingTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.copy()
    [newest] = kept_copies(table.home)
    before = newest.read_bytes()
    add_match(table.here, 3)

    def read_back(file: Path) -> None:
        content = file.read_bytes()
        half = len(content) // 2
        file.write_bytes(content[:half] + bytes(40) + content[half + 40 :])
        verify_backup(file)

    monkeypatch.setattr(copies, "verify_from_disk", read_back)
    report = table.copy(what="backup")
    assert report.trouble == Problem("copy damaged", {"name": newest.name})
    assert newest.read_bytes() == before
    assert [*newest.parent.iterdir()] == [newest]
    monkeypatch.undo()
    report = table.copy(what="backup")
    assert report.trouble is None
    assert copying_tables.copied_content(table) == content_of(table.here)


def test_match_file_that_reads_back_wrong_is_reported_and_rewritten(
    table: CopyingTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.copy()
    add_match(table.here, 3)
    monkeypatch.setattr(copies, "_drop_cache", lambda file: file.write_bytes(file.read_bytes()[:-9]))
    assert table.copy().trouble == Problem("copy damaged", {"name": "3.jsonl"})
    monkeypatch.undo()
    assert table.copy().trouble is None
    assert copying_tables.copied_content(table) == content_of(table.here)


def test_copies_intact_lines_of_damaged_journal(table: CopyingTable) -> None:
    table.copy()
    add_match(table.here, 3)
    whole = table.here.journal.read_bytes()
    before = kept_lines(table.here.journal)
    assert table.copy().trouble is None
    table.here.journal.write_bytes(whole.replace(b"coyote", b"c0yote", 1))
    for _time in range(2):
        assert table.copy().trouble is None
        [newest] = kept_copies(table.home)
        assert {each.line.place: each.line.text for each in filed_or_none(newest)} == {
            (match, number): text for match, lines in before.items() for number, text in enumerate(lines)
        }
        # if the table's own copy is lost too, the second one has the old data
        remove(table.here.journal.with_name("journal.sqlite3.matches"))


# selection of copies


def link_home(table: CopyingTable, _foreign: Path) -> Path:
    home, elsewhere = table.home, table.here.state.with_name("elsewhere")
    shutil.rmtree(home)
    elsewhere.mkdir()
    home.symlink_to(elsewhere)
    return home


def link_match_file(table: CopyingTable, foreign: Path) -> Path:
    (strange := table.files / "7.jsonl").symlink_to(foreign / "1.jsonl")
    return strange


def put_pipe(table: CopyingTable, _foreign: Path) -> Path:
    os.mkfifo(strange := table.files / "7.jsonl")
    return strange


def add_forged_line(table: CopyingTable, _foreign: Path) -> None:
    with open_journal(table.here.journal) as opened:
        number = opened.journal.table
    with (table.files / "1.jsonl").open("ab") as file:
        file.write(filed(number, SealedLine(1, 900_000_000, "{}"), 0))


def add_foreign_matches(table: CopyingTable, foreign: Path) -> None:
    shutil.copy(foreign / "1.jsonl", table.files / "9.jsonl")
    (table.files / "8.jsonl").write_bytes(b"garbage")


STRANGE = (link_home, link_match_file, put_pipe, add_forged_line, add_foreign_matches)


@pytest.mark.parametrize("put", STRANGE)
def test_strange_files_are_refused_or_removed(
    table: CopyingTable, tmp_path: Path, put: Callable[[CopyingTable, Path], Path | None]
) -> None:
    table.copy()
    foreign = table_in(tmp_path / "foreign", "Zoe", copying_tables.played_by(9, "Zoe", "Bo"))
    refused, before = put(table, beside(foreign.journal, MATCHES)), content_of(table.here)
    trouble = refused and Problem("copy elsewhere", {"path": str(refused)})
    assert table.copy().trouble == trouble
    if refused is not None:
        assert table.restore(table.home.name, "0001-2026-11-01.zip").trouble == trouble
        assert not refused.is_dir() or not any(refused.iterdir()), "nothing is written through a link"
    else:
        assert read_files(table.home / "journal.sqlite3") == read_files(table.here.journal)
    open_journal(table.here.journal).journal.close()
    assert content_of(table.here) == before


@pytest.mark.parametrize("content", [b"", b'{"id": 3}', b"[" * 100_000])
def test_ignores_garbage_among_copies(table: CopyingTable, content: bytes) -> None:
    table.copy()
    for file in ("table.json", f"{table.home.name}/copy.json", f"{table.home.name}/journal.sqlite3"):
        (table.folder / "coyote-table" / file).write_bytes(content)
    (table.home / "nightly" / "0001-2026-10-31.zip").write_bytes(content)
    (table.home / "nightly" / "nonsense").write_bytes(content)
    (table.files / "1.jsonl").write_bytes(content)
    table.copy()
    assert table.copy().trouble is None
    report = table.restore(table.home.name, "0001-2026-10-31.zip")
    assert report.trouble == Problem("no backup")


# days


def test_keeps_copies_of_earlier_days(table: CopyingTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copies, "EARLIER", 3)
    told = {}
    for day in range(1, 7):
        add_match(table.here, day + 10)
        table.copy(day)
        told[day] = content_of(table.here)
    kept = kept_copies(table.home)
    assert [copy.name[5:15] for copy in kept] == [f"2026-11-{day:02}" for day in (6, 5, 4, 3)]
    assert [copy.made for copy in table.copy(6).copies[1:3]] == ["2026-11-05", "2026-11-04"]
    assert table.restore(table.home.name, kept[2].name).trouble is None
    assert content_of(table.here) == told[4]


def test_next_day_completes_backup_of_evening(table: CopyingTable) -> None:
    table.copy(day=1)
    add_match(table.here, 3)
    table.copy(day=1)
    before = content_of(table.here)
    add_match(table.here, 4)
    assert table.copy(day=2).trouble is None
    report = table.restore(table.home.name, "0001-2026-11-01.zip")
    assert (report.trouble, report.staged.matches, report.staged.was_damaged) == (None, 3, False)
    assert content_of(table.here) == before


def test_lost_lines_stay_in_copy(table: CopyingTable) -> None:
    table.copy()
    # only in a match file there
    add_match(table.here, 3)
    table.copy()
    before = content_of(table.here)
    for file in table.here.state.glob("journal.sqlite3*"):
        remove(file)
    add_match(table.here, 9)
    report = table.copy()
    [newest, kept] = report.copies
    assert (newest.matches, newest.name) == (1, "0002-2026-11-01.zip")
    assert kept.name == "0001-2026-11-01.zip"
    assert table.copy().copies == report.copies
    assert table.restore(kept.table, kept.name).trouble is None
    assert content_of(table.here) == before


# names


def test_next_copy_removes_forgotten_names(table: CopyingTable) -> None:
    here = table.here
    for day in (1, 2, 3):
        table.copy(day)
        add_match(here, day + 10, "Ana", GUEST)
    # no copy is made meanwhile
    with open_journal(here.journal) as opened:
        KeptEverywhere(opened.journal, here).forget(GUEST)
    ORDERED.keep(here.state, KeptEvening("2026-01-01", ((2, "2026 2"),)))
    assert finish_forgetting(here, print)
    assert COPY_SETTINGS.read(here.state).forgotten == 2
    report = table.copy(4)
    assert report.trouble is None
    assert len(kept_copies(table.home)) == 4
    there = list[bytes]()
    for copy in kept_copies(table.home):
        with ZipFile(copy) as opened_copy:
            names = [name for name in opened_copy.namelist() if name.startswith("matches/")]
            there.append(b"".join(map(opened_copy.read, names)))
    there += [path.read_bytes() for path in table.home.rglob("*") if path.is_file()]
    assert not any(gone in content for content in there for gone in (GUEST.encode(), b'"2026 2"'))
    assert all(b'"2026 1"' in content for content in there[:4])
    assert not (table.files / "2.jsonl").exists()


def test_forgotten_match_does_not_come_back_from_damaged_backup(table: CopyingTable) -> None:
    here = table.here
    table.copy()
    ORDERED.keep(here.state, KeptEvening("2026-01-01", ((2, "2026 2"),)))
    assert finish_forgetting(here, print)
    [backup] = kept_copies(table.home)
    backup.write_bytes(backup.read_bytes()[:-30])
    table.copy()
    with open_journal(here.journal) as opened:
        assert [match.id for match in opened.journal.matches()] == [1]
    assert not any(b'"2026 2"' in path.read_bytes() for path in table.home.rglob("*") if path.is_file())


def test_lost_first_line_comes_back_without_forgotten_name(table: CopyingTable) -> None:
    here = table.here
    table.copy()
    before = kept_lines(here.journal)
    with open_journal(here.journal) as opened:
        KeptEverywhere(opened.journal, here).forget(GUEST)
        head = opened.journal.lines(1)[0]
    for file in (here.journal, beside(here.journal, MATCHES)):
        damage_lines(file, head)
    table.copy()
    with open_journal(here.journal) as opened:
        assert opened.journal.lines(1) == [before[1][0].replace(GUEST, "Player 1"), *before[1][1:]]
