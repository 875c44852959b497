"""A hostile table: it forges, replays and sends huge messages at a table's pace; then it floods.

Latency of the other tables is measured: alone, beside the forger, during the flood, and after the table is
blocked.
"""

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from time import perf_counter, time

import msgspec

from club.tables import ClubTables
from firmware.storage.club import Membership
from plugins.club.tests.clubs import watched_gate
from plugins.club.tests.databases import values
from plugins.club.tests.processes import Processes, kill_process, start_process
from plugins.club.tests.speaking import Answered, MqttTable, can_connect, connect_all, play_on
from tests.scripts import say, spread
from tests.trust.club.figures import Sizes, any_bodies, opened_club
from tests.waiting import came

FORGED_BETWEEN = 0.1
LIMIT = 120.0
GIANT = 110_000


def try_hostile(wish: Sizes) -> bool:
    tables, rate, seconds = wish.tables, wish.rate, 60 * wish.minutes
    with opened_club(wish) as club, ExitStack() as ends:
        memberships = club.join(*(f"Table {number}" for number in range(tables)), "Forger", "Flood")
        *good, forger, flood = memberships
        ends.enter_context(watched_gate(club.broker, club.pool, club.secret, club.postgres.address))
        matches = any_bodies(8, wish.seed)
        times = list[float]()
        """When the flood began, and when its table was blocked."""

        async def harm() -> None:
            """Do nothing, then forge, then flood from a separate process, each for a third of the time."""
            await asyncio.sleep(seconds)
            forging = perf_counter() + seconds
            await _harm(forger, good[0].table, matches[0], lambda: perf_counter() < forging, FORGED_BETWEEN)
            times.append(perf_counter())
            said = (run_flood, flood, good[0].table, matches[0], time() + seconds)
            process = await asyncio.to_thread(start_process, *said)
            await asyncio.to_thread(process.join, seconds + LIMIT)
            await asyncio.to_thread(kill_process, process)

        async def run() -> list[Answered]:
            speakers, end = await connect_all(good), perf_counter() + 3 * seconds
            jobs = [play_on(each, matches, 1 / rate, end, number) for number, each in enumerate(speakers)]
            harming = asyncio.create_task(harm())
            shut = asyncio.create_task(
                asyncio.to_thread(came, lambda: _await_block(club), seconds=LIMIT + 3 * seconds)
            )
            shut.add_done_callback(lambda _over: times.append(perf_counter()))
            parts = await asyncio.gather(*jobs)
            await harming
            await shut
            return [each for some in parts for each in some]

        took = asyncio.run(run())
        wrong = values(club.pool, "SELECT DISTINCT table_name FROM quarantine ORDER BY 1")
        out = _await_block(club)
        comes_in_again = out == [flood.table] and _unblock(ClubTables(club.pool), flood)
    say(f"hostile: {tables} tables, {rate:g} answers a second each, 3 times {seconds:g} s: {len(took)} answers")
    began, cut = times
    for name, first, last in (
        ("alone", 0.0, began - seconds),
        ("beside one that forges, replays and sends giants", began - seconds, began),
        (f"while a flood lasts, {cut - began:.2f} s until it is cut off", began, cut),
        ("once it is cut off, though it goes on trying", cut, float("inf")),
    ):
        # including requests already in flight at its start
        some = [each.seconds for each in took if each.at + each.seconds >= first and each.at < last]
        say(f"  others {name}: {spread(some, 1000)} ms")
    say(f"  in quarantine: lines of {wrong} alone")
    say(f"  cut off: {out}; let in again by the director: {comes_in_again}")
    return set(wrong) <= {forger.table, flood.table} and comes_in_again


async def _harm(
    mine: Membership, victim: str, bodies: list[str], goes_on: Callable[[], bool], between: float
) -> None:
    """Send forbidden messages, and reconnect when the broker disconnects; a flood has no pauses."""
    speaker, quality = None, 1
    while goes_on():
        try:
            if speaker is None:
                speaker = MqttTable(mine.table)
                await speaker.connect(mine.port, mine.key)
            _send_hostile(speaker, victim, bodies, quality)
            # a flood alternates between messages with and without acknowledgement
            quality = 1 if between else 1 - quality
            await speaker.writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            speaker = None
        await asyncio.sleep(between if speaker else max(between, 0.05))


def _send_hostile(speaker: MqttTable, victim: str, bodies: list[str], quality: int) -> None:
    lines = [{"match": 1, "number": n, "hash": "0" * 64, "body": body} for n, body in enumerate(bodies[:50])]
    mine, forged = speaker.table, msgspec.json.encode({"epoch": "2" * 32, "lines": lines})
    for payload in (b"[" * GIANT, forged, b"\0" * 1000, b"{}"):
        speaker.say("lines", payload, quality)
    speaker.table = victim
    speaker.say("lines", forged, quality)
    speaker.table = mine


def run_flood(mine: Membership, victim: str, bodies: list[str], until: float) -> None:
    asyncio.run(_harm(mine, victim, bodies, lambda: time() < until, 0.0))


def _await_block(club: Processes) -> list[str]:
    return values(club.pool, "SELECT name FROM tables WHERE shut_out IS NOT NULL")


def _unblock(tables: ClubTables, mine: Membership) -> bool:
    """Check that the table is blocked; then accept it as the director, and check that it connects."""
    [call] = [each for each in tables.calls() if each.table == mine.table]
    # brokers reload their lists with a delay
    was_out = came(lambda: not can_connect(mine))
    tables.answer_call(call.table, call.id, "done", "")
    return was_out and came(lambda: can_connect(mine))
