"""Phones and hostile clients at the real program: received events are compared with the match."""

import asyncio
import ctypes
import socket
import struct
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from statistics import quantiles
from threading import Thread
from time import monotonic, sleep

from msgspec import Struct

from tests.firmware.start.browsing import HOME, Leaf, Page, Phone
from tests.firmware.start.crowd import (
    ARRIVAL_INTERVAL,
    HABITS,
    STREAM,
    Crowd,
    CrowdPlan,
    HeardMoment,
    attack_repeatedly,
    listen_requests,
    request_head,
    run_crowd,
)
from tests.firmware.start.program import Program, Resources
from tests.waiting import came
from webui.access.viewers import HOST, SEAT

CONNECTIONS_PER_ADDRESS = 200  # connections that one address tries to occupy
LEAVING_SHARE = 0.2  # share of the phones that leave and return each minute
PAGES = ("/", "/seat", "/join", "/history", "/static/style.css", "/host")
MAX_STAY = 12
"""Maximum seconds that phones stay at the end, until all have received the last moment."""
VANISH_INTERVAL, VANISHING_PHONES = 180.0, 30  # seconds between disappearances of phones, and how many vanish
DETECT_TIMEOUT = 45.0  # maximum seconds until a vanished phone is detected
GROWTH_TOLERANCE, GROWTH_MINUTES = 5.0, 10
"""Megabytes of growth allowed in the last three quarters, and minutes before it counts."""
EXTRA_RESOURCES = 4  # extra threads and files allowed after all have left
DOUBLE_SHARE = 0.2  # share of the answers that are sent twice at once
VANISHED = "127.0.3.1"  # addresses of vanishing phones
DROP_ALL = struct.pack("HBBI", 6, 0, 0, 0)  # a filter that drops every packet
ESTABLISHED = "01"
RESULT_SECONDS = 2.0  # seconds people look at a result


class CrowdSize(Struct, frozen=True):
    """Number of clients, duration, and pace of answers."""

    minutes: int
    phones: int = 250
    rowdies: int = 100
    pace: float = 1.0
    minute: float = 60.0
    warm: float = 5.0  # seconds of play alone, until every file is open


# the phones, in a separate process


class ArrivalLog:
    """Records the events of each phone, and any gaps; it replaces a list."""

    def __init__(self) -> None:
        self._last = dict[int, tuple[str, int]]()
        self.missed = self.doubled = self.left = self.lost = 0
        self.is_resting = False
        """Whether play is paused; a returning phone may then get the same moment again, with a fault."""
        self.forget()

    def forget(self) -> None:
        self.at = defaultdict[str, list[tuple[float, float]]](list)
        """Arrival time of each moment at each phone, and the time since which it had listened."""
        self.left_at = Counter[tuple[str, int]]()
        """Last moments that phones had received when another match began, with the number of phones."""
        self.gaps, self.pages = list[str](), list[float | None]()
        """Gaps in the events of phones; seconds of each page load."""

    def append(self, heard: HeardMoment) -> None:
        match, _hash, number = heard.name.partition("#")
        before, now = self._last.get(heard.phone), int(number)
        self._last[heard.phone] = match, now
        self.at[heard.name].append((heard.at, heard.since))
        if before is None:
            return
        is_same = before[0] == match
        self.left_at[before] += not is_same
        self.doubled += is_same and now <= before[1] - self.is_resting
        missed = max(0, now - before[1] - 1) if is_same else now
        self.missed += missed
        if missed:
            self.gaps.append(f"phone {heard.phone}: {before[0]}#{before[1]}, then {heard.name}")

    def last(self) -> Counter[tuple[str, int]]:
        return Counter(self._last.values())


def be_crowd(wish: CrowdPlan, rowdies: int, minutes: int, minute: float, line: Connection) -> None:
    """Run the phones and hostile clients; report the received events each minute and at the end."""
    asyncio.run(_be_crowd(wish, rowdies, minutes, minute, line))


async def _be_crowd(wish: CrowdPlan, rowdies: int, minutes: int, minute: float, line: Connection) -> None:
    crowd, ear = run_crowd(wish), ArrivalLog()
    crowd.heard = ear  # type: ignore[assignment]
    for number in range(rowdies):
        crowd.begin(attack_repeatedly(crowd, HABITS[number % len(HABITS)], f"127.0.1.{1 + number % 20}"))
    for _greedy in range(CONNECTIONS_PER_ADDRESS if rowdies else 0):
        crowd.begin(attack_repeatedly(crowd, HABITS[0], "127.0.2.1"))
    await asyncio.sleep(ARRIVAL_INTERVAL * len(wish.listening))
    line.send("ready")
    for _minute in range(minutes):
        await asyncio.sleep(minute)
        send_arrivals(crowd, ear, line)
    crowd.stays = ear.is_resting = True
    ends = await asyncio.to_thread(line.recv)
    for _look in range(MAX_STAY):
        if latencies(ear.last(), ends):
            await asyncio.sleep(1.0)
    send_arrivals(crowd, ear, line)


