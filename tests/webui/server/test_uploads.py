"""Files that browsers send: within limits, and only from who may send them when they have arrived."""

import errno
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Any

import pytest
from flask import Request
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.test import EnvironBuilder, TestResponse

from firmware.services import jobs
from firmware.services.attempt_limits import AttemptLimit
from referee.contract.words import Phrase, phrase
from tests.webui.room import Room
from tests.webui.server.late_uploads import KINDS, Hall, SentUpload, remove, upload_of
from webui.access.viewers import Viewer
from webui.server.uploads import UploadError, Uploads
from webui.views.words import Texts

FORMS = [kind for kind in KINDS if kind != "frame"]


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    return Hall(tmp_path)


def send(room: Room, sent: SentUpload, body: BytesIO | None = None, cookies: str | None = None) -> TestResponse:
    client = room.app.test_client(use_cookies=False)
    return client.post(
        sent.path,
        input_stream=body or BytesIO(sent.body),
        content_length=len(sent.body),
        content_type=sent.kind,
        headers={"Cookie": sent.cookies if cookies is None else cookies},
    )


class SlowBody(BytesIO):
    """A body during whose arrival something happens once."""

    def __init__(self, content: bytes, happens: Callable[[], None]) -> None:
        super().__init__(content)
        self._happens: list[Callable[[], None]] = [happens]

    def readinto(self, buffer: Any) -> int:
        if self._happens:
            self._happens.pop()()
        return super().readinto(buffer)


@pytest.mark.parametrize("kind", KINDS)
def test_upload_counts_with_the_token_of_its_form(hall: Hall, kind: str) -> None:
    if kind in FORMS:
        assert send(hall.room, upload_of(hall, kind, form="other")).status_code == 403
        assert hall.received(kind) == 0
    assert send(hall.room, upload_of(hall, kind)).status_code < 400
    assert hall.received(kind) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_upload_is_refused_if_its_sender_was_removed_meanwhile(hall: Hall, kind: str) -> None:
    late = upload_of(hall, kind)
    body = SlowBody(late.body, lambda: remove(hall, late))
    assert (send(hall.room, late, body).status_code, hall.received(kind)) == (403, 0)
    # afterwards nothing is read
    body = SlowBody(late.body, lambda: pytest.fail("it was read"))
    assert (send(hall.room, late, body).status_code, hall.received(kind)) == (403, 0)


def test_frame_is_refused_if_another_camera_was_admitted_meanwhile(hall: Hall) -> None:
    late = upload_of(hall, "frame")
    body = SlowBody(late.body, lambda: upload_of(hall, "frame"))
    assert (send(hall.room, late, body).status_code, hall.received("frame")) == (403, 0)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("cookies", ["", "visitor=v"])
def test_nothing_is_read_from_a_stranger(hall: Hall, kind: str, cookies: str) -> None:
    sent = upload_of(hall, kind)
    body = SlowBody(sent.body, lambda: pytest.fail("it was read"))
    assert (send(hall.room, sent, body, cookies).status_code, hall.received(kind)) == (403, 0)


@pytest.mark.parametrize(("kind", "is_read"), [*((kind, False) for kind in KINDS), ("picture", True)])
def test_full_disk_is_reported(
    hall: Hall, kind: str, monkeypatch: pytest.MonkeyPatch, *, is_read: bool
) -> None:
    """The disk may be full while a file is received, or while another process reads it."""
    sent = upload_of(hall, kind)

    def fail(*_written: object) -> int:
        raise OSError(errno.ENOSPC, "no room")

    if is_read:
        monkeypatch.setattr(jobs, "TemporaryFile", fail)
        monkeypatch.setattr(hall.camera, "take_picture", hall.take_picture)
    else:
        # the fake backups have a file of their own
        monkeypatch.setattr(SpooledTemporaryFile, "write", fail)
        monkeypatch.setattr(hall.backups, "stage", fail)
        monkeypatch.setattr(Path, "write_bytes", fail)
    answer = send(hall.room, sent)
    told = answer.get_json()["lead"] if kind == "frame" else answer.text
    assert answer.status_code == (200 if kind == "frame" else 507)
    assert told.count("The disk is full: free some space") == 1


# forms

MISSING, TOO_LARGE = phrase("Choose one."), phrase("It is too large.")


def receive(body: bytes, kind: str = "multipart/form-data; boundary=x") -> bytes:
    environ = EnvironBuilder(method="POST", input_stream=BytesIO(body), content_type=kind).get_environ()
    environ |= {"CONTENT_LENGTH": str(len(body)), "HTTP_COOKIE": "visitor=v"}
    uploads = Uploads("backup", AttemptLimit(), 10_000, MISSING, TOO_LARGE)
    with uploads.receive(Request(environ), Viewer("en", form="ours"), lambda: True) as file:
        return file.read()


def part(name: str, content: bytes, file: str = "") -> bytes:
    ending = f'; filename="{file}"' if file else ""
    return f'--x\r\nContent-Disposition: form-data; name="{name}"{ending}\r\n\r\n'.encode() + content + b"\r\n"


OURS, FILE, END = part("form", b"ours"), part("backup", b"good", "b.zip"), b"--x--\r\n"


@given(st.binary(max_size=2000), st.integers(0, 3))
def test_uploaded_file_is_unchanged(content: bytes, ends: int) -> None:
    content += b"\r\n-"[:ends]
    if b"--x" not in content:
        assert receive(OURS + part("backup", content, "b.zip") + END) == content


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (FILE + part("form", b"theirs") + END, Texts.stale_form),
        (part("form", b"theirs") + FILE + END, Texts.stale_form),
        (part("form", b"theirs") + OURS + FILE + END, Texts.stale_form),
        (FILE + END, Texts.stale_form),
        (OURS + FILE, Texts.file_cut),
        (b"", Texts.file_cut),
        (b"--x\r\n" * 1000, Texts.file_cut),
        (OURS * 9 + FILE + END, Texts.file_cut),
        (part("form", bytes(9000)) * 2 + FILE + END, TOO_LARGE),
        (OURS + FILE + FILE + END, MISSING),
        (OURS + FILE + part("x", b"bad", "b.zip") + END, MISSING),
        (OURS + part("x", b"bad", "b.zip") + FILE + END, MISSING),
        (OURS + part("backup", b"good") + END, MISSING),
        (OURS + END, MISSING),
    ],
)
def test_upload_form_is_refused_with_a_reason(body: bytes, text: Phrase) -> None:
    with pytest.raises(UploadError) as error:
        receive(body)
    assert error.value.text == text


def test_other_types_are_refused() -> None:
    parted = ("form-data", "mixed; boundary=x", "form-data; boundary=é")
    for kind in ("", "application/zip", *(f"multipart/{each}" for each in parted)):
        with pytest.raises(UploadError):
            receive(OURS + FILE + END, kind)
