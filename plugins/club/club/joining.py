"""The door where tables join: HTTPS, one question, one answer; codes can't be tried out, network by network."""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import SHUT_RDWR, socket
from ssl import PROTOCOL_TLS_SERVER, SSLContext, SSLSocket, TLSVersion
from threading import Lock, Thread
from typing import Any

import msgspec

from club.authority import ClubCertificate
from firmware.outside.club_joining import JoinRequest
from firmware.storage.club import Membership

PATIENCE = 10
"""Seconds that an asker may take."""
LARGEST, LONGEST_NUMBER = 400, 6
MOST_HELD = 32
"""Connections that may be open; of more, the oldest one of the most crowded address makes room."""


class JoiningDoor:
    """Listens for tables that have a code."""

    def __init__(
        self,
        port: int,
        tls: ClubCertificate,
        let_in: Callable[[str, str], Membership | None],
        may_try: Callable[[str], bool],
        host: str = "",
    ) -> None:
        """Listen.

        `let_in` is given a code and the address at which the table has reached us; `may_try` counts by the one
        from which it came.
        """
        self._let_in, self._may_try = let_in, may_try
        door = self

        class Asked(BaseHTTPRequestHandler):
            """One question."""

            timeout = PATIENCE

            def do_POST(self) -> None:
                """Answer a table that wants to join."""
                answer = door.answer(self)
                self.send_response(HTTPStatus.OK if answer else HTTPStatus.FORBIDDEN)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_said: object) -> None:
                """Keep codes out of all logs."""

        self._server = _QuietServer((host, port), Asked)
        self._server.context = encryption(tls)
        self.port = int(self._server.server_address[1])
        Thread(target=self._server.serve_forever, name="club joining", daemon=True).start()

    def close(self) -> None:
        """Let no table join any more."""
        self._server.shutdown()
        self._server.server_close()

    def answer(self, asked: BaseHTTPRequestHandler) -> bytes:
        """Answer a question; with nothing if it isn't understood, comes too often or has no good code."""
        length = asked.headers.get("Content-Length", "")
        is_number = length.isascii() and length.isdecimal() and len(length) < LONGEST_NUMBER
        if asked.path != "/join" or not is_number or int(length) > LARGEST:
            return b""
        # heard to its end in any case: who is cut off in the middle of a sentence hears no answer
        said = asked.rfile.read(int(length))
        if not self._may_try(asked.client_address[0]):
            return b""
        try:
            code = msgspec.json.decode(said, type=JoinRequest).code
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return b""
        membership = self._let_in(code, asked.connection.getsockname()[0])
        return b"" if membership is None else msgspec.json.encode(membership)


class _QuietServer(ThreadingHTTPServer):
    """Encrypts each connection in its own thread, and says nothing of those that go wrong."""

    daemon_threads = True
    request_queue_size = 128
    context: SSLContext

    def __init__(self, place: tuple[str, int], asked: type[BaseHTTPRequestHandler]) -> None:
        self._held: dict[SSLSocket, str] = {}
        """Which connections are open, the oldest first, and from where."""
        self._holding = Lock()
        super().__init__(place, asked)

    def get_request(self) -> tuple[SSLSocket, Any]:
        """Take a connection; its own thread encrypts it."""
        connection, home = super().get_request()
        connection.settimeout(PATIENCE)
        return self.context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False), home

    def process_request(self, request: Any, client_address: Any) -> None:
        """Hear a connection; of too many, one makes room: the crowd of one address keeps no other out."""
        with self._holding:
            self._held[request] = str(client_address[0])
            if len(self._held) > MOST_HELD:
                [(crowd, _size)] = Counter(self._held.values()).most_common(1)
                oldest = next(each for each, home in self._held.items() if home == crowd)
                del self._held[oldest]
                with suppress(OSError):
                    # its thread wakes up, and ends; SSL's own shutdown isn't for two threads
                    socket.shutdown(oldest, SHUT_RDWR)
        super().process_request(request, client_address)

    def close_request(self, request: Any) -> None:
        """Close a connection."""
        with self._holding:
            self._held.pop(request, None)
        super().close_request(request)

    def finish_request(self, request: Any, client_address: Any) -> None:
        """Encrypt, and answer."""
        request.do_handshake()
        super().finish_request(request, client_address)

    def handle_error(self, *_said: object) -> None:
        """Leave who speaks otherwise alone."""


def encryption(tls: ClubCertificate) -> SSLContext:
    """Encrypt with the club's certificate."""
    context = SSLContext(PROTOCOL_TLS_SERVER)
    context.minimum_version = TLSVersion.TLSv1_2
    context.load_cert_chain(tls.certificate, tls.key)
    return context
