"""Network cameras: MJPEG streams and still pictures by HTTP; other streams by FFmpeg in a process of its own.

A thread reads the camera and keeps its newest frame, so no lag builds up. The other side may be hostile: sizes
and times are bounded, pictures are decoded by `vision.pictures`, and only http, https and rtsp are opened, also
after a redirect. Problems name the camera without its secrets.
"""

import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from email.message import Message
from http.client import HTTPMessage, HTTPResponse, IncompleteRead
from threading import Condition, Thread
from typing import IO, Any, ClassVar
from urllib import request
from urllib.error import HTTPError, URLError
from urllib.parse import SplitResult, unquote, urlsplit

from msgspec import Struct

from vision.pictures import Picture, stated_pixels, unpack_picture
from vision.table.camera import CameraTroubleError, slow_camera
from vision.table.camera_names import is_address, shown_name
from vision.table.device_cameras import DeviceCamera
from vision.table.video_process import CHUNK, MAX_PIXELS, VideoProcess
from vision.troubles import Problem

MAX_BYTES = 16_000_000
"""Bytes of one picture: a 4K camera's JPEG has a quarter of them at most."""
MAX_HEAD_BYTES = 8_000  # bytes of the headers of one picture in a stream
MAX_REDIRECTS = 3
FORMATS = {
    "video/mp4": "mp4",
    "video/mp2t": "mpegts",
    "video/x-flv": "flv",
    "video/webm": "webm",
    "video/x-matroska": "matroska",
    "video/x-msvideo": "avi",
}
"""FFmpeg's format for each type of content that it reads; it doesn't guess one."""
LOGIN_CODES = frozenset({401, 403})


class Limits(Struct, frozen=True):
    """Seconds allowed for connecting, for the first frame, for the next ones, and between two stills."""

    connect: float = 4.0
    first: float = 8.0
    stream: float = 4.0
    still: float = 15.0
    """A still picture is renewed by the camera at its own pace."""
    interval: float = 0.2
    """The eyes look at most five times a second."""


LIMITS = Limits()


