"""HTTP server with one thread per request, because slow phones would starve a small pool.

A connection waits in the lobby until its request has arrived and a place is free. Known devices have
places of their own. Strangers share theirs by network, and a slow phone's place can be reassigned.
"""

import select
import socket
import ssl
from collections.abc import Callable, Mapping
from functools import lru_cache
from io import BufferedReader, BufferedWriter, BytesIO, RawIOBase
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, cast

from flask import Flask
from msgspec import Struct
from werkzeug.sansio.http import parse_cookie
from werkzeug.serving import ThreadedWSGIServer, WSGIRequestHandler

from webui.access.cookies import known_cookies
from webui.access.guess_limits import Incidents
from webui.access.origins import network_of, plain_address
from webui.server.connection_limits import ConnectionLimit, HeldPlace, Places
from webui.server.lobby import CAN_WAIT, HELLO, Guest, Lobby, Reception

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer
    from _typeshed.wsgi import WSGIEnvironment

Connection = socket.socket | tuple[bytes, socket.socket]  # a request as socketserver types it

CONNECTIONS, PER_ADDRESS = 250, 60
"""Most connections of strangers with a thread, in total and per network; others wait in the lobby."""
KNOWN, EACH_KNOWN = 250, 20  # most connections of known devices, in total and per device
BACKLOG = 512
SILENCE = 20  # seconds before a phone that neither sends nor receives as expected is dropped
HEAD = 64 * 1024
REFUSED = 8_000_000  # bytes of a refused upload that are still read, so that the phone shows the reason
MIN_UPLOAD_RATE, MAX_UPLOAD_BYTES = 50_000, 400_000_000
"""Least pace of a body in bytes per second, and its greatest length in bytes."""
PIECE = 64 * 1024
SHARED = 64  # encoded pieces cached, because many phones receive the same
TAKE = "coyote.take"
"""Key in the WSGI environment of the function that detaches the connection."""
GONE = "coyote.gone"
"""Key in the WSGI environment of the function that detects a closed connection."""
HUNG_UP = getattr(select, "POLLRDHUP", select.POLLHUP)  # Linux reports it before anything is sent
EVERYWHERE = "::"  # the host for all addresses of this machine
GATE = "gate"  # key of the gate in the app's extensions
END = b"0\r\n\r\n"


@lru_cache(SHARED)
def chunk(piece: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(piece), piece)


class Gate(Struct, frozen=True):
    """Gate for connections: finds known devices by their cookies, and records incidents."""

    find_device: Callable[[Mapping[str, str]], str | None]
    incidents: Incidents


class PhoneInput(RawIOBase):
    """Input from a phone with a deadline; a timeout or a lost connection ends the input without an error."""

    def __init__(self, phone: socket.socket, place: HeldPlace, seconds: float, before: bytes = b"") -> None:
        """Read a request head within `seconds`, starting with the bytes already received."""
        self._phone, self._place, self._silence, self._before = phone, place, seconds, before
        self._until, self._left = monotonic() + seconds, HEAD
        self._is_paced = False
        self.is_over = False

    def begin_body(self) -> None:
        """Start a body with a minimum pace; it may lag by at most the silence limit."""
        self._until, self._left = monotonic() + self._silence, MAX_UPLOAD_BYTES
        self._is_paced = True

    def hurry(self, seconds: float) -> None:
        """Limit further reading to `seconds` and to the size of a refused upload."""
        self._until = min(self._until, monotonic() + seconds)
        self._left = min(self._left, REFUSED)
        self._is_paced = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        """Read the available bytes, or wait for some; 0 means the end."""
        room = memoryview(buffer)[: self._left]
        count = min(len(room), len(self._before))
        room[:count], self._before = self._before[:count], self._before[count:]
        count = count or self._receive_into(room)
        self._left -= count
        self.is_over = self.is_over or count == 0
        if self._is_paced:
            self._until = min(self._until + count / MIN_UPLOAD_RATE, monotonic() + self._silence)
        return count

    def _receive_into(self, buffer: memoryview) -> int:
        seconds = self._until - monotonic()
        if self.is_over or seconds <= 0 or not buffer:
            return 0
        try:
            self._phone.settimeout(min(seconds, self._silence))
            self._place.is_slow = True
            return self._phone.recv_into(buffer)
        except OSError:
            return 0
        finally:
            self._place.is_slow = False
            # responses have a timeout of their own
            self._phone.settimeout(self._silence)


