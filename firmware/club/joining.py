"""The door where tables join: HTTPS, one question, one answer; codes can't be tried out, network by network."""

from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ssl import PROTOCOL_TLS_SERVER, SSLContext, TLSVersion
from threading import Thread

import msgspec

from firmware.club.authority import ClubCertificate
from firmware.outside.club_joining import JoinRequest
from firmware.storage.club_membership import Membership

PATIENCE = 10
"""Seconds that an asker may take."""
LARGEST, LONGEST_NUMBER = 400, 6


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
        """Let nobody join any more."""
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
    request_queue_size = 16
    context: SSLContext

    def finish_request(self, request: object, client_address: object) -> None:
        request.settimeout(PATIENCE)  # type: ignore[attr-defined]
        with self.context.wrap_socket(request, server_side=True) as encrypted:  # type: ignore[arg-type]
            super().finish_request(encrypted, client_address)

    def handle_error(self, *_said: object) -> None:
        """Leave who speaks otherwise alone."""


def encryption(tls: ClubCertificate) -> SSLContext:
    """Encrypt with the club's certificate."""
    context = SSLContext(PROTOCOL_TLS_SERVER)
    context.minimum_version = TLSVersion.TLSv1_2
    context.load_cert_chain(tls.certificate, tls.key)
    return context
