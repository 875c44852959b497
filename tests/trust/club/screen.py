"""From the table to the screen: how long an answer takes to its commit, and to a screen that hears of it."""

import argparse
import asyncio
from collections.abc import Callable
from threading import Event
from time import perf_counter

from firmware.club.news import NewsRoom
from tests.firmware.club.speaking import Answered, Speaker, connect_all, play_on
from tests.trust.club.figures import any_bodies, broker_name, cpu_seconds, opened_club, spread, tell


def try_screen(wish: argparse.Namespace) -> bool:
    """Let tables say answers, and take the time until they are committed, and until a screen hears of them."""
    tables, rate, seconds = wish.tables or 50, wish.rate or 10.0, 60 * (wish.minutes or 0.5)
    with opened_club(wish) as club:
        room = NewsRoom(club.postgres.address)
        listening, over = room.subscribe(), Event()
        memberships = club.join(*(f"Table {number}" for number in range(tables)))
        matches = any_bodies(8, wish.seed)
        began: dict[str, float] = {}
        shown: list[float] = []

        async def run() -> list[Answered]:
            end = perf_counter() + seconds
            speakers = await connect_all(memberships)
            for speaker in speakers:
                _note_beginnings(speaker, began)
            ear = asyncio.create_task(asyncio.to_thread(_hear_screen, listening.next, began, shown, over))
            jobs = (play_on(speaker, matches, 1 / rate, end, n) for n, speaker in enumerate(speakers))
            took = [each for some in await asyncio.gather(*jobs) for each in some]
            over.set()
            await ear
            return took

        before = cpu_seconds(club)
        acked = asyncio.run(run())
        busy = {name: spent - before[name] for name, spent in cpu_seconds(club).items()}
        room.close()
    tell(
        f"screen: {tables} tables as tasks, {rate:g} answers a second each, {seconds:g} s,"
        f" {len(acked)} answers ({len(acked) / seconds:.0f} a second) by {broker_name(wish)}"
    )
    tell(f"  table -> acknowledged commit: {spread([each.seconds for each in acked])}")
    tell(f"  table -> screen told ({len(shown)} times): {spread(shown)}")
    costs = ", ".join(f"{name} {1000 * spent / max(1, len(acked)):.2f} ms" for name, spent in busy.items())
    tell(f"  time of a core for each answer, however busy the machine is: {costs}")
    return True


def _note_beginnings(speaker: Speaker, began: dict[str, float]) -> None:
    """Note when a table says the oldest answer that no screen has heard of."""
    say = speaker.say

    def note(what: str, payload: bytes, quality: int = 1) -> None:
        began.setdefault(speaker.table, perf_counter())
        say(what, payload, quality)

    speaker.say = note  # type: ignore[method-assign]


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
