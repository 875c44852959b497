"""Hostile clients at many addresses that take all connections and places, in a separate process."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from time import monotonic

from msgspec import Struct

from tests.firmware.start.browsing import PAGE_TIMEOUT, Phone
from tests.firmware.start.crowd import HEAD, LONG, PAGE, STREAM, Crowd, Habit, attack_repeatedly
from tests.firmware.start.program import Program
from webui.access.viewers import SEAT
from webui.server.uploads import MOST_DRAINED

ADDRESSES = tuple(f"127.0.4.{number}" for number in range(1, 51))
CONNECTIONS_PER_ADDRESS = 20  # connections that each address tries to open
ACTION_INTERVAL = 0.3  # seconds between actions of a connection
FIELDS = b"form=x&pin=0&code=AAAAAA"
KIND = b"Content-Type: application/x-www-form-urlencoded\r\n"
SENT = b"Host: table\r\nCookie: visitor=v\r\n%sContent-Length: " % KIND
ASK, GUESS = (
    b"POST %s HTTP/1.1\r\n%s%d\r\n\r\n%s" % (path, SENT, len(FIELDS), FIELDS)
    for path in (b"/screen/ask", b"/host/enter")
)
BODY = b"POST /seat/take HTTP/1.1\r\n"


class AttackKind(Struct, frozen=True):
    """An attack: the clients' habits, and how many of their addresses first ask to be screens."""

    name: str
    habits: tuple[Habit, ...]
    askers: int = 0


ATTACKS = (
    AttackKind("asks and guesses", (Habit(ASK, reads=True), Habit(GUESS, reads=True), Habit(PAGE, reads=True))),
    AttackKind("screens that only ask", (), 50),
    AttackKind("slow heads", (Habit(), Habit(HEAD, b"x"))),
    AttackKind(
        "slow bodies",
        (
            Habit(BODY + SENT + b"9000\r\n\r\n", b"a"),
            Habit(BODY + b"Expect: 100-continue\r\n" + SENT + b"9000\r\n\r\n", b"a"),
            Habit(LONG + b"Content-Length: 90000000\r\n\r\n", b"a"),
        ),
    ),
    AttackKind("streams", (Habit(STREAM, reads=True), Habit(STREAM))),
)
ALL_ATTACKS = AttackKind("all of it at once", tuple(habit for way in ATTACKS for habit in way.habits), 2)


class Refusals(Struct, frozen=True):
    """Refusals of phones, with the numbers of attempts, and the seated phone's longest wait."""

    seated: int
    new: int
    asked: int
    came: int
    slowest: float

    @property
    def is_withstood(self) -> bool:
        """Return whether the seated phone was never refused, and at most one of fifty guests was."""
        return self.seated == 0 and self.new <= self.came // 50

    def __str__(self) -> str:
        seated = f"a seated phone is refused {self.seated} of {self.asked} times"
        return (
            f"{seated}, a new guest {self.new} of {self.came}; the first waits for {self.slowest:.1f} s at most"
        )


GIGABYTE = 1_000_000_000
MAX_ACCEPTED = MOST_DRAINED + 20_000_000
"""Maximum accepted bytes of an oversized upload: the system buffers some before the program hangs up."""


def upload_endlessly(port: int) -> int:
    """Upload a backup of a gigabyte; return the number of accepted bytes."""
    sent = 0
    with socket.create_connection(("127.0.0.1", port), PAGE_TIMEOUT) as line, suppress(OSError):
        line.sendall(b"POST /host/backup HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % GIGABYTE)
        while sent < GIGABYTE:
            sent += line.send(bytes(64 * 1024))
    return sent


def be_hostile(port: int, way: AttackKind, line: Connection) -> None:
    """Occupy all places from fifty addresses until the other end of the pipe ends it."""
    asyncio.run(_be_hostile(Crowd(port), way, line))


async def _be_hostile(crowd: Crowd, way: AttackKind, line: Connection) -> None:
    for home in ADDRESSES[: way.askers]:
        asking = Phone(home)
        asking.get(crowd.port, "/screen")
        asking.post(crowd.port, "/screen/ask", {})
        cookies = "; ".join(f"{name}={value}" for name, value in asking.cookies.items())
        listens = Habit(STREAM[:-2] + f"Cookie: {cookies}\r\n\r\n".encode())
        for _stream in range(CONNECTIONS_PER_ADDRESS):
            crowd.begin(attack_repeatedly(crowd, listens, home, ACTION_INTERVAL))
        await asyncio.sleep(ACTION_INTERVAL)
    for number in range(len(ADDRESSES) * CONNECTIONS_PER_ADDRESS if way.habits else 0):
        crowd.begin(
            attack_repeatedly(
                crowd, way.habits[number % len(way.habits)], ADDRESSES[number % len(ADDRESSES)], ACTION_INTERVAL
            )
        )
    await asyncio.sleep(5 * ACTION_INTERVAL)
    line.send("ready")
    await asyncio.to_thread(line.recv)


@contextmanager
def hostile_networks(port: int, way: AttackKind) -> Iterator[None]:
    ours, theirs = get_context("spawn").Pipe()
    process = get_context("spawn").Process(target=be_hostile, args=(port, way, theirs))
    process.start()
    try:
        assert ours.recv() == "ready"
        yield
    finally:
        ours.send("stop")
        process.join()


def count_refusals(program: Program, way: AttackKind, asked: int, came: int) -> Refusals:
    """Send this many requests of a seated phone meanwhile, and of guests, each from another address."""
    heard = refused = 0
    slowest = 0.0
    with hostile_networks(program.port, way):
        links = program.links()
        seated = Phone("127.0.5.1", **{links.cookie(SEAT): links.seats[0].token})
        for number in range(asked):
            since = monotonic()
            # it reads now and then: a closed stream is noticed within seconds
            heard += _code(program.port, seated, "/events/seat" if number % 50 == 0 else "/seat") == 200
            slowest = max(slowest, monotonic() - since)
            if number % (asked // came) == 0:
                guest = Phone(f"127.0.6.{1 + number * came // asked}")
                answers = [_code(program.port, guest, page) for page in ("/", "/seat", "/events/score")]
                refused += answers != [200] * 3
    return Refusals(asked - heard, refused, asked, came, slowest)


def _code(port: int, phone: Phone, path: str) -> int:
    """Request a page and return its status code; 0 if the program sent no response."""
    with suppress(OSError):
        return phone.ask(port, path)[0]
    return 0
