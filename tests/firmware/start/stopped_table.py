"""A whole table whose processes are stopped, each in turn, while people play: who replaces them, and how soon.

A stopped process isn't dead: it holds what it holds, hears no wish to end, and says nothing. After each stop
the journal, the pages and the lamps are held against what people were told before.
"""

import os
import shutil
import signal
from contextlib import suppress
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Literal

from msgspec import Struct, field

from firmware.cli.install_service import NAME, units
from firmware.core.systemd import ALIVE
from firmware.start.supervisor import WATCHDOG
from tests.firmware.start.kill_figures import Figures as Kept
from tests.firmware.start.killed_table import LIVES, House, _came
from tests.firmware.start.people import People
from tests.firmware.start.whole_table import WholeTable

Stop = Literal["companion", "eyes", "both", "supervisor", "all", "systemd"]
"""Who is stopped: the companion, its eyes, both at once, who looks after it, all of them for a while; or the
companion below systemd, of which the test does what the unit says."""
STOPS: tuple[Stop, ...] = (
    "companion",
    "eyes",
    "companion",
    "both",
    "supervisor",
    "systemd",
    "companion",
    "all",
)
AFTERWARDS = 3.0
"""Seconds after all goes on in which nothing more may be started."""


class Figures(Struct):
    """What is counted over all stops."""

    again: dict[str, list[float]] = {}
    """Seconds from the stop to a page again, or to eyes that see; for those that slept, from their going on."""
    dead: dict[str, list[float]] = {}
    """Seconds from the stop to the end of what was stopped."""
    starts: list[float] = []
    """Seconds from the start of a table to its page."""
    restarts: dict[str, int] = {}
    """How often the companion or its eyes were started again, though they could go on by themselves."""
    wrong: list[str] = []
    kept: Kept = field(default_factory=Kept)
    """What became of answers, pages and lamps."""


