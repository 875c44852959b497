"""Tiny servers that behave like network cameras, good ones and bad ones."""

from base64 import b64encode
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import ClassVar

import cv2
import numpy as np

from vision.pictures import Picture

LOGIN = f"Basic {b64encode(b'ana:top:secret').decode()}"


def jpeg(shade: int) -> bytes:
    return cv2.imencode(".jpg", np.full((48, 64, 3), min(shade, 250), np.uint8))[1].tobytes()


def grey_pictures() -> Iterator[Picture]:
    """Yield grey pictures, each brighter than the one before."""
    return (np.full((48, 64, 3), 10 * number, np.uint8) for number in range(1, 21))


def make_film(pictures: Iterable[Picture], ending: str = "avi", codec: str = "MJPG") -> bytes:
    first, *more = pictures
    with TemporaryDirectory() as folder:
        file = Path(folder) / f"film.{ending}"
        film = cv2.VideoWriter(
            str(file), cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*codec), 25.0, (first.shape[1], first.shape[0])
        )
        for picture in (first, *more):
            film.write(picture)
        film.release()
        return file.read_bytes()


FILM = make_film(grey_pictures())
"""Made beforehand: OpenCV doesn't write a film while it opens another one."""


class Camera(BaseHTTPRequestHandler):
    """A camera with an address for each behaviour; each picture is brighter than the one before."""

    over: ClassVar[Event]
    shown: ClassVar[Iterator[int]]
    film: ClassVar[bytes]

    def do_GET(self) -> None:
        getattr(self, f"show_{self.path.partition('?')[0].strip('/')}")()

    def show_still(self) -> None:
        self._send("image/jpeg", jpeg(10 * next(self.shown)))

    def show_same(self) -> None:
        self._send("image/jpeg", jpeg(50))

    def show_huge(self) -> None:
        self._send("image/jpeg", b"\xff\xd8" + bytes(20_000_000))

    def show_wide(self) -> None:
        head = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (60_000).to_bytes(4, "big") * 2
        self._send("image/png", head + bytes(64))

    def show_page(self) -> None:
        self._send("text/html", b"<h1>Camera</h1>")

    def show_private(self) -> None:
        if self.headers["Authorization"] == LOGIN:
            self.show_still()
        else:
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="camera"')
            self.end_headers()

    def show_moved(self) -> None:
        self._redirect("/still")

    def show_elsewhere(self) -> None:
        self._redirect(f"http://localhost:{self.server.server_address[1]}/still")

    def show_file(self) -> None:
        self._redirect("file:///etc/hostname")

    def show_stream(self) -> None:
        self._stream(jpeg(10 * next(self.shown)) for _number in range(1000))

    def show_unsized(self) -> None:
        self._stream((jpeg(10 * next(self.shown)) for _number in range(1000)), is_sized=False)

    def show_ended(self) -> None:
        self._stream([jpeg(10)])

    def show_broken(self) -> None:
        """End within a chunk."""
        self.protocol_version = "HTTP/1.1"
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=edge")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        picture = jpeg(10)
        part = f"--edge\r\nContent-Length: {len(picture)}\r\n\r\n".encode() + picture
        self.wfile.write(b"%x\r\n" % len(part) + part + b"\r\n" + b"fff\r\n--ed")

    def show_stopped(self) -> None:
        self._stream([jpeg(10)], is_open=True)

    def show_endless(self) -> None:
        self._begin_stream()
        self.wfile.write(b"--edge\r\nContent-Type: image/jpeg\r\n\r\n")
        while not self.over.is_set():
            self.wfile.write(bytes(1_000_000))

    def show_headless(self) -> None:
        self._begin_stream()
        self.wfile.write(b"x" * 100_000)

    def show_claimed(self) -> None:
        self._begin_stream()
        self.wfile.write(b"--edge\r\nContent-Length: 99999999999\r\n\r\n")

    def show_video(self) -> None:
        self._send("video/x-msvideo", self.film)

    def show_disguised(self) -> None:
        self._send("video/mp4", self.film)

    def show_playlist(self) -> None:
        """Lead to a file of the table's computer."""
        lines = b"#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n"
        self._send("application/vnd.apple.mpegurl", lines)

    def show_nothing(self) -> None:
        self.over.wait()

    def _begin_stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=--edge")
        self.end_headers()

    def _stream(
        self, pictures: Iterator[bytes] | list[bytes], *, is_sized: bool = True, is_open: bool = False
    ) -> None:
        self._begin_stream()
        for picture in pictures:
            size = f"Content-Length: {len(picture)}\r\n" if is_sized else ""
            self.wfile.write(f"--edge\r\nContent-Type: image/jpeg\r\n{size}\r\n".encode() + picture + b"\r\n")
            # a step of the test, not of the clock, would need a second channel
            if self.over.wait(0.01):
                return
        if not is_sized or is_open:
            self.wfile.write(b"--edge")
        if is_open:
            self.over.wait()

    def _redirect(self, to: str) -> None:
        self.send_response(302)
        self.send_header("Location", to)
        self.end_headers()

    def _send(self, kind: str, content: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_told: object) -> None: ...


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, *_told: object) -> None:
        """A camera that hangs up is meant here."""


@contextmanager
def camera_server(kind: type[Camera] = Camera) -> Iterator[str]:
    """Serve a camera; returns its place, as `127.0.0.1:8000`."""
    handler = type("Handler", (kind,), {"over": Event(), "shown": count(1), "film": FILM})
    with _Server(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_port}"
        finally:
            handler.over.set()
            server.shutdown()
            thread.join()
