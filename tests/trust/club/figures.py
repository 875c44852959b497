"""A club for a trial, what its processes take, and how figures are told."""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median, quantiles

from firmware.club.postgres import Postgres
from firmware.start.club.trying import any_new_match, play
from firmware.storage.journal import open_journal
from referee.record import record_lines
from tests.firmware.club.networks import House
from tests.firmware.club.processes import Processes


@contextmanager
def opened_club(
    wish: argparse.Namespace, host: str = "127.0.0.1", hub_house: House | None = None
) -> Iterator[Processes]:
    """Start a club whose broker listens at an address, and leave nothing of it."""
    folder = Path(tempfile.mkdtemp(prefix="coyote-trial-"))
    # as root, the database runs as another user, who has to get there
    folder.chmod(0o755)
    processes = Processes(folder / "club", broker_name(wish), host=host, hub_house=hub_house)
    try:
        yield processes
    finally:
        processes.close()
        shutil.rmtree(folder, ignore_errors=True)


def broker_name(wish: argparse.Namespace) -> str:
    """Name the broker that was asked for."""
    return "nats" if wish.nats else "mosquitto"


def tell(told: str) -> None:
    """Print a line at once."""
    sys.stdout.write(told + "\n")
    sys.stdout.flush()


def spread(seconds: list[float]) -> str:
    """Tell how long things took."""
    if len(seconds) < 2:
        return f"{len(seconds)} alone"
    parts = quantiles(seconds, n=100, method="inclusive")
    middle, late, most = (1000 * each for each in (median(seconds), parts[98], max(seconds)))
    return f"median {middle:.1f} ms, p99 {late:.1f} ms, most {most:.1f} ms"


def any_bodies(number: int, seed: int) -> list[list[str]]:
    """Play matches of all games, and give their lines."""
    rng, played = Random(seed), []
    while len(played) < number:
        with tempfile.TemporaryDirectory() as folder, open_journal(Path(folder, "j.sqlite3")) as opened:
            for match in islice(play(opened.journal, any_new_match(rng), rng), 400):
                last = match
        played.append(record_lines(last))
    return played


def memory_of(club: Processes) -> dict[str, float]:
    """Tell what broker, hub and database hold, in megabytes; the database beside its shared buffers."""
    held = {"broker": "Rss:", "hub": "Rss:", "database": "Pss_Anon:"}
    return {name: sum(_held(pid, held[name]) for pid in pids) / 1e6 for name, pids in _pids(club).items()}


def cpu_seconds(club: Processes) -> dict[str, float]:
    """Tell how much of a core broker, hub and database have taken so far."""
    return {name: sum(map(_cpu_of, pids)) for name, pids in _pids(club).items()}


def connections_of(club: Processes) -> str:
    """Count the connections at broker and database."""
    broker = club.broker.program.pid
    assert broker is not None
    sockets = [each for each in Path(f"/proc/{broker}/fd").iterdir() if _is_socket(each)]
    with club.pool.connection() as db:
        found = db.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
        ).fetchone()
    return f"{len(sockets)} sockets of the broker, {found[0] if found else 0} of the database"


def _is_socket(descriptor: Path) -> bool:
    with suppress(OSError):
        return str(descriptor.readlink()).startswith("socket:")
    return False


def database_size(club: Processes) -> int:
    """Tell how many bytes the database has on its disk."""
    with club.pool.connection() as db:
        found = db.execute("SELECT pg_database_size(current_database())").fetchone()
    return int(found[0]) if found else 0


def _cpu_of(pid: int) -> float:
    with suppress(OSError):
        spent = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[11:13]
        return sum(map(int, spent)) / os.sysconf("SC_CLK_TCK")
    return 0.0


def _pids(club: Processes) -> dict[str, list[int]]:
    broker, hub = club.broker.program.pid, club.hub
    assert broker is not None
    assert hub is not None
    assert hub.pid is not None
    return {"broker": [broker], "hub": [hub.pid], "database": _children(club.postgres)}


def _children(server: Postgres) -> list[int]:
    found = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text(encoding="ascii")
    return [int(each) for each in found.split()]


def _held(pid: int, how: str) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith(how))
