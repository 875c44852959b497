"""A club under trial, with real processes: `python -m tests.trust.club TRIAL`, sizes as options.

Trials: `screen` (table to screen), `kills` (random kills and swallowed connections), `lamp` (press to lamp
while the club is sick), `week` (a week's outbox), `many` (many tables), `hostile` (one that means harm), `all`.
A trial prints its figures, and fails if a goal is missed that doesn't depend on the machine. Connections are
swallowed by a proxy on the way, not by a network namespace; all traffic stays on this machine.
"""

import argparse
import asyncio
import os
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median, quantiles
from threading import Event
from time import perf_counter, sleep

import msgspec
from psycopg import Error
from psycopg_pool import PoolTimeout

from firmware.benches.companion import _time_press
from firmware.benches.simulated_table import coyote_match, open_companion, unplug_camera
from firmware.club.news import NewsRoom
from firmware.club.postgres import Postgres
from firmware.outside.club_link import ClubLink
from firmware.start.club.trying import any_new_match, play
from firmware.storage.club_membership import Membership
from firmware.storage.database import connected_for_a_thread
from firmware.storage.journal import open_journal
from referee.record import record_lines
from tests.firmware.club.clubs import club_bodies, journal_lines
from tests.firmware.club.processes import END, Processes, Way, run_hub, run_table, start_process
from tests.firmware.club.speaking import Speaker

NAMES = ("Ana", "Bo", "Chloé", "Dan")
LIMIT = 600.0


def main() -> None:
    """Run a trial; the parts of the club that are processes of their own come in here, too."""
    if sys.argv[1:2] == ["hub"]:
        run_hub(*sys.argv[2:4])
    elif sys.argv[1:2] == ["table"]:
        run_table(sys.argv[2], Path(sys.argv[3]), sys.argv[4], float(sys.argv[5]))
    else:
        sys.exit(_run_trials())


def _run_trials() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trial", choices=[*TRIALS, "all"])
    parser.add_argument("--broker", choices=["mosquitto", "nats"], default="mosquitto")
    parser.add_argument("--tables", type=int, default=50, help="of screen, many and hostile")
    parser.add_argument("--rate", type=float, default=10.0, help="answers a second of each table")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--presses", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    wish = parser.parse_args()
    trials = TRIALS.values() if wish.trial == "all" else [TRIALS[wish.trial]]
    failed = [trial for trial in trials if not trial(wish)]
    return int(bool(failed))


@contextmanager
def _club(wish: argparse.Namespace) -> Iterator[Processes]:
    folder = Path(tempfile.mkdtemp(prefix="coyote-trial-"))
    # as root, the database runs as another user, who has to get there
    folder.chmod(0o755)
    processes = Processes(folder / "club", wish.broker)
    try:
        yield processes
    finally:
        processes.close()
        shutil.rmtree(folder, ignore_errors=True)


def _tell(told: str) -> None:
    sys.stdout.write(told + "\n")
    sys.stdout.flush()


def _spread(seconds: list[float]) -> str:
    parts = quantiles(seconds, n=100, method="inclusive")
    middle, late, most = (1000 * each for each in (median(seconds), parts[98], max(seconds)))
    return f"median {middle:.1f} ms, p99 {late:.1f} ms, most {most:.1f} ms"


def _bodies(number: int, seed: int) -> list[list[str]]:
    """Play matches of all games, and give their lines."""
    rng, played = Random(seed), []
    while len(played) < number:
        with tempfile.TemporaryDirectory() as folder, open_journal(Path(folder, "j.sqlite3")) as opened:
            for match in islice(play(opened.journal, any_new_match(rng), rng), 400):
                last = match
        played.append(record_lines(last))
    return played


# table to screen


def try_screen(wish: argparse.Namespace) -> bool:
    """Let tables say answers, and take the time until they are committed, and until a screen hears of them."""
    with _club(wish) as club:
        room = NewsRoom(club.postgres.address)
        listening, over = room.subscribe(), Event()
        memberships = club.join(*(f"Table {number}" for number in range(wish.tables)))
        matches = _bodies(8, wish.seed)
        began: dict[str, float] = {}
        shown: list[float] = []

        async def run() -> list[float]:
            end = perf_counter() + wish.seconds
            speakers = [Speaker(each.table) for each in memberships]
            for speaker, each in zip(speakers, memberships, strict=True):
                await speaker.connect(each.port, each.key)
            ear = asyncio.create_task(asyncio.to_thread(_hear_screen, listening.next, began, shown, over))
            jobs = [
                _play_on(speaker, matches, 1 / wish.rate, end, began, n) for n, speaker in enumerate(speakers)
            ]
            took = [each for some in await asyncio.gather(*jobs) for each in some]
            over.set()
            await ear
            return took

        before = _cpu_seconds(club)
        acked = asyncio.run(run())
        busy = {name: spent - before[name] for name, spent in _cpu_seconds(club).items()}
        room.close()
    _tell(
        f"screen: {wish.tables} tables as tasks, {wish.rate:g} answers a second each, {wish.seconds:g} s,"
        f" {len(acked)} answers ({len(acked) / wish.seconds:.0f} a second) by {wish.broker}"
    )
    _tell(f"  table -> acknowledged commit: {_spread(acked)}")
    _tell(f"  table -> screen told ({len(shown)} times): {_spread(shown)}")
    costs = ", ".join(f"{name} {1000 * spent / max(1, len(acked)):.2f} ms" for name, spent in busy.items())
    _tell(f"  time of a core for each answer, however busy the machine is: {costs}")
    return True


