"""HTTP server with one thread per request, because slow phones would starve a small pool.

A connection waits without a thread until its request has arrived and a place is free. Known devices have
places of their own. Strangers share theirs by network, and a slow phone's place can be reassigned.
"""

import logging
import select
import socket
import ssl
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from io import BufferedReader, BufferedWriter, BytesIO, RawIOBase
from selectors import EVENT_READ, DefaultSelector
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING

from flask import Flask
from msgspec import Struct
from werkzeug.sansio.http import parse_cookie
from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler

from webui.access.cookies import known_cookies
from webui.access.guess_limits import Incidents
from webui.access.origins import plain_address
from webui.server.connection_limits import ConnectionLimit, HeldPlace, Places
from webui.server.pending import PendingConnection

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer
    from _typeshed.wsgi import WSGIEnvironment

_log = logging.getLogger(__name__)

CONNECTIONS, PER_ADDRESS = 250, 60
"""Most connections of strangers with a thread, in total and per network; others wait."""
KNOWN, EACH_KNOWN = 250, 20  # most connections of known devices, in total and per device
MAX_PENDING = 250  # most connections without a complete request or without a place
BACKLOG = 512
CHECK_INTERVAL = 0.2  # seconds between checks for expired connections and free places
SILENCE = 20  # seconds before a phone that neither sends nor receives as expected is dropped
REFUSED = 8_000_000  # bytes of a refused upload that are still read, so that the phone shows the reason
MIN_UPLOAD_RATE, MAX_UPLOAD_BYTES = 50_000, 400_000_000
"""Least pace of a body in bytes per second, and its greatest length in bytes."""
PIECE, WRITE = 64 * 1024, 32 * 1024
"""Most bytes read at once, and bytes of a response sent in one write."""
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
    """Input from a phone at a minimum pace; a timeout or a lost connection ends the input without an error."""

    def __init__(self, phone: socket.socket, place: HeldPlace, seconds: float, before: bytes = b"") -> None:
        """Begin with the bytes already received; the rest may lag by at most some seconds."""
        self._phone, self._place, self._silence, self._before = phone, place, seconds, before
        self._until, self._left = monotonic() + seconds, MAX_UPLOAD_BYTES
        self._is_paced, self._is_over = True, False

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
        self._is_over = self._is_over or count == 0
        if self._is_paced:
            self._until = min(self._until + count / MIN_UPLOAD_RATE, monotonic() + self._silence)
        return count

    def _receive_into(self, buffer: memoryview) -> int:
        seconds = self._until - monotonic()
        if self._is_over or seconds <= 0 or not buffer:
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

    def read(self, size: int | None = -1, /) -> bytes:
        """Read up to the given number of bytes, at most one piece."""
        return super().read(PIECE if size is None or not 0 <= size <= PIECE else size)

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        """Read the available bytes, so that the caller can check deadlines."""
        return self.readinto1(buffer)


class Handler(WSGIRequestHandler):
    """Drops phones that are slow or have vanished; logs nothing."""

    timeout = SILENCE

    def __init__(self, pending: PendingConnection, place: HeldPlace, server: "Server") -> None:
        """Answer the request."""
        self._pending, self._place = pending, place
        super().__init__(pending.connection, pending.address, server)

    def setup(self) -> None:
        """Let unacknowledged data end the connection."""
        self.connection = self.request
        self.connection.settimeout(self.timeout)
        unheard = getattr(socket, "TCP_USER_TIMEOUT", None)
        if unheard is not None:
            self.connection.setsockopt(socket.IPPROTO_TCP, unheard, SILENCE * 1000)
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._hearing = PhoneInput(self.connection, self._place, self.timeout, self._pending.head)
        self.rfile = PhoneBuffer(self._hearing)
        self.wfile = BufferedWriter(PhoneOutput(self.connection, self._place), WRITE)

    def make_environ(self) -> "WSGIEnvironment":
        """Offer pages to detach the connection."""
        environ = super().make_environ()
        scheme = "https" if isinstance(self.connection, ssl.SSLSocket) else "http"
        address, own = plain_address(environ["REMOTE_ADDR"]), plain_address(self.connection.getsockname()[0])
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
        self._pending.is_taken = True
        self.wfile = BytesIO()
        return self._pending.connection

    def is_gone(self) -> bool:
        waiting = select.poll()
        waiting.register(self.connection, HUNG_UP)
        return bool(waiting.poll(0))

    def version_string(self) -> str:
        """Hide the server software."""
        return "coyote"

    def log(self, type: str, message: str, *args: object) -> None:  # noqa: A002 - Werkzeug's own
        """Log nothing: phones come and go."""


