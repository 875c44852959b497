"""How soon a moment is on every phone, and how long pages take meanwhile."""

import socket
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack
from math import inf
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from urllib.request import urlopen

from msgspec import Struct

from firmware.table.door import TableDoor
from hardware.twin.player import any_answer
from tests.bench.measured import Measured, amount, bench, p95, percent, times_as_much
from tests.firmware.start.crowd import APART, HERE, CrowdPlan, HeardMoment, Visit, listen_requests, visit
from tests.firmware.start.crowded import LEAVING, page_requests
from tests.firmware.start.served_table import ServedTable, serve_table
from webui.server.broadcast import pack_piece
from webui.server.events import event_text
from webui.server.serving import chunk

LIMIT = 60.0
PACE = 1.0  # seconds from one moment to the next, about
RESULT = 2.0
"""Seconds more for which people look at a result: longer than a phone is away, too short for a beat."""
LATE = 2.0
"""Seconds that the crowd stays at the end: longer than a phone is away, too short for a beat."""
SETTLED = 1.0  # seconds from the last phone's coming to the first moment
BARE_HEAD = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n"
BARE_ROUNDS, BARE_PACE = 40, 0.2
ALONE = 5.0  # seconds for which pages are looked at while no phone listens
MINUTE = 60.0


class Delivery(Struct, frozen=True):
    """What became of the moments that were told, on all phones together."""

    heard: int
    missed: int
    doubled: int
    lost: int  # how often the table dropped a phone that wanted to stay


class PhonesFigures(Struct, frozen=True):
    """What was measured until slow clients came; times in milliseconds, of 95 in 100 at most."""

    delivered: Delivery
    bare: float | None
    """The yardstick: the same bytes to as many sockets, by a bare loop, to the same crowd."""
    events: float | None
    alone: float | None  # the yardstick for pages: while no phone listens
    pages: float | None
    memory: tuple[float, ...]  # megabytes at the start, after each minute, and at the end


@bench("Phones: how soon a moment is on all of them, pages meanwhile, memory; with slow clients.", seed=None)
@amount("phones", 250, "How many listen.", 1, 300)
@amount("minutes", 1.0, "How long.", 0.05, 600)
@amount("slow", 200, "How many slow or half-open clients come when half of the time is over.", 0, 300)
def phones(phones: int, minutes: float, slow: int) -> Measured:
    found = measure(phones, MINUTE * minutes, slow)
    wrong = found.delivered.missed + found.delivered.doubled
    ratios = {
        "a moment on the phones, beside the same bytes by a bare loop (p95)": (found.events, found.bare),
        "a page meanwhile, beside one while no phone listens (p95)": (found.pages, found.alone),
    }
    return Measured(
        {
            **{what: times_as_much(*times) for what, times in ratios.items()},
            "moments missed or heard twice": percent(wrong, found.delivered.heard),
            "memory at the end, beside the start": times_as_much(found.memory[-1], found.memory[0]),
        },
        (str(found),),
    )


def measure(count: int, seconds: float, slow: int) -> PhonesFigures:
    with TemporaryDirectory() as folder, ExitStack() as ends:
        crowd = ends.enter_context(ProcessPoolExecutor(1, get_context("spawn")))
        table = ends.enter_context(serve_table(Path(folder)))
        bare = _measure_yardstick(crowd, table, count)
        alone = crowd.submit(visit, CrowdPlan(table.port, ALONE, looks=page_requests(table.seats[0]))).result()
        coming, memory = APART * count + SETTLED, [_memory()]
        half, whole = coming + seconds / 2, coming + seconds + LATE
        listening = tuple(listen_requests(table.seats, count))
        plan = CrowdPlan(table.port, whole, listening, LEAVING, page_requests(table.seats[0]), slow, half)
        start = monotonic()
        seen = listen_while_played(crowd, table, plan, coming, seconds, memory)
    until = start + half if slow else inf
    lives = [taken for at, taken in delivery_times(table.told, seen.heard) if at < until]
    return PhonesFigures(
        _delivery(table.told, seen, count),
        bare,
        p95(lives),
        _p95_of_pages(alone, inf),
        _p95_of_pages(seen, until),
        tuple(memory),
    )


