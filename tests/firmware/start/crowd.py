"""Many phones in a separate process: plain sockets that record the arrival of events and pages."""

import asyncio
import socket
import struct
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import cycle
from random import Random
from time import monotonic
from zlib import decompressobj

from msgspec import Struct

HERE = "127.0.0.1"
HOMES = tuple(f"127.0.0.{number}" for number in range(2, 22))
"""Addresses of the phones; one address may not have a connection for each of them."""
MAX_RECONNECT_DELAY = 1.5  # maximum seconds before a phone listens again
ARRIVAL_INTERVAL = 0.008  # seconds between arrivals of phones
PAGE_INTERVAL = 0.1  # seconds between page requests, whether or not the previous one was answered
MINUTE = 60.0
UNREAD_BUFFER = 4096  # receive buffer, in bytes, of a phone that doesn't read
MOMENT = b"event: moment\nid: "
GZIP = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"  # first bytes of a compressed stream
RAW_DEFLATE, BEGINNING_BYTES = -15, 256
"""Deflate without its header; this many bytes of a chunk identify its moment."""


class CrowdPlan(Struct, frozen=True):
    """The crowd's actions."""

    port: int
    listening: tuple[bytes, ...]  # each phone's request to listen, without its last line
    leaving: float  # share of the phones that leave each minute
    looks: tuple[bytes, ...]  # page requests, used in turn


class HeardMoment(Struct, frozen=True, array_like=True):
    """A moment's arrival at a phone, and the time since which the phone had listened."""

    phone: int
    name: str
    at: float
    since: float


class Crowd:
    """All phones and clients, each a task in the running event loop."""

    def __init__(self, port: int) -> None:
        self.port, self.rng = port, Random(1)
        self.heard, self.seconds = list[HeardMoment](), list[float | None]()
        """Moments at phones; load times of pages, None for each that never loaded completely."""
        self.left = self.lost = 0
        self.stays = False
        """Whether all phones stay connected now."""
        self._tasks = set[asyncio.Task[None]]()

    def begin(self, deed: Coroutine[object, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(deed)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def connect(self, home: str, narrow: int = 0) -> socket.socket:
        """Connect from an address, if the system has it; the receive buffer limits unread bytes."""
        line = socket.socket()
        if narrow:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, narrow)
        with suppress(OSError):
            line.bind((home, 0))
        line.setblocking(False)
        try:
            await asyncio.get_running_loop().sock_connect(line, (HERE, self.port))
        except OSError:
            line.close()
            raise
        return line


class Phone:
    """A listening phone; like a browser, it reconnects when the table closes the stream."""

    def __init__(self, crowd: Crowd, number: int, words: bytes) -> None:
        self._crowd, self._number, self._words = crowd, number, words
        self._last = b""
        self._hearing: asyncio.Task[None] | None = None
        crowd.begin(self._live())

    def leave(self) -> None:
        if self._hearing is not None:
            self._hearing.cancel()

    async def _live(self) -> None:
        while True:
            self._hearing = asyncio.get_running_loop().create_task(self._hear())
            await asyncio.wait([self._hearing])
            has_left, self._hearing = self._hearing.cancelled(), None
            self._crowd.left += has_left
            self._crowd.lost += not has_left
            await asyncio.sleep(self._crowd.rng.uniform(0, MAX_RECONNECT_DELAY))

    async def _hear(self) -> None:
        """Listen until the table closes the connection."""
        loop, reader, since = asyncio.get_running_loop(), StreamReader(), 0.0
        last = b"Last-Event-ID: %s\r\n" % self._last if self._last else b""
        with suppress(OSError), await self._crowd.connect(HOMES[self._number % len(HOMES)]) as line:
            await loop.sock_sendall(line, self._words + last + b"\r\n")
            while heard := await loop.sock_recv(line, 65536):
                now = monotonic()
                since = since or now
                for piece in reader.read(heard):
                    _before, is_moment, moment = piece.partition(MOMENT)
                    if is_moment:
                        self._last = moment.partition(b"\n")[0]
                        self._crowd.heard.append(HeardMoment(self._number, self._last.decode(), now, since))


class StreamReader:
    """Reads the beginning of each chunk of an event stream; the table compresses chunks separately."""

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
    return decompressobj(RAW_DEFLATE).decompress(piece.removeprefix(GZIP), BEGINNING_BYTES) if piece else b""


async def fetch_page(crowd: Crowd, words: bytes) -> None:
    """Fetch a page once; the time ends with its last byte."""
    loop, start, page = asyncio.get_running_loop(), monotonic(), b""
    with suppress(OSError), await crowd.connect(HERE) as line:
        await loop.sock_sendall(line, words + b"\r\n")
        while not is_whole(page) and (heard := await loop.sock_recv(line, 65536)):
            page += heard
    crowd.seconds.append(monotonic() - start if is_whole(page) else None)


def is_whole(page: bytes) -> bool:
    head, end, body = page.partition(b"\r\n\r\n")
    length = head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0]
    return b" 200 " in head[:16] and bool(end) and length.isdigit() and len(body) == int(length)