async def _play_on(
    speaker: Speaker, matches: list[list[str]], between: float, end: float, began: dict[str, float], seed: int
) -> list[float]:
    rng, took, match = Random(seed), list[float](), 0
    await asyncio.sleep(rng.uniform(0, between))
    say = speaker.say

    def note(what: str, payload: bytes, quality: int = 1) -> None:
        began.setdefault(speaker.table, perf_counter())
        say(what, payload, quality)

    speaker.say = note  # type: ignore[method-assign]
    while perf_counter() < end:
        match += 1
        took += await speaker.deliver(rng.choice(matches), match, "0" * 32, between, end)
    return took


def _hear_screen(
    listen: Callable[[float], object], began: dict[str, float], shown: list[float], over: Event
) -> None:
    """Hear what a screen is told, and take how long ago the oldest answer was said that it hasn't heard of."""
    while not over.is_set():
        news: object = listen(0.5)
        now = perf_counter()
        for each in news if isinstance(news, tuple) else ():
            said = began.pop(str(each).removeprefix("table "), None)
            if said is not None:
                shown.append(now - said)


# kills


def try_kills(wish: argparse.Namespace) -> bool:
    """Kill broker, hub, database and tables in random order, swallow connections; then compare."""
    rng, names = Random(wish.seed), [f"Table {number}" for number in range(4)]
    done = dict.fromkeys(("broker", "hub", "database", "table", "swallow"), 0)
    with _club(wish) as club, ExitStack() as ends:
        home = club.folder / "tables"
        ways, tables, said = [], [], []
        for number, mine in enumerate(club.join(*names)):
            way = Way(mine.port)
            ends.callback(way.close)
            ways.append(way)
            told = msgspec.json.encode(way.leading(mine)).decode()
            said.append(("table", told, str(home / mine.table), f"{number}", "0.05"))
            tables.append(start_process(*said[-1]))
        try:
            began = perf_counter()
            for _number in range(wish.kills):
                sleep(rng.uniform(0.1, 0.6))
                what = rng.choice(list(done))
                done[what] += 1
                _harm(club, what, ways, tables, said, rng)
            sure = perf_counter()
            (home / END).touch()
            mended = _await_equal(club, home)
            healed = perf_counter() - sure
        finally:
            for table in tables:
                table.kill()
                table.wait()
        found = _compare(club, home)
    _tell(f"kills: {done} in {sure - began:.0f} s, 4 tables at play, by {wish.broker}")
    _tell(f"  {found}; equal {healed:.1f} s after the last kill" if mended else f"  NEVER EQUAL: {found}")
    return mended and "0 lost, 0 doubled, 0 out of order, 0 in quarantine" in found


def _harm(
    club: Processes, what: str, ways: list[Way], tables: list[object], said: list[tuple[str, ...]], rng: Random
) -> None:
    """Do one harm, and undo it after a while."""
    wait = rng.uniform(0.0, 0.8)
    which = rng.randrange(len(ways))
    if what == "broker":
        club.broker.program.kill()
        sleep(wait)
        club.broker.start(club.keys)
    elif what == "hub":
        club.kill_hub()
        sleep(wait)
        club.start_hub()
    elif what == "database":
        club.postgres.kill()
        sleep(wait)
        club.postgres.start()
    elif what == "table":
        tables[which].kill()  # type: ignore[attr-defined]
        tables[which].wait()  # type: ignore[attr-defined]
        tables[which] = start_process(*said[which])
    else:
        ways[which].swallows = True
        sleep(wait)
        ways[which].swallows = False


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


# press to lamp


