"""What strangers do to a table: they guess, and send what no page does. Each says what it measured.

Pages in memory withstand the rest (`webui/access`, `webui/server`); floods are in `hostile_networks.py`.
"""

import re
import socket
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic

from msgspec import Struct

from tests.firmware.start.browsing import Phone
from tests.firmware.start.program import Program, run_program
from tests.webui.access.letting_in import Admitted
from webui.access.guess_limits import FIRST_WAIT, FREE
from webui.server.uploads import MOST_DRAINED

NAMES = ("Ana", "Bo", "Cleo")
STRANGERS = tuple(f"127.0.0.{number}" for number in range(11, 21))
HOST, GUESSER = "127.0.0.9", "127.0.0.8"
"""Where the host's new phone is, and the phone of who only guesses."""
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
        connection = socket.create_connection(("127.0.0.1", self.program.port), PATIENCE, (home, 0))
        with suppress(ConnectionError):
            connection.sendall(said)
        return connection

    def codes(self) -> tuple[int, int]:
        """Tell what a phone that is seated gets of its page, and what a new one gets of the first."""
        seated = Phone(STRANGERS[0], seat=self.admitted.seats[0].token)
        return seated.ask(self.program.port, "/seat")[0], Phone(HOST).ask(self.program.port, "/")[0]

    def enter_pin(self, pin: str, home: str) -> int:
        phone = Phone(home)
        phone.get(self.program.port, "/host")
        return phone.post(self.program.port, "/host/enter", {"pin": pin})


@contextmanager
def target(folder: Path) -> Iterator[Target]:
    with run_program(folder, NAMES) as program:
        yield Target(program, program.links())


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
    codes = it.codes()
    return Outcome(f"a seated phone gets {codes[0]}, a new one {codes[1]}", codes == (200, 200))


def see_what_the_host_sees(it: Target) -> Outcome:
    """The host page tells who has guessed."""
    for _guess in range(FREE + 1):
        it.enter_pin("0", STRANGERS[-1])
    page = Phone(HOST, host=it.admitted.host).get(it.program.port, "/host")
    told = len(re.findall(r"127\.0\.0\.\d+ (?:has typed|opened|sent)", page))
    return Outcome(f"{told} lines", told > 0)


ATTACKS: tuple[Callable[[Target], Outcome], ...] = (
    guess_by_any_way,
    upload_a_gigabyte,
    send_bytes_that_are_no_text,
    see_what_the_host_sees,
)
