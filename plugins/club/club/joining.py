"""The HTTPS server where tables join, with one request and one response; attempts are limited per network."""

from collections.abc import Callable
from http import HTTPStatus

import msgspec
from flask import Flask, Response, abort, request
from werkzeug.exceptions import HTTPException

from club.authority import ClubCertificate
from firmware.integrations.club_joining import JoinRequest
from firmware.language.speaking import _
from firmware.storage.club import Membership
from firmware.storage.own_secrets import encryption
from webui.access.guess_limits import Incidents
from webui.server.serving import EVERYWHERE, GATE, Gate, Server

LARGEST = 400  # largest request in bytes
ELSEWHERE = _(
    "This address is for the table: copy it, and paste it there under More for the host → Settings → Club."
)


class JoiningDoor:
    """Accepts tables with a code; connections are limited like those of phones."""

    def __init__(
        self,
        port: int,
        tls: ClubCertificate,
        let_in: Callable[[str, str], Membership | None],
        may_try: Callable[[str], bool],
        host: str = EVERYWHERE,
    ) -> None:
        """Listen.

        `let_in` receives a code and the address by which the table reached us; `may_try` counts attempts by the
        table's own address.
        """
        self._let_in, self._may_try = let_in, may_try
        app = Flask("joining")
        app.config["MAX_CONTENT_LENGTH"] = LARGEST
        app.extensions[GATE] = Gate(lambda _cookies: None, Incidents())
        app.post("/join")(lambda: Response(self.answer(), content_type="application/json"))
        # a phone that has scanned the link opens it
        app.get("/join", endpoint="link")(lambda: Response(ELSEWHERE, content_type="text/plain; charset=utf-8"))
        # other requests get no information
        app.register_error_handler(HTTPException, lambda _error: Response(b"", HTTPStatus.FORBIDDEN))
        self._server = Server(app, host, port, encryption(tls.certificate, tls.key))
        self.port = self._server.port

    def close(self) -> None:
        self._server.close()

    def answer(self) -> bytes:
        content = request.get_data()
        if not request.is_secure or not self._may_try(request.remote_addr or ""):
            abort(HTTPStatus.FORBIDDEN)
        try:
            code = msgspec.json.decode(content, type=JoinRequest).code
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            abort(HTTPStatus.FORBIDDEN)
        here = request.environ["werkzeug.socket"].getsockname()[0]
        membership = self._let_in(code, here.removeprefix("::ffff:"))
        if membership is None:
            abort(HTTPStatus.FORBIDDEN)
        return msgspec.json.encode(membership)
