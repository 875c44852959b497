"""Many tables at a café's pace: how long an answer takes to its commit, and what is held for each table."""

import argparse
import asyncio
from time import perf_counter

from tests.firmware.club.processes import Processes
from tests.firmware.club.speaking import Answered, connect_all, play_on
from tests.trust.club.figures import (
    any_bodies,
    broker_name,
    connections_of,
    cpu_seconds,
    database_size,
    memory_of,
    opened_club,
    spread,
    tell,
)

LOOKS = 5
"""How often memory is looked at while tables play."""
GROWTH = 0.2
"""By how much a process may grow between the first look, when all have played, and the last one."""
WARM = 30.0
"""Megabytes by which it may grow in any case: caches fill."""


def try_many(wish: argparse.Namespace) -> bool:
    """Connect many tables, let each say an answer every few seconds, and see what the processes hold."""
    tables, rate, seconds = wish.tables or 1000, wish.rate or 0.25, 60 * (wish.minutes or 5.0)
    with opened_club(wish) as club:
        memberships = club.join(*(f"Table {number}" for number in range(tables)))
        matches = any_bodies(8, wish.seed)
        alone, spent = memory_of(club), cpu_seconds(club)
        held = list[dict[str, float]]()

        async def run() -> list[Answered]:
            began = perf_counter()
            speakers = await connect_all(memberships)
            tell(f"many: {tables} tables as tasks of one thread came in after {perf_counter() - began:.1f} s")
            end = perf_counter() + seconds
            jobs = [play_on(each, matches, 1 / rate, end, number) for number, each in enumerate(speakers)]
            looking = asyncio.create_task(_look(club, seconds, held))
            parts = await asyncio.gather(*jobs)
            await looking
            return [each for some in parts for each in some]

        took = asyncio.run(run())
        spent = {name: each - spent[name] for name, each in cpu_seconds(club).items()}
        connections, size = connections_of(club), database_size(club)
    tell(
        f"  each an answer every {1 / rate:g} s for {seconds / 60:g} minutes, by {broker_name(wish)}:"
        f" {len(took)} answers, {len(took) / seconds:.0f} a second, none lost"
    )
    tell(f"  acknowledged: {spread([each.seconds for each in took])}")
    last_fifth = max(each.at for each in took) - seconds / LOOKS
    late = [each.seconds for each in took if each.at > last_fifth]
    tell(f"  of them in the last fifth: {spread(late)}")
    tell(
        f"  time of a core for each answer: {_costs(spent, len(took))};"
        f" on disk {size / len(took):.0f} bytes each"
    )
    tell(f"  {_told(alone)} before the tables came")
    for number, each in enumerate(held, 1):
        tell(f"  {_told(each)} after {number}/{LOOKS} of the time")
    shares = {name: 1000 * (size - alone[name]) / tables for name, size in held[-1].items()}
    told = ", ".join(f"{name} {share:.0f} kB" for name, share in shares.items())
    tell(f"  for each table: {told}; connections: {connections}")
    return all(held[-1][name] <= held[0][name] * (1 + GROWTH) + WARM for name in alone)


async def _look(club: Processes, seconds: float, held: list[dict[str, float]]) -> None:
    for number in range(LOOKS):
        await asyncio.sleep(seconds / LOOKS)
        held.append(memory_of(club))
        tell(f"  … {number + 1}/{LOOKS} of the time")


def _told(held: dict[str, float]) -> str:
    return ", ".join(f"{name} {size:.0f} MB" for name, size in held.items())


def _costs(spent: dict[str, float], answers: int) -> str:
    return ", ".join(f"{name} {1000 * each / max(1, answers):.2f} ms" for name, each in spent.items())
