"""How soon a moment is on every phone, and how long pages take meanwhile."""

import os
import re
import socket
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from gzip import decompress
from multiprocessing import get_context
from pathlib import Path
from queue import SimpleQueue
from random import Random
from statistics import quantiles
from tempfile import TemporaryDirectory
from threading import Thread
from time import monotonic, sleep

import click
from gpiozero.pins.mock import MockFactory  # type: ignore[import-untyped]
from msgspec import Struct
from msgspec.structs import replace

from firmware.board.senses.buttons import Buttons
from firmware.board.senses.hands import Hands
from firmware.board.voices.speech import Sound
from firmware.board.voices.voices import Voices
from firmware.cli.terminal import listener_of
from firmware.parts.addresses import UNSAID, TableAddress
from firmware.parts.live_pictures import LivePictures
from firmware.start.filling import fill_table
from firmware.start.table_parts import bare_parts, places_in
from firmware.storage.database import connected_for_a_thread
from firmware.storage.journal import open_journal
from firmware.storage.people.evening import Device, join_seat
from firmware.storage.people.links import draw_codes
from firmware.storage.people.links_file import LinksFile
from firmware.table.door import TableDoor
from firmware.table.logbook import Logbook
from firmware.table.loop import Companion
from firmware.table.parts import Item, Parts, Stop
from firmware.table.watcher import EyesProcess, Watcher
from firmware.table.writer import Writer
from firmware.twin.simulated_board import WatchedPin
from hardware.board.board import our_boards
from hardware.twin.player import any_answer
from referee.match import Match
from referee.telling import Listener
from tests.bench.crowd import APART, HERE, CrowdPlan, FetchedPage, HeardMoment, Visit, is_whole, visit
from tests.bench.measured import json_option, print_figures
from tests.bench.simulated_table import coyote_match
from webui.access.viewers import SEAT
from webui.server.app import create_app
from webui.server.events import event_id, event_text
from webui.server.packing import pack_piece
from webui.server.serving import chunk, serve

BOARD = "six"
NAMES = ("Ana", "Bo", "Chloé", "Dan", "Eve", "Fay")
LIMIT = 60.0
PACE = 1.0
"""Seconds from one moment to the next, about."""
RESULT = 2.0
"""Seconds more for which people look at a result: longer than a phone is away, too short for a beat."""
LATE = 2.0
"""Seconds that the crowd stays at the end: longer than a phone is away, too short for a beat."""
SETTLED = 1.0
"""Seconds from the last phone's coming to the first moment."""
BARE_HEAD = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n"
BARE_ROUNDS, BARE_PACE = 40, 0.2
ALONE = 5.0
"""Seconds for which pages are looked at while no phone listens."""
LEAVING = 0.2
"""The share of the phones that go away each minute, and come back."""
MINUTE = 60.0
PAGES = ("/", "/seat", "/join", "/history", "/static/style.css", "/host")
LANGUAGES = ("en", "fr")


class Times(Struct, frozen=True):
    """How long something took, in milliseconds."""

    count: int
    median: float
    p99: float
    most: float


class Delivery(Struct, frozen=True):
    """What became of the moments that were told, on all phones together."""

    moments: int
    heard: int
    made_up: int
    """Moments that came after a phone had been away."""
    missed: int
    doubled: int
    left: int
    lost: int


class Weight(Struct, frozen=True):
    """What the score page costs a phone, with all it needs, in bytes on the wire."""

    requests: int
    bytes: int
    holding: int
    """Scripts that the first paint waits for."""


class PhonesFigures(Struct, frozen=True):
    """What was measured."""

    phones: int
    slow: int
    seconds: float
    delivered: Delivery
    bare: Times
    """The yardstick: the same bytes to as many sockets, by a bare loop, to the same crowd."""
    events: Times
    events_slow: Times | None
    alone: Times
    """The yardstick for pages: while no phone listens."""
    pages: Times
    pages_slow: Times | None
    unanswered: int
    memory: tuple[float, ...]
    """Megabytes at the start, after each minute, and at the end."""
    weight: Weight
    load: tuple[float, float]
    """Of the machine, before and after."""


