"""Backups for the host: down as a file, and up again, checked before anything is taken in."""

from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.test import EnvironBuilder, TestResponse
from werkzeug.wrappers import Request

from referee.contract.words import Phrase
from tests.webui.fakes import FakeBackups
from tests.webui.room import Browser, Room, match_of, room_with
from webui.drawing.words import Texts
from webui.pages import backups
from webui.server.uploads import UploadError, take


@pytest.fixture
def safe() -> FakeBackups:
    return FakeBackups()


@pytest.fixture
def room(tmp_path: Path, safe: FakeBackups) -> Room:
    return room_with(match_of(), tmp_path, backups=safe)


def form_of(browser: Browser) -> str:
    return browser.get("/host").text.split('name="form" value="')[1].split('"')[0]


def send_backup(browser: Browser, content: bytes, form: str | None = None, name: str = "b.zip") -> TestResponse:
    token = form_of(browser) if form is None else form
    return browser.post("/host/backup", form=token, backup=(BytesIO(content), name))


def test_what_is_in_it_and_what_is_not_is_told(room: Room) -> None:
    text = room.browser().host().get("/host/backup").text
    assert "All matches: 2 MB" in text
    assert "Taught deck my &lt;deck&gt;: 1 kB" in text
    assert "rulings rest on: 5 kB" in text
    assert "before-0001: 1 kB" in text
    assert "Backup file, 200 MB at most" in text


def test_it_comes_as_a_file(room: Room, safe: FakeBackups) -> None:
    response = room.browser().host().get("/host/backup/file")
    assert response.data == b"one two"
    assert response.mimetype == "application/zip"
    assert response.headers["Content-Disposition"].startswith('attachment; filename="coyote-table-')
    assert response.headers["Cache-Control"] == "no-store"
    assert safe.ended == 1


def test_a_download_that_is_cut_off_ends_it(room: Room, safe: FakeBackups) -> None:
    response = room.browser().host().client.get("/host/backup/file", buffered=False)
    assert safe.ended == 0
    response.close()
    assert safe.ended == 1


def test_what_hinders_it_is_told_on_the_page(room: Room, safe: FakeBackups) -> None:
    safe.is_full = True
    response = room.browser().host().get("/host/backup/file")
    assert response.status_code == 409
    assert "The disk is full." in response.text


def test_one_that_is_good_is_laid_ready_and_the_table_starts_again(room: Room, safe: FakeBackups) -> None:
    content = b"good\r\n--x\r\n" + bytes(range(256)) * 1000
    response = send_backup(room.browser().host(), content)
    assert response.status_code == 200
    assert response.headers["Refresh"].endswith("; url=/host/backup")
    assert "Not in it: &lt;x&gt;" in response.text
    response.close()
    assert safe.staged == [content]
    assert safe.restarts == 1


def test_one_that_is_not_is_told_and_nothing_starts(room: Room, safe: FakeBackups) -> None:
    host = room.browser().host()
    response = send_backup(host, b"bad")
    assert (response.status_code, "That is no backup." in response.text) == (400, True)
    assert "Choose a backup first" in send_backup(host, b"", name="").text
    assert "Choose a backup first" in host.client.post(
        "/host/backup", data={"form": form_of(host), "x": (BytesIO(b"good"), "b.zip")}
    ).text  # fmt: skip
    assert safe.restarts == 0
    assert safe.staged == []


def test_without_the_hosts_own_form_nothing_is_taken_in(room: Room, safe: FakeBackups) -> None:
    host = room.browser().host()
    for phone in (room.browser(), room.browser().sit(0)):
        assert phone.get("/host/backup").headers["Location"] == "/host"
        assert phone.get("/host/backup/file").headers["Location"] == "/host"
        assert send_backup(phone, b"good", form_of(host)).status_code == 403
    assert safe.rooms == 0
    assert send_backup(host, b"good", "").status_code == 403
    assert send_backup(host, b"good", "x" * 5000).status_code == 403
    late = {"backup": (BytesIO(b"good"), "b.zip"), "form": form_of(host)}
    assert host.client.post("/host/backup", data=late).status_code == 403 or safe.staged == [b"good"]
    assert host.post("/host/backup", form=form_of(host)).status_code == 403
    assert host.client.post("/host/backup", data=b"x", content_type="application/zip").status_code == 403


def test_one_that_is_too_large_is_told(room: Room, safe: FakeBackups, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backups, "LARGEST", 10_000)
    monkeypatch.setattr(backups, "FORM", 2_000)
    host = room.browser().host()
    response = send_backup(host, b"good" * 5000)
    assert response.status_code == 413
    assert "larger than 1 MB" in response.text or "larger than 10 kB" in response.text
    assert safe.staged == []
    assert send_backup(host, b"good" * 2000).status_code == 200


def test_no_other_page_takes_a_large_body(room: Room) -> None:
    host = room.browser().host()
    assert host.post("/host/back", form=form_of(host), more="x" * 20_000).status_code == 413


# forms as they come in


def take_body(body: bytes, kind: str = "multipart/form-data; boundary=x") -> bytes:
    environ = EnvironBuilder(method="POST", input_stream=BytesIO(body), content_type=kind).get_environ()
    environ["CONTENT_LENGTH"] = str(len(body))
    into = BytesIO()
    take(Request(environ), into, lambda said: said == "ours")
    return into.getvalue()


def part(name: str, content: bytes, file: str = "") -> bytes:
    ending = f'; filename="{file}"' if file else ""
    return f'--x\r\nContent-Disposition: form-data; name="{name}"{ending}\r\n\r\n'.encode() + content + b"\r\n"


OURS, END = part("form", b"ours"), b"--x--\r\n"


@given(st.binary(max_size=2000), st.integers(0, 3))
def test_a_file_comes_in_as_it_was(content: bytes, ends: int) -> None:
    content += b"\r\n-"[:ends]
    if b"--x" not in content:
        assert take_body(OURS + part("backup", content, "b.zip") + END) == content


@given(st.binary(max_size=500))
def test_any_bytes_are_refused(body: bytes) -> None:
    with pytest.raises(UploadError):
        take_body(body)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (part("backup", b"good", "b.zip") + OURS + END, Texts.stale_form),
        (part("form", b"theirs") + part("backup", b"good", "b.zip") + END, Texts.stale_form),
        (OURS + part("backup", b"good", "b.zip"), Texts.backup_cut),
        (OURS + part("backup", b"good") + END, Texts.no_backup),
        (OURS + END, Texts.no_backup),
    ],
)
def test_why_a_form_is_refused(body: bytes, text: Phrase) -> None:
    with pytest.raises(UploadError) as error:
        take_body(body)
    assert error.value.text == text
