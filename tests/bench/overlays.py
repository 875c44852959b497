"""What an overlay costs: its first visit with and without cards, and a moment on many of them beside phones."""

import re
import socket
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Event, Thread
from time import monotonic, sleep

from flask.testing import FlaskClient
from msgspec import Struct

from firmware.language.catalogues import language
from firmware.parts.live_pictures import LivePictures
from hardware.twin.player import any_answer
from referee.contract import Game
from referee.games.coyote import COYOTE
from referee.match import Match, Setup, begin, hear
from referee.public_moment import new_cards
from referee.telling import listener_at
from tests.bench.phones import LATE, SETTLED, Times, delivery_times, play_on_table, times_of
from tests.firmware.start.crowd import APART, HERE, HOMES, PATIENCE, CrowdPlan, HeardMoment, visit
from tests.firmware.start.served_table import ServedTable, request_head, serve_table
from vision.process.clip_recorder import LIVE
from vision.process.messages import LivePicture
from webui.pages.players.overlay import WATCHERS

BEGUN = "2026-05-01T20:15:00+02:00"
CARDS = 5
"""New cards at once: more are never shown."""
PICTURE = 45_000
"""Bytes of a live picture with cards in all open places."""
NAMES = ("Ana", "Bo", "Chloé", "Dédé", "Eve")
NEEDED = re.compile(r'(?:href|src)="(/[^"#]+)')
IN_SHEETS = re.compile(r"url\(['\"]?(/[^)'\"#]+)")


class OverlayFigures(Struct, frozen=True):
    """Bytes of a first visit as they are sent, and how soon a moment is there."""

    plain: int
    """Before pictures of cards."""
    cards: int
    """With as many new cards as an overlay shows."""
    listeners: int
    """Overlays, and as many phones."""
    overlays: Times
    phones: Times
    """In the same run."""
    watchers: int
    """Who watched a live picture in another run."""
    watched: int
    """Bytes that came to all of them in a second."""
    beside: Times
    """A moment on overlays and phones in that run."""


def play_by_chance(game: Game, names: tuple[str, ...], rng: Random) -> Iterator[Match]:
    """Give the moments of a match, one after the other, until nothing is asked any more."""
    moment = begin(Setup(game, game.rules.house(), names, begun=BEGUN))
    while isinstance(moment, Match):
        yield moment
        if not moment.asks:
            return
        moment = hear(moment, any_answer(moment.asks, moment.number, rng))
    raise RuntimeError(moment)


def match_with_cards() -> Match:
    """Play until so many cards are turned up at once."""
    for seed in range(100):
        for match in play_by_chance(COYOTE, NAMES, Random(seed)):
            if len(new_cards(match, listener_at(match.setup, language("en")))) >= CARDS:
                return match
    raise RuntimeError("so many cards were never turned up")


def weigh_overlay(browser: FlaskClient) -> tuple[int, int]:
    """Add up what a first visit fetches: before pictures of cards, and with them."""
    page = browser.get("/overlay").text
    needed = set(NEEDED.findall(page))
    sheets = (path for path in needed if path.endswith(".css"))
    needed |= {inner for sheet in sheets for inner in IN_SHEETS.findall(browser.get(sheet).text)}
    weights = {path: _sent(browser, path) for path in (*needed, "/overlay")}
    cards = sum(size for path, size in weights.items() if path.startswith("/cards/"))
    return sum(weights.values()) - cards, sum(weights.values())


def _sent(browser: FlaskClient, path: str) -> int:
    return len(browser.get(path, headers={"Accept-Encoding": "gzip"}).data)


def measure_listeners(count: int, seconds: float) -> tuple[Times, Times]:
    """Let so many overlays and as many phones listen by turns to one table; give the times of both."""
    with TemporaryDirectory() as folder, serve_table(Path(folder)) as table:
        heard = _listen(table, count, seconds)
        overlays, phones = (
            delivery_times(table.told, [each for each in heard if each.phone % 2 == rest]) for rest in (0, 1)
        )
    return times_of([taken for _at, taken in overlays]), times_of([taken for _at, taken in phones])


def measure_beside_watchers(count: int, seconds: float) -> tuple[int, int, Times]:
    """The same, while as many watch a live picture as may: how many, bytes a second, and the times."""
    live = LivePictures(is_on=True)
    with TemporaryDirectory() as folder, ExitStack() as ends:
        table = ends.enter_context(serve_table(Path(folder), live=live))
        others = ends.enter_context(ProcessPoolExecutor(1, get_context("spawn")))
        is_over = Event()
        ends.callback(is_over.set)
        Thread(target=_give_pictures, args=(live, is_over), daemon=True).start()
        lasting = APART * 2 * count + SETTLED + seconds
        back = others.submit(watch_pictures, table.port, WATCHERS, lasting)
        heard = _listen(table, count, seconds)
        read = back.result()
        times = times_of([taken for _at, taken in delivery_times(table.told, heard)])
    return sum(each > PICTURE for each in read), round(sum(read) / lasting), times


def _listen(table: ServedTable, count: int, seconds: float) -> Sequence[HeardMoment]:
    """Let overlays and phones listen while the table is played at; give what each of them heard."""
    with ProcessPoolExecutor(1, get_context("spawn")) as crowd:
        coming = APART * 2 * count + SETTLED
        plan = CrowdPlan(table.port, coming + seconds + LATE, tuple(_listen_requests(2 * count)))
        back = crowd.submit(visit, plan)
        sleep(coming)
        play_on_table(table.door, seconds, [0.0])
        return back.result().heard


def _give_pictures(live: LivePictures, is_over: Event) -> None:
    """Give pictures as the eyes do."""
    rng = Random(1)
    # each is another one: what hasn't changed isn't sent again
    while not is_over.wait(1 / LIVE):
        live.show(LivePicture(rng.randbytes(PICTURE)))


def watch_pictures(port: int, count: int, seconds: float) -> list[int]:
    """Watch a live picture for some seconds, so many at once; give how many bytes came to each."""
    with ThreadPoolExecutor(count) as watchers:
        return list(watchers.map(partial(_watch, port, seconds), range(count)))


def _watch(port: int, seconds: float, number: int) -> int:
    until, came = monotonic() + seconds, 0
    # strangers, of several networks
    home = HOMES[number % len(HOMES)]
    with socket.create_connection((HERE, port), PATIENCE, (home, 0)) as watcher:
        watcher.sendall(request_head("/live.mjpg", {}) + b"\r\n")
        while monotonic() < until and (piece := watcher.recv(65536)):
            came += len(piece)
    return came


def _listen_requests(count: int) -> Iterator[bytes]:
    """Have overlays and phones come by turns."""
    for number in range(count):
        said = {"Accept-Language": "en", "Accept-Encoding": "gzip"}
        yield request_head("/events/score" if number % 2 else "/events/overlay", said)
