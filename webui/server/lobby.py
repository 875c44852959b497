"""Where connections wait until their request has come and has a place: one thread holds them all."""

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

HELLO = b"\x16"  # what an encrypted connection begins with, and no request in the clear
LATER = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)
"""What says that a socket would have to wait."""
PIECE = 16 * 1024


class EncryptedGuest:
    """A connection that is being encrypted, and what has come of its request's head."""

    def __init__(self, connection: socket.socket, context: ssl.SSLContext) -> None:
        connection.setblocking(False)
        self.connection = context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        self._is_encrypted, self._head = False, bytearray()
        self.is_over = False

    def hear(self, longest: int) -> bytes:
        """Go on with the handshake, then read what has come, so many bytes at most."""
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
            # not a handshake, or one that was broken off
            self.is_over = True
        return bytes(self._head)


_log = logging.getLogger(__name__)

GUESTS = 250
"""Connections that may wait; when another comes, the oldest of the network with the most makes room."""
EXPIRY_CHECK_INTERVAL = 0.2
"""Seconds between two looks for those that have waited too long, and for places that were left."""
WHOLE = b"\r\n\r\n"
PEEK = getattr(socket, "MSG_PEEK", 0) | getattr(socket, "MSG_DONTWAIT", 0)
CAN_WAIT = hasattr(select, "epoll")
"""Whether this system tells when more has come of what is only looked at."""


class Guest(Struct, frozen=True, eq=False):
    """A connection whose request hasn't come, or has no place."""

    connection: socket.socket
    address: tuple[str, int]
    network: str
    until: float
    encrypted: EncryptedGuest | None = None
    head: bytes | None = None  # what has come of its request, once that is whole
    device: str | None = None  # the device that has a right, if it is one's


class Reception(Struct, frozen=True):
    """What becomes of guests: devices are recognised by their heads; all get a place, or are dismissed."""

    recognise: Callable[[bytes], str | None]
    begin: Callable[[Guest, HeldPlace], None]
    dismiss: Callable[[Guest, bool], None]  # with whether it was one too many


class Lobby:
    """The connections that wait, and the thread that looks after them."""

    def __init__(
        self, places: Places, reception: Reception, longest: int, context: ssl.SSLContext | None = None
    ) -> None:
        """Admit guests with their heads, or with so many bytes of one.

        With a context, connections may be encrypted; others are admitted, too.
        """
        self._places, self._reception = places, reception
        self._longest, self._context = longest, context
        self._lock, self._guests = Lock(), dict[int, Guest]()
        self._poll = select.epoll()
        self._is_open = True
        self._thread = Thread(target=self._run, name="lobby", daemon=True)
        self._thread.start()

    def enter(self, guest: Guest) -> None:
        """Let a connection wait; if there are too many, another one is dismissed for it."""
        with self._lock:
            crowded = self._most_patient() if len(self._guests) >= GUESTS else None
            self._guests[guest.connection.fileno()] = guest
        if crowded is not None:
            self._dismiss(crowded, is_crowd=True)
        # each new piece wakes the thread once; so does a phone that says no more
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
        """Admit guests whose requests have come: devices first, then of the networks with the fewest places."""
        for guest in self._waiting_line():
            place = self._places.take(guest.device, guest.address[0], guest.connection)
            if place is not None:
                if self._take_out(guest):
                    self._reception.begin(guest, place)
                else:
                    place.leave()
            elif guest.device is None:
                # who comes later in the line has no better claim
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
        """Admit a guest whose head has come; of a connection in the clear nothing is taken."""
        with self._lock:
            # whom another thread dismisses is closed, and its number soon another connection's, which may block
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
        """Let a guest wait for a place, unless it was dismissed just now."""
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
            # it was reset before it began
            del self._guests[number]
            return guest
        self._guests[number] = replace(guest, connection=encrypted.connection, encrypted=encrypted)
        return self._guests[number]

    def _take_out(self, guest: Guest) -> bool:
        """Let a guest wait no more; False if another thread has done so."""
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
    """Look at what has come, without taking it; None if nothing has, nothing at all if the connection broke."""
    try:
        return connection.recv(longest, PEEK)
    except BlockingIOError:
        return None
    except OSError:
        return b""
