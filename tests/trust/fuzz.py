"""Hostile requests and uploads: `python -m tests.trust.fuzz 1000000`; SIGINT prints the figures so far.

Most requests go to the app, followed by a check for changes; some go over the network to the real program.
Photographs are unpacked and backups restored. It fails on an error, a traceback or an unauthorized change, or
if memory, threads, files or folders grow. `--seed S --only N` repeats the N-th request.
"""

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, suppress
from io import BytesIO
from multiprocessing import get_context
from pathlib import Path
from random import Random
from resource import RLIMIT_AS, setrlimit
from signal import SIGINT, default_int_handler, signal
from time import monotonic
from zipfile import ZipFile

from msgspec import Struct

from firmware.services.jobs import MEMORY
from firmware.storage.journal import open_journal
from tests.firmware.start.besieged import Siege
from tests.firmware.start.program import Resources, holdings_of, run_program
from tests.firmware.storage.backups.spoilt import Files, try_restore
from tests.firmware.storage.backups.spoilt import spoilt as spoilt_backup
from tests.firmware.storage.backups.tables import backup_of, table_in
from tests.scripts import say, script
from tests.vision.spoiled_photographs import spoiled_photograph
from tests.waiting import came
from tests.webui.room import NAMES
from tests.webui.server.hostile import draw_attempt, outcome_of, table_with_fakes
from vision.photographs import LONGEST, decode_photograph
from vision.troubles import TroubleError

KINDS = {"app": 0.9, "program": 0.085, "photograph": 0.01, "backup": 0.005}
"""The share of each kind."""
LOOKS = 10
GROWTH, MORE = 1.1, 6
"""Allowed growth since half time, after the largest upload: ratio of memory; number of threads and files."""

Outcome = tuple[str, str]  # the outcome, and the fault, if any


class Figures(Struct):
    """Figures of a run."""

    done: int = 0
    outcomes: dict[str, Counter[str]] = {}
    slowest: float = 0.0  # seconds of the slowest photograph
    dead: int = 0  # processes that a photograph killed, which is allowed
    wrong: list[str] = []


class Targets:
    """All targets of the fuzzer."""

    def __init__(self, folder: Path, ends: ExitStack, figures: Figures) -> None:
        """Set up the targets; temporary files get a folder that is checked."""
        for name in ("web", "program", "scratch"):
            (folder / name).mkdir()
        tempfile.tempdir = str(folder / "scratch")
        self._figures, self._scratch = figures, folder / "scratch"
        self._held: dict[str, list[Resources]] = {"here": [], "the program": []}
        opened = ends.enter_context(open_journal(folder / "web" / "journal.sqlite3"))
        self._table = table_with_fakes(folder / "web", opened.journal)
        self._program = ends.enter_context(run_program(folder / "program", NAMES[:4]))
        self._siege = Siege(self._program, self._table)
        self._here = table_in(folder / "here", "Zoë")
        with ZipFile(backup_of(table_in(folder / "good", "Ana"), folder / "good.zip")) as packed:
            self._files: Files = {name: packed.read(name) for name in packed.namelist()}
        self._pool = _pool()
        self._ways: dict[str, Callable[[Random], Outcome]] = {
            "app": self._to_app, "program": self._siege.say,
            "photograph": self._photograph, "backup": self._backup,
        }  # fmt: skip

    def do(self, seed: str) -> None:
        rng = Random(seed)
        [kind] = rng.choices(list(KINDS), list(KINDS.values()))
        outcome, wrong = self._ways[kind](rng)
        self._figures.done += 1
        self._figures.outcomes.setdefault(kind, Counter())[outcome] += 1
        if wrong:
            self._figures.wrong.append(f"{seed}, {kind}: {wrong}")
            say(self._figures.wrong[-1])

    def look(self) -> None:
        for who, held in (("here", holdings_of("self")), ("the program", self._program.holdings())):
            self._held[who].append(held)
            say(f"{self._figures.done}: {who} {held}")

    def end(self, *, can_grow: bool) -> None:
        """Finish everything, check once more, and compare resources with those at half time."""
        wrong = [self._siege.look()]
        replayed = self._siege.replay_journal()
        say(f"the program's journal: {dict(replayed)}")
        wrong += ["its journal can't be played again"] * bool(replayed["unread"])
        self._pool.shutdown()
        first = self._held["the program"][0].threads
        came(lambda: self._program.holdings().threads <= first)
        self.look()
        wrong += [f"left behind: {path.name}" for path in self._scratch.iterdir()]
        for who, held in self._held.items():
            half, now = held[len(held) // 2], held[-1]
            is_more = now.threads > half.threads + MORE or now.files > half.files + MORE
            if not can_grow and (is_more or now.memory > GROWTH * half.memory):
                wrong.append(f"{who} has grown: {held}")
        tempfile.tempdir = None
        self._figures.wrong += filter(None, wrong)

    def _to_app(self, rng: Random) -> Outcome:
        sent = draw_attempt(self._table, rng)
        done = outcome_of(self._table, sent)
        return str(done.code), f"{done.fault}\n  {sent.description[:3000]}" if done.fault else ""

    def _photograph(self, rng: Random) -> Outcome:
        """Unpack a photograph in a process with the same limits as the real one."""
        start = monotonic()
        try:
            outcome = self._pool.submit(_unpack, spoiled_photograph(rng)).result()
        except BrokenProcessPool:
            self._figures.dead += 1
            self._pool = _pool()
            outcome = "died", ""
        self._figures.slowest = max(self._figures.slowest, monotonic() - start)
        return outcome

    def _backup(self, rng: Random) -> Outcome:
        wrong = try_restore(spoilt_backup(self._files, rng), self._here)
        return "wrong" if wrong else "as it should be", wrong


def _pool() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, get_context("spawn"), setrlimit, (RLIMIT_AS, (MEMORY, MEMORY)))


def _unpack(content: bytes) -> Outcome:
    try:
        picture = decode_photograph(BytesIO(content), LONGEST)
    except TroubleError as error:
        return error.problem.key, ""
    is_right = picture.ndim == 3 and max(picture.shape[:2]) <= LONGEST
    return "unpacked", "" if is_right else f"a picture of {picture.shape}"


@script
def main(requests: int, scratch: Path, seed: int = 0, only: int = -1) -> Iterator[Figures]:
    yield (figures := Figures())
    # a shell ignores SIGINT for background processes
    signal(SIGINT, default_int_handler)
    numbers = range(requests) if only < 0 else range(only, only + 1)
    with ExitStack() as ends:
        hall = Targets(scratch, ends, figures)
        hall.look()
        with suppress(KeyboardInterrupt):
            for number in numbers:
                hall.do(f"{seed} {number}")
                if (number + 1) % max(1, requests // LOOKS) == 0:
                    hall.look()
        hall.end(can_grow=figures.done < len(numbers) or only >= 0)
