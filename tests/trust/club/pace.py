"""Many tables at a café's pace: time from an answer to its commit, and memory per table."""

import asyncio
from time import perf_counter

from firmware.storage.club import Membership
from plugins.club.tests.processes import Processes
from plugins.club.tests.speaking import Answered, connect_all, play_on
from tests.scripts import say
from tests.trust.club.figures import Sizes, any_bodies, broker_name, cpu_seconds, memory_of, opened_club, spread

LOOKS = 5  # memory samples during play
GROWTH = 0.2
"""Allowed growth of a process between the first sample, after all have played, and the last one."""
WARM = 30.0  # allowed growth in megabytes in any case, because caches fill


def try_many(wish: Sizes) -> bool:
    tables, rate, seconds = wish.tables or 1000, wish.rate or 0.25, 60 * (wish.minutes or 5.0)
    with opened_club(wish) as club:
        memberships = club.join(*(f"Table {number}" for number in range(tables)))
        alone, before, held = memory_of(club), cpu_seconds(club), list[dict[str, float]]()

        async def run() -> list[Answered]:
            looking = asyncio.create_task(_look(club, seconds, held))
            took = await _play(memberships, rate, seconds, wish.seed)
            await looking
            return took

        took = asyncio.run(run())
        busy = {name: spent - before[name] for name, spent in cpu_seconds(club).items()}
    say(
        f"many: {tables} tables as tasks of a thread, each an answer every {1 / rate:g} s for {seconds / 60:g}"
        f" minutes, by {broker_name(wish)}: {len(took)} answers, {len(took) / seconds:.0f} a second, none lost"
    )
    last_fifth = max(each.at for each in took) - seconds / LOOKS
    say(f"  acknowledged: {spread([each.seconds for each in took])}")
    say(f"  of them in the last fifth: {spread([each.seconds for each in took if each.at > last_fifth])}")
    costs = ", ".join(f"{name} {1000 * each / len(took):.2f} ms" for name, each in busy.items())
    say(f"  time of a core for each answer: {costs}")
    for number, each in enumerate((alone, *held)):
        say(f"  {', '.join(f'{name} {size:.0f} MB' for name, size in each.items())} after {number}/{LOOKS}")
    shares = {name: 1000 * (size - alone[name]) / tables for name, size in held[-1].items()}
    say(f"  for each table: {', '.join(f'{name} {share:.0f} kB' for name, share in shares.items())}")
    return all(held[-1][name] <= held[0][name] * (1 + GROWTH) + WARM for name in alone)


async def _play(memberships: list[Membership], rate: float, seconds: float, seed: int) -> list[Answered]:
    matches, speakers = any_bodies(8, seed), await connect_all(memberships)
    end = perf_counter() + seconds
    jobs = (play_on(each, matches, 1 / rate, end, number) for number, each in enumerate(speakers))
    return [each for some in await asyncio.gather(*jobs) for each in some]


async def _look(club: Processes, seconds: float, held: list[dict[str, float]]) -> None:
    for number in range(LOOKS):
        await asyncio.sleep(seconds / LOOKS)
        held.append(memory_of(club))
        say(f"  … {number + 1}/{LOOKS} of the time")
