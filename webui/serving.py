"""Serving the pages: a thread for each request, as a small pool would starve while phones are slow."""

import socket
from functools import lru_cache
from io import BytesIO
from threading import BoundedSemaphore, Thread
from typing import Any

from flask import Flask
from werkzeug.serving import ThreadedWSGIServer, WSGIRequestHandler

CONNECTIONS = 500
"""Connections at once that have a thread; more are closed unheard."""
BACKLOG = 512
SILENCE = 20
"""Seconds after which a phone that sends nothing it should, or takes nothing, is dropped."""
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

    def make_environ(self) -> dict[str, Any]:
        """Let the connection be taken over."""
        return {**super().make_environ(), TAKE: self.take}

    def take(self) -> socket.socket:
        """Give the connection away; what else is said in this request, nobody hears."""
        self.server.give(self.request)
        self.wfile = BytesIO()
        taken: socket.socket = self.request.dup()
        return taken

    def version_string(self) -> str:
        """Tell nobody what serves."""
        return "coyote"

    def log(self, type: str, message: str, *args: Any) -> None:  # noqa: A002 - Werkzeug's own
        """Say nothing: phones come and go."""


class Server(ThreadedWSGIServer):
    """Werkzeug's threads, so many at most."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, host: str, port: int, app: Flask) -> None:
        """Take the port."""
        self._places, self._given = BoundedSemaphore(CONNECTIONS), set[Any]()
        # Werkzeug by itself would print, and end the program, if somebody else has the port
        with socket.create_server((host, port), backlog=BACKLOG) as taken:
            super().__init__(host, port, app, Handler, fd=taken.fileno())

    def process_request(self, request: Any, client_address: Any) -> None:
        """Give a connection its thread, if there is one left."""
        if not self._places.acquire(blocking=False):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except RuntimeError:
            # the system has no thread left
            self._places.release()
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serve a connection to its end."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.release()

    def give(self, request: Any) -> None:
        """Leave a connection open when its request ends."""
        self._given.add(request)

    def shutdown_request(self, request: Any) -> None:
        """Hang up, unless the connection was given away."""
        if request in self._given:
            self._given.remove(request)
            self.close_request(request)
        else:
            super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a connection that broke."""


def serve(app: Flask, host: str, port: int) -> Server:
    """Serve in a thread of its own, until `shutdown`; a port that can't be had raises OSError."""
    server = Server(host, port, app)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.2}, name="pages", daemon=True).start()
    return server