def latencies(heard: Counter[tuple[str, int]], ends: Mapping[str, int]) -> int:
    return sum(count for (match, number), count in heard.items() if ends.get(match, 0) > number)


def send_arrivals(crowd: Crowd, ear: ArrivalLog, line: Connection) -> None:
    ear.left, ear.lost, ear.pages = crowd.left, crowd.lost, crowd.seconds
    crowd.seconds = list[float | None]()
    line.send(ear)
    ear.forget()


def page_requests(seat: str) -> tuple[bytes, ...]:
    return tuple(request_head(page, {"Cookie": seat}) for page in PAGES)


# the players


class PlayRecord(Struct):
    """Counts of played answers and moments."""

    sent: dict[str, float] = {}  # time of the answer that led to each moment
    ends: dict[str, int] = {}  # the latest moment of each match
    codes: Counter[int] = Counter()
    twice: int = 0  # answers that were sent twice at the same time
    both: int = 0  # of these, cases in which both were accepted


class Players:
    """Players at their seats, who tap on their current pages."""

    def __init__(self, program: Program, rng: Random) -> None:
        links = program.links()
        self._seats = [Phone(**{links.cookie(SEAT): link.token}) for link in links.seats]
        self._host = Phone(**{links.cookie(HOST): links.host})
        self._port, self._rng, self.played = program.port, rng, PlayRecord()

    def play(self) -> bool:
        """Answer, or start the next match; return whether any seat was asked."""
        for phone in self._rng.sample(self._seats, len(self._seats)):
            if asks := Page(phone.get(self._port, "/seat")).asks:
                self._answer(phone, self._rng.choice(asks))
                return True
        leaves = Page(self._host.get(self._port, "/host")).leaves
        again = [leaf for leaf in leaves if leaf.action == "/host/again"]
        for leaf in again:
            self._host.post(self._port, leaf.action, leaf.hidden)
        return bool(again)

    def _answer(self, phone: Phone, leaf: Leaf) -> None:
        """Send an answer, sometimes from two threads at once."""
        (match, moment), fields = leaf.place, dict(leaf.fill_in(self._rng))
        self.played.sent[f"{match}#{moment + 1}"] = monotonic()
        is_twice = self._rng.random() < DOUBLE_SHARE
        with ThreadPoolExecutor(2) as pool:
            posts = [pool.submit(phone.post, self._port, leaf.action, fields) for _time in range(1 + is_twice)]
        codes = [post.result() for post in posts]
        self.played.codes.update(codes)
        self.played.twice += is_twice
        self.played.both += codes == [303, 303]
        if 303 in codes:
            self.played.ends[match] = max(self.played.ends.get(match, 0), moment + 1)


def play_for(players: Players, seconds: float, pace: float, rng: Random) -> None:
    until = monotonic() + seconds
    while monotonic() < until:
        asked = players.play()
        sleep(pace * rng.uniform(0.5, 1.5) if asked else min(RESULT_SECONDS, 2 * pace))  # people think


# results


class CrowdFigures(Struct):
    """Measured figures."""

    held: list[Resources] = []
    seconds: "array[float]" = array("d")
    """Seconds from an answer to each phone that was listening when it was sent."""
    pages: "array[float]" = array("d")
    left_at: Counter[tuple[str, int]] = Counter()
    vanished: list[tuple[int, float]] = []
    """Numbers of vanished phones, with the seconds until the table noticed."""
    unanswered: int = 0
    last: ArrivalLog | None = None
    wrong: list[str] = []


def gather(program: Program, size: CrowdSize, rng: Random, tell: Callable[[str], object]) -> CrowdFigures:
    players, figures = Players(program, rng), CrowdFigures()
    play_for(players, size.warm, size.pace, rng)
    before = program.holdings()
    tell(f"before anybody comes: {before}")
    links = program.links()
    seats = [f"{links.cookie(SEAT)}={seat.token}" for seat in links.seats]
    listening = tuple(listen_requests(seats, size.phones))
    plan = CrowdPlan(program.port, listening, LEAVING_SHARE, page_requests(seats[0]))

    def vanish(until: float) -> None:
        while monotonic() + DETECT_TIMEOUT < until:
            figures.vanished.append(time_vanishing(program.port, VANISHING_PHONES))
            sleep(max(0.0, min(VANISH_INTERVAL, until - monotonic())))  # a fixed pace, independent of events

    with _away(plan, size) as crowd:
        assert crowd.recv() == "ready"
        gone = Thread(target=vanish, args=(monotonic() + size.minutes * size.minute,))
        gone.start()
        for number in range(1, size.minutes + 1):
            play_for(players, size.minute, size.pace, rng)
            _note(figures, crowd.recv(), players.played.sent, program)
            tell(f"minute {number}: {_describe(figures)}")
        gone.join()
        crowd.send(players.played.ends)
        _note(figures, crowd.recv(), players.played.sent, program)
    came(lambda: not resource_faults(before, program.holdings()))
    tell(f"once all are gone: {program.holdings()}; {_describe(figures)}")
    played = players.played
    tell(f"answers by code {dict(played.codes)} in {len(played.ends)} matches; sent twice {played.twice}")
    figures.wrong = [f"{what}: {count}" for what, count in _faults(figures, played, program) if count]
    figures.wrong += memory_growth_faults(figures, before, program.holdings())
    return figures


