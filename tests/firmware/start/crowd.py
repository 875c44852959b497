"""Many phones in a process of their own: bare sockets that note when each event and each page came."""

import heapq
import socket
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from random import Random
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector
from time import monotonic
from zlib import decompressobj

from msgspec import Struct

from webui.access.viewers import SEAT

HERE = "127.0.0.1"
HOMES = tuple(f"127.0.0.{number}" for number in range(2, 22))
"""Addresses that phones come from: one alone can't have a place for all of them."""
AWAY = 1.5
"""Seconds at most that a phone is away before it listens again."""
APART = 0.008
"""Seconds from one phone's coming to the next one's."""
LOOK = 0.1
"""Seconds from one look at a page to the next, whether the last one came or not."""
PATIENCE = 15.0
"""Seconds that a connection may take that has to come."""
MINUTE = 60.0
NARROW = 4096
"""Bytes that wait for a phone that doesn't read."""
MOMENT = b"event: moment\nid: "
GZIP = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""How a packed stream begins."""
RAW, BEGINNING = -15, 256
"""Deflate without a head of its own; so many bytes of a piece tell which moment it is."""


class CrowdPlan(Struct, frozen=True):
    """What the crowd does, and for how many seconds."""

    port: int
    seconds: float
    listening: tuple[bytes, ...] = ()
    """What each phone says to listen, without the line that ends it."""
    leaving: float = 0.0
    """What each phone sends to listen, without the line that ends it."""
    looks: tuple[bytes, ...] = ()
    """What is said to get a page; they take turns."""
    slow: int = 0
    slow_after: float = 0.0
    """Seconds after which the slow clients come: they send nothing, or half a request, or don't read."""


class HeardMoment(Struct, frozen=True, array_like=True):
    """A moment that came to a phone, when, and since when it had been listening."""

    phone: int
    name: str
    at: float
    since: float


class FetchedPage(Struct, frozen=True, array_like=True):
    """A page that was asked for, and how long it took; None if it never came complete."""

    at: float
    seconds: float | None


class Visit(Struct, frozen=True):
    """What the crowd saw."""

    heard: tuple[HeardMoment, ...]
    seen: tuple[FetchedPage, ...]
    left: int
    """How often a phone went away and came back."""
    lost: int
    """How often the table dropped a phone that wanted to stay."""


class Connection:
    """A connection: it sends its request once it stands, and hands on what comes, empty at its end."""

    def __init__(self, crowd: "Crowd", words: bytes, hear: Callable[[bytes], None], home: str = HERE) -> None:
        self._selector, self._words, self._hear = crowd.selector, words, hear
        self._socket = begin_connection(crowd.port, home)
        self._selector.register(self._socket, EVENT_WRITE, self._send_words)

    def close(self) -> None:
        if self._socket.fileno() >= 0:
            self._selector.unregister(self._socket)
            self._socket.close()

    def _send_words(self) -> None:
        self._selector.modify(self._socket, EVENT_READ, self._receive)
        try:
            self._socket.send(self._words)
        except OSError:
            self._end()

    def _receive(self) -> None:
        try:
            heard = self._socket.recv(65536)
        except OSError:
            heard = b""
        if heard:
            self._hear(heard)
        else:
            self._end()

    def _end(self) -> None:
        self.close()
        self._hear(b"")


def begin_connection(port: int, home: str, narrow: int = 0) -> socket.socket:
    """Begin to connect from an address, where the system has it; so many bytes may wait unread."""
    line = socket.socket()
    if narrow:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, narrow)
    with suppress(OSError):
        line.bind((home, 0))
    line.setblocking(False)
    line.connect_ex((HERE, port))
    return line


class Crowd:
    """All phones and clients, and what is due."""

    def __init__(self, wish: CrowdPlan) -> None:
        self.port, self.selector, self.rng = wish.port, DefaultSelector(), Random(1)
        self.heard, self.seen = list[HeardMoment](), list[FetchedPage]()
        self.left = self.lost = 0
        self.stays = False
        """Whether all phones stay now."""
        self._dues, self._order = list[tuple[float, int, Callable[[], object]]](), count()

    def call_later(self, seconds: float, do: Callable[[], object]) -> None:
        heapq.heappush(self._dues, (monotonic() + seconds, next(self._order), do))

    def pass_time(self, seconds: float) -> None:
        end = monotonic() + seconds
        while (now := monotonic()) < end:
            while self._dues and self._dues[0][0] <= now:
                heapq.heappop(self._dues)[2]()
            wait = min(end, self._dues[0][0] if self._dues else end) - monotonic()
            for key, _mask in self.selector.select(max(0.0, wait)):
                key.data()


