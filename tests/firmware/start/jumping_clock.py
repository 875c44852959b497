"""The program that a user runs, on the twin, on a machine whose clock on the wall jumps, as that of a Pi does.

The clock is libfaketime's; it leaves the one alone that only goes on, as Linux does when the time is set.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from http.client import HTTPConnection
from itertools import pairwise
from pathlib import Path
from random import Random
from threading import Thread
from time import monotonic, sleep, time

from msgspec import Struct

from firmware.start.supervisor import PROGRAM
from firmware.storage.backups.placing import before_folders
from firmware.storage.errors import JournalError
from firmware.storage.journal import open_matches, open_readonly
from referee.contract import Answer
from referee.match import Match, log
from tests.firmware.start.whole_table import free_port

LIBRARY = "faketime/libfaketimeMT.so.1"
HOUR = 3600
JUMPS: Mapping[str, int | None] = {
    "an hour on": HOUR,
    "an hour back": -HOUR,
    "to 1970": None,
    "thirty years on": 30 * 365 * 24 * HOUR,
    "a day back": -24 * HOUR,
    "right": 0,
}
"""What the clock is set to, in seconds from now; none is when it began."""
ZONES = ("UTC", "Europe/Paris", "Pacific/Kiritimati", "America/St_Johns", "Asia/Kolkata")
NAMES = ("Ana", "Bo", "Eve")
WINDOW = 2
"""Seconds that a window is open before the clock says pass."""
EARLY, NEVER = 0.0, 8.0
"""Seconds after its time at which a clock may answer on a machine that is busy with other things."""
PATIENCE, LOOK = 90.0, 0.01


class Clocks(Struct):
    """What is counted."""

    starts: int = 0
    jumps: int = 0
    answers: int = 0
    steps_back: int = 0
    """Answers that are told, by the clock on the wall, to have been given before the one before them."""
    out_of_order: int = 0
    deadlines: int = 0
    early: int = 0
    never: int = 0
    latest: float = 0.0
    """Seconds after its time at which the clock answered at the latest."""
    events: int = 0
    """Moments that a phone was told in order, through all jumps."""
    befores: int = 0
    wrong: list[str] = []


def library() -> Path | None:
    """Find the clock that can be set; it is no part of the program, and not everywhere."""
    found = (each for folder in ("/usr/lib", "/usr/lib64") for each in Path(folder).glob(f"*/{LIBRARY}"))
    return next(found, None)


class Table:
    """A table in a folder, with a clock that is set from outside."""

    def __init__(self, folder: Path, shim: Path, rng: Random) -> None:
        """Begin with a clock that is right."""
        self.folder, self._shim, self._rng = folder, shim, rng
        self._clock = folder / "clock"
        self.port = free_port()
        for name in ("state", "log", "etc"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        self.set("right")

    def set(self, how: str) -> None:
        """Set the clock, at once."""
        seconds = JUMPS[how]
        offset = 60 - int(time()) if seconds is None else seconds
        draft = self._clock.with_suffix(".draft")
        draft.write_text(f"{offset:+d}\n")
        draft.replace(self._clock)

    def _surroundings(self) -> dict[str, str]:
        others = ("NOTIFY_SOCKET", "RUNTIME_DIRECTORY", "COYOTE_JOURNAL", "COYOTE_PARENT", "COYOTE_AGAIN")
        return {
            **{name: value for name, value in os.environ.items() if name not in others},
            "STATE_DIRECTORY": str(self.folder / "state"),
            "LOGS_DIRECTORY": str(self.folder / "log"),
            "CONFIGURATION_DIRECTORY": str(self.folder / "etc"),
            "LANGUAGE": "en",
            "TZ": self._rng.choice(ZONES),
            "LD_PRELOAD": str(self._shim),
            "FAKETIME_TIMESTAMP_FILE": str(self._clock),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
        }

    def command(self, *words: str) -> "subprocess.Popen[bytes]":
        """Run a command of the program by this clock."""
        with (self.folder / "said").open("ab") as said:
            return subprocess.Popen(
                [sys.executable, "-P", "-c", PROGRAM, *words],
                env=self._surroundings(),
                stdin=subprocess.PIPE,
                stdout=said,
                stderr=said,
                start_new_session=True,
            )

    @contextmanager
    def run_companion(self) -> Iterator["subprocess.Popen[bytes]"]:
        """Let the table run."""
        house = (each for key in ("window", "proof") for each in ("--house", f"{key}_seconds={WINDOW}"))
        words = (
            "--twin",
            "--bots",
            "0",
            "--port",
            str(self.port),
            "--game",
            "coup",
            "--seats",
            ",".join(NAMES),
        )
        process = self.command("run", *words, *house)
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            process.wait(PATIENCE)

    def match(self) -> tuple[int, Match] | None:
        """Read the open match from the journal, by another clock."""
        with suppress(JournalError), open_readonly(self.folder / "state" / "journal.sqlite3") as journal:
            return next(
                ((each.id, each.match) for each in open_matches(journal) if each.match is not None), None
            )
        return None

    def entries(self) -> list[object]:
        """List what was entered, as far as it is kept."""
        there = self.match()
        return [] if there is None else list(log(there[1]))

    def befores(self) -> list[str]:
        """List what was moved aside, newest first."""
        return [each.name for each in before_folders(self.folder / "state")]

    def last_output(self) -> str:
        """Give the last of what it said."""
        return (self.folder / "said").read_text(errors="replace")[-1500:]


class Phone(Thread):
    """A phone that listens to moments."""

    def __init__(self, port: int) -> None:
        """Listen."""
        super().__init__(daemon=True)
        self._port = port
        self.ids: list[str] = []
        self.start()

    def wait_for_moments(self, count: int) -> None:
        """Wait until so many moments were told."""
        _wait(lambda: len(self.ids) >= count, 5)

    def run(self) -> None:
        """Write down what comes, until the table ends."""
        end = monotonic() + PATIENCE
        while monotonic() < end:
            with suppress(OSError):
                connection = HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)
                connection.request("GET", "/events/score")
                for line in connection.getresponse():
                    if line.startswith(b"id: "):
                        self.ids.append(line[4:].decode().strip())
                return
            sleep(0.1)


def play(folder: Path, starts: int, turns: int, seed: int, figures: Clocks) -> None:
    """Start the table again and again, each time by another clock; let it jump while people play."""
    rng, shim = Random(seed), library()
    assert shim is not None, "there is no libfaketime"
    table, known = Table(folder, shim, rng), list[object]()
    number: int | None = None
    for _start in range(starts):
        _jump(table, rng, figures)
        with table.run_companion() as process:
            phone = Phone(table.port)
            figures.starts += 1
            for _turn in range(turns):
                known = _play_turn(table, process, known, rng, figures)
            there = table.match()
            number = _same_match(number, there, figures)
            phone.wait_for_moments(turns)
        _check_told(phone.ids, figures)
        _safe(table, rng, figures)
    _check_times(known, figures)


def _jump(table: Table, rng: Random, figures: Clocks) -> None:
    table.set(rng.choice(list(JUMPS)))
    figures.jumps += 1


def _play_turn(
    table: Table, process: "subprocess.Popen[bytes]", known: list[object], rng: Random, figures: Clocks
) -> list[object]:
    """Play a turn: one seat says something, and the clock passes for all others, whatever the wall says."""
    if not known:
        known = _type_until_kept(table, process, "Ana", known)
    claimed = _type_until_kept(table, process, "tax", known)
    asked = _type_until_kept(table, process, "objections", claimed)
    said_at = monotonic()
    sleep(rng.uniform(0, 1))
    _jump(table, rng, figures)
    _deadline(table, len(asked), said_at, figures)
    _wait(lambda: len(table.entries()) >= len(asked) + len(NAMES) - 1, NEVER)
    now = table.entries()
    senses = [each.sense for each in now[len(known) :] if isinstance(each, Answer)]
    if now[: len(known)] != known or senses != ["keyboard", "keyboard", "clock", "clock"]:
        figures.out_of_order += 1
        figures.wrong.append(f"{known}, then {now}")
    figures.answers += len(senses)
    return now


def _type_until_kept(
    table: Table, process: "subprocess.Popen[bytes]", text: str, known: list[object]
) -> list[object]:
    """Type something until it is kept: a table that starts again doesn't hear."""
    assert process.stdin is not None
    end = monotonic() + PATIENCE
    while len(table.entries()) <= len(known):
        if monotonic() > end or process.poll() is not None:
            raise AssertionError(f"{text} isn't heard: {table.last_output()}")
        process.stdin.write(f"{text}\n".encode())
        process.stdin.flush()
        _wait(lambda: len(table.entries()) > len(known), 20)
    return table.entries()


