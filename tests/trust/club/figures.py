"""A club for a trial, the resources of its processes, and its printed figures."""

import argparse
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from random import Random

from club.start.trying import any_new_match, play
from firmware.storage.journal import open_journal
from plugins.club.tests.databases import passable_folder
from plugins.club.tests.processes import Processes
from referee.record import record_lines
from tests.trust import telling


@contextmanager
def opened_club(wish: argparse.Namespace, *, has_hub_way: bool = False) -> Iterator[Processes]:
    with passable_folder() as folder:
        processes = Processes(folder / "club", broker_name(wish), has_hub_way=has_hub_way)
        try:
            yield processes
        finally:
            processes.close()


def broker_name(wish: argparse.Namespace) -> str:
    return "nats" if wish.nats else "mosquitto"


def spread(seconds: list[float]) -> str:
    return f"{telling.spread(seconds, 1000)} ms"


def any_bodies(number: int, seed: int) -> list[list[str]]:
    rng, played = Random(seed), []
    while len(played) < number:
        with tempfile.TemporaryDirectory() as folder, open_journal(Path(folder, "j.sqlite3")) as opened:
            for match in islice(play(opened.journal, any_new_match(rng), rng), 400):
                last = match
        played.append(record_lines(last))
    return played


def memory_of(club: Processes) -> dict[str, float]:
    held = {"broker": "Rss:", "hub": "Rss:", "database": "Pss_Anon:"}
    return {name: sum(_held(pid, held[name]) for pid in pids) / 1e6 for name, pids in _pids(club).items()}


def cpu_seconds(club: Processes) -> dict[str, float]:
    return {name: sum(map(_cpu_of, pids)) for name, pids in _pids(club).items()}


def _cpu_of(pid: int) -> float:
    with suppress(OSError):
        spent = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[11:13]
        return sum(map(int, spent)) / os.sysconf("SC_CLK_TCK")
    return 0.0


def _pids(club: Processes) -> dict[str, list[int]]:
    broker, database = club.broker.program.running, club.postgres.program.running
    assert broker is not None
    assert database is not None
    assert club.hub is not None
    assert club.hub.pid is not None
    served = Path(f"/proc/{database.pid}/task/{database.pid}/children").read_text(encoding="ascii")
    return {"broker": [broker.pid], "hub": [club.hub.pid], "database": [int(each) for each in served.split()]}


def _held(pid: int, how: str) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith(how))
