"""A day at the table at a hundred times the speed: `python -m tests.long.day`; a shorter one with `--hours 4`.

The whole program with all its processes on the twin: bots at every seat who wait for nobody, every card read
by the real eyes, phones that come and go, a host who begins one match after another. The clock on the wall
goes a hundred times as fast, from an afternoon through the night in which summer time ends to the next one.
Clocks that only go on keep their speed, as processors do: how long a button is held, whether the eyes live.

It fails if the table holds more and more memory, threads or files, if it starts anew, if a match stands still,
if what is noted isn't as the clock on the wall went, or if the journal isn't whole. It says what was written
for each hour of the table's clock, which wears a card out. Without a compiler for C, which the clock needs, it
says so and ends with 77.
"""

import argparse
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import datetime
from http.client import HTTPConnection, HTTPException
from itertools import cycle
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from time import monotonic, sleep, time
from zoneinfo import ZoneInfo

import msgspec

from referee.contract import Answer
from referee.games.catalogue import GAMES
from referee.match import log
from referee.record import read_record
from tests.firmware.playing import kept_lines
from tests.firmware.start.browsing import Phone
from tests.firmware.start.program import holdings_of
from tests.firmware.start.whole_table import WholeTable, World, free_port, processes
from tests.firmware.storage.killing import gaps_and_doubles
from tests.long.day_figures import (
    KINDS,
    FastClock,
    Sample,
    clock_faults,
    held,
    leaks,
    longest_silence,
)

NAMES = ("Ana", "Bo", "Chloé", "Dan")
ZONE = "Europe/Paris"
BEGUN = datetime(2026, 10, 24, 14, tzinfo=ZoneInfo(ZONE))
"""The night after it, an hour comes twice."""
MATCHES = 15
"""Matches of a day; each game thrice, and once in each third of the day."""
TICK = 0.1
"""Our seconds from hurry to hurry."""
LOOK = 3.0
"""Our seconds from look to look."""
SLACK = 60.0
"""The table's seconds by which what its threads note may be out of order: less than one of ours."""
STILL = 0.25
"""The share of a day in which nothing is said, so that a match stands still."""
SHORTEST = 30.0
"""Our seconds that a day has to last, for some looks at it."""
SHIM = Path(__file__).with_name("fast_clock.c")
DONE, QUIETLY_DONE = 303, 204
BROKEN = ("crash", "eyes gone", "disk lost", "lost edges", "failures of buttons")
"""What the log of a day without faults never has."""


def built_shim(folder: Path) -> Path | None:
    """Build the clock, which is preloaded; None without a compiler."""
    compiler, shim = which("cc"), folder / "fast_clock.so"
    if compiler is None:
        return None
    command = (compiler, "-O2", "-shared", "-fPIC", "-o", str(shim), str(SHIM), "-lm")
    subprocess.run(command, check=True)
    return shim


def world(shim: Path, clock: FastClock) -> World:
    """Make the world of a table with bots at all seats, by that clock."""
    numbers = {
        f"FAST_CLOCK_{name.upper()}": repr(value) for name, value in msgspec.structs.asdict(clock).items()
    }
    options = ("--twin", "--bots", str(len(NAMES)), "--seats", ",".join(NAMES))
    return World((), {"TZ": ZONE, "LD_PRELOAD": str(shim), **numbers}, options)


class Host:
    """Who lets bots wait for nobody, and begins one match after another."""

    def __init__(self, table: WholeTable) -> None:
        """Come in."""
        self._port, self._phone = table.port, Phone()
        self._games = cycle([*list(GAMES)[1:], next(iter(GAMES))])
        self._phone.get(self._port, "/host")
        links = msgspec.json.decode((table.folder / "state" / "links.json").read_bytes())
        self._phone.post(self._port, "/host/enter", {"pin": links["pin"]})
        self.refused: list[str] = []

    def hurry(self) -> None:
        """Let bots wait no longer."""
        self._note("hurry", self._phone.post(self._port, "/twin/hurry", {"quiet": "1"}), QUIETLY_DONE)

    def is_over(self) -> bool:
        """Tell whether the match is over."""
        return 'action="/host/again"' in self._phone.get(self._port, "/host")

    def begin_next(self) -> None:
        """Begin a match of the next game, with bots at all seats."""
        game = next(self._games)
        seats = {f"seat-{seat}": name for seat, name in enumerate(NAMES)}
        self._phone.get(self._port, f"/host/new?game={game}")
        code = self._phone.post(self._port, "/host/new", {"game": game, "bots": "1", **seats})
        self._note(f"a match of {game}", code, DONE)

    def _note(self, what: str, code: int, wanted: int) -> None:
        if code != wanted:
            self.refused.append(f"{what} was refused: {code}")


def visit(port: int) -> None:
    """Be a phone that comes, hears a moment, looks at a page, and goes without a word."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=LOOK)) as line, suppress(OSError, HTTPException):
        line.request("GET", "/events/score")
        line.getresponse().readline()
        Phone().get(port, "/history")


class Watch:
    """Looks at a table's processes, and at what they write."""

    def __init__(self, table: WholeTable, clock: FastClock) -> None:
        """Begin to count."""
        self._table, self._clock = table, clock
        self._written: dict[int, int] = {}
        self.samples: list[Sample] = []

    def look(self) -> None:
        """Take a sample."""
        pids, holdings = processes(self._table.folder), []
        for pid in pids:
            # one may end meanwhile; root alone may look at others' writing
            with suppress(OSError, KeyError):
                holdings.append(holdings_of(pid))
                self._written[pid] = written_by(pid)
        counts = (sum(each.memory for each in holdings), sum(each.threads for each in holdings))
        files, written = sum(each.files for each in holdings), sum(self._written.values())
        self.samples.append(Sample(self._clock.hours(time()), *counts, files, written))


