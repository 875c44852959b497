"""Lobby for connections that wait for their request or for a place; a single thread serves all."""

import logging
import select
import socket
import ssl
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread
from time import monotonic

from msgspec import Struct
from msgspec.structs import replace

from webui.server.connection_limits import HeldPlace, Places

HELLO = b"\x16"  # first byte of a TLS handshake, and of no plain request
LATER = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)
"""Errors of a socket that would have to wait."""
PIECE = 16 * 1024


class EncryptedGuest:
    """A TLS connection, with the part of the request head received so far."""

    def __init__(self, connection: socket.socket, context: ssl.SSLContext) -> None:
        connection.setblocking(False)
        self.connection = context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        self._is_encrypted, self._head = False, bytearray()
        self.is_over = False

    def hear(self, longest: int) -> bytes:
        """Continue the handshake, then read at most `longest` bytes of the head."""
        try:
            if not self._is_encrypted:
                self.connection.do_handshake()
                self._is_encrypted = True
            while len(self._head) < longest:
                piece = self.connection.recv(min(PIECE, longest - len(self._head)))
                if not piece:
                    self.is_over = True
                    break
                self._head += piece
        except LATER:
            pass
        except (OSError, ValueError):
            # no handshake, or a cancelled one
            self.is_over = True
        return bytes(self._head)


_log = logging.getLogger(__name__)

GUESTS = 250
"""Most waiting connections. For a new one, the network with the most loses its oldest."""
EXPIRY_CHECK_INTERVAL = 0.2
"""Seconds between checks for expired connections and free places."""
WHOLE = b"\r\n\r\n"
PEEK = getattr(socket, "MSG_PEEK", 0) | getattr(socket, "MSG_DONTWAIT", 0)
CAN_WAIT = hasattr(select, "epoll")
"""Whether the system reports new data while earlier data is only peeked at."""


class Guest(Struct, frozen=True, eq=False):
    """A connection without a complete request or without a place."""

    connection: socket.socket
    address: tuple[str, int]
    network: str
    until: float
    encrypted: EncryptedGuest | None = None
    head: bytes | None = None  # the request head, once it is complete
    device: str | None = None  # token of a known device, if there is one


class Reception(Struct, frozen=True):
    """Callbacks for guests: recognise their devices, start their requests, or dismiss them."""

    recognise: Callable[[bytes], str | None]
    begin: Callable[[Guest, HeldPlace], None]
    dismiss: Callable[[Guest, bool], None]  # the flag marks a connection too many


