"""Latency of a moment on every phone, and load times of pages meanwhile."""

import socket
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from urllib.request import urlopen

from firmware.table.client import TableClient
from hardware.twin.player import any_answer
from tests.bench.measured import Measured, p95, times_as_much
from tests.firmware.start.crowd import (
    ARRIVAL_INTERVAL,
    HERE,
    CrowdPlan,
    HeardMoment,
    Visit,
    listen_requests,
    visit,
)
from tests.firmware.start.crowded import LEAVING_SHARE, page_requests
from tests.firmware.start.served_table import ServedTable, serve_table
from webui.server.broadcast import pack_piece
from webui.server.events import event_text
from webui.server.serving import chunk

LIMIT = 60.0
PACE = 1.0  # approximate seconds between moments
RESULT = 2.0
"""Extra seconds for a result: longer than a phone's absence, shorter than a heartbeat."""
LATE = 2.0
"""Seconds that the crowd stays at the end: longer than a phone's absence, shorter than a heartbeat."""
SETTLED = 1.0  # seconds between the last phone's arrival and the first moment
BARE_HEAD = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n"
BARE_ROUNDS, BARE_PACE = 40, 0.2
ALONE = 5.0  # seconds of page loads without listening phones
MINUTE = 60.0


def phones(phones: int = 250, minutes: float = 1.0) -> Measured:
    """Phones: how soon a moment is on all of them, pages meanwhile."""
    with TemporaryDirectory() as folder, ExitStack() as ends:
        crowd = ends.enter_context(ProcessPoolExecutor(1, get_context("spawn")))
        table = ends.enter_context(serve_table(Path(folder)))
        bare, looks = _measure_yardstick(crowd, table, phones), page_requests(table.seats[0])
        alone = _p95_of_pages(crowd.submit(visit, CrowdPlan(table.port, ALONE, looks=looks)).result())
        coming, seconds = ARRIVAL_INTERVAL * phones + SETTLED, MINUTE * minutes
        listening = tuple(listen_requests(table.seats, phones))
        plan = CrowdPlan(table.port, coming + seconds + LATE, listening, LEAVING_SHARE, looks)
        seen = listen_while_played(crowd, table, plan, coming, seconds)
    moments, pages = p95_on_phones(table.told, seen.heard), _p95_of_pages(seen)
    return Measured(
        {
            "a moment on the phones, beside the same bytes by a bare loop (p95)": times_as_much(moments, bare),
            "a page meanwhile, beside one while no phone listens (p95)": times_as_much(pages, alone),
        },
        (f"in milliseconds: moments {moments}, by a bare loop {bare}; pages {pages}, alone {alone}",),
    )


def _p95_of_pages(seen: Visit) -> float | None:
    return p95(page.seconds for page in seen.seen if page.seconds)


# people and phones


def listen_while_played(
    crowd: Executor, table: ServedTable, plan: CrowdPlan, coming: float, seconds: float
) -> Visit:
    """Play while a crowd of phones listens; return the events that it received."""
    back = crowd.submit(visit, plan)
    sleep(coming)
    _play_on(table.client, seconds)
    return back.result()


def _play_on(client: TableClient, seconds: float) -> None:
    """Continue the match, followed by others."""
    rng, start = Random(1), monotonic()
    while monotonic() - start < seconds:
        match = client.moment()
        if match.asks:
            client.submit(any_answer(match.asks, match.number, rng)).result(LIMIT)
            sleep(PACE * rng.uniform(0.5, 1.5))
        else:
            sleep(RESULT)
            client.ask_rematch()
            sleep(PACE)


# the reference


def _measure_yardstick(crowd: ProcessPoolExecutor, table: ServedTable, count: int) -> float | None:
    """Send an event's bytes to as many sockets of the same crowd in a plain loop."""
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


# results


def p95_on_phones(told: Sequence[tuple[str, float]], heard: Iterable[HeardMoment]) -> float | None:
    """Return the 95th percentile of the latency to each phone that listened at that time."""
    at = dict(told)
    return p95(each.at - at[each.name] for each in heard if at.get(each.name, 0.0) > each.since)