@contextmanager
def _away(plan: CrowdPlan, size: CrowdSize) -> Iterator[Connection]:
    ours, theirs = get_context("spawn").Pipe()
    said = (plan, size.rowdies, size.minutes, size.minute, theirs)
    process = get_context("spawn").Process(target=be_crowd, args=said)
    process.start()
    yield ours
    process.join()


def time_vanishing(port: int, count: int) -> tuple[int, float]:
    """Let phones listen and then vanish; return their number, and the seconds until the table noticed."""
    code = ctypes.create_string_buffer(DROP_ALL)
    with ExitStack() as ends:
        lines = [
            socket.create_connection((HOME, port), DETECT_TIMEOUT, (VANISHED, 0)) for _phone in range(count)
        ]
        for line in lines:
            ends.enter_context(line)
            line.sendall(STREAM)
            line.recv(4096)
        there = _present(port)
        for line in lines:
            # SO_ATTACH_FILTER: incoming packets aren't even acknowledged
            line.setsockopt(
                socket.SOL_SOCKET, 26, struct.pack("HL", len(DROP_ALL) // 8, ctypes.addressof(code))
            )
        since = monotonic()
        came(lambda: not _present(port), seconds=2 * DETECT_TIMEOUT)
        return there, monotonic() - since


def _present(port: int) -> int:
    """Count the table's connections to vanished phones; the kernel prints addresses in hex."""
    far, here = f"{socket.inet_aton(VANISHED)[::-1].hex().upper()}:", f":{port:04X}"
    texts = (Path(f"/proc/net/{each}").read_text(encoding="ascii") for each in ("tcp", "tcp6"))
    rows = [row.split() for text in texts for row in text.splitlines()[1:]]
    return sum(row[1].endswith(here) and far in row[2] and row[3] == ESTABLISHED for row in rows)


def _note(figures: CrowdFigures, minute: ArrivalLog, sent: Mapping[str, float], program: Program) -> None:
    for name, heard in minute.at.items():
        if name in sent:
            figures.seconds.extend(at - sent[name] for at, since in heard if since < sent[name])
    figures.pages.extend(filter(None, minute.pages))
    figures.left_at.update(minute.left_at)
    figures.unanswered += sum(page is None for page in minute.pages)
    figures.held.append(program.holdings())
    figures.last = minute


def _describe(figures: CrowdFigures) -> str:
    now = figures.last
    assert now is not None
    told = f"{figures.held[-1]}; answer to phone {_times(figures.seconds)}; pages {_times(figures.pages)}"
    gaps = "".join(f"\n  {gap}" for gap in now.gaps)
    return f"{told}; left {now.left}, let go {now.lost}, missed {now.missed}, doubled {now.doubled}{gaps}"


def _times(seconds: "array[float]") -> str:
    if len(seconds) < 2:
        return "-"
    cuts = quantiles(seconds, n=100, method="inclusive")
    return f"median {1000 * cuts[49]:.0f} p99 {1000 * cuts[98]:.0f} at most {1000 * max(seconds):.0f} ms"


def _faults(figures: CrowdFigures, played: PlayRecord, program: Program) -> Iterator[tuple[str, int]]:
    now = figures.last
    assert now is not None
    yield "moments that phones missed", now.missed + count_missed_at_ends(figures.left_at, played.ends)
    yield "phones that didn't hear the last moment", latencies(now.last(), played.ends)
    yield "moments that phones heard twice", now.doubled
    yield "pages that never came", figures.unanswered
    yield "answers that counted twice", played.both + abs(program.answers() - played.codes[303])
    unfound = sum(seconds > DETECT_TIMEOUT for _many, seconds in figures.vanished)
    yield "vanished phones that weren't found out", unfound


def count_missed_at_ends(left_at: Counter[tuple[str, int]], ends: Mapping[str, int]) -> int:
    return sum(count * max(0, ends.get(match, 0) - last) for (match, last), count in left_at.items())


def memory_growth_faults(figures: CrowdFigures, before: Resources, after: Resources) -> list[str]:
    count = len(figures.held)
    # hostile clients come and go in waves, each with its threads
    wave, early = max(1, count // 12), max(1, count // 4)
    quarter, end = (max(each.memory for each in figures.held[:at][-wave:]) for at in (early, count))
    is_more = end > quarter + GROWTH_TOLERANCE and count >= GROWTH_MINUTES
    return [*([f"memory has grown, {quarter} to {end} MB"] if is_more else []), *resource_faults(before, after)]


def resource_faults(before: Resources, after: Resources) -> list[str]:
    more = after.threads > before.threads + EXTRA_RESOURCES or after.files > before.files + EXTRA_RESOURCES
    return [f"held on: {before}, then {after}"] if more else []