class Lobby:
    """Waiting connections, and the thread that serves them."""

    def __init__(
        self, places: Places, reception: Reception, longest: int, context: ssl.SSLContext | None = None
    ) -> None:
        """Admit guests with complete heads, or at `longest` bytes of a head.

        With a context, connections may be encrypted; plain ones are admitted as well.
        """
        self._places, self._reception = places, reception
        self._longest, self._context = longest, context
        self._lock, self._guests = Lock(), dict[int, Guest]()
        self._poll = select.epoll()
        self._is_open = True
        self._thread = Thread(target=self._run, name="lobby", daemon=True)
        self._thread.start()

    def enter(self, guest: Guest) -> None:
        """Add a connection; if there are too many, dismiss another one."""
        with self._lock:
            crowded = self._most_patient() if len(self._guests) >= GUESTS else None
            self._guests[guest.connection.fileno()] = guest
        if crowded is not None:
            self._dismiss(crowded, is_crowd=True)
        # edge-triggered: each new piece wakes the thread once, and so does a phone that stops sending
        self._poll.register(guest.connection, select.EPOLLIN | select.EPOLLRDHUP | select.EPOLLET)

    def close(self) -> None:
        self._is_open = False
        self._thread.join()
        for guest in list(self._guests.values()):
            self._dismiss(guest)
        self._poll.close()

    def _most_patient(self) -> Guest:
        crowds = Counter(guest.network for guest in self._guests.values())
        ((crowd, _count),) = crowds.most_common(1)
        return next(guest for guest in self._guests.values() if guest.network == crowd)

    def _run(self) -> None:
        while self._is_open:
            for number, event in self._poll.poll(EXPIRY_CHECK_INTERVAL):
                guest = self._guests.get(number)
                if guest is not None and guest.head is None:
                    self._look_at(guest, is_cut=bool(event & (select.EPOLLRDHUP | select.EPOLLHUP)))
            self._admit_guests()
            now = monotonic()
            for guest in [guest for guest in list(self._guests.values()) if guest.until <= now]:
                self._dismiss(guest, is_crowd=guest.head is not None)

    def _admit_guests(self) -> None:
        """Admit guests with complete requests: devices first, then networks with the fewest places."""
        for guest in self._waiting_line():
            place = self._places.take(guest.device, guest.address[0], guest.connection)
            if place is not None:
                if self._take_out(guest):
                    self._reception.begin(guest, place)
                else:
                    place.leave()
            elif guest.device is None:
                # guests further back in the line have no better claim
                break

    def _waiting_line(self) -> list[Guest]:
        ahead, claims = Counter[str](), list[tuple[int, Guest]]()
        for guest in [guest for guest in list(self._guests.values()) if guest.head is not None]:
            if guest.device is None:
                claims.append((self._places.count_strangers(guest.network) + ahead[guest.network], guest))
                ahead[guest.network] += 1
            else:
                claims.append((-1, guest))
        return [guest for _claim, guest in sorted(claims, key=lambda claim: claim[0])]

    def _look_at(self, guest: Guest, *, is_cut: bool) -> None:
        """Check a guest for a complete head; plain connections are only peeked at."""
        with self._lock:
            # a guest dismissed by another thread is closed, and a new, blocking connection may reuse its number
            if self._guests.get(guest.connection.fileno()) is not guest:
                return
            head = _peek(guest.connection, self._longest) if guest.encrypted is None else b""
            if head is None:
                return
            if self._context is not None and head[:1] == HELLO:
                guest = self._encrypt(guest, self._context)
            if guest.encrypted is not None:
                head = guest.encrypted.hear(self._longest)
                is_cut = is_cut or guest.encrypted.is_over
        if is_cut and not head:
            self._dismiss(guest)
        elif WHOLE in head or is_cut or len(head) >= self._longest:
            self._hear_out(guest, head)

    def _hear_out(self, guest: Guest, head: bytes) -> None:
        """Add a guest to the line for a place, unless it was just dismissed."""
        try:
            device = self._reception.recognise(head)
        except Exception:  # noqa: BLE001 - the thread serves all guests, and must outlive each
            _log.exception("a connection couldn't be admitted")
            self._dismiss(guest)
            return
        number = guest.connection.fileno()
        with self._lock:
            if self._guests.get(number) is guest:
                self._guests[number] = replace(guest, head=head, device=device)

    def _encrypt(self, guest: Guest, context: ssl.SSLContext) -> Guest:
        number = guest.connection.fileno()
        try:
            encrypted = EncryptedGuest(guest.connection, context)
        except (OSError, ValueError):
            # the connection was reset before it began
            del self._guests[number]
            return guest
        self._guests[number] = replace(guest, connection=encrypted.connection, encrypted=encrypted)
        return self._guests[number]

    def _take_out(self, guest: Guest) -> bool:
        """Remove a guest. Returns False if another thread has already removed it."""
        with self._lock:
            if self._guests.get(guest.connection.fileno()) is not guest:
                return False
            del self._guests[guest.connection.fileno()]
        with suppress(OSError):
            self._poll.unregister(guest.connection)
        return True

    def _dismiss(self, guest: Guest, *, is_crowd: bool = False) -> None:
        if self._take_out(guest):
            self._reception.dismiss(guest, is_crowd)


def _peek(connection: socket.socket, longest: int) -> bytes | None:
    """Peek at received data; None if there is none yet, empty if the connection broke."""
    try:
        return connection.recv(longest, PEEK)
    except BlockingIOError:
        return None
    except OSError:
        return b""
