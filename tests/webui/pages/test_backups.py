"""Backups for the host: download, validated upload, and second copies."""

from io import BytesIO
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from firmware.storage.backups.copies import FolderReport, KeptCopy
from tests.webui.fakes import FakeBackups, FakeCopies
from tests.webui.room import Browser, Room, match_of, room_with
from vision.troubles import Problem
from webui.pages.host import backups
from webui.server.serving import GONE

HOME = "/host/backup"
COPY = KeptCopy("a1", "", "2026-11-20T21:04:00+01:00", 12)


@pytest.fixture
def safe() -> FakeBackups:
    return FakeBackups()


@pytest.fixture
def copies() -> FakeCopies:
    return FakeCopies()


@pytest.fixture
def room(tmp_path: Path, safe: FakeBackups, copies: FakeCopies) -> Room:
    return room_with(match_of(), tmp_path, backups=safe, copies=copies)


def form_of(browser: Browser) -> str:
    return browser.get("/host").text.split('name="form" value="')[1].split('"')[0]


def send_backup(browser: Browser, content: bytes, name: str = "b.zip") -> TestResponse:
    return browser.post(HOME, form=form_of(browser), backup=(BytesIO(content), name))


def test_backup_is_downloaded_as_a_file(room: Room, safe: FakeBackups) -> None:
    response = room.browser().host().get(f"{HOME}/file")
    assert (response.data, response.mimetype) == (b"one two", "application/zip")
    assert response.headers["Content-Disposition"].startswith('attachment; filename="coyote-table-')
    assert response.headers["Cache-Control"] == "no-store"
    assert safe.ended == 1
    safe.is_full = True
    hindered = room.browser().host().get(f"{HOME}/file")
    assert (hindered.status_code, "5 MB are needed" in hindered.text) == (409, True)


@pytest.mark.parametrize(
    ("folder", "said"),
    [
        (None, "Everything is on this computer only"),
        (FolderReport("/mnt/a"), "There is no copy in /mnt/a yet."),
        (FolderReport("/mnt/a", 9, (COPY,)), "Everything is stored twice: here and in /mnt/a."),
        (FolderReport("/mnt/a", 9, (COPY,), Problem("copy full")), "/mnt/a: Its disk is full: delete files"),
    ],
)
def test_backup_page_shows_safety_before_sizes(
    tmp_path: Path, safe: FakeBackups, folder: FolderReport | None, said: str
) -> None:
    copies = FakeCopies(folder=lambda: folder)
    page = room_with(match_of(), tmp_path, backups=safe, copies=copies).browser().host().get(HOME).text
    assert said in page.partition("</h1>")[0]


def test_unusable_backup_is_reported_without_restart(
    tmp_path: Path, safe: FakeBackups, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backups, "LARGEST", 10_000)
    room = room_with(match_of(), tmp_path, backups=safe)
    host = room.browser().host()
    for content, name, code, told in (
        (b"bad", "b.zip", 400, "This isn&#39;t a table&#39;s backup"),
        (b"", "", 400, "Choose a backup first"),
        (b"good" * 5000, "b.zip", 413, ""),
    ):
        response = send_backup(host, content, name=name)
        assert (response.status_code, told in response.text) == (code, True)
    # the phone is gone
    sent = {"form": form_of(host), "backup": (BytesIO(b"good"), "b.zip")}
    host.client.post(HOME, data=sent, environ_overrides={GONE: lambda: True}).close()
    assert (safe.asked, room.client.actions) == ([], [])


def test_valid_backup_is_staged_and_the_table_restarts(room: Room, safe: FakeBackups) -> None:
    content = b"good\r\n--x\r\n" + bytes(range(256)) * 1000
    response = send_backup(room.browser().host(), content)
    assert response.status_code == 200
    assert f'data-to="{HOME}"' in response.text
    assert "Not in it: &lt;x&gt;" in response.text
    assert (safe.asked, room.client.actions) == ([("stage", content)], [])
    response.close()
    assert room.client.actions == [("restart",)]