class PhoneOutput(RawIOBase):
    """Output to a phone; after a write timeout, all further writes fail."""

    def __init__(self, phone: socket.socket, place: HeldPlace) -> None:
        self._phone, self._place, self._is_lost = phone, place, False

    def writable(self) -> bool:
        return True

    def write(self, data: "ReadableBuffer", /) -> int:
        """Send as much as the phone accepts now."""
        if self._is_lost:
            raise BrokenPipeError
        try:
            self._place.is_slow = True
            return self._phone.send(data)
        except OSError:
            self._is_lost = True
            raise
        finally:
            self._place.is_slow = False


class PhoneBuffer(BufferedReader):
    """Buffer that waits for no more than has arrived and never holds more than one piece."""

    def __init__(self, hearing: PhoneInput) -> None:
        super().__init__(hearing)
        self.hearing = hearing

    def read(self, size: int | None = -1, /) -> bytes:
        """Read up to the given number of bytes, at most one piece."""
        return super().read(PIECE if size is None or not 0 <= size <= PIECE else size)

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        """Read the available bytes, so that the caller can check deadlines."""
        return self.readinto1(buffer)


class Handler(WSGIRequestHandler):
    """Drops phones that are slow or have vanished; logs nothing."""

    timeout = SILENCE
    # length, bytes and end of a piece are sent in one write
    wbufsize = 32 * 1024
    server: "Server"

    def setup(self) -> None:
        """Let unacknowledged data end the connection."""
        unheard = getattr(socket, "TCP_USER_TIMEOUT", None)
        if unheard is not None:
            self.request.setsockopt(socket.IPPROTO_TCP, unheard, SILENCE * 1000)
        self.request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().setup()
        # the old files would keep the connection open
        self.rfile.close()
        self.wfile.close()
        place = self.server.place_of(self.request)
        self._hearing = PhoneInput(self.request, place, self.timeout, self.server.head_of(self.request))
        self.rfile = PhoneBuffer(self._hearing)
        self.wfile = BufferedWriter(PhoneOutput(self.request, place), self.wbufsize)

    def parse_request(self) -> bool:
        """Parse a request head; reject a truncated one."""
        return super().parse_request() and not self._hearing.is_over

    def make_environ(self) -> "WSGIEnvironment":
        """Start the body's pace, and offer pages to detach the connection."""
        self._hearing.begin_body()
        environ = super().make_environ()
        scheme = "https" if isinstance(self.request, ssl.SSLSocket) else "http"
        address, own = plain_address(environ["REMOTE_ADDR"]), plain_address(self.request.getsockname()[0])
        cookies = known_cookies(environ.get("HTTP_COOKIE", ""))
        ours = {"wsgi.url_scheme": scheme, "REMOTE_ADDR": address, "SERVER_NAME": own, "HTTP_COOKIE": cookies}
        return environ | ours | {TAKE: self.take, GONE: self.is_gone}

    def end_headers(self) -> None:
        """Start the response; keep reading for a while, so that the phone receives it."""
        self._hearing.hurry(self.timeout)
        super().end_headers()

    def take(self) -> socket.socket:
        """Detach the connection and ignore the rest of this request."""
        self._hearing.hurry(0)
        self.server.give(self.request)
        self.wfile = BytesIO()
        # `dup` fails for TLS connections: return the connection itself
        taken: socket.socket = self.request if isinstance(self.request, ssl.SSLSocket) else self.request.dup()
        return taken

    def is_gone(self) -> bool:
        waiting = select.poll()
        waiting.register(self.request, HUNG_UP)
        return bool(waiting.poll(0))

    def version_string(self) -> str:
        """Hide the server software."""
        return "coyote"

    def log(self, type: str, message: str, *args: object) -> None:  # noqa: A002 - Werkzeug's own
        """Log nothing: phones come and go."""