@click.command(help="Phones: how soon a moment is on all of them, pages meanwhile, memory; with slow clients.")
@click.option(
    "--phones", "count", default=250, show_default=True, type=click.IntRange(1, 300), help="How many listen."
)
@click.option("--minutes", default=1.0, show_default=True, type=click.FloatRange(0.05, 600), help="How long.")
@click.option(
    "--slow",
    default=200,
    show_default=True,
    type=click.IntRange(0, 300),
    help="How many slow or half-open clients come when half of the time is over.",
)
@json_option
def phones(count: int, minutes: float, slow: int, *, as_json: bool) -> None:
    """Measure the pages."""
    figures = measure(count, MINUTE * minutes, slow)
    print_figures("phones", {"figures": figures}, _table(figures), as_json=as_json)


def measure(count: int, seconds: float, slow: int) -> PhonesFigures:
    """Measure the yardsticks, then the table with its phones."""
    before = os.getloadavg()[0]
    with TemporaryDirectory() as folder, ExitStack() as ends:
        crowd = ends.enter_context(ProcessPoolExecutor(1, get_context("spawn")))
        table = ends.enter_context(serve_table(Path(folder)))
        weight = _weigh_page(table.port)
        bare = _measure_yardstick(crowd, table, count)
        alone = crowd.submit(visit, CrowdPlan(table.port, ALONE, looks=_page_requests(table))).result()
        coming, memory = APART * count + SETTLED, [_memory()]
        half, whole = coming + seconds / 2, coming + seconds + LATE
        wish = CrowdPlan(
            table.port, whole, tuple(listen_requests(table, count)), LEAVING, _page_requests(table), slow, half
        )
        crowd_back, start = crowd.submit(visit, wish), monotonic()
        sleep(coming)
        play_on_table(table.door, seconds, memory)
        # what the crowd saw takes memory, too
        memory.append(_memory())
        seen = crowd_back.result()
        lives = delivery_times(table.told, seen.heard)
    return PhonesFigures(
        phones=count,
        slow=slow,
        seconds=seconds,
        delivered=_delivery(table.told, seen, count),
        bare=bare,
        events=times_of([taken for at, taken in lives if at < start + half or not slow]),
        events_slow=times_of([taken for at, taken in lives if at >= start + half]) if slow else None,
        alone=times_of(_fetch_times(alone.seen)),
        pages=times_of(_fetch_times(page for page in seen.seen if page.at < start + half or not slow)),
        pages_slow=times_of(_fetch_times(page for page in seen.seen if page.at >= start + half))
        if slow
        else None,
        unanswered=sum(page.seconds is None for page in seen.seen),
        memory=tuple(memory),
        weight=weight,
        load=(round(before, 2), round(os.getloadavg()[0], 2)),
    )


# a table that serves its pages


class ServedTable(Struct, frozen=True, eq=False):
    """A table whose pages are served, and what it has told so far."""

    door: TableDoor
    port: int
    seats: tuple[str, ...]
    """The tokens of the phones that hold the seats."""
    told: list[tuple[str, float]]
    """The name of each moment, and when."""


class StampedVoices(Voices):
    """Voices that note when a moment is told: phones are told right after them."""

    def __init__(self, told: list[tuple[str, float]], factory: MockFactory) -> None:
        """Take the list to note it in."""
        super().__init__(our_boards()[BOARD], Sound(volume=0), factory)
        self._told = told

    def tell(self, match: Match, listener: Listener, *, is_in_trouble: bool = False) -> None:
        """Tell a new moment."""
        self._told.append((event_id(match), monotonic()))
        super().tell(match, listener, is_in_trouble=is_in_trouble)


class NoEyes:
    """No camera: cards are tapped in."""

    def tell(self, order: object) -> None:
        """See nothing."""

    def close(self) -> None:
        """Hold nothing."""


