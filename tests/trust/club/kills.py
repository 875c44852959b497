"""Kills and partitions in random order during play; then the database must equal the tables' journals.

Each table and the hub reach the broker by a path that may drop data in one or both directions. The hub's
database uses a local socket, which no network can cut, so the database is killed instead.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from functools import partial
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from time import perf_counter, sleep
from typing import NamedTuple

from psycopg import Error
from psycopg_pool import PoolTimeout

from plugins.club.tests.clubs import club_bodies
from plugins.club.tests.databases import values
from plugins.club.tests.processes import END, NetworkPath, Processes, kill_process, run_table, start_process
from tests.firmware.playing import kept_lines
from tests.scripts import say
from tests.trust.club.figures import Sizes, opened_club
from tests.waiting import came

TABLES = 4
HURRY = 0.05
BETWEEN = (0.05, 0.35)  # seconds between two faults
RESTS, LINES = 10, 20
"""Faults before a rest, and further lines that must reach the database before it ends."""
AWAY, BROKEN = (0.0, 0.6), (0.1, 2.0)  # seconds for which a program is down, or a path is broken
LONG, LONGS = 40.0, 12
"""Seconds of a long partition, after which both ends drop the connection, and its rarity."""
LIMIT = 600.0
LATE = """SELECT count(*) FROM lines AS a JOIN lines AS b USING (table_name, epoch, match)
    WHERE a.number + 1 = b.number AND a.received > b.received"""


class Fault(NamedTuple):
    """A fault of a part, and its repair."""

    part: str
    name: str
    do: Callable[[], object]
    undo: Callable[[], object]
    seconds: tuple[float, float]


class Table:
    """A table in its own process."""

    def __init__(self, *said: object) -> None:
        self._said = said
        self.process: BaseProcess = start_process(run_table, *said)

    def kill(self) -> None:
        kill_process(self.process)

    def start(self) -> None:
        self.process = start_process(run_table, *self._said)


def try_kills(wish: Sizes) -> bool:
    with opened_club(wish, has_hub_way=True) as club, ExitStack() as ends:
        assert club.hub_way is not None
        tables, ways = list[Table](), {"hub": club.hub_way}
        home = club.folder / "tables"
        for number, mine in enumerate(club.join(*(f"Table {number}" for number in range(TABLES))), 1):
            way = ways[mine.table] = NetworkPath(mine.port)
            ends.callback(way.close)
            tables.append(Table(way.leading(mine), home / mine.table, f"{wish.seed} {number}", HURRY))
            ends.callback(tables[-1].kill)
        say(f"kills: {wish.count} with seed {wish.seed}, {TABLES} tables at play")
        began = perf_counter()
        # a process ends with the thread that started it, so these threads stay until the comparison
        active = _ActiveFaults(ends.enter_context(ThreadPoolExecutor()))
        faults = [*_faults(club, tables, ways)]
        done, meanwhile = _cause_faults(club, faults, active, Random(wish.seed), wish.count)
        over = perf_counter()
        (home / END).touch()
        is_equal = _await_equal(club, home)
        repaired = perf_counter() - over
        found, is_whole = _compare(club, home)
    told = ", ".join(f"{name} {number}" for name, number in sorted(done.items()))
    say(f"  {wish.count} in {over - began:.0f} s: {told}")
    say(f"  {meanwhile} lines came through meanwhile; equal {repaired:.1f} s after the last one was undone")
    say(f"  {found}" if is_equal else f"  NEVER EQUAL within {LIMIT:.0f} s: {found}")
    return is_equal and is_whole and meanwhile >= wish.count // RESTS * LINES


def _faults(club: Processes, tables: list[Table], ways: dict[str, NetworkPath]) -> Iterator[Fault]:
    yield Fault("broker", "broker", club.broker.program.kill, lambda: club.broker.start(club.keys), AWAY)
    yield Fault("hub", "hub", club.kill_hub, club.start_hub, AWAY)
    yield Fault("database", "database", club.postgres.program.kill, club.postgres.start, AWAY)
    for number, table in enumerate(tables):
        yield Fault("table", f"table {number}", table.kill, table.start, AWAY)
    for name, way in ways.items():
        for kind in way.kinds:
            yield Fault(kind, f"way of {name}", partial(way.break_path, kind), way.repair_path, BROKEN)


def _cause_faults(
    club: Processes, faults: list[Fault], active: "_ActiveFaults", rng: Random, count: int
) -> tuple[dict[str, int], int]:
    """Cause faults in parallel, each repaired after a while; sometimes let lines arrive."""
    done = dict.fromkeys(sorted({fault.part for fault in faults}), 0)
    began, told = perf_counter(), max(1, count // 10)
    for number in range(1, count + 1):
        sleep(rng.uniform(*BETWEEN))
        active.repair_due(perf_counter())
        if number % RESTS == 0:
            _rest(club, active)
        part = rng.choice(list(done))
        fault = rng.choice([each for each in faults if each.part == part])
        is_long = fault.seconds == BROKEN and rng.randrange(LONGS) == 0
        active.cause(fault, perf_counter() + (LONG if is_long else rng.uniform(*fault.seconds)))
        done[part] += 1
        if number % told == 0:
            say(f"  … {number} of {count} after {perf_counter() - began:.0f} s")
    kept = _kept(club, active)
    active.repair_due(float("inf"))
    return done, kept


def _rest(club: Processes, active: "_ActiveFaults") -> None:
    wanted = _kept(club, active) + LINES
    if not came(lambda: _kept(club, active) >= wanted, seconds=LIMIT, look=0.1):
        raise TimeoutError(f"no {LINES} lines came through within {LIMIT:.0f} s")


class _ActiveFaults:
    """The affected part, and the time of its repair."""

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self._pool = pool
        self._open = dict[str, tuple[float, Fault]]()
        self._repairs = dict[str, Future[object]]()

    def cause(self, fault: Fault, until: float) -> None:
        if fault.name in self._open:
            self._start_repair(fault.name)
        if fault.name in self._repairs:
            self._repairs.pop(fault.name).result()
        fault.do()
        self._open[fault.name] = until, fault

    def repair_due(self, now: float) -> None:
        for name in [name for name, (due, _fault) in self._open.items() if due <= now]:
            self._start_repair(name)
        for name in [name for name, repair in self._repairs.items() if now == float("inf") or repair.done()]:
            self._repairs.pop(name).result()

    def _start_repair(self, name: str) -> None:
        self._repairs[name] = self._pool.submit(self._open.pop(name)[1].undo)


def _kept(club: Processes, active: _ActiveFaults) -> int:
    while True:
        active.repair_due(perf_counter())
        with suppress(Error, PoolTimeout), club.pool.connection(timeout=1) as db:
            found = db.execute("SELECT count(*) FROM lines").fetchone()
            return int(found[0]) if found else 0


def _journals(home: Path) -> dict[str, dict[int, list[str]]]:
    homes = [each for each in sorted(home.iterdir()) if each.is_dir()]
    return {each.name: kept_lines(each / "journal.sqlite3") for each in homes}


def _await_equal(club: Processes, home: Path) -> bool:
    def is_equal() -> bool:
        with suppress(Error, PoolTimeout):
            return all(club_bodies(club.pool, name) == lines for name, lines in _journals(home).items())
        return False

    return came(is_equal, seconds=LIMIT, look=1.0)


def _compare(club: Processes, home: Path) -> tuple[str, bool]:
    kept = lost = doubled = 0
    for name, here in _journals(home).items():
        there = club_bodies(club.pool, name)
        kept += sum(map(len, there.values()))
        lost += sum(max(0, len(lines) - len(there.get(match, []))) for match, lines in here.items())
        doubled += sum(max(0, len(lines) - len(here.get(match, []))) for match, lines in there.items())
    [late], [doubted] = values(club.pool, LATE), values(club.pool, "SELECT count(*) FROM quarantine")
    told = f"{kept} lines: {lost} lost, {doubled} doubled, {late} out of order, {doubted} in quarantine"
    return told, not any((lost, doubled, late, doubted))
