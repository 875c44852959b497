"""Where connections wait until their request has come: one thread holds them all, so silence costs none."""

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

from webui.server.encryption import HELLO, EncryptedGuest

_log = logging.getLogger(__name__)

GUESTS = 250
"""Connections that may wait; when another comes, the oldest of the address with the most makes room."""
LOOK = 0.2
"""Seconds between two looks for those that have waited too long."""
WHOLE = b"\r\n\r\n"
"""The end of a request's head."""
PEEK = getattr(socket, "MSG_PEEK", 0) | getattr(socket, "MSG_DONTWAIT", 0)
CAN_WAIT = hasattr(select, "epoll")
"""Whether this system tells when more has come of what is only looked at."""


class Guest(Struct, frozen=True, eq=False):
    """A connection whose request hasn't come."""

    connection: socket.socket
    address: tuple[str, int]
    until: float
    encrypted: EncryptedGuest | None = None


class Lobby:
    """The connections that wait, and the thread that looks after them."""

    def __init__(
        self,
        admit: Callable[[Guest, bytes], None],
        dismiss: Callable[[Guest], None],
        longest: int,
        context: ssl.SSLContext | None = None,
    ) -> None:
        """Admit a guest with its head, or with so many bytes of one; dismiss one that waited too long.

        With a context, connections may be encrypted; others are admitted, too.
        """
        self._admit, self._dismiss, self._longest = admit, dismiss, longest
        self._context = context
        self._lock, self._guests = Lock(), dict[int, Guest]()
        self._poll = select.epoll()
        self._is_open = True
        self._thread = Thread(target=self._run, name="lobby", daemon=True)
        self._thread.start()

    def enter(self, guest: Guest) -> Guest | None:
        """Let a connection wait; if there are too many, give the one that was dismissed for it."""
        with self._lock:
            crowded = self._most_patient() if len(self._guests) >= GUESTS else None
            self._guests[guest.connection.fileno()] = guest
        if crowded is not None:
            self._let_go(crowded, None)
        # each new piece wakes the thread once; so does a phone that says no more
        self._poll.register(guest.connection, select.EPOLLIN | select.EPOLLRDHUP | select.EPOLLET)
        return crowded

    def close(self) -> None:
        """Dismiss all, and wait for nothing more."""
        self._is_open = False
        self._thread.join()
        for guest in list(self._guests.values()):
            self._let_go(guest, None)
        self._poll.close()

    def _most_patient(self) -> Guest:
        """Find the oldest guest of the address that has the most."""
        crowds = Counter(guest.address[0] for guest in self._guests.values())
        ((crowd, _count),) = crowds.most_common(1)
        return next(guest for guest in self._guests.values() if guest.address[0] == crowd)

    def _run(self) -> None:
        while self._is_open:
            for number, event in self._poll.poll(LOOK):
                guest = self._guests.get(number)
                if guest is not None:
                    self._look_at(guest, is_cut=bool(event & (select.EPOLLRDHUP | select.EPOLLHUP)))
            now = monotonic()
            for guest in [guest for guest in list(self._guests.values()) if guest.until <= now]:
                self._let_go(guest, None)

    def _look_at(self, guest: Guest, *, is_cut: bool) -> None:
        """Admit a guest whose head has come; of a connection in the clear nothing is taken."""
        head = _peek(guest.connection, self._longest) if guest.encrypted is None else b""
        if head is None:
            return
        if self._context is not None and head[:1] == HELLO:
            guest = self._encrypt(guest, self._context)
        if guest.encrypted is not None:
            head = guest.encrypted.hear(self._longest)
            is_cut = is_cut or guest.encrypted.is_over
        if WHOLE in head or is_cut or len(head) >= self._longest:
            self._let_go(guest, head if head or guest.encrypted is None else None)

    def _encrypt(self, guest: Guest, context: ssl.SSLContext) -> Guest:
        """Begin to encrypt a connection, unless its guest was dismissed just now."""
        number = guest.connection.fileno()
        with self._lock:
            if self._guests.get(number) is not guest:
                return guest
            try:
                encrypted = EncryptedGuest(guest.connection, context)
            except (OSError, ValueError):
                # it was reset before it began
                del self._guests[number]
                return guest
            self._guests[number] = replace(guest, connection=encrypted.connection, encrypted=encrypted)
            return self._guests[number]

    def _let_go(self, guest: Guest, head: bytes | None) -> None:
        """Admit or dismiss a guest, once."""
        with self._lock:
            if self._guests.get(guest.connection.fileno()) is not guest:
                return
            del self._guests[guest.connection.fileno()]
        with suppress(OSError):
            self._poll.unregister(guest.connection)
        try:
            if head is not None:
                self._admit(guest, head)
                return
        except Exception:  # noqa: BLE001 - the thread serves all guests, and must outlive each
            _log.exception("a connection couldn't be admitted")
        self._dismiss(guest)


def _peek(connection: socket.socket, longest: int) -> bytes | None:
    """Look at what has come, without taking it; None if nothing has, nothing at all if the connection broke."""
    try:
        return connection.recv(longest, PEEK)
    except BlockingIOError:
        return None
    except OSError:
        return b""