def _deadline(table: Table, count: int, said_at: float, figures: Clocks) -> None:
    """See that the clock answers in its time."""
    _wait(lambda: len(table.entries()) > count, WINDOW + NEVER + 1)
    late = monotonic() - said_at - WINDOW
    figures.deadlines += 1
    figures.early += late < EARLY
    figures.never += late > NEVER
    figures.latest = max(figures.latest, round(late, 2))


def _same_match(number: int | None, there: tuple[int, Match] | None, figures: Clocks) -> int | None:
    """See that it is one match all the time, whatever the clock says of when it was begun."""
    now = None if there is None else there[0]
    if number is not None and now != number:
        figures.wrong.append(f"match {now} goes on instead of {number}")
    return now


def _check_told(ids: list[str], figures: Clocks) -> None:
    """See that a phone was told moments in their order, each once."""
    numbers = [int(each.split("#")[1]) for each in ids]
    figures.events += len(numbers)
    if any(later <= number for number, later in pairwise(numbers)):
        figures.wrong.append(f"a phone was told {numbers}")


def _safe(table: Table, rng: Random, figures: Clocks) -> None:
    """Make a backup by one clock and restore it by another; what was there is in the order of restoring."""
    before = table.befores()
    for words in (("backup",), ("restore",)):
        _jump(table, rng, figures)
        process = table.command(*words, str(table.folder / "backup.zip"))
        if process.wait(PATIENCE):
            figures.wrong.append(f"{words}: {table.last_output()}")
    after = table.befores()
    figures.befores += 1
    if after[1:] != before[:1]:
        figures.wrong.append(f"before: {before}, then {after}")


def _check_times(entered: list[object], figures: Clocks) -> None:
    """Count how often the clock on the wall went back: otherwise nothing was tried."""
    times = [datetime.fromisoformat(each.at) for each in entered if isinstance(each, Answer)]
    figures.steps_back += sum(later < earlier for earlier, later in pairwise(times))


def _wait(is_so: Callable[[], bool], seconds: float) -> None:
    end = monotonic() + seconds
    while not is_so() and monotonic() < end:
        sleep(LOOK)


def is_kept(figures: Clocks) -> bool:
    """Tell whether all is as promised, and something was tried."""
    wrong = (figures.out_of_order, figures.early, figures.never)
    return not any(wrong) and not figures.wrong and figures.steps_back > 0 and figures.deadlines > 0
