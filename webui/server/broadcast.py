"""A single thread sends events to all phones; with a thread each, all would compete at once."""

import socket
import zlib
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from functools import lru_cache
from gzip import compress
from threading import Lock, Thread
from time import monotonic
from typing import Protocol

from flask import Request, Response
from msgspec import Struct

from firmware.table.client import News, Subscription, TableClient
from referee.match import Match
from webui.server.pending import LATER
from webui.server.serving import END, SHARED, SILENCE, chunk

BEAT = 4.0  # seconds between heartbeats
WAITING = 64
"""Most pieces queued for a slow phone; one further behind is dropped, reconnects and catches up."""
BUFFER = 128 * 1024  # bytes that the system may buffer for a phone
AGAIN = 0.05  # seconds before queued pieces are sent again


class PhoneStream(Protocol):
    """Events of one phone."""

    is_over: bool

    def hear(self, news: News | None) -> Sequence[bytes]:
        """Encode news for the phone; None is a heartbeat."""


class PhoneConnection:
    """Connection to a phone: sends as much as the phone accepts and queues the rest."""

    def __init__(self, taken: socket.socket) -> None:
        taken.setblocking(False)
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
        self._socket, self._waiting, self._since = taken, deque[memoryview](), monotonic()

    @property
    def is_waiting(self) -> bool:
        return bool(self._waiting)

    def say(self, pieces: Iterable[bytes]) -> None:
        """Queue and send pieces; raise OSError if the phone is gone or too far behind."""
        if not self._waiting:
            self._since = monotonic()
        self._waiting.extend(memoryview(piece) for piece in pieces)
        self.push()
        if len(self._waiting) > WAITING or monotonic() > self._since + SILENCE:
            raise TimeoutError

    def push(self) -> None:
        with suppress(*LATER):
            while self._waiting:
                sent = self._socket.send(self._waiting[0])
                self._since = monotonic()
                self._waiting[0] = self._waiting[0][sent:]
                if not self._waiting[0]:
                    self._waiting.popleft()

    def tend(self) -> None:
        """Send queued pieces and discard input; raise OSError if the phone is gone or too far behind."""
        with suppress(*LATER):
            if not self._socket.recv(4096):
                raise ConnectionResetError
        self.say(())

    def close(self) -> None:
        self._socket.close()


class MatchChange(Struct, frozen=True):
    """The last moment of one match and the first of the next."""

    end: Match
    begin: Match


class ConnectedPhone(Struct, frozen=True, eq=False):
    """A listening phone, and its cleanup on disconnect."""

    stream: PhoneStream
    line: PhoneConnection
    ends: ExitStack


class Broadcaster:
    """The broadcasting thread: it starts with the first phone and ends with the last."""

    def __init__(self, client: TableClient) -> None:
        self._client, self._lock = client, Lock()
        self._joined: list[ConnectedPhone] = []
        self._listening: Subscription | None = None
        self._now: Match | None = None
        """The moment that was sent last."""
        self.turn: MatchChange | None = None
        """The last change of matches while phones listened."""

    def join(
        self, stream: PhoneStream, taken: socket.socket, ends: ExitStack, *, sees_own: bool = False
    ) -> None:
        """Add a phone, and send it the current moment.

        Phones on public pages come first: such a page is rendered once for all, a seat's page for one phone.
        """
        joined = ConnectedPhone(stream, PhoneConnection(taken), ends)
        with self._lock:
            self._joined.insert(len(self._joined) if sees_own else 0, joined)
            if self._listening is None:
                self._begin()
            elif self._now is not None and not _tell_phone(joined, self._now):
                self._drop(joined)

    def _begin(self) -> None:
        """Start the thread. If the system has none left, drop the phone, which will reconnect."""
        self._listening = self._client.subscribe_pages()
        try:
            Thread(target=self._run, args=(self._listening,), name="broadcaster", daemon=True).start()
        except RuntimeError:
            self._drop(self._joined[0])
            self._end(self._listening)

    def _end(self, listening: Subscription) -> None:
        listening.close()
        self._listening = self._now = None

    def _run(self, listening: Subscription) -> None:
        beat = monotonic() + BEAT
        while True:
            is_slow = any(each.line.is_waiting for each in list(self._joined))
            news = listening.next(max(0.0, min(beat - monotonic(), AGAIN if is_slow else BEAT)))
            with self._lock:
                if news is not None or monotonic() >= beat:
                    beat = monotonic() + BEAT
                    self._broadcast(news)
                for joined in list(self._joined):
                    try:
                        joined.line.tend()
                    except OSError:
                        self._drop(joined)
                if not self._joined:
                    self._end(listening)
                    return

    def _broadcast(self, news: News | None) -> None:
        if isinstance(news, Match):
            if self._now is not None and self._now.setup.begun != news.setup.begun:
                self.turn = MatchChange(self._now, news)
            self._now = news
        for joined in [each for each in self._joined if not _tell_phone(each, news)]:
            self._drop(joined)

    def _drop(self, joined: ConnectedPhone) -> None:
        self._joined.remove(joined)
        joined.line.close()
        joined.ends.close()


def _tell_phone(joined: ConnectedPhone, news: News | None) -> bool:
    """Send news to a phone. Returns False if it is gone, too slow, or has lost its seat."""
    try:
        pieces = [chunk(piece) for piece in joined.stream.hear(news)]
        joined.line.say([*pieces, END] if joined.stream.is_over else pieces)
    except Exception:  # noqa: BLE001 - what is wrong with one phone is no other's
        return False
    return not joined.stream.is_over


# Gzip for public pages and event streams. A piece is compressed once for all phones that receive it. Each piece
# is independent and ends at a whole byte, so that pieces can be combined in any stream.

HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""Header of a gzip stream; there is no trailer, because event streams are endless."""
LEVEL = 6
RAW = -15  # raw deflate without a header


def takes_packed(asked: Request) -> bool:
    return bool(asked.accept_encodings.quality("gzip"))


def pack_page(response: Response, asked: Request) -> Response:
    """Compress a page. Use it only for pages without request data: the compressed length could leak secrets."""
    response.headers.add("Vary", "Accept-Encoding")
    if takes_packed(asked):
        response.set_data(compress(response.get_data(), LEVEL, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
    return response


def pack_piece(piece: bytes) -> bytes:
    """Compress a piece independently of those before it."""
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, RAW)
    return packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)


_pack_shared = lru_cache(SHARED)(pack_piece)


class PackedStream:
    """Compressed events for a browser that accepts gzip."""

    def __init__(self, stream: PhoneStream) -> None:
        self._stream = stream
        self.is_over = False

    def hear(self, news: News | None) -> list[bytes]:
        pieces = [_pack_shared(piece) for piece in self._stream.hear(news)]
        self.is_over = self._stream.is_over
        return pieces
