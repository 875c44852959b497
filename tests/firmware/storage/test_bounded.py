"""What the table writes by itself stays within its bounds, however long it runs and whatever breaks."""

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from firmware.core import logbook
from firmware.core.logbook import Logbook
from firmware.storage.backups.placing import KEPT, before_folders, finish_restore
from firmware.storage.backups.unpacking import stage
from firmware.storage.journal import open_journal
from firmware.storage.mending import ASIDES
from tests.firmware.storage.backups.tables import backup_of, table_in
from vision.files import write_whole
from vision.process import evidence
from vision.process.evidence import Sidecar, keep_evidence, pictures_of_match
from vision.sightings import Reading
from vision.teaching.taught_decks import TaughtDeck, save_deck

BOUND = 40_000
JPEG = b"a picture" * 500


class Free(NamedTuple):
    """What a disk has left."""

    free: int


def size_of(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.iterdir())


def test_one_match_that_never_ends_keeps_evidence_within_its_bound(tmp_path: Path) -> None:
    for moment in range(40):
        newest = keep_evidence(tmp_path, JPEG, Sidecar("1", moment, Reading(())), most=BOUND)
        assert size_of(tmp_path) <= BOUND
        assert pictures_of_match(tmp_path, "1")[-1] == newest
    assert len(pictures_of_match(tmp_path, "1")) > 5


def test_evidence_leaves_room_for_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for moment in range(5):
        keep_evidence(tmp_path, JPEG, Sidecar("1", moment, Reading(())))
    monkeypatch.setattr(evidence, "disk_usage", lambda _folder: Free(evidence.RESERVE - len(JPEG)))
    newest = keep_evidence(tmp_path, JPEG, Sidecar("1", 5, Reading(())))
    assert 1 < len(pictures_of_match(tmp_path, "1")) < 6
    assert newest.exists()
    monkeypatch.setattr(evidence, "disk_usage", lambda _folder: Free(0))
    keep_evidence(tmp_path, JPEG, Sidecar("1", 6, Reading(())))
    assert len(pictures_of_match(tmp_path, "1")) == 1


def test_the_log_is_a_few_files_of_bounded_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logbook, "LARGEST", 10_000)
    book = Logbook(tmp_path / "log.jsonl")
    for number in range(3000):
        book.note("something", number=number)
    book.close()
    assert len(list(tmp_path.iterdir())) == logbook.FILES + 1
    assert size_of(tmp_path) <= 10_000 * (logbook.FILES + 1)


def test_damaged_journals_lie_aside_but_not_without_end(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    newest = None
    for number in range(ASIDES + 4):
        path.write_bytes(b"damaged %d" % number * 500)
        with open_journal(path) as opened:
            newest = opened.aside
    asides = list(tmp_path.glob("*.damaged-*"))
    assert len(asides) == ASIDES
    assert newest in asides


def dead_process() -> int:
    """Give the number of a process that is no more."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        pass
    return process.pid


def test_drafts_of_those_who_were_killed_are_removed_with_the_next_writing(tmp_path: Path) -> None:
    dead, alive = dead_process(), os.getppid()
    for writer in (dead, alive):
        (tmp_path / f".kept.json.{writer}").write_bytes(b"half")
    (tmp_path / f".other.json.{dead}").write_bytes(b"half")
    write_whole(tmp_path / "kept.json", b"whole")
    assert {file.name for file in tmp_path.iterdir()} == {
        "kept.json",
        f".kept.json.{alive}",
        f".other.json.{dead}",
    }


def test_drafts_of_evidence_are_removed_with_the_next_picture(tmp_path: Path) -> None:
    (tmp_path / f".1.000001.jpg.{dead_process()}").write_bytes(JPEG)
    keep_evidence(tmp_path, JPEG, Sidecar("1", 2, Reading(())))
    assert not list(tmp_path.glob(".*"))


def test_what_was_here_before_a_backup_is_kept_twice(tmp_path: Path) -> None:
    here = table_in(tmp_path, "Ana")
    file = backup_of(here, tmp_path / "b.zip")
    names = set()
    for time in range(KEPT + 3):
        stage(file, here)
        finish_restore(here)
        now = {each.name for each in here.state.iterdir() if not each.name.startswith("before-")}
        names = names if time else now
        assert now <= names
    assert len(before_folders(here.state)) == KEPT


def test_a_face_that_is_taught_again_takes_no_more_room(tmp_path: Path) -> None:
    taught = TaughtDeck("mine", (63.0, 88.0), {"Qs": 1}, {"Qs": (np.full((88, 63, 3), 7, np.uint8),) * 3})
    save_deck(taught, tmp_path / "mine")
    files = sorted(tmp_path.rglob("*"))
    for _time in range(5):
        save_deck(taught, tmp_path / "mine")
    assert sorted(tmp_path.rglob("*")) == files