def try_lamp(wish: argparse.Namespace) -> bool:
    """Press buttons without a club, and while it is hung, swallowed or not to be found, by turns."""
    with ExitStack() as ends:
        silent = socket.create_server(("127.0.0.1", 0))
        ends.callback(silent.close)
        swallowing = Membership("one", "One", "Club", "127.0.0.1", silent.getsockname()[1], "k" * 43)
        nowhere = Membership("one", "One", "Club", "hub.invalid", 1883, "k" * 43)
        club = ends.enter_context(_club(wish))
        [mine] = club.join("One")
        os.kill(club.hub.pid if club.hub else 0, signal.SIGSTOP)
        ends.callback(lambda: os.kill(club.hub.pid if club.hub else 0, signal.SIGCONT))
        kinds = {"no club": None, "hub hung": mine, "broker swallows": swallowing, "name unknown": nowhere}
        times: dict[str, list[float]] = {kind: [] for kind in kinds}
        folder = Path(ends.enter_context(tempfile.TemporaryDirectory()))
        with open_companion(coyote_match(NAMES), folder / "table") as sat:
            unplug_camera(sat)
            rng, left = Random(wish.seed), wish.presses
            while left > 0:
                for kind, membership in kinds.items():
                    link = (
                        None
                        if membership is None
                        else ClubLink(membership, folder / "table" / "journal.sqlite3")
                    )
                    if link is not None:
                        link.look()
                    sleep(0.5)
                    times[kind] += [_time_press(sat, rng.randrange(len(NAMES))) for _press in range(10)]
                    if link is not None:
                        link.close()
                left -= 10
    base = median(times["no club"])
    _tell(f"lamp: {wish.presses} presses each, by turns in blocks of 10")
    for kind, found in times.items():
        told = f"median {median(found):.2f} ms ({median(found) - base:+.2f}), most {max(found):.2f} ms"
        _tell(f"  {kind}: {told}")
    return all(median(found) - base < 1.0 for found in times.values())


# a week's outbox


def try_week(wish: argparse.Namespace) -> bool:
    """Play so many matches without a club; then deliver them."""
    with _club(wish) as club, tempfile.TemporaryDirectory() as folder:
        [mine] = club.join("One")
        path, rng = Path(folder, "journal.sqlite3"), Random(wish.seed)
        with open_journal(path, connected_for_a_thread) as opened:
            for _number in range(wish.matches):
                for _moment in play(opened.journal, any_new_match(rng), rng):
                    pass
            here = journal_lines(path)
            total = sum(map(len, here.values()))
            _tell(f"week: {wish.matches} matches of all games, {total} lines, by {wish.broker}")
            began = perf_counter()
            link = ClubLink(mine, path)
            while _kept(club) < total and perf_counter() < began + LIMIT:
                sleep(0.05)
            took = perf_counter() - began
            while _untold(club) and perf_counter() < began + LIMIT:
                sleep(0.05)
            told = perf_counter() - began
            link.close()
        is_equal = club_bodies(club.pool, mine.table) == here
    _tell(f"  in the database after {took:.1f} s, each match told after {told:.1f} s; equal: {is_equal}")
    return is_equal


def _kept(club: Processes) -> int:
    with club.pool.connection() as db:
        found = db.execute("SELECT coalesce(sum(lines), 0) FROM epochs").fetchone()
    return int(found[0]) if found else 0


def _untold(club: Processes) -> int:
    with club.pool.connection() as db:
        found = db.execute("SELECT count(*) FROM matches WHERE told < lines").fetchone()
    return int(found[0]) if found else 0


# many tables


def try_many(wish: argparse.Namespace) -> bool:
    """Connect many tables, let each say an answer now and then, and see what the processes hold."""
    with _club(wish) as club:
        memberships = club.join(*(f"Table {number}" for number in range(wish.tables)))
        matches = _bodies(8, wish.seed)
        held = [_memory(club)]

        async def run() -> list[float]:
            speakers = [Speaker(each.table) for each in memberships]
            for speaker, each in zip(speakers, memberships, strict=True):
                await speaker.connect(each.port, each.key)
            held.append(_memory(club))
            end, parts = perf_counter() + wish.seconds, []
            jobs = [
                asyncio.create_task(_play_on(speaker, matches, 1 / wish.rate, end, {}, number))
                for number, speaker in enumerate(speakers)
            ]
            while perf_counter() < end:
                await asyncio.sleep(wish.seconds / 4)
                held.append(_memory(club))
            parts = await asyncio.gather(*jobs)
            return [each for some in parts for each in some]

        took = asyncio.run(run())
    _tell(
        f"many: {wish.tables} tables as tasks, {wish.rate:g} answers a second each, {wish.seconds:g} s, by"
        f" {wish.broker}: {len(took)} answers, {len(took) / wish.seconds:.0f} a second"
    )
    _tell(f"  acknowledged: {_spread(took)}")
    for each in held:
        _tell("  " + ", ".join(f"{name} {size:.0f} MB" for name, size in each.items()))
    _tell("  (before the tables came, once all were there, then each quarter of the time)")
    return True