def _p95_of_pages(seen: Visit, until: float) -> float | None:
    return p95(page.seconds for page in seen.seen if page.seconds and page.at < until)


# people and phones


def listen_while_played(
    crowd: Executor, table: ServedTable, plan: CrowdPlan, coming: float, seconds: float, memory: list[float]
) -> Visit:
    """Let a crowd come, play while it listens, and return what it heard."""
    back = crowd.submit(visit, plan)
    sleep(coming)
    _play_on(table.door, seconds, memory)
    # what the crowd saw takes memory, too
    memory.append(_memory())
    return back.result()


def _play_on(door: TableDoor, seconds: float, memory: list[float]) -> None:
    """Let the match go on, and others after it; note the memory, in megabytes, after each minute."""
    rng, start = Random(1), monotonic()
    while (spent := monotonic() - start) < seconds:
        if spent >= MINUTE * len(memory):
            memory.append(_memory())
        match = door.moment()
        if match.asks:
            door.submit(any_answer(match.asks, match.number, rng)).result(LIMIT)
            sleep(PACE * rng.uniform(0.5, 1.5))
        else:
            sleep(RESULT)
            door.ask_rematch()
            sleep(PACE)


def _memory() -> float:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    kilobytes = int(status.partition("VmRSS:")[2].split()[0])
    return round(kilobytes / 1024, 1)


# the yardstick


def _measure_yardstick(crowd: ProcessPoolExecutor, table: ServedTable, count: int) -> float | None:
    """Send the bytes of an event to as many sockets of the same crowd, by a bare loop."""
    with urlopen(f"http://{HERE}:{table.port}/") as page:
        drawn = page.read().decode().partition('<div id="part">')[2].partition("<aside")[0]
    seconds = BARE_ROUNDS * BARE_PACE + LATE
    with socket.create_server((HERE, 0), backlog=count) as server:
        listening = tuple(listen_requests(table.seats, count))
        back = crowd.submit(visit, CrowdPlan(server.getsockname()[1], seconds, listening))
        told = _broadcast(server, count, drawn)
        return p95_on_phones(told, back.result().heard)


def _broadcast(server: socket.socket, count: int, drawn: str) -> list[tuple[str, float]]:
    told, phones = list[tuple[str, float]](), [server.accept()[0] for _phone in range(count)]
    for phone in phones:
        phone.sendall(BARE_HEAD)
    for number in range(BARE_ROUNDS):
        sleep(BARE_PACE)
        told.append((f"bare#{number}", monotonic()))
        event = chunk(pack_piece(event_text("moment", drawn, f"bare#{number}").encode()))
        for phone in phones:
            phone.sendall(event)
    sleep(BARE_PACE)
    for phone in phones:
        phone.close()
    return told


# what it comes to


def delivery_times(
    told: Sequence[tuple[str, float]], heard: Iterable[HeardMoment]
) -> list[tuple[float, float]]:
    """List when a moment was told, and how long it took to a phone that listened by then."""
    at = dict(told)
    return [(at[each.name], each.at - at[each.name]) for each in heard if at.get(each.name, 0.0) > each.since]


def p95_on_phones(told: Sequence[tuple[str, float]], heard: Iterable[HeardMoment]) -> float | None:
    return p95(taken for _at, taken in delivery_times(told, heard))


def _delivery(told: Sequence[tuple[str, float]], seen: Visit, count: int) -> Delivery:
    """Compare what was told with what each phone heard, from its first moment on."""
    order = {name: number for number, (name, _at) in enumerate(told)}
    by_phone = defaultdict[int, list[int]](list)
    for each in seen.heard:
        if each.name in order:
            by_phone[each.phone].append(order[each.name])
    missed = sum(_count_missed(by_phone[phone], len(told)) for phone in range(count))
    heard = sum(map(len, by_phone.values()))
    doubled = sum(len(moments) - len(set(moments)) for moments in by_phone.values())
    return Delivery(heard, missed, doubled, seen.lost)


def _count_missed(moments: Sequence[int], told: int) -> int:
    """Count what a phone should have heard and hasn't; one that never heard anything has missed all."""
    return told - min(moments, default=0) - len(set(moments))
