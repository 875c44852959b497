"""Kills and partitions in random order, while tables play; then the database must equal the tables' journals.

Each table, and the hub, lives in a house of a network of its own, where a router swallows what goes through:
both ways, or one way alone. Where no namespaces are allowed, a proxy swallows on the way from tables alone.
The hub reaches its database by a socket of the machine, which no network cuts off: the database is killed.
"""

import argparse
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from time import perf_counter, sleep
from typing import NamedTuple, Protocol

from msgspec.structs import replace
from psycopg import Error
from psycopg_pool import PoolTimeout

from tests.firmware.club.clubs import club_bodies, journal_lines
from tests.firmware.club.networks import Network, why_no_network
from tests.firmware.club.processes import END, Processes, Way, kill_process, run_table, start_process
from tests.trust.club.figures import broker_name, opened_club, tell

TABLES = 4
HURRY = 0.05
BETWEEN = (0.05, 0.35)
"""Seconds between two harms."""
RESTS, LINES = 10, 20
"""After so many harms there is a rest, until so many further lines are in the database."""
AWAY, BROKEN = (0.0, 0.6), (0.1, 2.0)
"""Seconds for which a program is away, or a way broken."""
LONG, LONGS = 40.0, 12
"""Seconds for which a way is broken so long that both ends take the other for gone, once in so many."""
LIMIT = 600.0


class Breakable(Protocol):
    """A way that can be broken."""

    kinds: tuple[str, ...]

    def break_way(self, kind: str) -> None:
        """Break it."""

    def mend_way(self) -> None:
        """Let everything through again."""


class Harm(NamedTuple):
    """Something that can be done to a part, and how it is undone."""

    part: str
    name: str
    do: Callable[[], object]
    undo: Callable[[], object]
    seconds: tuple[float, float]


class Place(NamedTuple):
    """Where tables and the hub live, and their ways to the broker."""

    tables: list["Table"]
    ways: dict[str, Breakable]
    club: Processes


class Table:
    """A table in a process of its own."""

    def __init__(self, *said: object) -> None:
        """Start it."""
        self._said = said
        self.process: BaseProcess = start_process(run_table, *said)

    def kill(self) -> None:
        """Pull its plug."""
        kill_process(self.process)

    def start(self) -> None:
        """Start it again, with the journal that it has."""
        self.process = start_process(run_table, *self._said)


def try_kills(wish: argparse.Namespace) -> bool:
    """Kill broker, hub, database and tables, and break ways, in random order; then compare."""
    rng, why = Random(wish.seed), why_no_network()
    if why and not wish.proxy:
        tell(f"kills: no network of its own can be made here ({why}): a proxy swallows instead")
    with (_behind_proxies if why or wish.proxy else _in_houses)(wish) as place:
        home = place.club.folder / "tables"
        harms = list(_harms(place))
        tell(f"kills: {wish.count} with seed {wish.seed}, {TABLES} tables at play, by {broker_name(wish)}")
        began = perf_counter()
        done, kept_meanwhile = _do_harm(place.club, harms, rng, wish.count)
        over = perf_counter()
        (home / END).touch()
        mended = _await_equal(place.club, home)
        healed = perf_counter() - over
        found = _compare(place.club, home)
    told = ", ".join(f"{name} {number}" for name, number in sorted(done.items()))
    tell(f"  {wish.count} in {over - began:.0f} s: {told}")
    tell(f"  {kept_meanwhile} lines came through meanwhile; equal {healed:.1f} s after the last one was undone")
    tell(f"  {found}" if mended else f"  NEVER EQUAL within {LIMIT:.0f} s: {found}")
    return (
        mended
        and kept_meanwhile >= wish.count // RESTS * LINES
        and "0 lost, 0 doubled, 0 out of order, 0 in quarantine" in found
    )


@contextmanager
def _in_houses(wish: argparse.Namespace) -> Iterator[Place]:
    """Let each table and the hub live in a house of its own."""
    with ExitStack() as ends:
        network = Network()
        ends.callback(network.close)
        hub_house = network.house(100)
        club = ends.enter_context(opened_club(wish, network.address, hub_house))
        tables, ways = [], dict[str, Breakable](hub=hub_house)
        for number, mine in enumerate(club.join(*(f"Table {number}" for number in range(TABLES))), 1):
            house = network.house(number)
            ways[mine.table] = house
            folder = club.folder / "tables" / mine.table
            tables.append(Table(mine, folder, f"{wish.seed} {number}", HURRY, house.door))
            ends.callback(tables[-1].kill)
        yield Place(tables, ways, club)


@contextmanager
def _behind_proxies(wish: argparse.Namespace) -> Iterator[Place]:
    """Let each table come by a proxy."""
    with ExitStack() as ends:
        club = ends.enter_context(opened_club(wish))
        tables, ways = [], dict[str, Breakable]()
        for number, mine in enumerate(club.join(*(f"Table {number}" for number in range(TABLES)))):
            way = Way(mine.port)
            ends.callback(way.close)
            ways[mine.table] = way
            folder = club.folder / "tables" / mine.table
            tables.append(Table(replace(mine, port=way.port), folder, f"{wish.seed} {number}", HURRY))
            ends.callback(tables[-1].kill)
        yield Place(tables, ways, club)


