"""The HTTP server: one thread per request, because slow phones would starve a small pool."""

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
"""A request as socketserver types it."""

CONNECTIONS, EACH = 500, 125
"""Connections with a thread, in total and per address; further ones are closed at once."""
BACKLOG = 512
SILENCE = 20
"""Seconds after which a phone that neither sends nor receives as expected is dropped."""
HEAD = 64 * 1024
"""Largest request head in bytes."""
SLOWEST, LONGEST = 50_000, 400_000_000
"""Slowest accepted upload in bytes a second, and the longest body in bytes."""
DIGITS = 12
"""Most digits of a Content-Length."""
PIECE = 64 * 1024
SHARED = 64
"""Encoded pieces that are cached, because many phones get the same."""
TAKE = "coyote.take"
"""Key in a request's environment of the function that takes its connection over."""
END = b"0\r\n\r\n"
"""The end of a chunked response."""


@lru_cache(SHARED)
def chunk(piece: bytes) -> bytes:
    """Encode a piece of a chunked response."""
    return b"%x\r\n%s\r\n" % (len(piece), piece)


class PhoneInput(RawIOBase):
    """Input from a phone with a deadline; a timeout or a lost connection reads as the end and never raises."""

    def __init__(self, phone: socket.socket, seconds: float) -> None:
        """Read a request head within so many seconds."""
        self._phone, self._silence = phone, seconds
        self._until, self._left = monotonic() + seconds, HEAD
        self.is_over = False

    def wait(self, seconds: float) -> None:
        """Read a body within so many seconds from now."""
        self._until, self._left = monotonic() + seconds, LONGEST

    def hurry(self, seconds: float) -> None:
        """Stop reading within so many seconds."""
        self._until = min(self._until, monotonic() + seconds)

    def readable(self) -> bool:
        """Tell that this stream can be read."""
        return True

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        """Read what has arrived, or wait for it; 0 means the end."""
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
            # responses have a timeout of their own
            self._phone.settimeout(self._silence)


class PhoneBuffer(BufferedReader):
    """A buffer that never waits for more than has arrived and never holds more than one piece."""

    def __init__(self, hearing: PhoneInput) -> None:
        """Wrap a phone's input."""
        super().__init__(hearing)
        self.hearing = hearing

    def read(self, size: int | None = -1, /) -> bytes:
        """Read that many bytes, but at most one piece."""
        return super().read(PIECE if size is None or not 0 <= size <= PIECE else size)

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        """Read what has arrived, so that the caller can watch the clock meanwhile."""
        return self.readinto1(buffer)


class Handler(WSGIRequestHandler):
    """Drops phones that are slow or have vanished; logs nothing."""

    timeout = SILENCE
    # length, bytes and end of a piece go out in one write
    wbufsize = 32 * 1024
    server: "Server"

    def setup(self) -> None:
        """Let unacknowledged data end the connection."""
        unheard = getattr(socket, "TCP_USER_TIMEOUT", None)
        if unheard is not None:
            self.request.setsockopt(socket.IPPROTO_TCP, unheard, SILENCE * 1000)
        self.request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().setup()
        # the old file would keep the connection open
        self.rfile.close()
        self._hearing = PhoneInput(self.request, self.timeout)
        self.rfile = PhoneBuffer(self._hearing)

    def parse_request(self) -> bool:
        """Parse a request head; reject one that was cut off."""
        return super().parse_request() and not self._hearing.is_over

    def make_environ(self) -> "WSGIEnvironment":
        """Give the body its deadline, and let pages take the connection over."""
        said = self.headers.get("Content-Length", "")
        length = int(said) if said.isascii() and said.isdecimal() and len(said) <= DIGITS else 0
        self._hearing.wait(self.timeout + min(length, LONGEST) / SLOWEST)
        return {**super().make_environ(), TAKE: self.take}

    def end_headers(self) -> None:
        """Start the response; keep reading for a while, so that the phone gets to see it."""
        self._hearing.hurry(self.timeout)
        super().end_headers()

    def take(self) -> socket.socket:
        """Give the connection away and ignore the rest of this request."""
        self._hearing.hurry(0)
        self.server.give(self.request)
        self.wfile = BytesIO()
        taken: socket.socket = self.request.dup()
        return taken

    def version_string(self) -> str:
        """Hide which software serves."""
        return "coyote"

    def log(self, type: str, message: str, *args: object) -> None:  # noqa: A002 - Werkzeug's own
        """Log nothing: phones come and go."""


class Server(ThreadedWSGIServer):
    """Werkzeug's threaded server with a limit on connections."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, host: str, port: int, app: Flask) -> None:
        """Open the port."""
        self._places, self._given = ConnectionLimit(CONNECTIONS, EACH), set[Connection]()
        # if the port is taken, Werkzeug by itself would print a message and end the program
        with socket.create_server((host, port), backlog=BACKLOG) as taken:
            super().__init__(host, port, app, Handler, fd=taken.fileno())

    def process_request(self, request: Connection, client_address: tuple[str, int]) -> None:
        """Start a thread for a connection, if one is left."""
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
        """Keep a connection open when its request ends."""
        self._given.add(request)

    def shutdown_request(self, request: Connection) -> None:
        """Hang up, unless the connection was given away."""
        if request in self._given:
            self._given.remove(request)
            self.close_request(request)
        else:
            super().shutdown_request(request)

    def handle_error(self, request: Connection, client_address: tuple[str, int] | str) -> None:
        """Ignore connections that break."""


def serve(app: Flask, host: str, port: int) -> Server:
    """Serve in a thread of its own until `shutdown`; raise OSError if the port can't be opened."""
    server = Server(host, port, app)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.2}, name="pages", daemon=True).start()
    return server
