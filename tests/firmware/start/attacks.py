"""What strangers do to silence a table: floods, guesses, forms of other sites. Each says what it measured."""

import re
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from msgspec import Struct

from tests.firmware.start.browsing import Phone
from tests.firmware.start.program import Program, run_program
from tests.webui.access.letting_in import Admitted
from webui.access.guess_limits import FREE, LONGEST_WAIT, wait_after
from webui.access.links import CODE, LETTERS
from webui.server.uploads import MOST_DRAINED

NAMES = ("Ana", "Bo", "Cleo")
STRANGERS = tuple(f"127.0.0.{number}" for number in range(11, 21))
HOST = "127.0.0.9"
"""Where the host's new phone is."""
DAY = 24 * 3600.0
PATIENCE = 60.0
GIGABYTE = 1_000_000_000
NO_TEXT = (b"GET / HTTP/1.0\r\nCookie: seat=\xff\r\n\r\n", b"GET /\xff\x00 HTTP/1.0\r\n\r\n", b"\xff\r\n\r\n")
BUFFERED = 20_000_000
"""Most bytes that the system may take in before the program hangs up."""


class Outcome(Struct, frozen=True):
    """What an attack came to."""

    measured: str
    is_withstood: bool


class Target(Struct, frozen=True):
    """A program that runs, and who is let in there."""

    program: Program
    admitted: Admitted

    def connect(self, home: str, said: bytes = b"") -> socket.socket:
        """Open a connection from an address, and say something."""
        connection = socket.create_connection(("127.0.0.1", self.program.port), PATIENCE, (home, 0))
        with suppress(ConnectionError):
            connection.sendall(said)
        return connection

    def ask(self, address: str, phone: Phone | None = None, **headers: str) -> int:
        """Open a page, on a new phone if none is named; 0 means that the program hung up."""
        with suppress(OSError):
            return (phone or Phone(HOST)).ask(self.program.port, address, **headers)[0]
        return 0

    def codes(self, address: str = "/seat") -> tuple[int, int]:
        """Tell what a phone that is seated gets of a page, and what a new one gets of the first."""
        seated = Phone(STRANGERS[0], seat=self.admitted.seats[0])
        return self.ask(address, seated), self.ask("/")

    def enter_pin(self, pin: str, home: str, **headers: str) -> int:
        """Type a PIN on a phone that has never been here."""
        phone = Phone(home)
        phone.get(self.program.port, "/host")
        return phone.ask(self.program.port, "/host/enter", {"pin": pin}, **headers)[0]


@contextmanager
def target(folder: Path) -> Iterator[Target]:
    """Start a table at which all seats are taken."""
    with run_program(folder, NAMES) as program:
        yield Target(program, program.links())


def _judge(codes: tuple[int, int]) -> Outcome:
    return Outcome(f"a seated phone gets {codes[0]}, a new one {codes[1]}", codes == (200, 200))


def leave_half_open(it: Target) -> Outcome:
    """Four addresses open 125 connections each, and never finish a request."""
    with ExitStack() as lines:
        for home in STRANGERS[:4] * 125:
            lines.enter_context(it.connect(home, b"GET / HTTP/1.1\r\nX-Slow: "))
        return _judge(it.codes())


def listen_too_often(it: Target) -> Outcome:
    """Four addresses listen to the score 100 times each."""
    with ExitStack() as lines:
        for home in STRANGERS[:4] * 100:
            lines.enter_context(it.connect(home, b"GET /events/score HTTP/1.1\r\n\r\n"))
        heard, (seated, _new) = it.codes("/events/seat")[0], it.codes()
    return Outcome(f"a seated phone hears {heard}, and gets {seated}", (heard, seated) == (200, 200))


def guess_from_many_addresses(it: Target) -> Outcome:
    """Ten addresses type wrong PINs until they have to wait; then the host comes with the right one."""
    answers = [it.enter_pin("0", home) for home in STRANGERS for _guess in range(FREE + 1)]
    host = it.enter_pin(it.admitted.pin, HOST)
    wrong = f"{answers.count(403)} wrong PINs, {answers.count(429)} held up"
    return Outcome(f"{wrong}; the host's right one gets {host}", host == 303 and 303 not in answers)


def guess_for_a_day(_it: Target) -> Outcome:
    """An address guesses at the codes of twelve seats for a day, as often as it may."""
    guesses, passed = 0, 0.0
    while passed < DAY:
        guesses += 1
        passed += max(wait_after(guesses), 0.1 if guesses < FREE else 0.0)
    chance = guesses * 12 / len(LETTERS) ** CODE
    return Outcome(f"{guesses} guesses in a day, a hit by chance of {chance:.1e}", chance < 1e-4 < LONGEST_WAIT)


def send_forms_of_another_site(it: Target) -> Outcome:
    """Another site sends the right PIN, and makes its own name lead here."""
    foreign = it.enter_pin(it.admitted.pin, HOST, Origin="http://evil.example")
    rebound = it.ask("/", Host="evil.example")
    return Outcome(f"the form gets {foreign}, the name {rebound}", (foreign, rebound) == (403, 421))


def upload_a_gigabyte(it: Target) -> Outcome:
    """A stranger uploads a backup of a gigabyte."""
    head = f"POST /host/backup HTTP/1.1\r\nHost: localhost\r\nContent-Length: {GIGABYTE}\r\n\r\n".encode()
    sent = 0
    with it.connect(STRANGERS[0], head) as line, suppress(OSError):
        while sent < GIGABYTE:
            sent += line.send(bytes(64 * 1024))
    return Outcome(f"hung up after {sent / 1e6:.1f} MB", sent < MOST_DRAINED + BUFFERED)


def send_bytes_that_are_no_text(it: Target) -> Outcome:
    """A stranger sends cookies, addresses and fields whose bytes are no text."""
    for said in NO_TEXT:
        with it.connect(STRANGERS[0], said) as line, suppress(OSError):
            while line.recv(65536):
                pass
    return _judge(it.codes())


def see_what_the_host_sees(it: Target) -> Outcome:
    """The host page tells who has guessed."""
    for _guess in range(FREE + 1):
        it.enter_pin("0", STRANGERS[-1])
    page = Phone(HOST, host=it.admitted.host).get(it.program.port, "/host")
    told = len(re.findall(r"127\.0\.0\.\d+ (?:has typed|opened|sent)", page))
    return Outcome(f"{told} lines", told > 0)


ATTACKS: tuple[Callable[[Target], Outcome], ...] = (
    leave_half_open,
    listen_too_often,
    guess_from_many_addresses,
    guess_for_a_day,
    send_forms_of_another_site,
    upload_a_gigabyte,
    send_bytes_that_are_no_text,
    see_what_the_host_sees,
)