# opening requests

LANGUAGES = ("en", "fr")


def listen_requests(seats: Sequence[str], count: int) -> Iterator[bytes]:
    """Return requests to listen: one per seat with its cookie, the rest as spectators, in turn."""
    for number in range(count):
        tongue = LANGUAGES[number % len(LANGUAGES)]
        sits = number < len(seats)
        said = {
            "Accept-Language": tongue,
            "Accept-Encoding": "gzip",
            **({"Cookie": seats[number]} if sits else {}),
        }
        yield request_head("/events/seat" if sits else "/events/score", said)


def request_head(path: str, said: Mapping[str, str]) -> bytes:
    lines = (f"GET {path} HTTP/1.1", f"Host: {HERE}", *(f"{name}: {text}" for name, text in said.items()))
    return "".join(f"{line}\r\n" for line in lines).encode()


# hostile clients

STREAM = b"GET /events/score HTTP/1.1\r\nHost: table\r\n\r\n"
PAGE = b"GET / HTTP/1.1\r\nHost: table\r\n\r\n"
HEAD = b"GET / HTTP/1.1\r\nHost: table\r\nX-Slow: "
BODY = b"POST /seat/answer HTTP/1.1\r\nHost: table\r\nContent-Type: application/x-www-form-urlencoded\r\n"
LONG = b"POST /host/backup HTTP/1.1\r\nHost: table\r\nContent-Type: multipart/form-data; boundary=x\r\n"
RECONNECT_AFTER = 25.0  # seconds after which even an accepted client reconnects


class Habit(Struct, frozen=True):
    """A client's request, what it sends each second, and whether it reads a byte a second or nothing."""

    first: bytes = b""
    more: bytes = b""
    reads: bool = False
    goes: bool = False  # it leaves at once without sending


HABITS = (
    Habit(),
    Habit(HEAD),
    Habit(HEAD, b"x"),
    Habit(BODY + b"Content-Length: 9000\r\n\r\n", b"a"),
    Habit(LONG + b"Content-Length: 90000000\r\n\r\n", b"a"),
    Habit(STREAM, b"", reads=True),
    Habit(STREAM),
    Habit(STREAM, PAGE),
    Habit(PAGE, b"", reads=True),
    Habit(PAGE + STREAM * 20),
    Habit(STREAM, goes=True),
    Habit(b"", goes=True),
)


async def attack_repeatedly(crowd: Crowd, habit: Habit, home: str, pace: float = 1.0) -> None:
    """Connect repeatedly as a hostile client."""
    while True:
        with suppress(OSError), await crowd.connect(home, UNREAD_BUFFER) as line:
            await attack_once(line, habit, pace)
        await asyncio.sleep(pace)


async def attack_once(line: socket.socket, habit: Habit, pace: float) -> None:
    """Send or read a little as long as the table allows it."""
    until = monotonic() + RECONNECT_AFTER
    await asyncio.sleep(0.2)
    with suppress(BlockingIOError):
        line.send(habit.first)
    if habit.goes:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return
    while monotonic() < until:
        await asyncio.sleep(pace)
        with suppress(BlockingIOError):
            if habit.more:
                line.send(habit.more)
            if habit.reads and line.recv(1) == b"":
                return


# the whole crowd


def run_crowd(wish: CrowdPlan) -> Crowd:
    """Let all clients arrive at their times, in the running loop."""
    crowd = Crowd(wish.port)
    crowd.begin(_come_and_go(crowd, wish))
    crowd.begin(_look(crowd, wish.looks))
    return crowd


async def _come_and_go(crowd: Crowd, wish: CrowdPlan) -> None:
    phones, began = list[Phone](), monotonic()
    for number, words in enumerate(wish.listening):
        await asyncio.sleep(began + ARRIVAL_INTERVAL * number - monotonic())
        phones.append(Phone(crowd, number, words))
    while phones:
        await asyncio.sleep(MINUTE / (wish.leaving * len(phones)))
        if not crowd.stays:
            crowd.rng.choice(phones).leave()


async def _look(crowd: Crowd, looks: tuple[bytes, ...]) -> None:
    """Load pages at a fixed interval, however long one takes."""
    for words in cycle(looks):
        crowd.begin(fetch_page(crowd, words))
        await asyncio.sleep(PAGE_INTERVAL)