class Phone:
    """A phone that listens; when the table lets it go it comes back, as a browser does."""

    def __init__(self, crowd: Crowd, number: int, words: bytes) -> None:
        self._crowd, self._number, self._words = crowd, number, words
        self._last, self._open = b"", True
        self._listen()

    def leave(self) -> None:
        if self._open:
            self._crowd.left += 1
            self._line.close()
            self._come_back()

    def _listen(self) -> None:
        last = b"Last-Event-ID: %s\r\n" % self._last if self._last else b""
        self._open, self._since, self._reader = True, 0.0, StreamReader()
        home = HOMES[self._number % len(HOMES)]
        self._line = Connection(self._crowd, self._words + last + b"\r\n", self._hear, home)

    def _come_back(self) -> None:
        self._open = False
        self._crowd.call_later(self._crowd.rng.uniform(0, AWAY), self._listen)

    def _hear(self, heard: bytes) -> None:
        now = monotonic()
        if not heard:
            self._crowd.lost += 1
            self._come_back()
            return
        self._since = self._since or now
        for piece in self._reader.read(heard):
            _before, is_moment, moment = piece.partition(MOMENT)
            if is_moment:
                self._last = moment.partition(b"\n")[0]
                self._crowd.heard.append(HeardMoment(self._number, self._last.decode(), now, self._since))


class StreamReader:
    """Reads the beginning of each piece of a stream of events; the table packs each piece by itself."""

    def __init__(self) -> None:
        self._rest, self._head = b"", b""

    def read(self, heard: bytes) -> Iterator[bytes]:
        self._rest += heard
        if not self._head:
            head, is_whole, rest = self._rest.partition(b"\r\n\r\n")
            if not is_whole:
                return
            self._head, self._rest = head.lower(), rest
        while b"transfer-encoding: chunked" in self._head and (piece := self._next_chunk()) is not None:
            yield unpack_beginning(piece) if b"content-encoding: gzip" in self._head else piece

    def _next_chunk(self) -> bytes | None:
        size, is_whole, rest = self._rest.partition(b"\r\n")
        length = int(size, 16) if is_whole else 0
        if not is_whole or len(rest) < length + 2:
            return None
        self._rest = rest[length + 2 :]
        return rest[:length]


def unpack_beginning(piece: bytes) -> bytes:
    return decompressobj(RAW).decompress(piece.removeprefix(GZIP), BEGINNING) if piece else b""


class PageFetch:
    """A page that is fetched once; it is there with its last byte."""

    def __init__(self, crowd: Crowd, words: bytes) -> None:
        self._crowd, self._start, self._page = crowd, monotonic(), b""
        self._line = Connection(crowd, words + b"\r\n", self._hear)

    def _hear(self, heard: bytes) -> None:
        self._page += heard
        if not heard or is_whole(self._page):
            self._line.close()
            taken = monotonic() - self._start if is_whole(self._page) else None
            self._crowd.seen.append(FetchedPage(self._start, taken))


def is_whole(page: bytes) -> bool:
    head, end, body = page.partition(b"\r\n\r\n")
    length = head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0]
    return b" 200 " in head[:16] and bool(end) and length.isdigit() and len(body) == int(length)


# what they say first

LANGUAGES = ("en", "fr")


def listen_requests(seats: Sequence[str], count: int) -> Iterator[bytes]:
    """Have as many phones as there are seats listen at one; the others look on. They speak in turn."""
    for number in range(count):
        tongue = LANGUAGES[number % len(LANGUAGES)]
        sits = number < len(seats)
        said = {
            "Accept-Language": tongue,
            "Accept-Encoding": "gzip",
            **({"Cookie": f"{SEAT}={seats[number]}"} if sits else {}),
        }
        yield request_head("/events/seat" if sits else "/events/score", said)


def request_head(path: str, said: Mapping[str, str]) -> bytes:
    lines = (f"GET {path} HTTP/1.1", f"Host: {HERE}", *(f"{name}: {text}" for name, text in said.items()))
    return "".join(f"{line}\r\n" for line in lines).encode()


# those who mean harm