class LatestFrame:
    """The newest frame of a camera, handed from the thread that reads it to the one that looks."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._frame: bytes | Picture | None = None
        self._problem: Problem | None = None
        self._is_over = self._is_wanted = False
        self.is_still = self.has_begun = False

    def put(self, frame: bytes | Picture) -> None:
        with self._changed:
            self._frame, self.has_begun = frame, True
            self._changed.notify_all()

    def fail(self, problem: Problem) -> None:
        with self._changed:
            self._problem = problem
            self._changed.notify_all()

    def wait(self, seconds: float) -> bytes | Picture | Problem | None:
        """Wait for a frame or a problem without taking it; None after the time."""
        with self._changed:
            self._is_wanted = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._frame is not None or self._problem is not None, seconds)
            return self._problem if self._frame is None else self._frame

    def take(self, seconds: float) -> bytes | Picture | Problem | None:
        """Return the newest frame once; each next one must be newer."""
        found = self.wait(seconds)
        with self._changed:
            if self._frame is not None:
                found, self._frame, self._is_wanted = self._frame, None, False
            return found

    def wait_until_wanted(self) -> bool:
        """Wait until a new frame is requested; False if the reading thread should end."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_over or (self._is_wanted and self._frame is None))
            return not self._is_over

    def stop(self) -> None:
        with self._changed:
            self._is_over = True
            self._changed.notify_all()

    def is_over(self, seconds: float = 0.0) -> bool:
        """Return whether the reading thread should end; wait for that up to some seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: self._is_over, seconds)


class NetworkCamera(DeviceCamera):
    """A camera by its address. It has no controls for light and focus, and unknown optics."""

    following: ClassVar[dict[Any, Any]] = {}

    def __init__(self, address: str, limits: Limits = LIMITS, **settings: Any) -> None:
        super().__init__(shown_name(address), **settings)
        if not is_address(address):
            raise CameraTroubleError("bad address", camera=self.name)
        self._address, self._limits = address, limits
        self._reader: Thread | None = None

    @property
    def patience(self) -> float:
        if self._device is None:
            # at most, it waits for the last reader to end, too
            return 1.0 + self._limits.connect + self._limits.first
        return 1.0 + self._frame_timeout(self._device)

    def _frame_timeout(self, latest: LatestFrame) -> float:
        return self._limits.still if latest.is_still else self._limits.stream

    def _open(self) -> LatestFrame:
        if self._reader is not None and self._reader.is_alive():
            # a camera that answers byte by byte must not occupy one thread after another
            self._reader.join(self._limits.connect)
            if self._reader.is_alive():
                raise CameraTroubleError("unreachable", camera=self.name)
        latest = LatestFrame()
        self._reader = Thread(target=self._read_all, args=(latest,), name="network camera", daemon=True)
        self._reader.start()
        first = latest.wait(self._limits.first)
        if first is None or isinstance(first, Problem):
            latest.stop()
            raise _trouble(first or Problem("unreachable", {"camera": self.name}))
        return latest

    def _read_all(self, latest: LatestFrame) -> None:
        problem = Problem("stream ended", {"camera": self.name})
        try:
            read_camera(urlsplit(self._address), latest, self._limits)
        except CameraTroubleError as error:
            problem = Problem(error.problem.key, {"camera": self.name, **error.problem.values})
        except Exception as error:  # noqa: BLE001 - its text may contain the address
            key, values = _key_of(error), {"camera": self.name}
            if latest.has_begun and key == "unreachable":
                is_slow = isinstance(error, TimeoutError)
                problem = slow_camera(self.name, self._limits.stream).problem if is_slow else problem
            else:
                problem = Problem(key, values)
        latest.fail(problem)

    def _read_frame(self, latest: LatestFrame) -> Picture:
        seconds = self._frame_timeout(latest)
        found = latest.take(seconds)
        if found is None:
            raise slow_camera(self.name, seconds)
        if isinstance(found, Problem):
            raise _trouble(found)
        if not isinstance(found, bytes):
            return found
        if (stated_pixels(found) or 0) > MAX_PIXELS:
            raise CameraTroubleError("huge picture", camera=self.name)
        picture = unpack_picture(found)
        if picture is None:
            raise CameraTroubleError("garbled", camera=self.name)
        return picture

    def _close_device(self, latest: LatestFrame) -> None:
        latest.stop()

    def _hold_light(self, device: LatestFrame) -> None: ...

    def _set_controls(self, device: LatestFrame) -> None: ...


def _trouble(problem: Problem) -> CameraTroubleError:
    return CameraTroubleError(problem.key, **problem.values)


def _key_of(error: Exception) -> str:
    reason = error.reason if isinstance(error, URLError) else error
    if isinstance(error, HTTPError):
        return "login refused" if error.code in LOGIN_CODES else "no stream"
    if isinstance(error, IncompleteRead):
        return "stream ended"
    if isinstance(reason, ssl.SSLCertVerificationError):
        return "untrusted camera"
    return "unreachable" if isinstance(reason, OSError) else "no stream"


def read_camera(address: SplitResult, latest: LatestFrame, limits: Limits) -> None:
    """Read a camera until it ends or `latest` is stopped. Raises CameraTroubleError, or a network's error."""
    if address.scheme.lower() == "rtsp":
        if not _read_video(address.geturl(), "rtsp", latest, limits):
            raise CameraTroubleError(_unopened(address, limits))
        return
    opener = _opener(address)
    with closing(_ask(opener, address, limits)) as answer:
        kind, boundary = _content_type(answer.headers)
        if kind == "multipart/x-mixed-replace":
            _pass_on(pictures_in(answer.read1, boundary), latest)
        elif kind.startswith("image/"):
            latest.is_still = True
            _pass_on(_stills(opener, address, answer, latest, limits), latest)
        elif kind not in FORMATS or not _read_video(answer.read1, FORMATS[kind], latest, limits):
            raise CameraTroubleError("no stream")


def _pass_on(pictures: Iterator[bytes], latest: LatestFrame) -> None:
    last = b""
    for picture in pictures:
        if latest.is_over():
            return
        # a repeated picture is no new one
        if picture != last:
            latest.put(picture)
            last = picture


def _stills(
    opener: request.OpenerDirector,
    address: SplitResult,
    first: HTTPResponse,
    latest: LatestFrame,
    limits: Limits,
) -> Iterator[bytes]:
    yield _read_still(first)
    first.close()
    while not latest.is_over(limits.interval):
        with closing(_ask(opener, address, limits)) as answer:
            yield _read_still(answer)


def _read_still(answer: IO[bytes]) -> bytes:
    content = answer.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise CameraTroubleError("huge picture")
    return content


class _Stream:
    """The bytes of a stream, received as far as they are needed."""

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read, self._buffer = read, bytearray()

    def until(self, mark: bytes, most: int, problem: str) -> bytes | None:
        """Return the bytes before a mark, and drop them; None at the end.

        Raises CameraTroubleError for more than `most` bytes.
        """
        seen = 0
        while (at := self._buffer.find(mark, max(0, seen - len(mark)))) < 0:
            seen = len(self._buffer)
            if seen > most:
                raise CameraTroubleError(problem)
            if not self._fill():
                return None
        return self.next(at)

    def next(self, length: int) -> bytes | None:
        """Return the next bytes, and drop them; None if the stream ends before."""
        while len(self._buffer) < length:
            if not self._fill():
                return None
        taken = bytes(self._buffer[:length])
        del self._buffer[:length]
        return taken

    def _fill(self) -> bool:
        more = self._read(CHUNK)
        self._buffer.extend(more)
        return bool(more)


