"""The privacy page's list of stored data: size and limits by kind, without secrets."""

import os
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from firmware.services.own_club import ClubLinkStatus
from firmware.services.photographs import EvidenceFiles
from firmware.services.privacy import Kept, Privacy
from firmware.start.forget import forget_at_start
from firmware.state_folder import log_path
from firmware.storage.backups.archive import TablePlaces
from firmware.storage.configuration import settings_of
from firmware.storage.forgetting import ORDERED, KeptEvening
from firmware.storage.people.evening import CROWD
from firmware.table.client import TableSummary
from firmware.table.logbook import MAX_LOG_BYTES as LARGEST_LOG
from firmware.table.logbook import OLDER_FILES
from tests.firmware.storage.backups.tables import DAY, OTHER_DAY, table_with_evenings, traces
from vision.process.evidence import MOST, Sidecar, keep_evidence
from vision.sightings import Reading
from vision.troubles import TroubleError

NOON = datetime(2026, 11, 20, 12).astimezone().timestamp()
OUTLET_SETTINGS = """
[copy]
folder = "/mnt/copies"
[outside]
webhooks = ["https://me:hush@lamps.local/moment?key=hush", "http://10.0.0.9"]
[broker]
host = "house.local"
user = "table"
password_file = "/secret"
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TablePlaces:
    here = table_with_evenings(tmp_path)
    monkeypatch.setenv("STATE_DIRECTORY", str(here.state))
    monkeypatch.setenv("LOGS_DIRECTORY", str(here.state))
    return here


def privacy_of(here: TablePlaces, text: str = "", name: str = "") -> Privacy:
    club: Any = SimpleNamespace(status=lambda: ClubLinkStatus(name))
    return Privacy(here, settings_of(text, "coyote.toml"), club)


def by_kind(privacy: Privacy) -> dict[str, Kept]:
    return {each.kind: each for each in privacy.kept()}


def test_all_stored_data_is_listed_with_real_limits(here: TablePlaces) -> None:
    keep_evidence(here.state / "evidence", b"from a phone", Sidecar("5", 9, Reading(()), taken_by="phone"))
    os.utime(here.state / "evidence" / "5.000009.jpg", (NOON, NOON))
    kept = by_kind(privacy_of(here))
    journal = sum(file.stat().st_size for file in here.state.glob("journal.sqlite3*") if file.suffix != ".lock")
    assert (kept["matches"].count, kept["matches"].since) == (5, OTHER_DAY)
    assert 0 < kept["matches"].size <= journal
    assert (kept["pictures"].count, kept["pictures"].most) == (4, MOST)
    assert (kept["photographs"].count, kept["photographs"].size) == (1, len(b"from a phone"))
    assert kept["photographs"].since == "2026-11-20"
    assert (kept["people"].count, kept["people"].most) == (2, CROWD)
    assert kept["log"].size == log_path().stat().st_size
    assert kept["log"].most == LARGEST_LOG * (OLDER_FILES + 1)
    assert kept["aside"].size > 0
    assert [kept[kind].is_on for kind in ("copies", "club", "webhooks", "broker")] == [False] * 4


def test_recipients_are_listed_without_secrets(here: TablePlaces) -> None:
    privacy = privacy_of(here, OUTLET_SETTINGS, "Club of the fens")
    kept = by_kind(privacy)
    assert kept["webhooks"].where == ("lamps.local", "10.0.0.9")
    assert kept["copies"].where == ("/mnt/copies",)
    assert (kept["broker"].where, kept["club"].where) == (("house.local",), ("Club of the fens",))
    said = msgspec.json.encode(privacy.kept())
    assert not any(secret in said for secret in (b"hush", b"secret", b"key", b"pin"))


def test_empty_table_lists_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("LOGS_DIRECTORY", str(tmp_path))
    privacy = privacy_of(TablePlaces(tmp_path, tmp_path / "journal.sqlite3", tmp_path / "coyote.toml"))
    assert all((each.count, each.size, each.since) == (0, 0, "") for each in privacy.kept())
    assert privacy.evenings() == ()
    privacy.forget(DAY)
    assert not privacy.is_unfinished()


def test_deletion_ordered_on_page_happens_at_next_start(here: TablePlaces) -> None:
    privacy = privacy_of(here)
    assert [(each.day, len(each.matches)) for each in privacy.evenings()] == [(DAY, 4), (OTHER_DAY, 1)]
    privacy.forget(DAY)
    assert privacy.is_unfinished()
    with pytest.raises(TroubleError, match="deletion unfinished"):
        privacy.forget(OTHER_DAY)
    forget_at_start(here)
    assert not privacy.is_unfinished()
    assert [each.day for each in privacy.evenings()] == [OTHER_DAY]
    assert traces(here) == []


def test_unwritable_journal_does_not_block_start(here: TablePlaces, capsys: pytest.CaptureFixture[str]) -> None:
    privacy_of(here).forget(DAY)
    copy = here.state / "before-0001-x" / "journal.sqlite3"
    copy.unlink()
    copy.mkdir()
    (copy / "x").touch()
    here.journal.with_name("journal.sqlite3.lock").unlink()
    here.journal.with_name("journal.sqlite3.lock").mkdir()
    forget_at_start(here)
    assert capsys.readouterr().err.count("\n") == 1
    assert ORDERED.read(here.state) is not None


def test_tampered_order_deletes_only_numbered_pictures(here: TablePlaces) -> None:
    outside = here.state.parent / "outside.jpg"
    outside.touch()
    (here.state / "forgetting.json").write_text('{"day":"x","matches":[["../../outside","x"]]}')
    forget_at_start(here)
    assert outside.exists()
    ORDERED.keep(here.state, KeptEvening("x", ()))
    forget_at_start(here)
    assert [each.day for each in privacy_of(here).evenings()] == [DAY, OTHER_DAY]


def test_pipe_instead_of_record_or_picture_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "1.000002.jpg").write_bytes(b"a picture")
    os.mkfifo(tmp_path / "1.000002.json")
    os.mkfifo(tmp_path / "1.000003.jpg")
    files = EvidenceFiles(tmp_path, lambda: TableSummary(id=1))
    assert files.photographed_answers() == frozenset()
    kept = files.now()
    assert kept[1].cards() is None
    assert kept[1].jpeg() == b"a picture"
    assert kept[2].jpeg() is None