STREAM = b"GET /events/score HTTP/1.1\r\nHost: table\r\n\r\n"
PAGE = b"GET / HTTP/1.1\r\nHost: table\r\n\r\n"
HEAD = b"GET / HTTP/1.1\r\nHost: table\r\nX-Slow: "
BODY = b"POST /seat/answer HTTP/1.1\r\nHost: table\r\nContent-Type: application/x-www-form-urlencoded\r\n"
LONG = b"POST /host/backup HTTP/1.1\r\nHost: table\r\nContent-Type: multipart/form-data; boundary=x\r\n"
AGAIN = 25.0
"""Seconds after which even one that is still let in begins anew."""


class Habit(Struct, frozen=True):
    """What a client says first, then every second, and whether it reads: a byte each second, or nothing."""

    first: bytes = b""
    more: bytes = b""
    reads: bool = False
    goes: bool = False
    """It goes at once, without a word."""


HABITS = (
    Habit(),
    Habit(HEAD),
    Habit(HEAD, b"x"),
    Habit(BODY + b"Content-Length: 9000\r\n\r\n", b"a"),
    Habit(LONG + b"Content-Length: 90000000\r\n\r\n", b"a"),
    Habit(STREAM, b"", reads=True),
    Habit(STREAM),
    Habit(STREAM, b"GET / HTTP/1.1\r\n\r\n"),
    Habit(PAGE, b"", reads=True),
    Habit(PAGE + STREAM * 20),
    Habit(STREAM, goes=True),
    Habit(b"", goes=True),
)


SLOW = (Habit(), Habit(HEAD), Habit(), Habit(STREAM))
"""Those who only take a place."""


class Rowdy:
    """A client that connects again and again, with a bad habit."""

    def __init__(self, crowd: Crowd, habit: Habit, home: str, pace: float = 1.0) -> None:
        self._crowd, self._habit, self._home, self._pace = crowd, habit, home, pace
        self._begin()

    def _begin(self) -> None:
        self._line, self._since = begin_connection(self._crowd.port, self._home, NARROW), monotonic()
        self._crowd.call_later(0.2, self._say)

    def _say(self) -> None:
        with suppress(OSError):
            self._line.send(self._habit.first)
        if self._habit.goes:
            self._line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._end()
        else:
            self._crowd.call_later(self._pace, self._go_on)

    def _go_on(self) -> None:
        """Say or hear a little, for as long as the table lets it."""
        try:
            if self._habit.more:
                self._line.send(self._habit.more)
            is_over = self._habit.reads and self._line.recv(1) == b""
        except BlockingIOError:
            is_over = False
        except OSError:
            is_over = True
        if is_over or monotonic() > self._since + AGAIN:
            self._end()
        else:
            self._crowd.call_later(self._pace, self._go_on)

    def _end(self) -> None:
        self._line.close()
        self._crowd.call_later(self._pace, self._begin)


# all of them


def visit(wish: CrowdPlan) -> Visit:
    """Be the crowd; called in a process of its own."""
    crowd = gather_crowd(wish)
    crowd.pass_time(wish.seconds)
    return Visit(tuple(crowd.heard), tuple(crowd.seen), crowd.left, crowd.lost)


def gather_crowd(wish: CrowdPlan) -> Crowd:
    crowd, phones = Crowd(wish), list[Phone]()
    for number, words in enumerate(wish.listening):
        crowd.call_later(APART * number, partial(_add_phone, crowd, phones, words))
    if wish.leaving and wish.listening:
        every = MINUTE / (wish.leaving * len(wish.listening))
        crowd.call_later(APART * len(wish.listening), partial(_leave, crowd, phones, every))
    if wish.looks:
        crowd.call_later(0, partial(_fetch_next_page, crowd, wish.looks, 0))
    for number in range(wish.slow):
        # every fourth listens and reads nothing, every fourth says half, the others nothing
        habit, home = SLOW[number % len(SLOW)], HOMES[number % len(HOMES)]
        crowd.call_later(wish.slow_after, partial(Rowdy, crowd, habit, home))
    return crowd


def _add_phone(crowd: Crowd, phones: list[Phone], words: bytes) -> None:
    phones.append(Phone(crowd, len(phones), words))


def _leave(crowd: Crowd, phones: list[Phone], every: float) -> None:
    if not crowd.stays:
        crowd.rng.choice(phones).leave()
    crowd.call_later(every, partial(_leave, crowd, phones, every))


def _fetch_next_page(crowd: Crowd, looks: tuple[bytes, ...], number: int) -> None:
    """Look at a page, and at the next one later, however long this one takes."""
    crowd.call_later(LOOK, partial(_fetch_next_page, crowd, looks, number + 1))
    PageFetch(crowd, looks[number % len(looks)])
