"""A table that means harm: it forges, replays and sends giants at a table's pace; then it floods.

The others go on playing, and are timed: alone, beside the forger, while the flood lasts, once it is cut off.
"""

import argparse
import asyncio
from collections.abc import Callable
from contextlib import ExitStack, suppress
from multiprocessing.process import BaseProcess
from time import perf_counter, sleep, time

import msgspec

from firmware.start.club.tables_door import ClubTables
from firmware.storage.club_membership import Membership
from tests.firmware.club.clubs import watched_gate
from tests.firmware.club.processes import Processes, kill_process, start_process
from tests.firmware.club.speaking import Answered, Speaker, connect_all, play_on
from tests.trust.club.figures import any_bodies, broker_name, opened_club, spread, tell

FORGED_BETWEEN = 0.1
LIMIT = 120.0
GIANT = 110_000


def try_hostile(wish: argparse.Namespace) -> bool:
    """Time the others, and see what the hostile ones have come to."""
    tables, rate, seconds = wish.tables or 50, wish.rate or 2.0, 60 * (wish.minutes or 0.5)
    with opened_club(wish) as club, ExitStack() as ends:
        memberships = club.join(*(f"Table {number}" for number in range(tables)), "Forger", "Flood")
        *good, forger, flood = memberships
        ends.enter_context(watched_gate(club.broker, club.pool, club.secret, club.postgres.address))
        matches = any_bodies(8, wish.seed)
        club_tables, flooding = ClubTables(club.pool), _Flooding()

        async def run() -> list[Answered]:
            speakers, end = await connect_all(good), perf_counter() + 3 * seconds
            jobs = [play_on(each, matches, 1 / rate, end, number) for number, each in enumerate(speakers)]
            harm = asyncio.create_task(
                _harm_by_turns(forger, flood, good[0].table, matches[0], seconds, flooding)
            )
            shut = asyncio.create_task(asyncio.to_thread(_await_shut, club, flooding, end))
            parts = await asyncio.gather(*jobs)
            await harm
            await shut
            return [each for some in parts for each in some]

        took = asyncio.run(run())
        wrong, out = _quarantined(club), _shut_out(club)
        comes_in_again = out == [flood.table] and _let_in_again(club_tables, flood)
    tell(
        f"hostile: {tables} tables as tasks, {rate:g} answers a second each, 3 times {seconds:g} s,"
        f" by {broker_name(wish)}: {len(took)} answers, none lost"
    )
    began, forging, cut = flooding.began, flooding.began - seconds, flooding.cut
    for name, first, last in (
        ("alone", 0.0, forging),
        ("beside one that forges, replays and sends giants", forging, began),
        (f"while a flood lasts, {cut - began:.2f} s until it is cut off", began, cut),
        ("once it is cut off, though it goes on trying", cut, float("inf")),
    ):
        # also those that were under way when it began
        times = [each.seconds for each in took if each.at + each.seconds >= first and each.at < last]
        tell(f"  others {name}: {spread(times)}")
    tell(f"  in quarantine: lines of {wrong} alone")
    tell(f"  cut off: {out}; let in again by the director: {comes_in_again}")
    return set(wrong) <= {forger.table, flood.table} and comes_in_again


class _Flooding:
    """When the flood began, and when its table was cut off."""

    began = cut = float("inf")


async def _harm_by_turns(
    forger: Membership, flood: Membership, victim: str, bodies: list[str], seconds: float, flooding: _Flooding
) -> None:
    """Do nothing, then forge, then flood from a process of its own, each for a third of the time."""
    await asyncio.sleep(seconds)
    await _forge(forger, victim, bodies, perf_counter() + seconds)
    flooding.began = perf_counter()
    process = await asyncio.to_thread(start_process, run_flood, flood, victim, bodies, time() + seconds)
    await asyncio.to_thread(_await_end, process)


def _await_end(process: BaseProcess) -> None:
    process.join(LIMIT)
    kill_process(process)


def _await_shut(club: Processes, flooding: _Flooding, end: float) -> None:
    while perf_counter() < end + LIMIT:
        if _shut_out(club):
            flooding.cut = perf_counter()
            return
        sleep(0.02)


async def _forge(mine: Membership, victim: str, bodies: list[str], end: float) -> None:
    """Say what a table shouldn't, at its pace, and come back when the broker cuts it off."""
    while perf_counter() < end:
        with suppress(OSError, asyncio.IncompleteReadError):
            speaker = Speaker(mine.table)
            await speaker.connect(mine.port, mine.key)
            while perf_counter() < end:
                _say_harm(speaker, victim, bodies, quality=1)
                await speaker.writer.drain()
                await asyncio.sleep(FORGED_BETWEEN)
        await asyncio.sleep(FORGED_BETWEEN)


def _say_harm(speaker: Speaker, victim: str, bodies: list[str], quality: int) -> None:
    mine, forged = speaker.table, _lines(bodies, "0" * 64)
    for payload in (b"[" * GIANT, forged, b"\0" * 1000, b"{}"):
        speaker.say("lines", payload, quality)
    speaker.table = victim
    speaker.say("lines", forged, quality)
    speaker.table = mine


def _lines(bodies: list[str], wrong_hash: str) -> bytes:
    lines = [{"match": 1, "number": n, "hash": wrong_hash, "body": body} for n, body in enumerate(bodies[:50])]
    return msgspec.json.encode({"epoch": "2" * 32, "lines": lines})


def run_flood(mine: Membership, victim: str, bodies: list[str], until: float) -> None:
    """Flood as fast as the broker takes it, by turns with and without acknowledgement, until a time of day."""
    asyncio.run(_flood(mine, victim, bodies, until))


async def _flood(mine: Membership, victim: str, bodies: list[str], until: float) -> None:
    quality = 0
    while time() < until:
        with suppress(OSError, asyncio.IncompleteReadError):
            speaker = Speaker(mine.table)
            await speaker.connect(mine.port, mine.key)
            while time() < until:
                _say_harm(speaker, victim, bodies, quality)
                quality = 1 - quality
                await speaker.writer.drain()
                await asyncio.sleep(0)
        await asyncio.sleep(0.05)


def _quarantined(club: Processes) -> list[str]:
    with club.pool.connection() as db:
        return [name for (name,) in db.execute("SELECT DISTINCT table_name FROM quarantine ORDER BY 1")]


def _shut_out(club: Processes) -> list[str]:
    with club.pool.connection() as db:
        return [name for (name,) in db.execute("SELECT name FROM tables WHERE shut_out IS NOT NULL")]


def _let_in_again(tables: ClubTables, mine: Membership) -> bool:
    """See that the table can't come in; then answer the call as the director does, and see that it can."""
    [call] = [each for each in tables.calls() if each.table == mine.table]
    was_out = _await(lambda: not _can_come_in(mine))
    tables.answer_call(call.table, call.id, "done", "")
    return was_out and _await(lambda: _can_come_in(mine))


def _can_come_in(mine: Membership) -> bool:
    async def try_it() -> bool:
        speaker = Speaker(mine.table)
        try:
            await speaker.connect(mine.port, mine.key)
        except (OSError, asyncio.IncompleteReadError):
            return False
        speaker.writer.close()
        return True

    return asyncio.run(try_it())


def _await(is_so: Callable[[], bool]) -> bool:
    """Wait until something is so, as brokers read their lists in their own time."""
    end = perf_counter() + LIMIT
    while perf_counter() < end:
        if is_so():
            return True
        sleep(0.2)
    return False
