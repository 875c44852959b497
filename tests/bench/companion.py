"""Start to first lamp, press to lamp, the loop's stalls, its load at rest."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from threading import Event, Thread
from threading import enumerate as enumerate_threads
from time import monotonic, perf_counter, sleep
from typing import Any

import click
from msgspec import Struct

from firmware.table.door import TableDoor
from firmware.table.effects import Write
from firmware.table.parts import Item
from firmware.table.protocols import JournalWriter
from firmware.table.systemd import READY
from firmware.table.writer import EntryKept, Forget, KeepPause, SayMissing, Writer
from hardware.twin.player import any_answer
from tests.bench.measured import json_option, print_figures
from tests.bench.simulated_table import SimulatedCompanion, coyote_match, open_companion, unplug_camera

NAMES = ("Ana", "Bo", "Chloé", "Dan")
PROGRAM = "from firmware.start.program import main; main()"
SLOW = 0.3
"""Seconds that the disk takes under load."""
LIMIT = 60.0
FLOOD = 0.002
"""Seconds between the answers of a phone that floods the table."""


class CompanionFigures(Struct, frozen=True):
    """What was measured; times in milliseconds, the start in seconds."""

    starts: int
    start_median: float
    start_most: float
    presses: int
    lamp_median: float
    lamp_p99: float
    lamp_most: float
    stall_quiet: float
    stall_loaded: float
    idle_loop: float
    """Share of one core that the loop takes, with its threads and buttons."""
    idle_eyes: float
    """Share of one core that the eyes take, with frames of the twin at 10 a second."""


@click.command(help="The companion: start, press to lamp, stalls of the loop, idle load; on simulated pins.")
@click.option("--starts", default=5, show_default=True, type=click.IntRange(1, 100), help="How many starts.")
@click.option(
    "--presses", default=200, show_default=True, type=click.IntRange(2, 10_000), help="How many presses."
)
@click.option(
    "--seconds", default=10.0, show_default=True, type=click.FloatRange(1, 600), help="For each load."
)
@json_option
def companion(starts: int, presses: int, seconds: float, *, as_json: bool) -> None:
    """Measure the companion."""
    with TemporaryDirectory() as folder:
        started = [_time_start(Path(folder)) for _start_number in range(starts)]
        lamps, quiet = _time_lamps(Path(folder, "lamps"), presses)
        loaded = _stall_under_load(Path(folder, "loaded"), seconds)
        loop, eyes = _idle_load(Path(folder, "idle"), seconds)
    figures = CompanionFigures(
        starts=starts,
        start_median=round(median(started), 2),
        start_most=round(max(started), 2),
        presses=presses,
        lamp_median=round(median(lamps), 2),
        lamp_p99=round(quantiles(lamps, n=100, method="inclusive")[98], 2),
        lamp_most=round(max(lamps), 2),
        stall_quiet=round(1000 * quiet, 1),
        stall_loaded=round(1000 * loaded, 1),
        idle_loop=round(loop, 3),
        idle_eyes=round(eyes, 3),
    )
    print_figures("companion", {"figures": figures}, _table(figures), as_json=as_json)


# from the start to the first lamp


def _time_start(folder: Path) -> float:
    """Start the program as a service does, and wait until it says that its lamps are lit."""
    with TemporaryDirectory() as scratch, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as signs:
        signs.bind(f"{scratch}/notify")
        signs.settimeout(LIMIT)
        places = dict.fromkeys(("STATE_DIRECTORY", "LOGS_DIRECTORY", "CONFIGURATION_DIRECTORY"), str(folder))
        surroundings = {**os.environ, **places, "NOTIFY_SOCKET": signs.getsockname()}
        command = [sys.executable, "-P", "-c", PROGRAM, "run", "--twin", "--seats", ",".join(NAMES)]
        start = perf_counter()
        program = subprocess.Popen(
            command, env=surroundings, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
        try:
            while signs.recv(100).decode() != READY:
                pass
            return perf_counter() - start
        finally:
            program.terminate()
            program.wait()


# a companion in this process


@contextmanager
def _simulated_companion(folder: Path, *, slow: float = 0.0) -> Iterator[SimulatedCompanion]:
    """Let a companion run in a thread, with eyes on the twin's camera; its disk may be slow."""

    def keep_slowly(writer: Writer, queue: "SimpleQueue[Item]") -> JournalWriter:
        return SlowDisk(writer, queue, slow) if slow else writer

    with open_companion(coyote_match(NAMES), folder, keep_slowly) as sat:
        yield sat