class Server(ThreadedWSGIServer):
    """Werkzeug's threaded server with a lobby and connection limits."""

    daemon_threads = True
    block_on_close = False

    def __init__(
        self,
        host: str,
        port: int,
        app: Flask,
        context: ssl.SSLContext | None = None,
        places: Places | None = None,
    ) -> None:
        """Open the port; with a context, connections may be encrypted. Two servers may share places."""
        self._gate: Gate = app.extensions[GATE]
        own = ConnectionLimit(CONNECTIONS, PER_ADDRESS), ConnectionLimit(KNOWN, EACH_KNOWN)
        self.places: Places = Places(*own) if places is None else places
        self._context = context
        self._held, self._given = dict[Connection, HeldPlace](), set[Connection]()
        self._heads = dict[Connection, bytes]()
        self._lobby: Lobby | None = None
        # otherwise Werkzeug prints a message and exits if the port is in use
        with _open_port(host, port) as taken:
            # and it would choose IPv6 by host name, even if the system has none
            super().__init__(taken.getsockname()[0], port, app, Handler, fd=taken.fileno())
        if CAN_WAIT:
            reception = Reception(self._recognise, self._begin, self._dismiss)
            self._lobby = Lobby(self.places, reception, HEAD, context)

    def process_request(self, request: Connection, client_address: tuple[str, int]) -> None:
        """Hold a connection until its request has arrived and a place is free."""
        network, until = network_of(client_address[0]), monotonic() + Handler.timeout
        guest = Guest(cast("socket.socket", request), client_address, network, until)
        if self._lobby is not None:
            self._lobby.enter(guest)
        elif (place := self.places.take(None, client_address[0], guest.connection)) is not None:
            self._begin(guest, place)
        else:
            self._dismiss(guest, is_crowd=True)

    def _recognise(self, head: bytes) -> str | None:
        """Return the known device of a request; undecodable bytes match none."""
        lines = head.split(b"\r\n")
        cookies = next((line[7:] for line in lines if line[:7].lower() == b"cookie:"), b"")
        return self._gate.find_device(parse_cookie(known_cookies(cookies.decode(errors="replace").strip())))

    def _begin(self, guest: Guest, place: HeldPlace) -> None:
        self._held[guest.connection] = place
        if guest.encrypted is not None:
            self._heads[guest.connection] = guest.head or b""
        try:
            super().process_request(guest.connection, guest.address)
        except RuntimeError:
            # the system has no thread left
            self._leave(guest.connection)
            self.shutdown_request(guest.connection)

    def _dismiss(self, guest: Guest, is_crowd: bool) -> None:
        """Close a connection; report one too many to the host."""
        if is_crowd:
            self._gate.incidents.note("flood", plain_address(guest.address[0]))
        self.shutdown_request(guest.connection)

    def place_of(self, request: Connection) -> HeldPlace:
        return self._held[request]

    def head_of(self, request: Connection) -> bytes:
        return self._heads.pop(request, b"")

    def _leave(self, request: Connection) -> None:
        self._heads.pop(request, None)
        self._held.pop(request).leave()

    def process_request_thread(self, request: Connection, client_address: tuple[str, int]) -> None:
        try:
            if self._lobby is None and self._context is not None:
                request = self._shake_hands(request, self._context)
            super().process_request_thread(request, client_address)
        except OSError:
            # no handshake, or a cancelled one
            self.shutdown_request(request)
        finally:
            self._leave(request)

    def _shake_hands(self, request: Connection, context: ssl.SSLContext) -> Connection:
        """Encrypt a connection whose client wants that, in its own thread: there is no lobby for it."""
        line, place = cast("socket.socket", request), self._held[request]
        line.settimeout(Handler.timeout)
        place.is_slow = True
        try:
            if line.recv(1, socket.MSG_PEEK) != HELLO:
                return request
            encrypted = context.wrap_socket(line, server_side=True, do_handshake_on_connect=False)
            # from here on, the plain socket is detached
            self._held[encrypted] = self._held.pop(request)
            place.connection = encrypted
            try:
                encrypted.do_handshake()
            except OSError:
                encrypted.close()
                self._held[request] = self._held.pop(encrypted)
                raise
            return encrypted
        finally:
            place.is_slow = False

    def server_close(self) -> None:
        if self._lobby is not None:
            self._lobby.close()
        super().server_close()

    def give(self, request: Connection) -> None:
        """Keep a connection open when its request ends."""
        self._given.add(request)

    def shutdown_request(self, request: Connection) -> None:
        """Close a connection, unless it was detached."""
        if request in self._given:
            self._given.remove(request)
            if not isinstance(request, ssl.SSLSocket):
                self.close_request(request)
        else:
            super().shutdown_request(request)

    def handle_error(self, request: Connection, client_address: tuple[str, int] | str) -> None:
        """Ignore broken connections."""


def _open_port(host: str, port: int) -> socket.socket:
    """Open a port; `::` means IPv4 and IPv6, if the system has both."""
    if host == EVERYWHERE and socket.has_dualstack_ipv6():
        return socket.create_server((host, port), family=socket.AF_INET6, dualstack_ipv6=True, backlog=BACKLOG)
    return socket.create_server(("0.0.0.0" if host == EVERYWHERE else host, port), backlog=BACKLOG)  # noqa: S104 - phones come from the local network


def serve(
    app: Flask, host: str, port: int, context: ssl.SSLContext | None = None, places: Places | None = None
) -> Server:
    """Serve in a separate thread until `shutdown`; raise OSError if the port can't be opened."""
    server = Server(host, port, app, context, places)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.2}, name="pages", daemon=True).start()
    return server