def _harms(place: Place) -> Iterator[Harm]:
    """List all that can be done."""
    club = place.club
    yield Harm("broker", "broker", club.broker.program.kill, lambda: club.broker.start(club.keys), AWAY)
    yield Harm("hub", "hub", club.kill_hub, club.start_hub, AWAY)
    yield Harm("database", "database", club.postgres.kill, club.postgres.start, AWAY)
    for number, table in enumerate(place.tables):
        yield Harm("table", f"table {number}", table.kill, table.start, AWAY)
    for name, way in place.ways.items():
        for kind in way.kinds:
            yield Harm(kind, f"way of {name}", _breaking(way, kind), way.mend_way, BROKEN)


def _breaking(way: Breakable, kind: str) -> Callable[[], None]:
    return lambda: way.break_way(kind)


def _do_harm(club: Processes, harms: list[Harm], rng: Random, count: int) -> tuple[dict[str, int], int]:
    """Do so many harms, each undone after a while, beside the others; now and then let lines come through."""
    done = dict.fromkeys(sorted({harm.part for harm in harms}), 0)
    began, told = perf_counter(), max(1, count // 10)
    with ThreadPoolExecutor() as pool:
        wounds = _Wounds(pool)
        for number in range(1, count + 1):
            sleep(rng.uniform(*BETWEEN))
            wounds.mend(perf_counter())
            if number % RESTS == 0:
                _rest(club, wounds)
            part = rng.choice(list(done))
            harm = rng.choice([each for each in harms if each.part == part])
            is_long = harm.seconds == BROKEN and rng.randrange(LONGS) == 0
            wounds.harm(harm, perf_counter() + (LONG if is_long else rng.uniform(*harm.seconds)))
            done[part] += 1
            if number % told == 0:
                tell(f"  … {number} of {count} after {perf_counter() - began:.0f} s")
        kept = _kept(club, wounds)
        wounds.mend(float("inf"))
    return done, kept


def _rest(club: Processes, wounds: "_Wounds") -> None:
    """Wait until lines come through, while what is due is undone."""
    before = _kept(club, wounds)
    end = perf_counter() + LIMIT
    while _kept(club, wounds) < before + LINES:
        if perf_counter() > end:
            raise TimeoutError(f"no {LINES} lines came through within {LIMIT:.0f} s")
        sleep(0.1)


class _Wounds:
    """What is harmed, and until when."""

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        """Begin with nothing; the threads mend."""
        self._pool = pool
        self._open = dict[str, tuple[float, Harm]]()
        self._healing = dict[str, Future[object]]()

    def harm(self, harm: Harm, until: float) -> None:
        """Do harm, once what was done to the same is undone."""
        if harm.name in self._open:
            self._begin_to_heal(harm.name)
        if harm.name in self._healing:
            self._healing.pop(harm.name).result()
        harm.do()
        self._open[harm.name] = until, harm

    def mend(self, now: float) -> None:
        """Undo what is due; what went wrong with that goes wrong here."""
        for name in [name for name, (due, _harm) in self._open.items() if due <= now]:
            self._begin_to_heal(name)
        for name in [name for name, healing in self._healing.items() if now == float("inf") or healing.done()]:
            self._healing.pop(name).result()

    def _begin_to_heal(self, name: str) -> None:
        self._healing[name] = self._pool.submit(self._open.pop(name)[1].undo)


def _kept(club: Processes, wounds: _Wounds) -> int:
    """Count the lines in the database, which may be away, while what is due is undone."""
    while True:
        wounds.mend(perf_counter())
        with suppress(Error, PoolTimeout), club.pool.connection(timeout=1) as db:
            found = db.execute("SELECT count(*) FROM lines").fetchone()
            return int(found[0]) if found else 0


def _await_equal(club: Processes, home: Path) -> bool:
    end = perf_counter() + LIMIT
    while perf_counter() < end:
        sleep(1)
        with suppress(Error, PoolTimeout):
            if all(club_bodies(club.pool, each.name) == _lines(each) for each in _homes(home)):
                return True
    return False


def _lines(home: Path) -> dict[int, list[str]]:
    return journal_lines(home / "journal.sqlite3")


def _homes(home: Path) -> list[Path]:
    return [each for each in sorted(home.iterdir()) if each.is_dir()]


def _compare(club: Processes, home: Path) -> str:
    """Count what is lost, doubled, out of order, and not believed."""
    kept = lost = doubled = 0
    for each in _homes(home):
        there, here = club_bodies(club.pool, each.name), _lines(each)
        kept += sum(map(len, there.values()))
        lost += sum(max(0, len(lines) - len(there.get(match, []))) for match, lines in here.items())
        doubled += sum(max(0, len(lines) - len(here.get(match, []))) for match, lines in there.items())
    with club.pool.connection() as db:
        [late] = db.execute(
            """SELECT count(*) FROM lines AS a JOIN lines AS b USING (table_name, epoch, match)
            WHERE a.number + 1 = b.number AND a.received > b.received"""
        ).fetchone() or [None]
        [doubted] = db.execute("SELECT count(*) FROM quarantine").fetchone() or [None]
    return f"{kept} lines: {lost} lost, {doubled} doubled, {late} out of order, {doubted} in quarantine"