def _memory(club: Processes) -> dict[str, float]:
    """Tell what broker, hub and database hold, in megabytes; the database without what its processes share."""
    return {name: sum(map(_own_pages, pids)) / 1e6 for name, pids in _pids(club).items()}


def _cpu_seconds(club: Processes) -> dict[str, float]:
    """Tell how much of a core broker, hub and database have taken so far."""
    return {name: sum(map(_cpu_of, pids)) for name, pids in _pids(club).items()}


def _cpu_of(pid: int) -> float:
    with suppress(OSError):
        spent = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[11:13]
        return sum(map(int, spent)) / os.sysconf("SC_CLK_TCK")
    return 0.0


def _pids(club: Processes) -> dict[str, list[int]]:
    broker, hub = club.broker.program.pid, club.hub
    assert broker is not None
    assert hub is not None
    return {"broker": [broker], "hub": [hub.pid], "database": _children(club.postgres)}


def _children(server: Postgres) -> list[int]:
    found = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text(encoding="ascii")
    return [int(each) for each in found.split()]


def _own_pages(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith("Pss:"))


# one that means harm


def try_hostile(wish: argparse.Namespace) -> bool:
    """Let one table flood, forge, replay and send giants; the others are timed before and meanwhile."""
    with _club(wish) as club:
        memberships = club.join(*(f"Table {number}" for number in range(wish.tables)), "Hostile")
        *good, bad = memberships
        matches = _bodies(8, wish.seed)

        async def run() -> tuple[list[float], list[float], int]:
            speakers = [Speaker(each.table) for each in good]
            for speaker, each in zip(speakers, good, strict=True):
                await speaker.connect(each.port, each.key)
            end = perf_counter() + wish.seconds
            before = await asyncio.gather(
                *(_play_on(s, matches, 1 / wish.rate, end, {}, n) for n, s in enumerate(speakers))
            )
            end = perf_counter() + wish.seconds
            harm = asyncio.create_task(_do_harm(bad, good[0].table, matches[0], end))
            fresh = [Speaker(each.table) for each in good]
            for speaker, each in zip(fresh, good, strict=True):
                await speaker.connect(each.port, each.key)
            after = await asyncio.gather(
                *(_play_anew(s, matches, 1 / wish.rate, end, n) for n, s in enumerate(fresh))
            )
            said = await harm
            return [x for some in before for x in some], [x for some in after for x in some], said

        before, after, said = asyncio.run(run())
        with club.pool.connection() as db:
            wrong = db.execute("SELECT DISTINCT table_name FROM quarantine").fetchall()
    _tell(
        f"hostile: {wish.tables} tables as tasks, {wish.rate:g} a second, {wish.seconds:g} s, by {wish.broker}"
    )
    _tell(f"  others before: {_spread(before)} ({len(before)} answers)")
    _tell(f"  others meanwhile: {_spread(after)} ({len(after)} answers), {said} hostile messages")
    _tell(f"  in quarantine: lines of {[name for (name,) in wrong]} alone")
    return {name for (name,) in wrong} <= {bad.table}


async def _play_anew(
    speaker: Speaker, matches: list[list[str]], between: float, end: float, seed: int
) -> list[float]:
    rng, took, match = Random(seed + 1000), list[float](), 0
    while perf_counter() < end:
        match += 1
        took += await speaker.deliver(rng.choice(matches), match, "1" * 32, between, end)
    return took


async def _do_harm(mine: Membership, victim: str, bodies: list[str], end: float) -> int:
    """Say what a table shouldn't, as fast as the broker takes it, and come back when it cuts us off."""
    said, giant = 0, b"[" * 110_000
    forged = msgspec.json.encode(
        {
            "epoch": "2" * 32,
            "lines": [
                {"match": 1, "number": number, "hash": "0" * 64, "body": body}
                for number, body in enumerate(bodies[:50])
            ],
        }
    )
    while perf_counter() < end:
        try:
            speaker = Speaker(mine.table)
            await speaker.connect(mine.port, mine.key)
            while perf_counter() < end:
                for payload in (giant, forged, b"\0" * 1000, b"{}"):
                    speaker.say("lines", payload, quality=0)
                    said += 1
                speaker.table = victim
                speaker.say("lines", forged, quality=0)
                speaker.table = mine.table
                await speaker.writer.drain()
                await asyncio.sleep(0)
        except (OSError, asyncio.IncompleteReadError):
            await asyncio.sleep(0.05)
    return said


TRIALS: dict[str, Callable[[argparse.Namespace], bool]] = {
    "screen": try_screen,
    "kills": try_kills,
    "lamp": try_lamp,
    "week": try_week,
    "many": try_many,
    "hostile": try_hostile,
}

if __name__ == "__main__":
    main()
