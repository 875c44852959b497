"""What strangers do to silence a table: floods, guesses, forms of other sites. Each says what it measured."""

import re
import socket
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from time import monotonic

from msgspec import Struct

from firmware.storage.people.links import CODE, LETTERS, PIN
from firmware.storage.people.links_file import read_links
from tests.firmware.start.browsing import Phone
from tests.firmware.start.program import Program, run_program
from tests.webui.access.letting_in import Admitted
from webui.access.guess_limits import ALL, FIRST_WAIT, FREE, GuessLimit
from webui.server.uploads import MOST_DRAINED

NAMES = ("Ana", "Bo", "Cleo")
STRANGERS = tuple(f"127.0.0.{number}" for number in range(11, 21))
HOST, GUESSER = "127.0.0.9", "127.0.0.8"
"""Where the host's new phone is, and the phone of who only guesses."""
MINUTE, DAY = 60.0, 24 * 3600.0
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


def guess_at_codes_from_all_over(it: Target) -> Outcome:
    """Addresses type six wrong codes each, a day's pot in all; then twenty guests come with the right one."""
    with ThreadPoolExecutor(8) as together:
        crowd = [f"127.7.{number // 250}.{number % 250 + 1}" for number in range(ALL // FREE + 1)]
        answers = Counter(
            code for codes in together.map(partial(_type_codes, it, "ZZZZZZZ"), crowd) for code in codes
        )
    lasted, came = 0.0, list[int]()
    for number in range(20):
        since, guest = monotonic(), Phone(f"127.8.0.{number + 1}")
        guest.get(it.program.port, "/seat")
        evening = read_links(it.program.folder / "links.json")
        code = "" if evening is None else evening.codes[number % len(NAMES)]
        came.append(guest.post(it.program.port, "/seat/take", {"code": code}))
        lasted = max(lasted, monotonic() - since)
    told = f"{answers[403]} wrong codes, {answers[429]} held up; of 20 guests {came.count(303)} come in"
    return Outcome(f"{told}, after {lasted:.2f} s at most", came.count(303) == 20 and lasted < MINUTE)


def _type_codes(it: Target, code: str, home: str) -> list[int]:
    phone = Phone(home)
    phone.get(it.program.port, "/seat")
    return [phone.post(it.program.port, "/seat/take", {"code": code}) for _guess in range(FREE)]


def guess_by_any_way(it: Target) -> Outcome:
    """An address types 48 wrong PINs at once: new, asking to be a screen, seated, and after the right one."""
    seat = it.admitted.seats[1].token

    def guess(number: int) -> int:
        phone = Phone(GUESSER, **({"seat": seat} if number % 4 == 1 else {}))
        phone.get(it.program.port, "/screen")
        if number % 4 == 2:
            phone.post(it.program.port, "/screen/ask", {})
        if number % 4 == 3:
            phone.post(it.program.port, "/host/enter", {"pin": it.admitted.pin})
        return phone.post(it.program.port, "/host/enter", {"pin": f"{number:08}"})

    since = monotonic()
    with ThreadPoolExecutor(8) as together:
        answers = Counter(together.map(guess, range(48)))
    most = FREE + int((monotonic() - since) // FIRST_WAIT)
    heard = answers.total() - answers[429]
    return Outcome(f"{heard} heard, {answers[429]} held up", 0 < heard <= most)


def guess_for_a_day(_it: Target) -> Outcome:
    """An address guesses at the PIN and at the codes of twelve seats for a day, as often as it may."""
    now, heard = 0.0, list[float]()
    limit = GuessLimit(lambda: now)
    while now < DAY:
        heard += [now] * limit.may_try(GUESSER)
        now += 0.5
    minute = max(sum(at <= each < at + MINUTE for each in heard) for at in heard)
    told = f"{minute} guesses in a minute, {len(heard)} in a day"
    chances = len(heard) / 10**PIN, len(heard) * 12 / len(LETTERS) ** CODE
    hits = f"a hit by chance of {chances[0]:.1e} and {chances[1]:.1e}"
    return Outcome(f"{told}: {hits}", minute <= 6 and len(heard) <= 59 and max(chances) < 1e-4)


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
    guess_at_codes_from_all_over,
    guess_by_any_way,
    guess_for_a_day,
    send_forms_of_another_site,
    upload_a_gigabyte,
    send_bytes_that_are_no_text,
    see_what_the_host_sees,
)
