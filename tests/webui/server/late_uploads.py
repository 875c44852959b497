"""Uploads of every kind, by senders who lose their right while they send."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

import cv2
import numpy as np
from msgspec import Struct

from firmware.services.browser_camera import BrowserCamera, CameraReply
from firmware.services.match_files import UnreadFile
from firmware.storage.people import evening as evenings
from firmware.storage.people.links import form_token
from tests.given import present
from tests.webui.fakes import CallRecorder, FakeBackups, FakeReader
from tests.webui.matches import call_coyote
from tests.webui.room import match_of, room_with
from vision.table.camera_names import PHONE_FRAMES
from webui.access.viewers import CAMERA, HOST, SEAT, VISITOR, cookie_name

FRAME = cv2.imencode(".jpg", np.full((300, 400, 3), 90, np.uint8))[1].tobytes()


class UploadKind(Struct, frozen=True):
    """Address, field and sender of an upload."""

    path: str
    field: str
    right: str


KINDS: Mapping[str, UploadKind] = {
    "frame": UploadKind("/camera/frame", "", CAMERA),
    "picture": UploadKind("/camera/picture", "picture", CAMERA),
    "photograph": UploadKind("/seat/photo/reveal", "photo", SEAT),
    "film": UploadKind("/film", "match", SEAT),
    "backup": UploadKind("/host/backup", "backup", HOST),
}


class SentUpload(Struct, frozen=True):
    """An upload, and the token of its sender."""

    path: str
    kind: str
    cookies: str
    body: bytes
    token: str


class Hall:
    """A room with a camera whose services record the files that they receive."""

    def __init__(self, folder: Path) -> None:
        self.frame, self.reader, self.backups = folder / PHONE_FRAMES, FakeReader(), FakeBackups()
        self.camera, self._films, self._pictures = BrowserCamera(self.frame), list[bytes](), list[bytes]()
        self.take_picture = self.camera.take_picture
        self.camera.take_picture = self._take_picture  # type: ignore[method-assign]
        services: dict[str, Any] = {
            "camera": self.camera,
            "photographs": self.reader,
            "backups": self.backups,
            "match_files": CallRecorder(read=self._read_film),
        }
        self.room = room_with(call_coyote(match_of()), folder, **services)

    def received(self, kind: str) -> int:
        """Return the number of files of a kind that the table used."""
        return {
            "frame": int(self.frame.exists()),
            "picture": len(self._pictures),
            "photograph": len(self.reader.sent),
            "film": len(self._films),
            "backup": len(self.backups.asked),
        }[kind]

    def _take_picture(self, file: IO[bytes], _is_camera: Callable[[], bool]) -> CameraReply:
        self._pictures.append(file.read())
        return CameraReply(1.0, (400, 300))

    def _read_film(self, file: IO[bytes]) -> UnreadFile | bytes:
        self._films.append(file.read())
        return b"a film"


def upload_of(hall: Hall, kind: str, form: str = "") -> SentUpload:
    """Admit a browser that may send a kind of file, and return its upload."""
    what = KINDS[kind]
    browser = hall.room.computer() if what.right == CAMERA else hall.room.browser()
    if what.right == HOST:
        browser.host()
    elif what.right == SEAT:
        browser.sit(1)
    else:
        # at this computer, a browser becomes the camera at once
        assert browser.send("/camera", "/camera/ask").status_code == 303
    token, visitor = browser.cookie(what.right), present(browser.client.get_cookie(VISITOR)).value
    cookies = f"{VISITOR}={visitor}; {cookie_name(browser.links, what.right)}={token}"
    if kind == "frame":
        return SentUpload(what.path, "image/jpeg", cookies, FRAME, token)
    fields = {"form": form or form_token(browser.links.secret, visitor)}
    part = '--x\r\nContent-Disposition: form-data; name="{}"\r\n\r\n{}\r\n'
    head = "".join(part.format(*field) for field in fields.items())
    file = f'--x\r\nContent-Disposition: form-data; name="{what.field}"; filename="a"\r\n\r\n'
    body = (head + file).encode() + b"good\r\n--x--\r\n"
    return SentUpload(what.path, "multipart/form-data; boundary=x", cookies, body, token)


def remove(hall: Hall, sent: SentUpload) -> None:
    """Remove a sender's device, as the host does."""
    hall.room.links_file.change(lambda evening: evenings.put_out(evening, sent.token))
    hall.camera.stop()
