"""A club for a trial, the resources of its processes, and its printed figures."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from random import Random

from msgspec import Struct

from club.start.trying import any_new_match, play
from firmware.storage.journal import open_journal
from plugins.club.tests.databases import passable_folder
from plugins.club.tests.processes import Processes
from referee.record import record_lines
from tests import scripts
from tests.given import present
from tests.proc import cpu_seconds as seconds_of
from tests.proc import read, reported


class Sizes(Struct, frozen=True):
    """How much a trial does; a zero stands for its usual size."""

    tables: int
    rate: float
    minutes: float
    count: int
    matches: int
    nats: bool
    seed: int


@contextmanager
def opened_club(wish: Sizes, *, has_hub_way: bool = False) -> Iterator[Processes]:
    with passable_folder() as folder:
        processes = Processes(folder / "club", broker_name(wish), has_hub_way=has_hub_way)
        try:
            yield processes
        finally:
            processes.close()


def broker_name(wish: Sizes) -> str:
    return "nats" if wish.nats else "mosquitto"


def spread(seconds: list[float]) -> str:
    return f"{scripts.spread(seconds, 1000)} ms"


def any_bodies(number: int, seed: int) -> list[list[str]]:
    rng, played = Random(seed), []
    while len(played) < number:
        with tempfile.TemporaryDirectory() as folder, open_journal(Path(folder, "j.sqlite3")) as opened:
            for match in islice(play(opened.journal, any_new_match(rng), rng), 400):
                last = match
        played.append(record_lines(last))
    return played


def memory_of(club: Processes) -> dict[str, float]:
    held = {"broker": "Rss", "hub": "Rss", "database": "Pss_Anon"}
    return {
        name: sum(1024 * reported(held[name], f"{pid}/smaps_rollup") for pid in pids) / 1e6
        for name, pids in _pids(club).items()
    }


def cpu_seconds(club: Processes) -> dict[str, float]:
    return {name: sum(map(seconds_of, pids)) for name, pids in _pids(club).items()}


def _pids(club: Processes) -> dict[str, list[int]]:
    broker, database = present(club.broker.program.running), present(club.postgres.program.running)
    served = read(database.pid, f"task/{database.pid}/children").split()
    return {"broker": [broker.pid], "hub": [present(present(club.hub).pid)], "database": list(map(int, served))}