class Stopped:
    """A table, many times started, and stopped while people play."""

    def __init__(self, folder: Path, seed: int, figures: Figures) -> None:
        """Begin with nothing kept."""
        self._rng, self._figures = Random(seed), figures
        self._house = House(folder, self._rng, figures.kept)

    def stop(self, who: Stop) -> None:
        """Start the table, play, stop one of its processes, and look what comes of it."""
        house = self._house
        house._outside.begin()
        house.lives += 1
        table = self._start_table(with_supervisor=who != "systemd")
        try:
            table.ready()
            self._figures.starts.append(table.page())
            people = house._greet_people(table)
            people.play(is_patient=self._rng.random() < 0.3)
            sleep(self._rng.uniform(0.2, 3.0))
            self._strike(who, table, people)
        finally:
            self._end_table(table)
        house._look()

    def _start_table(self, *, with_supervisor: bool) -> WholeTable:
        return WholeTable(self._house.folder, self._house._port, with_supervisor=with_supervisor)

    def close(self) -> None:
        """End as people do: nothing is left behind."""
        self._house.close()

    def _end_table(self, table: WholeTable) -> None:
        # what is stopped in a session of its own dies by this, too
        table.kill()
        table.bury()

    def _strike(self, who: Stop, table: WholeTable, people: People) -> None:
        match who:
            case "companion":
                self._again(table, people, who, [table.companion()])
            case "both":
                self._again(table, people, who, [table.eyes(), table.companion()])
            case "eyes":
                self._blind(table, people)
            case "supervisor":
                self._stop_supervisor(table, people)
            case "all":
                self._suspend_all(table, people)
            case "systemd":
                self._kill_as_systemd(table, people)

    # each of them

    def _again(self, table: WholeTable, people: People, who: Stop, pids: list[int | None]) -> None:
        """Stop the companion, and wait for another one in its place."""
        before, since = table.companion(), monotonic()
        for pid in pids:
            _send(pid, signal.SIGSTOP)
        people.end()
        self._must(_came(lambda: not any(_lives(pid) for pid in pids)), f"{who}: the old ones live on")
        self._figures.dead.setdefault(who, []).append(monotonic() - since)
        self._house._look()
        self._house._outside.begin()
        self._must(_came(lambda: table.companion() not in {None, before}), f"{who}: no companion comes")
        table.page()
        self._took(who, since)
        self._play_on(table)

    def _blind(self, table: WholeTable, people: People) -> None:
        """Stop the eyes: the game goes on meanwhile, and other eyes see."""
        if not _came(lambda: table.eyes() is not None and self._eyes_opened() > 0):
            self._must(False, "eyes: there were none")
        stopped, companion, opened = table.eyes(), table.companion(), self._eyes_opened()
        newest, since = self._house._outside.newest, monotonic()
        _send(stopped, signal.SIGSTOP)
        people.is_patient = False
        self._must(_came(lambda: self._eyes_opened() > opened), "eyes: no others see")
        self._took("eyes", since)
        self._must(not _lives(stopped), "eyes: the old ones live on")
        self._must(table.companion() == companion, "eyes: the companion was started again")
        self._must(_came(lambda: self._house._outside.newest != newest), "eyes: the game stood still")
        people.end()

    def _eyes_opened(self) -> int:
        """Count how often eyes have told that they see."""
        files = (self._house.folder / "log").rglob("*.jsonl*")
        return sum(file.read_bytes().count(b'"what":"eyes"') for file in files)

    def _stop_supervisor(self, table: WholeTable, people: People) -> None:
        """Stop the companion's supervisor: the companion plays on, and nothing comes of it afterwards."""
        companion, eyes = table.companion(), table.eyes()
        _send(table.pid, signal.SIGSTOP)
        sleep(self._rng.uniform(0.5, 1.5 * WATCHDOG))
        newest = self._house._outside.newest
        self._must(_came(lambda: self._house._outside.newest != newest), "supervisor: the game stood still")
        _send(table.pid, signal.SIGCONT)
        sleep(AFTERWARDS)
        self._count("supervisor", table, companion, eyes)
        people.end()

    def _suspend_all(self, table: WholeTable, people: People) -> None:
        """Stop all of them, as a computer does that sleeps; then they go on."""
        companion, eyes = table.companion(), table.eyes()
        os.killpg(table.pid, signal.SIGSTOP)
        sleep(self._rng.uniform(1.0, 2.0 * WATCHDOG))
        newest, since = self._house._outside.newest, monotonic()
        os.killpg(table.pid, signal.SIGCONT)
        self._must(_came(lambda: self._house._outside.newest != newest), "all: the game stood still")
        self._took("all", since)
        sleep(AFTERWARDS)
        self._count("all", table, companion, eyes)
        people.end()

    def _kill_as_systemd(self, table: WholeTable, people: People) -> None:
        """Do what systemd does when the signs of life end: kill all, wait a moment, start again."""
        said = settings()
        since = monotonic()
        _send(table.companion(), signal.SIGSTOP)
        _wait_for_silence(table, float(said["WatchdogSec"]))
        self._end_table(table)
        people.end()
        self._house._look()
        self._house._outside.begin()
        sleep(float(said["RestartSec"]))
        other = self._start_table(with_supervisor=False)
        try:
            other.ready()
            other.page()
            self._took("systemd", since)
            self._play_on(other)
        finally:
            self._end_table(other)

    # what comes of it

    def _play_on(self, table: WholeTable) -> None:
        """Look whether all is as it was, and play on."""
        others = self._house._greet_people(table)
        others.play(is_patient=False)
        sleep(self._rng.uniform(0.2, 1.0))
        table.kill()
        others.end()

    def _took(self, who: Stop, since: float) -> None:
        self._figures.again.setdefault(who, []).append(monotonic() - since)

    def _count(self, who: Stop, table: WholeTable, companion: int | None, eyes: int | None) -> None:
        """Count who was started again without need."""
        others = (table.companion() != companion) + (eyes is not None and table.eyes() != eyes)
        self._figures.restarts[who] = self._figures.restarts.get(who, 0) + others
        self._must(others <= 1, f"{who}: {others} were started again")

    def _must(self, is_so: bool, what: str) -> None:
        if not is_so:
            self._figures.wrong.append(what)


def settings() -> dict[str, str]:
    """Read what the unit says to systemd."""
    lines = (line.partition("=") for line in units({}, None, "multi-user.target", "ana", ())[NAME].splitlines())
    return {name: value for name, is_, value in lines if is_}


def _wait_for_silence(table: WholeTable, seconds: float) -> None:
    """Wait until there was no sign of life for so long."""
    signs, until = table._signs, monotonic() + seconds
    while signs is not None and monotonic() < until:
        with suppress(TimeoutError):
            if signs.recv(100).decode() == ALIVE:
                until = monotonic() + seconds


def stop_often(folder: Path, stops: int, figures: Figures) -> None:
    """Stop so many processes, each in turn; a new journal for every few dozen."""
    for first in range(0, stops, LIVES):
        stopped = Stopped(folder / f"{first}", first, figures)
        try:
            for number in range(first, min(first + LIVES, stops)):
                stopped.stop(STOPS[number % len(STOPS)])
        except KeyboardInterrupt:
            return
        stopped.close()
        shutil.rmtree(folder / f"{first}")


def _send(pid: int | None, what: signal.Signals) -> None:
    if pid is not None:
        with suppress(ProcessLookupError):
            os.kill(pid, what)


def _lives(pid: int | None) -> bool:
    """Tell whether a process is there, and not only in the kernel's books."""
    try:
        return bool(Path(f"/proc/{pid}/cmdline").read_bytes())
    except OSError:
        return False