class Server(BaseWSGIServer):
    """Werkzeug's server with connection limits and a thread for each request.

    Another thread accepts connections and waits until their requests have arrived and a place is free.
    """

    multithread = True

    def __init__(
        self,
        app: Flask,
        host: str,
        port: int,
        context: ssl.SSLContext | None = None,
        places: Places | None = None,
    ) -> None:
        """Serve until `close`; raise OSError if the port can't be opened.

        With a context, connections may be encrypted. Two servers may share places.
        """
        self._gate: Gate = app.extensions[GATE]
        own = ConnectionLimit(CONNECTIONS, PER_ADDRESS), ConnectionLimit(KNOWN, EACH_KNOWN)
        self.places: Places = Places(*own) if places is None else places
        self._context, self._pending, self._is_open = context, list[PendingConnection](), True
        # otherwise Werkzeug prints a message and exits if the port is in use
        with _open_port(host, port) as taken:
            # and it would choose IPv6 by host name, even if the system has none
            super().__init__(taken.getsockname()[0], port, app, Handler, fd=taken.fileno())
        self.socket.setblocking(False)
        self._poll = DefaultSelector()
        self._poll.register(self.socket, EVENT_READ)
        self._thread = Thread(target=self._run, name="pages", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._is_open = False
        self._thread.join()
        for pending in self._pending:
            pending.close()
        self._poll.close()
        self.server_close()

    def _run(self) -> None:
        while self._is_open:
            for key, _events in self._poll.select(CHECK_INTERVAL):
                if key.data is None:
                    self._accept()
                elif key.data in self._pending:
                    try:
                        if key.data.receive(self._context):
                            key.data.device = self._recognise(key.data.head)
                            self._poll.unregister(key.data.number)
                            key.data.is_complete = True
                    except (OSError, ValueError):
                        self._dismiss(key.data)
                    except Exception:  # noqa: BLE001 - the thread serves all connections, and must outlive each
                        _log.exception("a connection couldn't be admitted")
                        self._dismiss(key.data)
            self._admit()
            now = monotonic()
            for pending in [pending for pending in self._pending if pending.until <= now]:
                self._dismiss(pending, is_crowd=pending.is_complete)

    def _accept(self) -> None:
        """Let a connection wait; if there are too many, the network with the most loses its oldest."""
        with suppress(OSError):
            connection, address = self.socket.accept()
            if len(self._pending) >= MAX_PENDING:
                crowds = Counter(pending.network for pending in self._pending)
                ((crowd, _count),) = crowds.most_common(1)
                oldest = next(pending for pending in self._pending if pending.network == crowd)
                self._dismiss(oldest, is_crowd=True)
            pending = PendingConnection(connection, address, Handler.timeout)
            self._poll.register(pending.number, EVENT_READ, pending)
            self._pending.append(pending)

    def _recognise(self, head: bytes) -> str | None:
        """Return the known device of a request; undecodable bytes match none."""
        lines = head.split(b"\r\n")
        cookies = next((line[7:] for line in lines if line[:7].lower() == b"cookie:"), b"")
        return self._gate.find_device(parse_cookie(known_cookies(cookies.decode(errors="replace").strip())))

    def _admit(self) -> None:
        """Begin complete requests: devices first, then networks with the fewest places."""
        ahead, claims = Counter[str](), list[tuple[int, PendingConnection]]()
        for pending in self._pending:
            if pending.is_complete and pending.device is None:
                claims.append((self.places.count_strangers(pending.network) + ahead[pending.network], pending))
                ahead[pending.network] += 1
            elif pending.is_complete:
                claims.append((-1, pending))
        for _claim, pending in sorted(claims, key=lambda claim: claim[0]):
            place = self.places.take(pending.device, pending.address[0], pending.connection)
            if place is not None:
                self._pending.remove(pending)
                try:
                    Thread(target=self._answer, args=(pending, place), daemon=True).start()
                except RuntimeError:
                    # the system has no thread left
                    place.leave()
                    pending.close()
            elif pending.device is None:
                # connections further back in the line have no better claim
                break

    def _dismiss(self, pending: PendingConnection, *, is_crowd: bool = False) -> None:
        """Close a connection; report one too many to the host."""
        if is_crowd:
            self._gate.incidents.note("flood", plain_address(pending.address[0]))
        self._pending.remove(pending)
        if not pending.is_complete:
            self._poll.unregister(pending.number)
        pending.close()

    def _answer(self, pending: PendingConnection, place: HeldPlace) -> None:
        # ignore broken connections
        with suppress(Exception):
            Handler(pending, place, self)
        place.leave()
        if not pending.is_taken:
            pending.close()


def _open_port(host: str, port: int) -> socket.socket:
    """Open a port; `::` means IPv4 and IPv6, if the system has both."""
    if host == EVERYWHERE and socket.has_dualstack_ipv6():
        return socket.create_server((host, port), family=socket.AF_INET6, dualstack_ipv6=True, backlog=BACKLOG)
    return socket.create_server(("0.0.0.0" if host == EVERYWHERE else host, port), backlog=BACKLOG)  # noqa: S104 - phones come from the local network
