"""A long session at the table: `python -m tests.long.day 60`, for 60 minutes.

The whole program runs on the twin: hurried bots at every seat, cards read by the real eyes, phones that come
and go, and a host who starts one match after another, each game in turn.

It fails if memory, threads or files keep growing, if the table restarts, if a match hangs, or if the journal is
incomplete. It prints the bytes written per answer, which wear out a memory card.
"""

from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPException
from itertools import cycle, pairwise
from pathlib import Path
from statistics import median
from time import monotonic, sleep

import msgspec

from referee.games.catalogue import GAMES
from referee.match import log
from referee.record import read_record
from tests.firmware.playing import gaps_and_doubles, kept_lines
from tests.firmware.start.browsing import Phone, own_browser
from tests.firmware.start.program import Resources, holdings_of, run_table
from tests.firmware.start.whole_table import WholeTable, processes
from tests.proc import reported
from tests.scripts import say, script

NAMES = ("Ana", "Bo", "Chloé", "Dan")
MATCHES = 15  # minimum matches; each game three times, once in each third of the session
TICK, CHECK_INTERVAL = 0.1, 3.0  # seconds between nudges to the bots, and between checks
MORE = {"memory": (0.1, 16.0), "threads": (0.0, 1.0), "files": (0.0, 1.0)}
"""Allowed growth from the second to the last third: a share, plus megabytes, threads or files, because another
phone may be connected. The first third is ignored, because decks are rendered then."""
DONE, QUIETLY_DONE = 303, 204
BROKEN = ("crash", "eyes gone", "disk lost", "lost edges", "failures of buttons")
"""Log entries that a table without faults never has."""


class Host:
    """Makes the bots hurry, and starts one match after another."""

    def __init__(self, table: WholeTable) -> None:
        self._port, self._phone = table.port, own_browser(table.folder / "state")
        self._games = cycle([*list(GAMES)[1:], next(iter(GAMES))])
        self._phone.lead(self._port, table.evening().pin)
        self.refused = 0

    def hurry(self) -> None:
        self.refused += self._phone.post(self._port, "/twin/hurry", {"quiet": "1"}) != QUIETLY_DONE

    def is_over(self) -> bool:
        return 'action="/host/again"' in self._phone.get(self._port, "/host")

    def begin_next(self) -> None:
        """Start a match of the next game, with bots at all seats."""
        game = next(self._games)
        seats = {f"seat-{seat}": name for seat, name in enumerate(NAMES)}
        self._phone.get(self._port, f"/host/new?game={game}")
        self.refused += self._phone.post(self._port, "/host/new", {"game": game, "bots": "1", **seats}) != DONE


def visit(port: int) -> None:
    with suppress(OSError, HTTPException):
        next(Phone().events(port, "/events/score"))
        Phone().get(port, "/history")


def sample(table: WholeTable, written: dict[int, int]) -> Resources:
    """Return the resources of all processes of a table; note the bytes that each has written to disks."""
    holdings = []
    for pid in processes(table.folder):
        # a process may end meanwhile; only root may read the I/O of other users' processes
        with suppress(OSError):
            holdings.append(holdings_of(pid))
            if kept := reported("write_bytes", f"{pid}/io"):
                written[pid] = kept - reported("cancelled_write_bytes", f"{pid}/io")
    return Resources(*(sum(getattr(each, name) for each in holdings) for name in MORE))


def live(table: WholeTable, seconds: float) -> tuple[list[Resources], int, list[str]]:
    table.page()
    host, before, samples, written = Host(table), table.companion(), list[Resources](), dict[int, int]()
    began = looked = match_began = monotonic()
    while monotonic() < began + seconds:
        sleep(TICK)
        host.hurry()
        if monotonic() > looked + CHECK_INTERVAL:
            looked = monotonic()
            samples.append(sample(table, written))
            visit(table.port)
            if host.is_over() or looked > match_began + seconds / MATCHES:
                host.begin_next()
                match_began = looked
    wrong = [f"{host.refused} forms were refused"] if host.refused else []
    wrong += [] if table.companion() == before else ["the companion was started again"]
    return samples, sum(written.values()), wrong


def leaks(samples: list[Resources]) -> Iterator[str]:
    """Yield each resource that keeps growing."""
    third = max(1, len(samples) // 3)
    for name, (share, beside) in MORE.items():
        parts = (samples[-2 * third : -third], samples[-third:])
        before, last = (median(getattr(each, name) for each in part) for part in parts)
        if last > before * (1 + share) + beside:
            yield f"more and more {name}: {before:.0f} in the second third, {last:.0f} in the last"


def read_kept(folder: Path, seconds: float) -> tuple[int, list[str]]:
    """Replay all matches and read the log; return the number of answers, and the faults."""
    journal, count, wrong = folder / "state" / "journal.sqlite3", 0, list[str]()
    if gaps_and_doubles(journal):
        wrong.append("lines of the journal are missing, or there twice")
    for number, lines in kept_lines(journal).items():
        reading = read_record(lines)
        count += len(log(reading.match)) if reading.match is not None else 0
        wrong += [f"match {number}: {reading.fault}"] if reading.fault is not None else []
    files = sorted((folder / "log").glob("coyote.jsonl*"), reverse=True)
    notes = [msgspec.json.decode(line) for file in files for line in file.read_bytes().splitlines()]
    wrong += [f"its log has: {note}" for note in notes if note["what"] in BROKEN]
    moments = [note["at"] for note in notes if note["what"] == "moment"]
    pauses = [later - earlier for earlier, later in pairwise(moments)]
    still = max(pauses, default=seconds)
    return count, wrong + ([f"nothing was said for {still:.0f} seconds"] if still > seconds / 4 else [])


@script
def main(minutes: int, scratch: Path) -> Iterator[str]:
    seconds, options = 60 * minutes, ("--twin", "--bots", str(len(NAMES)), "--seats", ",".join(NAMES))
    with run_table(scratch, *options) as table:
        samples, written, wrong = live(table, seconds)
        code = table.end()
    answers, faults = read_kept(scratch, seconds)
    say(f"{answers} answers; all processes at the end: {samples[-1]}")
    say(f"given to disks: {written / 1e6:.1f} MB, {written / max(1, answers) / 1e3:.1f} kB an answer")
    yield from (*wrong, *leaks(samples), *faults, *([f"it ended with {code}"] if code else []))
