"""Serving the pages: a thread for each request, as a small pool would starve while phones are slow."""

import socket
from functools import lru_cache
from io import BufferedReader, BytesIO, RawIOBase
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING

from flask import Flask
from werkzeug.serving import ThreadedWSGIServer, WSGIRequestHandler

from webui.server.connection_limits import ConnectionLimit

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer
    from _typeshed.wsgi import WSGIEnvironment

Connection = socket.socket | tuple[bytes, socket.socket]
"""What a server handles, as socketserver types it."""

CONNECTIONS, EACH = 500, 125
"""Connections at once that have a thread, and those of one address; more are closed unheard."""
BACKLOG = 512
SILENCE = 20
"""Seconds after which a phone that sends nothing it should, or takes nothing, is dropped."""
HEAD = 64 * 1024
"""Bytes within which a phone has said what it wants."""
SLOWEST, LONGEST = 50_000, 400_000_000
"""Bytes a second that come at least of a large body, and bytes of one that is waited for."""
DIGITS = 12
"""Digits of a body's length."""
PIECE = 64 * 1024
SHARED = 64
"""Pieces that many phones are sent alike."""
TAKE = "coyote.take"
"""Where a request has what takes its connection over: it then outlives the request, and its thread."""
END = b"0\r\n\r\n"
"""What ends an answer that is sent in pieces."""


@lru_cache(SHARED)
def chunk(piece: bytes) -> bytes:
    """Frame a piece of an answer whose connection was taken over."""
    return b"%x\r\n%s\r\n" % (len(piece), piece)


class PhoneInput(RawIOBase):
    """What a phone says within its time; then, or when it is gone, it has said all: nothing here fails."""

    def __init__(self, phone: socket.socket, seconds: float) -> None:
        """Listen for so long, to a head and no more."""
        self._phone, self._silence = phone, seconds
        self._until, self._left = monotonic() + seconds, HEAD
        self.is_over = False

    def wait(self, seconds: float) -> None:
        """Listen for so long from now on, to however much."""
        self._until, self._left = monotonic() + seconds, LONGEST

    def hurry(self, seconds: float) -> None:
        """Listen no longer than that."""
        self._until = min(self._until, monotonic() + seconds)

    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        """Give what has come, or wait for it; nothing is the end."""
        heard = self._receive_into(memoryview(buffer)[: self._left])
        self._left -= heard
        self.is_over = self.is_over or heard == 0
        return heard

    def _receive_into(self, buffer: memoryview) -> int:
        seconds = self._until - monotonic()
        if self.is_over or seconds <= 0 or not buffer:
            return 0
        try:
            self._phone.settimeout(min(seconds, self._silence))
            return self._phone.recv_into(buffer)
        except OSError:
            return 0
        finally:
            # what is said to it has its own time
            self._phone.settimeout(self._silence)


class PhoneBuffer(BufferedReader):
    """A buffer that never waits for more than there is, and never holds more than a piece."""

    def __init__(self, hearing: PhoneInput) -> None:
        """Take what is heard."""
        super().__init__(hearing)
        self.hearing = hearing

    def read(self, size: int | None = -1, /) -> bytes:
        """Give so much, but for what would be large in memory."""
        return super().read(PIECE if size is None or not 0 <= size <= PIECE else size)

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        """Give what there is: whoever reads may look at the clock meanwhile."""
        return self.readinto1(buffer)


class Handler(WSGIRequestHandler):
    """Drops phones that are slow, or gone without a word; logs nothing."""

    timeout = SILENCE
    # a piece is three writes: length, bytes, end
    wbufsize = 32 * 1024
    server: "Server"

    def setup(self) -> None:
        """Have what is never acknowledged end the connection."""
        unheard = getattr(socket, "TCP_USER_TIMEOUT", None)
        if unheard is not None:
            self.request.setsockopt(socket.IPPROTO_TCP, unheard, SILENCE * 1000)
        self.request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().setup()
        # it holds the connection open
        self.rfile.close()
        self._hearing = PhoneInput(self.request, self.timeout)
        self.rfile = PhoneBuffer(self._hearing)

    def parse_request(self) -> bool:
        """Understand a head, unless it was cut."""
        return super().parse_request() and not self._hearing.is_over

    def make_environ(self) -> "WSGIEnvironment":
        """Let the body have its time, and the connection be taken over."""
        said = self.headers.get("Content-Length", "")
        length = int(said) if said.isascii() and said.isdecimal() and len(said) <= DIGITS else 0
        self._hearing.wait(self.timeout + min(length, LONGEST) / SLOWEST)
        return {**super().make_environ(), TAKE: self.take}

    def end_headers(self) -> None:
        """Answer: what the phone still says is heard for a while, so that it sees the answer."""
        self._hearing.hurry(self.timeout)
        super().end_headers()

    def take(self) -> socket.socket:
        """Give the connection away; what else is said in this request, nobody hears."""
        self._hearing.hurry(0)
        self.server.give(self.request)
        self.wfile = BytesIO()
        taken: socket.socket = self.request.dup()
        return taken

    def version_string(self) -> str:
        """Tell nobody what serves."""
        return "coyote"

    def log(self, type: str, message: str, *args: object) -> None:  # noqa: A002 - Werkzeug's own
        """Say nothing: phones come and go."""


class Server(ThreadedWSGIServer):
    """Werkzeug's threads, so many at most."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, host: str, port: int, app: Flask) -> None:
        """Take the port."""
        self._places, self._given = ConnectionLimit(CONNECTIONS, EACH), set[Connection]()
        # Werkzeug by itself would print, and end the program, if somebody else has the port
        with socket.create_server((host, port), backlog=BACKLOG) as taken:
            super().__init__(host, port, app, Handler, fd=taken.fileno())

    def process_request(self, request: Connection, client_address: tuple[str, int]) -> None:
        """Give a connection its thread, if there is one left."""
        if not self._places.take(client_address[0]):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except RuntimeError:
            # the system has no thread left
            self._places.leave(client_address[0])
            raise

    def process_request_thread(self, request: Connection, client_address: tuple[str, int]) -> None:
        """Serve a connection to its end."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.leave(client_address[0])

    def give(self, request: Connection) -> None:
        """Leave a connection open when its request ends."""
        self._given.add(request)

    def shutdown_request(self, request: Connection) -> None:
        """Hang up, unless the connection was given away."""
        if request in self._given:
            self._given.remove(request)
            self.close_request(request)
        else:
            super().shutdown_request(request)

    def handle_error(self, request: Connection, client_address: tuple[str, int] | str) -> None:
        """Say nothing of a connection that broke."""


def serve(app: Flask, host: str, port: int) -> Server:
    """Serve in a thread of its own, until `shutdown`; a port that can't be had raises OSError."""
    server = Server(host, port, app)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.2}, name="pages", daemon=True).start()
    return server
