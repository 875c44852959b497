"""A forgotten evening or name is erased everywhere, despite power cuts; all else is unchanged."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from functools import partial
from pathlib import Path
from unittest.mock import patch

import pytest

from firmware.services.photographs import EvidenceFiles
from firmware.state_folder import EVIDENCE, RESTORING
from firmware.storage import forgetting
from firmware.storage.aside import names_aside
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.backups.restoring import finish_restore, stage
from firmware.storage.club import read_outbox
from firmware.storage.errors import JournalError
from firmware.storage.files import beside, journal_lock
from firmware.storage.forgetting import ORDERED, KeptEverywhere, evenings_in
from firmware.storage.journal import open_journal, open_readonly
from firmware.storage.match_history import History
from firmware.storage.match_marks import part_pictures
from firmware.storage.people.links_file import read_links
from firmware.table.client import TableSummary
from firmware.table.logbook import forget_day
from tests.firmware.playing import match_at
from tests.firmware.storage.backups.tables import (
    DAY,
    EARLIER,
    GUEST,
    LATE,
    OTHER_DAY,
    REGULAR,
    START_TIMES,
    backup_of,
    files_in,
    log_of,
    places_in,
    store_links,
    table_in,
    table_with_evenings,
    traces,
)
from tests.firmware.storage.faults import run_and_kill
from tests.given import present
from tests.tiers import slow, tiered
from vision.process.evidence import Sidecar, keep_evidence
from vision.sightings import Reading


@pytest.fixture
def here(tmp_path: Path) -> TablePlaces:
    return table_with_evenings(tmp_path)


def order(here: TablePlaces) -> None:
    [evening] = [each for each in evenings_in(here.journal) if each.day == DAY]
    ORDERED.keep(here.state, evening)


def finish(here: TablePlaces) -> bool:
    return forgetting.finish_forgetting(here, partial(forget_day, log_of(here)))


def is_all_forgotten(here: TablePlaces) -> bool:
    with open_readonly(here.journal) as journal:
        assert [(kept.id, EARLIER in kept.head) for kept in journal.matches()] == [(1, True)]
    pictures = {path.name for path in (here.state / EVIDENCE).iterdir()}
    assert pictures == {"1.000003.jpg", "1.000003.json"}
    log = log_of(here).read_text()
    assert EARLIER in log
    assert "no JSON" in log
    assert REGULAR in (here.state / "links.json").read_text()
    return traces(here) == [] and ORDERED.read(here.state) is None


def test_forgotten_evening_is_in_no_file(here: TablePlaces) -> None:
    assert evenings_in(here.state / "none.sqlite3") == ()
    assert [(each.day, len(each.matches), each.names) for each in evenings_in(here.journal)] == [
        (DAY, 4, (GUEST,)),
        (OTHER_DAY, 1, ("Ana",)),
    ]
    assert len(traces(here)) >= 6
    epoch = read_outbox(here.journal).epoch
    order(here)
    assert finish(here)
    assert is_all_forgotten(here)
    # journal numbers are reused: a club must not mistake other lines for known ones
    assert read_outbox(here.journal).epoch != epoch


@slow("each kill needs a table of its own")
def test_next_start_finishes_interrupted_forgetting(tmp_path: Path) -> None:
    points, whole = 0, table_with_evenings(tmp_path / "whole")
    for at in range(1, 2000, tiered(7, 1)):
        here = places_in(tmp_path / str(at))
        shutil.copytree(whole.state, here.state)
        order(here)
        if not run_and_kill(lambda here=here: finish(here), at, os.environ).was_killed:
            break
        points += 1
        assert finish(here)
        assert is_all_forgotten(here)
        shutil.rmtree(here.state)
    assert points > 5


def test_concurrent_reader_delays_forgetting(here: TablePlaces, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.storage.database.BUSY_MILLISECONDS", 50)
    order(here)
    with closing(sqlite3.connect(f"{here.journal.as_uri()}?mode=ro", uri=True)) as reading:
        rows = iter(reading.execute("SELECT text FROM line"))
        next(rows)
        assert not finish(here)
        del rows
    # a match that starts meanwhile gets a reused number: its picture stays
    with open_journal(here.journal) as opened:
        number = opened.journal.begin(match_at("2026-11-22T20:00:00+01:00", "Ana", REGULAR))
    assert number == 2
    keep_evidence(here.state / EVIDENCE, b"a picture", Sidecar("2", 3, Reading(())))
    assert finish(here)
    assert traces(here) == []
    assert (here.state / EVIDENCE / "2.000003.jpg").exists()
    with open_readonly(here.journal) as journal:
        assert [kept.id for kept in journal.matches()] == [1, 2]


@pytest.fixture
def restored(tmp_path: Path) -> TablePlaces:
    """A table that was restored twice, with phones, old formats, a damaged journal and a waiting backup."""
    restored = table_in(tmp_path / "here", "Ana", match_at("1", GUEST, REGULAR))
    other = table_in(tmp_path / "there", "Zoe", match_at("2", REGULAR, GUEST))
    file = backup_of(other, tmp_path / "b.zip")
    for _time in range(2):
        stage(file, restored)
        finish_restore(restored)
    raw = restored.journal.read_bytes()
    for ending in ("", "-wal"):
        beside(restored.journal, f".damaged-0001-20261120-101500{ending}").write_bytes(raw[100:])
    (before,) = restored.state.glob("before-0001-*")
    (before / "journal.sqlite3-2").write_bytes(raw)
    (before / "journal.sqlite3-wal-2").write_bytes(raw)
    stage(file, restored)
    shutil.copytree(restored.state / RESTORING, restored.state / "set-aside-0001-x" / RESTORING)
    copy = shutil.copytree(restored.state, tmp_path / "copy")
    for name in ("form-1", "form-2"):
        shutil.copytree(copy, restored.state / name)
        store_links(restored.state / name / "links.json")
    store_links(restored.state / "links.json")
    (restored.state / ".links.json.999999999").write_text(GUEST, encoding="utf-8")
    for aside in ("links.set-aside-1.json", "set-aside-0001-x/links.json"):
        (restored.state / aside).write_text(f"{{{GUEST}", encoding="utf-8")
    return restored


def test_forgotten_name_is_in_no_file(restored: TablePlaces) -> None:
    History(restored.journal).all()
    assert len(traces(restored, GUEST)) >= 8
    assert GUEST in names_aside(restored.state)
    (damaged,) = restored.state.glob("before-0002-*/journal.sqlite3")
    damaged.write_bytes(b"\0" * 100 + damaged.read_bytes()[100:])
    with open_journal(restored.journal) as opened:
        assert KeptEverywhere(opened.journal, restored).forget(GUEST.upper()).matches == 1
        # nor in pages that SQLite has freed
        assert traces(restored, GUEST) == []
    assert traces(restored, GUEST) == []
    assert not list(damaged.parent.glob("*.damaged-*"))
    assert set(names_aside(restored.state)) == {REGULAR, "Player 1"}
    assert not list(restored.state.rglob("*.lock*/*"))
    for path in restored.state.rglob("journal.sqlite3"):
        with open_readonly(path) as journal:
            assert journal.names() == [REGULAR, "Player 1"]
    evening = present(read_links(restored.state / "links.json"))
    assert [person.name for person in evening.people] == [REGULAR]


FULL = OSError(28, "No space left on device")
OBSTACLES = (
    lambda _copy: patch("firmware.storage.people.links_file.write_private", side_effect=FULL),
    journal_lock,
)


@pytest.mark.parametrize("hinder", OBSTACLES, ids=["links", "journal"])
def test_failed_forgetting_is_reported_and_repeatable(
    restored: TablePlaces, hinder: Callable[[Path], AbstractContextManager[object]]
) -> None:
    (before,) = restored.state.glob("before-0002-*/journal.sqlite3")
    with open_journal(restored.journal) as opened:
        everywhere = KeptEverywhere(opened.journal, restored)
        with hinder(before), pytest.raises(JournalError):
            everywhere.forget(GUEST)
        assert GUEST in opened.journal.names()
        everywhere.forget(GUEST)
    assert traces(restored, GUEST) == []


def test_player_seated_by_the_configuration_is_named(tmp_path: Path) -> None:
    configuration = tmp_path / "coyote.toml"
    assert forgetting.still_seated(configuration, ["Ana"]) == ""
    configuration.write_text('[play]\nseats = ["Ana", "Bo"]\n', encoding="utf-8")
    assert forgetting.still_seated(configuration, ["ana", "恵美"]) == "Ana"


def restore(file: Path, here: TablePlaces) -> list[str]:
    """Restore a backup. Returns the names in the journal."""
    stage(file, here)
    finish_restore(here)
    with open_readonly(here.journal) as opened:
        return opened.names()


def test_restored_backup_from_before_is_forgotten_again(here: TablePlaces, tmp_path: Path) -> None:
    here.configuration.parent.mkdir()
    with open_journal(here.journal) as opened:
        opened.journal.begin(match_at("2099-01-01T20:00:00+01:00", "Ana", "Zoe"))
    file = backup_of(here, tmp_path / "b.zip")
    with open_journal(here.journal) as opened:
        KeptEverywhere(opened.journal, here).forget("ana")
    order(here)
    assert finish(here)
    assert restore(backup_of(here, tmp_path / "now.zip"), here) == [REGULAR, "Player 1", "Zoe"]
    assert restore(file, here) == ["Ana", REGULAR, "Player 1", "Zoe"]
    assert [each.day for each in evenings_in(here.journal)] == ["2099-01-01", OTHER_DAY]
    # a new card can't recognize the names
    (here.state / "forgotten-names.json").unlink()
    assert restore(file, here) == ["Ana", REGULAR, "Zoe"]
    assert not any("forgotten" in name for name in files_in(file))


def test_reused_number_shows_no_other_match(tmp_path: Path) -> None:
    here = places_in(tmp_path)
    evidence = here.state / EVIDENCE

    def store_picture(moment: int) -> None:
        keep_evidence(evidence, b"picture", Sidecar("1", moment, Reading((), ())))

    def shown() -> list[int]:
        return sorted(EvidenceFiles(evidence, partial(TableSummary, 1)).of(1))

    with open_journal(here.journal) as opened:
        KeptEverywhere(opened.journal, here).begin(match_at(START_TIMES[0], "Ana", "Bo"))
    store_picture(4)
    # a restart of the same table changes nothing
    part_pictures(here.state, [(1, START_TIMES[0])])
    assert shown() == [3]
    part_pictures(here.state, [(1, LATE)])
    assert shown() == []
    # one of them is of the same moment
    store_picture(4)
    store_picture(9)
    assert shown() == [3, 8]
    # the first one returns with its own picture
    part_pictures(here.state, [(1, START_TIMES[0])])
    assert shown() == [3]
    part_pictures(here.state, [(1, LATE)])
    assert shown() == [3, 8]
    # forgetting an evening also removes its old copies
    ORDERED.keep(here.state, forgetting.KeptEvening(DAY, ((5, START_TIMES[0]),)))
    forgetting.finish_forgetting(here, partial(forget_day, log_of(here)))
    assert shown() == [3, 8]
    assert len(list(evidence.iterdir())) == 4