HEAD_END = b"\r\n\r\n"


def pictures_in(read: Callable[[int], bytes], boundary: bytes) -> Iterator[bytes]:
    """Return the pictures of an MJPEG stream until it ends. Raises CameraTroubleError for other content."""
    # leading dashes differ between a camera's header and its stream
    stream, mark = _Stream(read), boundary.strip(b"-")
    while (head := stream.until(HEAD_END, MAX_HEAD_BYTES, "no stream")) is not None:
        stream.next(len(HEAD_END))
        length = _stated_length(head)
        picture = stream.next(length) if length is not None else stream.until(mark, MAX_BYTES, "huge picture")
        if picture is None:
            return
        yield picture.rstrip(b"-\r\n")


def _stated_length(head: bytes) -> int | None:
    """Return the length of a picture that its headers state. Raises CameraTroubleError for too much."""
    for line in head.split(b"\r\n"):
        name, _colon, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            if len(value.strip()) > 12 or int(value) > MAX_BYTES:
                raise CameraTroubleError("huge picture")
            return int(value)
    return None


def _content_type(headers: Message) -> tuple[str, bytes]:
    boundary = headers.get_boundary() or ""
    kind = headers.get_content_type()
    if kind == "multipart/x-mixed-replace" and not boundary.strip("-"):
        raise CameraTroubleError("no stream")
    return kind, boundary.encode("latin-1", errors="replace")


class _OwnHost(request.HTTPRedirectHandler):
    """Follows redirects within a host, to http and https only, never from https to http."""

    max_redirections = MAX_REDIRECTS

    def redirect_request(
        self, req: request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> request.Request | None:
        before, after = urlsplit(req.full_url), urlsplit(newurl)
        is_weaker = before.scheme == "https" and after.scheme != "https"
        if after.scheme not in {"http", "https"} or is_weaker or after.hostname != before.hostname:
            raise CameraTroubleError("no stream")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _opener(address: SplitResult) -> request.OpenerDirector:
    """Return an opener for one camera: without proxies, files and other schemes."""
    passwords = request.HTTPPasswordMgrWithDefaultRealm()
    if address.username is not None:
        passwords.add_password(None, _bare(address), unquote(address.username), unquote(address.password or ""))
    opener = request.OpenerDirector()
    for handler in (
        request.HTTPHandler(),
        request.HTTPSHandler(),
        request.HTTPDefaultErrorHandler(),
        request.HTTPErrorProcessor(),
        request.HTTPDigestAuthHandler(passwords),
        request.HTTPBasicAuthHandler(passwords),
        request.UnknownHandler(),
        _OwnHost(),
    ):
        opener.add_handler(handler)
    return opener


def _ask(opener: request.OpenerDirector, address: SplitResult, limits: Limits) -> HTTPResponse:
    answer: HTTPResponse | None = opener.open(_bare(address), timeout=limits.connect)
    if answer is None:
        raise CameraTroubleError("no stream")
    return answer


def _bare(address: SplitResult) -> str:
    """Return an address without login and fragment."""
    return address._replace(netloc=address.netloc.rpartition("@")[2], fragment="").geturl()


# FFmpeg

RTSP_PORT = 554


def _read_video(source: str | Callable[[int], bytes], form: str, latest: LatestFrame, limits: Limits) -> bool:
    """Read a stream until it ends or `latest` is stopped. Returns whether FFmpeg could open it."""
    with closing(VideoProcess(source, form)) as video:
        while latest.wait_until_wanted():
            picture = video.picture(limits.stream if latest.has_begun else limits.first)
            if picture is None:
                return latest.has_begun
            latest.put(picture)
    return True


def _unopened(address: SplitResult, limits: Limits) -> str:
    """Return why FFmpeg can't open an address, which it doesn't report."""
    place = address.hostname or "", address.port or RTSP_PORT
    ask = f"DESCRIBE {_bare(address)} RTSP/1.0\r\nCSeq: 1\r\nAccept: application/sdp\r\n\r\n"
    answer = b""
    try:
        with socket.create_connection(place, limits.connect) as line:
            line.settimeout(limits.connect)
            line.sendall(ask.encode())
            with suppress(OSError):
                answer = line.recv(64)
    except OSError:
        return "unreachable"
    # without the login, a camera that needs one refuses: then FFmpeg's was wrong or missing
    return "login refused" if answer.split()[1:2] in ([b"401"], [b"403"]) else "no stream"
