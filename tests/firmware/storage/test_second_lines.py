"""Two copies of each line: damage to one reverts nothing, and no foreign line is restored."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from unittest.mock import Mock

import pytest

from firmware.storage import recovery
from firmware.storage.database import sealed
from firmware.storage.files import remove
from firmware.storage.journal import Journal, open_journal
from referee.match import people_of, seat_person
from referee.record import read_record
from referee.sums import SealedLine
from tests.firmware.playing import kept_lines, match_at, play_lines
from tests.firmware.storage.damages import COPY, DATABASE, JOURNAL, LOG, damage_lines
from tests.given import allowed, present
from tests.referee.tables import after_any
from vision.troubles import Problem


def play(folder: Path, *begun: str, lines: int = 8, seed: int = 0) -> Path:
    """Play matches that began then, with this many lines each."""
    with open_journal(folder / JOURNAL) as opened:
        for each in begun:
            match = match_at(each, "Ana", "Bo")
            play_lines(opened.journal, opened.journal.begin(match), match, lines, Random(f"{each} {seed}"))
    return folder / JOURNAL


def files_below(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file()]


def file_of(path: Path, match_id: int) -> Path:
    return path.with_name(COPY) / f"{match_id}.jsonl"


# damage


def test_damaged_length_does_no_harm(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(path.parent, "first", "second")
    kept = kept_lines(path)

    monkeypatch.setattr(recovery, "each_line", Mock(side_effect=MemoryError))
    with open_journal(path) as opened:
        assert opened.aside is not None
    monkeypatch.undo()
    assert kept_lines(path) == kept


def test_club_gets_lost_lines_blank_and_repaired_ones(path: Path) -> None:
    play(path.parent, "first", "second")
    before, copy = kept_lines(path), file_of(path, 1).read_bytes()
    for name in (DATABASE, COPY):
        damage_lines(path.with_name(name), before[1][3], before[1][4])
    with open_journal(path) as opened:
        told = [line for _place, line in opened.journal.written_after(0, 100)]
        assert [(line.match_id, line.number) for line in told] == [(m, n) for m in (1, 2) for n in range(9)]
        assert [line.text for line in told if line.match_id == 1] == opened.journal.lines(1)
        assert opened.journal.written_until(10**6) == len(told)
    file_of(path, 1).write_bytes(copy)
    with open_journal(path) as opened:
        told = [line for _place, line in opened.journal.written_after(0, 100)]
    assert [line.text for line in told] == [*before[1], *before[2]]


# ownership and precedence of copies


def test_database_wins_over_copy(path: Path) -> None:
    play(path.parent, "first")
    head = kept_lines(path)[1][0].replace("Ana", "Player 1")
    # a power cut came between the change of the first line and its copy
    seal = sealed(SealedLine(1, 0, head)).decode().removesuffix(head)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE line SET seal = ?, text = ? WHERE match = 1 AND number = 0", (seal, head))
    with open_journal(path) as opened:
        assert opened.repairs() == ()
        assert opened.journal.lines(1)[0] == head
    assert b"Ana" not in file_of(path, 1).read_bytes()


def left_with_older_log(path: Path, lines: int) -> tuple[Path, dict[int, list[str]]]:
    """Leave a database with all lines beside a damaged log that makes SQLite drop the newest one."""
    play(path.parent, "first", "second", lines=40)
    with open_journal(path) as opened, closing(sqlite3.connect(path)) as other:
        match = match_at("third", "Ana", "Bo")
        play_lines(opened.journal, opened.journal.begin(match), match, lines, Random(lines))
        list(other.execute("PRAGMA wal_checkpoint(PASSIVE)"))
        kept = {each.id: opened.journal.lines(each.id) for each in opened.journal.matches()}
        left = path.parent.parent / "left" / JOURNAL
        left.parent.mkdir()
        for name in (DATABASE, LOG):
            shutil.copy(path.with_name(name), left.with_name(name))
    damage_lines(left.with_name(LOG), kept[3][-1])
    return left, kept


@pytest.mark.parametrize("damage", ["the log alone", "both"])
def test_damaged_log_does_not_harm_database(damage: str, tmp_path: Path) -> None:
    left, kept = left_with_older_log(tmp_path / "table" / JOURNAL, 12)
    if damage == "both":
        damage_lines(left, kept[2][0])
        kept[2][0] = ""
    with open_journal(left) as opened:
        assert {each.id: opened.journal.lines(each.id) for each in opened.journal.matches()} == kept
        assert opened.aside is not None


def test_restored_journal_ignores_copy(path: Path) -> None:
    play(path.parent, "first", lines=4)
    earlier = path.read_bytes()
    play(path.parent, "second")
    # a restored backup has no mark
    path.write_bytes(earlier[:68] + bytes(4) + earlier[72:])
    with open_journal(path) as opened:
        assert [match.id for match in opened.journal.matches()] == [1]
    assert not file_of(path, 2).exists()


# kills, full disks, and forgotten names


def test_unwritable_copy_is_reported_and_match_continues(path: Path) -> None:
    play(path.parent, "first")
    shutil.rmtree(path.with_name(COPY))
    path.with_name(COPY).touch()
    with open_journal(path) as opened:
        assert opened.repairs() == (Problem("lines not copied"),)
        match = match_at("second", "Ana", "Bo")
        number = opened.journal.begin(match)
        path.with_name(COPY).unlink()
        play_lines(opened.journal, number, match, 1, Random(2))
    assert b"second" in file_of(path, 2).read_bytes()


def test_forgotten_names_leave_the_copy(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(path.parent, "first", "second")
    with open_journal(path) as opened:
        opened.journal.forget("Ana")
    assert not any(b"Ana" in file_of(path, number).read_bytes() for number in (1, 2))
    opened = open_journal(path)
    monkeypatch.setattr(Journal, "_file_all", Mock(side_effect=KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        opened.journal.remove(lambda begun: begun == "second")
    monkeypatch.undo()
    opened.journal.close()
    with open_journal(path) as opened:
        assert [match.id for match in opened.journal.matches()] == [1]
    assert not [file for file in files_below(path.parent) if b"second" in file.read_bytes()]


@pytest.mark.parametrize("gone", [DATABASE, COPY])
def test_names_of_later_players_are_in_both_places_and_forgotten_in_both(path: Path, gone: str) -> None:
    match = after_any(match_at("2026-05-01T20:00:00+02:00", "Ana", "Bo"), Random(1))
    seated = allowed(seat_person(match, 1, "Zoé"))
    with open_journal(path) as opened:
        number = opened.journal.begin(match)
        opened.journal.name_seats(number, people_of(seated))
        opened.journal.append(number, seated.number, present(seated.entry))
    left = path.parent.with_name("left")
    shutil.copytree(path.parent, left)
    remove(left / gone)
    with open_journal(left / JOURNAL) as again:
        assert again.journal.names() == ["Ana", "Bo", "Zoé"]
    with open_journal(path) as opened:
        assert opened.journal.forget("zoé").matches == 1
    assert not [file for file in files_below(path.parent) if "Zoé".encode() in file.read_bytes()]
    remove(path.with_name(gone))
    with open_journal(path) as again:
        read = present(read_record(again.journal.lines(number)).match)
        assert read.setup.names == ("Ana", "Player 1")
        assert read.state == seated.state