@contextmanager
def serve_table(
    folder: Path, see: Callable[[], EyesProcess] | None = None, live: LivePictures | None = None
) -> Iterator[ServedTable]:
    """Let a companion run on simulated pins, and serve its pages; without eyes cards are tapped in."""
    queue, factory, told = SimpleQueue[Item](), MockFactory(pin_class=WatchedPin), list[tuple[str, float]]()
    board, path = our_boards()[BOARD], folder / "journal.sqlite3"
    with open_journal(path, connected_for_a_thread) as opened:
        loop_parts = Parts(
            queue,
            Hands(board),
            Buttons(board, queue.put, factory),
            StampedVoices(told, factory),
            Writer(opened.journal, queue.put),
            NoEyes() if see is None else Watcher(see, queue.put),
            Logbook(folder / "log.jsonl"),
            listener_of,
        )
        companion = Companion(loop_parts, coyote_match(NAMES), None)
        thread = Thread(target=companion.run)
        thread.start()
        parts = bare_parts(companion.door, folder)
        if live is not None:
            parts = replace(parts, live=live)
        services = fill_table(companion.door, parts, places_in(folder), "en", TableAddress(UNSAID["http"]))
        server = serve(create_app(services), HERE, 0)
        try:
            yield ServedTable(companion.door, server.port, _seat_phones(parts.links), told)
        finally:
            server.shutdown()
            server.server_close()
            queue.put(Stop())
            thread.join()
    factory.reset()


def _seat_phones(links_file: LinksFile) -> tuple[str, ...]:
    """Let a phone in at each seat, and give their tokens."""
    tokens = tuple(f"phone-{seat}" for seat in range(len(NAMES)))
    for seat, (token, code) in enumerate(zip(tokens, draw_codes(len(NAMES)), strict=True)):
        links_file.change(partial(join_seat, seat=seat, device=Device(token), fresh=code))
    return tokens


def play_on_table(door: TableDoor, seconds: float, memory: list[float]) -> None:
    """Let the match go on, and others after it; note the memory after each minute."""
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
    """Give the memory that this process holds, in megabytes."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    kilobytes = int(status.partition("VmRSS:")[2].split()[0])
    return round(kilobytes / 1024, 1)


# what phones say


def listen_requests(table: ServedTable, count: int) -> Iterator[bytes]:
    """Have as many phones as there are seats listen at one; the others look on. They speak in turn."""
    seats = table.seats
    for number in range(count):
        tongue = LANGUAGES[number % len(LANGUAGES)]
        sits = number < len(seats)
        said = {
            "Accept-Language": tongue,
            "Accept-Encoding": "gzip",
            **({"Cookie": f"{SEAT}={seats[number]}"} if sits else {}),
        }
        yield request_head("/events/seat" if sits else "/events/score", said)


def _page_requests(table: ServedTable) -> tuple[bytes, ...]:
    seat = table.seats[0]
    return tuple(request_head(page, {"Cookie": f"{SEAT}={seat}"}) for page in PAGES)


def request_head(path: str, said: Mapping[str, str]) -> bytes:
    """Write what a browser says, without the line that ends it."""
    lines = (f"GET {path} HTTP/1.1", f"Host: {HERE}", *(f"{name}: {text}" for name, text in said.items()))
    return "".join(f"{line}\r\n" for line in lines).encode()


# the yardstick


def _measure_yardstick(crowd: ProcessPoolExecutor, table: ServedTable, count: int) -> Times:
    """Send the bytes of an event to as many sockets of the same crowd, by a bare loop."""
    drawn = (
        _unpack_page(_fetch(table.port, "/")).decode().partition('<div id="part">')[2].partition("<aside")[0]
    )
    seconds = BARE_ROUNDS * BARE_PACE + LATE
    with socket.create_server((HERE, 0), backlog=count) as server:
        listening = tuple(listen_requests(table, count))
        back = crowd.submit(visit, CrowdPlan(server.getsockname()[1], seconds, listening))
        told = _broadcast(server, count, drawn)
        return times_of([taken for _at, taken in delivery_times(told, back.result().heard)])


def _broadcast(server: socket.socket, count: int, drawn: str) -> list[tuple[str, float]]:
    """Send it to all of them, again and again."""
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


# what a page weighs


def _weigh_page(port: int) -> Weight:
    """Fetch the score page as a browser does, with all that it needs."""
    page = _fetch(port, "/")
    tags = re.findall(rb"<(?:link|script)\b[^>]*>", _unpack_page(page))
    needed = {match[1].decode() for tag in tags if (match := re.search(rb'(?:href|src)="(/[^"]+)"', tag))}
    holding = sum(tag.startswith(b"<script") and b"defer" not in tag for tag in tags)
    return Weight(1 + len(needed), len(page) + sum(len(_fetch(port, path)) for path in needed), holding)


def _fetch(port: int, path: str) -> bytes:
    """Fetch something packed, with its head."""
    with socket.create_connection((HERE, port), timeout=LIMIT) as line:
        line.sendall(request_head(path, {"Accept-Encoding": "gzip"}) + b"\r\n")
        fetched = b"".join(iter(partial(line.recv, 65536), b""))
    if not is_whole(fetched):
        raise click.ClickException(f"{path} isn't served")
    return fetched


def _unpack_page(fetched: bytes) -> bytes:
    """Give what was fetched without its head, as it was before it was packed."""
    head, _end, content = fetched.partition(b"\r\n\r\n")
    return decompress(content) if b"Content-Encoding: gzip" in head else content


# what it comes to


def delivery_times(
    told: Sequence[tuple[str, float]], heard: Iterable[HeardMoment]
) -> list[tuple[float, float]]:
    """List when a moment was told, and how long it took to a phone that listened by then."""
    at = dict(told)
    return [(at[each.name], each.at - at[each.name]) for each in heard if at.get(each.name, 0.0) > each.since]


def _delivery(told: Sequence[tuple[str, float]], seen: Visit, count: int) -> Delivery:
    """Compare what was told with what each phone heard, from its first moment on."""
    order = {name: number for number, (name, _at) in enumerate(told)}
    by_phone = defaultdict[int, list[int]](list)
    for each in seen.heard:
        if each.name in order:
            by_phone[each.phone].append(order[each.name])
    missed = sum(_count_missed(by_phone[phone], len(told)) for phone in range(count))
    heard = sum(map(len, by_phone.values()))
    return Delivery(
        moments=len(told),
        heard=heard,
        made_up=heard - count - len(delivery_times(told, seen.heard)),
        missed=missed,
        doubled=sum(len(moments) - len(set(moments)) for moments in by_phone.values()),
        left=seen.left,
        lost=seen.lost,
    )


def _count_missed(moments: Sequence[int], told: int) -> int:
    """Count what a phone should have heard and hasn't; one that never heard anything has missed all."""
    return told - min(moments, default=0) - len(set(moments))