def written_by(pid: int) -> int:
    """Tell how many bytes a process gave to disks so far."""
    lines = dict(line.split(": ") for line in Path(f"/proc/{pid}/io").read_text().splitlines())
    return int(lines["write_bytes"]) - int(lines["cancelled_write_bytes"])


# a day


class Day:
    """A day: what was seen of it, and what went wrong."""

    def __init__(self, folder: Path, shim: Path, hours: float, speed: float) -> None:
        """Start the table, and its clock."""
        self.hours, self._folder = hours, folder
        self.clock = FastClock(BEGUN.timestamp(), time(), speed)
        self.table = WholeTable(folder, free_port(), with_supervisor=True, world=world(shim, self.clock))
        self.matches = self.over = 0
        self._ended = 0.0
        self.wrong: list[str] = []

    def live(self) -> list[Sample]:
        """Let it pass."""
        self.table.page()
        host, watch = Host(self.table), Watch(self.table, self.clock)
        before, due, looked = self.table.companion(), self.hours / MATCHES, monotonic()
        while self.clock.hours(time()) < self.hours:
            sleep(TICK)
            host.hurry()
            if monotonic() < looked + LOOK:
                continue
            looked = monotonic()
            watch.look()
            visit(self.table.port)
            is_over = host.is_over()
            if is_over or self.clock.hours(time()) > due:
                self.matches, self.over = self.matches + 1, self.over + is_over
                host.begin_next()
                due = self.clock.hours(time()) + self.hours / MATCHES
        self.wrong += host.refused + leaks(watch.samples)
        self.wrong += [] if self.table.companion() == before else ["the companion was started again"]
        return watch.samples

    def end(self) -> None:
        """Let the table end."""
        self._ended = time()
        code = self.table.end()
        self.table.bury()
        self.wrong += [f"it ended with {code}"] if code else []

    # what it has noted

    def answers(self) -> int:
        """Play all matches again; give how many answers there are."""
        journal = self._folder / "state" / "journal.sqlite3"
        if gaps_and_doubles(journal):
            self.wrong.append("lines of the journal are missing, or there twice")
        count = 0
        for number, lines in kept_lines(journal).items():
            reading = read_record(lines)
            entries = log(reading.match) if reading.match is not None else ()
            stamps = [stamp_of(entry.at) for entry in entries if isinstance(entry, Answer) and entry.at]
            count += len(entries)
            self.wrong += [f"match {number}: {reading.fault}"] if reading.fault is not None else []
            self.wrong += [f"match {number}: {each}" for each in self._clock_faults(stamps)]
        return count

    def read_log(self) -> int:
        """Hold its log against the clock; give how many lines it has."""
        files = sorted((self._folder / "log").glob("coyote.jsonl*"), reverse=True)
        notes = [msgspec.json.decode(line) for file in files for line in file.read_bytes().splitlines()]
        self.wrong += self._clock_faults([note["at"] for note in notes])
        self.wrong += [f"its log has: {note}" for note in notes if note["what"] in BROKEN]
        moments = [note["at"] for note in notes if note["what"] == "moment"]
        still = longest_silence(moments, self.clock.at(self._ended)) / 3600
        self.wrong += [f"nothing was said for {still:.1f} hours"] if still > STILL * self.hours else []
        return len(notes)

    def _clock_faults(self, stamps: list[float]) -> list[str]:
        return clock_faults(stamps, self.clock.begun, self.clock.at(time()), SLACK)


def stamp_of(at: str) -> float:
    """Read the time of an answer."""
    return datetime.fromisoformat(at).timestamp()


# what is printed


def report(samples: list[Sample], day: Day, answers: int) -> Iterator[str]:
    """Tell what a day was like, and what it cost."""
    last = samples[-1]
    yield f"{last.hours:.1f} hours: {day.matches} matches, {day.over} of them to their end, {answers} answers"
    for name, what in KINDS.items():
        both = held(samples, what)
        yield f"{name} of all processes: {both.before:.0f} in the second third, {both.last:.0f} in the last"
    each = last.written / answers / 1e3 if answers else 0.0
    hourly = last.written / last.hours / 1e6 if last.hours else 0.0
    yield f"given to disks: {last.written / 1e6:.1f} MB, {hourly:.2f} MB an hour, {each:.1f} kB an answer"


def _wishes() -> argparse.Namespace:
    """Read what kind of day is wished for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=24.0, help="of the table's clock")
    parser.add_argument("--speed", type=float, default=100.0, help="how many times as fast that clock goes")
    wish = parser.parse_args()
    if wish.speed <= 0 or 3600 * wish.hours < SHORTEST * wish.speed:
        parser.error(f"so short a day shows nothing: let it last {SHORTEST:.0f} seconds (--hours, --speed)")
    return wish


def main() -> None:
    """Live through a day, print its figures, and fail if anything went wrong."""
    wish = _wishes()
    with TemporaryDirectory() as folder, TemporaryDirectory() as built:
        shim = built_shim(Path(built))
        if shim is None:
            sys.stdout.write("not tried: there is no compiler for C (Debian: apt install gcc libc6-dev)\n")
            sys.exit(77)
        day = Day(Path(folder), shim, wish.hours, wish.speed)
        try:
            samples = day.live()
        finally:
            day.end()
        answers, lines = day.answers(), day.read_log()
        for told in (*report(samples, day, answers), f"lines of its log: {lines}", *day.wrong):
            sys.stdout.write(f"{told}\n")
    sys.exit(bool(day.wrong))


if __name__ == "__main__":
    main()
