"""The HTTP server: one thread per request, because slow phones would starve a small pool.

A connection waits in the lobby until its request has come and there is a place. Devices that have a right have
places of their own; strangers share theirs out by network, and a phone that is slow makes room for another's.
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
from webui.server.lobby import CAN_WAIT, Guest, Lobby, Reception

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer
    from _typeshed.wsgi import WSGIEnvironment

Connection = socket.socket | tuple[bytes, socket.socket]  # a request as socketserver types it

CONNECTIONS, EACH = 250, 60
"""Connections of strangers with a thread, in total and per network; further ones wait in the lobby."""
KNOWN, EACH_KNOWN = 250, 20  # connections of devices that have a right, in total and per device
BACKLOG = 512
SILENCE = 20  # seconds after which a phone that neither sends nor receives as expected is dropped
HEAD = 64 * 1024
REFUSED = 8_000_000  # bytes of a refused upload that are still read, so that the phone sees why
SLOWEST, LONGEST = 50_000, 400_000_000
"""Slowest accepted body in bytes a second at any time, and the longest one in bytes."""
PIECE = 64 * 1024
SHARED = 64  # encoded pieces that are cached, because many phones get the same
TAKE = "coyote.take"
"""Key in a request's environment of the function that takes its connection over."""
GONE = "coyote.gone"
"""Key of the function that tells whether whoever sent a request has hung up since."""
HUNG_UP = getattr(select, "POLLRDHUP", select.POLLHUP)  # Linux tells it before anything is sent
EVERYWHERE = "::"  # the host that means all addresses of this machine
GATE = "gate"  # key in the app's extensions of who comes in first
END = b"0\r\n\r\n"


@lru_cache(SHARED)
def chunk(piece: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(piece), piece)


class Gate(Struct, frozen=True):
    """Who comes in first: the function finds a device that has a right by its cookies."""

    find_device: Callable[[Mapping[str, str]], str | None]
    incidents: Incidents


class PhoneInput(RawIOBase):
    """Input from a phone with a deadline; a timeout or a lost connection reads as the end and never raises."""

    def __init__(self, phone: socket.socket, place: HeldPlace, seconds: float, before: bytes = b"") -> None:
        """Read a request head within so many seconds, beginning with what was taken of it before."""
        self._phone, self._place, self._silence, self._before = phone, place, seconds, before
        self._until, self._left = monotonic() + seconds, HEAD
        self._is_paced = False
        self.is_over = False

    def begin_body(self) -> None:
        """Read a body from now on, which has to come at a pace: it is never further behind than its silence."""
        self._until, self._left = monotonic() + self._silence, LONGEST
        self._is_paced = True

    def hurry(self, seconds: float) -> None:
        """Stop reading within so many seconds, and after as much as a form has."""
        self._until = min(self._until, monotonic() + seconds)
        self._left = min(self._left, REFUSED)
        self._is_paced = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        """Read what has arrived, or wait for it; 0 means the end."""
        room = memoryview(buffer)[: self._left]
        heard = min(len(room), len(self._before))
        room[:heard], self._before = self._before[:heard], self._before[heard:]
        heard = heard or self._receive_into(room)
        self._left -= heard
        self.is_over = self.is_over or heard == 0
        if self._is_paced:
            self._until = min(self._until + heard / SLOWEST, monotonic() + self._silence)
        return heard

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
    """Output to a phone, which may be waited for; once it took nothing for too long, it gets no more."""

    def __init__(self, phone: socket.socket, place: HeldPlace) -> None:
        self._phone, self._place, self._is_lost = phone, place, False

    def writable(self) -> bool:
        return True

    def write(self, data: "ReadableBuffer", /) -> int:
        """Send as much as the phone takes now."""
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
    """A buffer that never waits for more than has arrived and never holds more than one piece."""

    def __init__(self, hearing: PhoneInput) -> None:
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
        # the old files would keep the connection open
        self.rfile.close()
        self.wfile.close()
        place = self.server.place_of(self.request)
        self._hearing = PhoneInput(self.request, place, self.timeout, self.server.head_of(self.request))
        self.rfile = PhoneBuffer(self._hearing)
        self.wfile = BufferedWriter(PhoneOutput(self.request, place), self.wbufsize)

    def parse_request(self) -> bool:
        """Parse a request head; reject one that was cut off."""
        return super().parse_request() and not self._hearing.is_over

    def make_environ(self) -> "WSGIEnvironment":
        """Give the body its pace, and let pages take the connection over."""
        self._hearing.begin_body()
        environ = super().make_environ()
        scheme = "https" if isinstance(self.request, ssl.SSLSocket) else "http"
        address = plain_address(environ["REMOTE_ADDR"])
        cookies = known_cookies(environ.get("HTTP_COOKIE", ""))
        ours = {"wsgi.url_scheme": scheme, "REMOTE_ADDR": address, "HTTP_COOKIE": cookies}
        return environ | ours | {TAKE: self.take, GONE: self.is_gone}

    def end_headers(self) -> None:
        """Start the response; keep reading for a while, so that the phone gets to see it."""
        self._hearing.hurry(self.timeout)
        super().end_headers()

    def take(self) -> socket.socket:
        """Give the connection away and ignore the rest of this request."""
        self._hearing.hurry(0)
        self.server.give(self.request)
        self.wfile = BytesIO()
        # one that is encrypted can't be doubled: it is handed over itself
        taken: socket.socket = self.request if isinstance(self.request, ssl.SSLSocket) else self.request.dup()
        return taken

    def is_gone(self) -> bool:
        waiting = select.poll()
        waiting.register(self.request, HUNG_UP)
        return bool(waiting.poll(0))

    def version_string(self) -> str:
        """Hide which software serves."""
        return "coyote"

    def log(self, type: str, message: str, *args: object) -> None:  # noqa: A002 - Werkzeug's own
        """Log nothing: phones come and go."""