def _fetch_times(pages: Iterable[FetchedPage]) -> list[float]:
    return [page.seconds for page in pages if page.seconds is not None]


def times_of(seconds: Sequence[float]) -> Times:
    """Sum times up."""
    if len(seconds) < 2:
        raise click.ClickException("Too few came to say how long it takes: let it run longer.")
    cuts = quantiles(seconds, n=100, method="inclusive")
    return Times(
        len(seconds), round(1000 * cuts[49], 1), round(1000 * cuts[98], 1), round(1000 * max(seconds), 1)
    )


def _table(figures: PhonesFigures) -> Iterable[str]:
    done = figures.delivered
    yield f"{figures.phones} phones, {done.moments} moments in {figures.seconds:.0f} s, load {figures.load[0]} to {figures.load[1]}"
    yield f"heard {done.heard}, of which {done.made_up} made up for after a gap; missed {done.missed}, doubled {done.doubled}"
    yield f"phones that left and came back: {done.left}; that the table let go: {done.lost}"
    yield f"yardstick, the same bytes by a bare loop: {times_text(figures.bare)}"
    for name, times in (
        ("a moment", figures.events),
        ("a moment, with slow clients", figures.events_slow),
    ):
        if times is not None:
            yield f"{name}: {times_text(times)}; p99 {round(times.p99 / figures.bare.p99, 1)} times the yardstick"
    yield f"yardstick, pages while no phone listens: {times_text(figures.alone)}"
    for name, times in (("a page", figures.pages), ("a page, with slow clients", figures.pages_slow)):
        if times is not None:
            yield f"{name}: {times_text(times)}; p99 {round(times.p99 / figures.alone.p99, 1)} times the yardstick"
    yield f"pages that never came: {figures.unanswered}"
    yield "memory: {minutes} MB".format(minutes=", ".join(map(str, figures.memory)))
    yield f"the score page: {figures.weight.bytes} bytes in {figures.weight.requests} requests; scripts that hold it up: {figures.weight.holding}"


def times_text(times: Times) -> str:
    """Write them down."""
    return f"median {times.median} ms, p99 {times.p99} ms, at most {times.most} ms ({times.count} times)"