class SlowDisk:
    """A writer whose disk is slow."""

    def __init__(self, writer: Writer, queue: "SimpleQueue[Item]", seconds: float) -> None:
        """Take the writer."""
        self._writer, self._queue, self._seconds = writer, queue, seconds

    def give(self, write: Write | Forget | KeepPause | SayMissing) -> None:
        """Take a while before it is kept."""
        Thread(target=self._keep, args=(write,), daemon=True).start()

    def _keep(self, write: Write | Forget | KeepPause | SayMissing) -> None:
        sleep(self._seconds)
        if isinstance(write, Write):
            self._queue.put(EntryKept(write.id or 1))
        else:
            self._writer.give(write)

    def close(self, seconds: float) -> bool:
        """End."""
        return self._writer.close(seconds)


# from a press to its lamp


def _time_lamps(folder: Path, presses: int) -> tuple[list[float], float]:
    """Press buttons of seats that aren't asked, or are, and wait until the lamp of the seat changes."""
    rng = Random(1)
    with _simulated_companion(folder) as sat:
        unplug_camera(sat)
        times = [_time_press(sat, rng.randrange(len(NAMES))) for _press in range(presses)]
        return times, sat.companion.longest


def _time_press(sat: SimulatedCompanion, seat: int) -> float:
    lines: Any = sat.board.lamps
    lamps = [sat.factory.pin(gpio) for gpio in (lines.green[seat], lines.red[seat])]
    _wait_until_still(lamps)
    before = [lamp.state for lamp in lamps]
    button = sat.factory.pin(sat.board.call[seat])
    start = perf_counter()
    button.drive_low()
    while [lamp.state for lamp in lamps] == before and perf_counter() < start + LIMIT:
        sleep(0)
    taken = perf_counter() - start
    sleep(0.03)
    button.drive_high()
    sleep(0.1)
    return 1000 * taken


def _wait_until_still(lamps: list[Any]) -> None:
    """Wait until a lamp has rested for longer than any flash has breaks."""
    since, shown = monotonic(), [lamp.state for lamp in lamps]
    while monotonic() < since + 0.4:
        now = [lamp.state for lamp in lamps]
        if now != shown:
            since, shown = monotonic(), now
        sleep(0.005)


# the longest stall


def _stall_under_load(folder: Path, seconds: float) -> float:
    """Let the disk be slow, eyes be killed, phones flood and never listen; give the loop's longest stall."""
    with _simulated_companion(folder, slow=SLOW) as sat:
        over = Event()
        flood = Thread(target=_flood_door, args=(sat.companion.door, over))
        lazy = [sat.companion.door.subscribe() for _listener in range(20)]
        flood.start()
        end = monotonic() + seconds
        while monotonic() < end:
            sleep(seconds / 5)
            pid = sat.eyes[0].pid if sat.eyes else None
            if pid is not None:
                os.kill(pid, signal.SIGKILL)
        over.set()
        flood.join()
        for listening in lazy:
            listening.close()
        return sat.companion.longest


def _flood_door(door: TableDoor, over: Event) -> None:
    """Answer all the time, rightly and wrongly."""
    rng = Random(2)
    while not over.wait(FLOOD):
        match = door.moment()
        if match.asks:
            door.submit(any_answer(match.asks, match.number, rng))
        else:
            door.ask_rematch()


# idle


def _idle_load(folder: Path, seconds: float) -> tuple[float, float]:
    """Measure what the loop's thread and the eyes take; the twin's own camera isn't counted."""
    with _simulated_companion(folder) as sat:
        sleep(8)
        before, start = _seconds_used(sat), monotonic()
        sleep(seconds)
        after, taken = _seconds_used(sat), monotonic() - start
        return (after[0] - before[0]) / taken, (after[1] - before[1]) / taken


def _seconds_used(sat: SimulatedCompanion) -> tuple[float, float]:
    """Give the seconds that all but the twin's camera has used here, and those of the eyes."""
    here = time.process_time() - _thread_seconds("camera")
    return here, _cpu_seconds(f"{sat.eyes[0].pid}")


def _thread_seconds(name: str) -> float:
    (thread,) = [each for each in enumerate_threads() if each.name == name]
    return _cpu_seconds(f"self/task/{thread.native_id}")


def _cpu_seconds(which: str) -> float:
    """Give the seconds that a process or a thread has used."""
    fields = Path(f"/proc/{which}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _table(figures: CompanionFigures) -> Iterable[str]:
    yield f"start to first lamp: {figures.start_median} s, at most {figures.start_most} s ({figures.starts} times)"
    yield f"press to lamp: {figures.lamp_median} ms, p99 {figures.lamp_p99} ms, at most {figures.lamp_most} ms ({figures.presses} presses)"
    yield f"longest stall of the loop: {figures.stall_quiet} ms; {figures.stall_loaded} ms with a slow disk, killed eyes, a mad phone"
    yield f"idle: the loop takes {figures.idle_loop:.1%} of a core, the eyes at 10 frames a second {figures.idle_eyes:.1%}"