class Server(ThreadedWSGIServer):
    """Werkzeug's threaded server with a lobby, and with limits on connections."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, host: str, port: int, app: Flask, context: ssl.SSLContext | None = None) -> None:
        """Open the port; with a context, connections may be encrypted, where the system can wait for them."""
        self._gate: Gate = app.extensions[GATE]
        self._places = Places(ConnectionLimit(CONNECTIONS, EACH), ConnectionLimit(KNOWN, EACH_KNOWN))
        self._held, self._given = dict[Connection, HeldPlace](), set[Connection]()
        self._heads = dict[Connection, bytes]()
        self._lobby: Lobby | None = None
        # if the port is taken, Werkzeug by itself would print a message and end the program
        with _open_port(host, port) as taken:
            # and it would ask for IPv6 by the host's name, where the system may have none
            super().__init__(taken.getsockname()[0], port, app, Handler, fd=taken.fileno())
        if CAN_WAIT:
            reception = Reception(self._recognise, self._begin, self._dismiss)
            self._lobby = Lobby(self._places, reception, HEAD, context)

    def process_request(self, request: Connection, client_address: tuple[str, int]) -> None:
        """Let a connection wait until its request has come and there is a place."""
        network, until = network_of(client_address[0]), monotonic() + Handler.timeout
        guest = Guest(cast("socket.socket", request), client_address, network, until)
        if self._lobby is not None:
            self._lobby.enter(guest)
        elif (place := self._places.take(None, client_address[0], guest.connection)) is not None:
            self._begin(guest, place)
        else:
            self._dismiss(guest, is_crowd=True)

    def _recognise(self, head: bytes) -> str | None:
        """Find the device that has a right; bytes that are no text make no known device, and no error."""
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
        """Hang up on a connection; of one too many the host is told."""
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
            super().process_request_thread(request, client_address)
        finally:
            self._leave(request)

    def server_close(self) -> None:
        if self._lobby is not None:
            self._lobby.close()
        super().server_close()

    def give(self, request: Connection) -> None:
        """Keep a connection open when its request ends."""
        self._given.add(request)

    def shutdown_request(self, request: Connection) -> None:
        """Hang up, unless the connection was given away."""
        if request in self._given:
            self._given.remove(request)
            if not isinstance(request, ssl.SSLSocket):
                self.close_request(request)
        else:
            super().shutdown_request(request)

    def handle_error(self, request: Connection, client_address: tuple[str, int] | str) -> None:
        """Ignore connections that break."""


def _open_port(host: str, port: int) -> socket.socket:
    """Open a port; `::` means IPv4 and IPv6, where the system has both."""
    if host == EVERYWHERE and socket.has_dualstack_ipv6():
        return socket.create_server((host, port), family=socket.AF_INET6, dualstack_ipv6=True, backlog=BACKLOG)
    return socket.create_server(("0.0.0.0" if host == EVERYWHERE else host, port), backlog=BACKLOG)  # noqa: S104 - phones come from the local network


def serve(app: Flask, host: str, port: int, context: ssl.SSLContext | None = None) -> Server:
    """Serve in a thread of its own until `shutdown`; raise OSError if the port can't be opened."""
    server = Server(host, port, app, context)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.2}, name="pages", daemon=True).start()
    return server
