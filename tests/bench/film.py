"""What films, overlays and a live picture weigh and cost, and how soon a moment is on many overlays."""

import re
import socket
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from gzip import compress
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from threading import Event, Thread
from time import monotonic, perf_counter, process_time

import cv2
import numpy as np
from flask.testing import FlaskClient
from msgspec import Struct
from msgspec.structs import replace

from firmware.language.catalogues import language
from firmware.parts.live_pictures import LivePictures
from firmware.storage.database import connected_for_a_thread
from firmware.storage.found_table import filmed_parts, parting_of, seat_zones
from firmware.storage.journal import open_journal
from firmware.table.door import TableDoor
from hardware.twin.player import any_answer
from hardware.twin.rendering.renderer import faces_of, render
from hardware.twin.rendering.scene import Scene, SceneCard, SceneTable, plates
from referee.contract import Game
from referee.games.catalogue import GAMES
from referee.games.coyote import COYOTE
from referee.match import Match, Setup, begin, hear, moments
from referee.public_moment import new_cards
from referee.record import record_lines
from referee.told import tell_moment
from tests.bench.measured import Measured, Times, amount, bench, one_thread, timed, times_as_much
from tests.bench.phones import LATE, SETTLED, listen_while_played, times_on_phones
from tests.firmware.start.crowd import APART, HERE, HOMES, PATIENCE, CrowdPlan, HeardMoment, request_head
from tests.firmware.start.served_table import ServedTable, serve_table
from tests.referee.tables import NAMES
from tests.table_in_memory import table_in_memory
from vision.process.live_view import LIVE, LiveView
from vision.process.messages import EyesSettings, LivePicture
from vision.process.on_frame import EyesState
from vision.process.watching import begin_unread_watch
from vision.table.calibration import calibrate
from vision.table.plates import Picture
from webui.pages.players.overlay import WATCHERS
from webui.server.app import create_app
from webui.server.film_making import FilmRequest, film_bytes, score_card_bytes
from webui.server.templates import StaticFiles

SEATS = 4
BEGUN = "2026-05-01T20:15:00+02:00"
DRAWN_WITH = (
    *("look.css", "score.css", "film.css", "film.js"),
    *("fonts/mesa-600.woff2", "fonts/mesa-700.woff2"),
)
"""The files that a film's page loads beside its pictures."""
STEPS = 25
"""Moments that are drawn, spread over the film."""
SEEDS = 40
"""Matches that are played at most until one is long enough."""
CARDS = 5
"""New cards at once: more are never shown."""
PICTURE = 45_000
"""Bytes of a live picture with cards in all open places."""
NEEDED = re.compile(r'(?:href|src)="(/[^"#]+)')
IN_SHEETS = re.compile(r"url\(['\"]?(/[^)'\"#]+)")
RATE = 15
"""Pictures a second while cards move."""
PICTURES = 450
"""Thirty seconds of them."""
SPECKLES = 6
"""How many noises there are, each of some grey levels: a picture without any would be too easy to pack."""
PLATES = (844.0, 556.0)


class FilmFigures(Struct, frozen=True):
    """The figures of a game's film: bytes, and milliseconds."""

    game: str
    moments: int
    rulings: int
    page: int
    page_packed: int
    """With style sheets, script and letters, as they are sent."""
    step: int
    opened: float
    """The first page, of a film that was never looked at: read, laid out, drawn."""
    stepped: float
    file: int
    file_made: float
    card: int
    card_made: float


class LiveFigures(Struct, frozen=True):
    """What a live picture of a game comes to."""

    game: str
    percent: float
    """Of a core, in CPU time, at 15 pictures a second of full size."""
    longest: float
    """Milliseconds that it kept the eyes from their next picture, at most; a picture is due every 67."""
    second: int
    """Bytes a second for each who watches it."""


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


@bench("Films of matches with many rulings, and the overlay: weight, time to open, events.")
@amount("rulings", 500, "At least so many.", 10, 5000)
@amount("listeners", 100, "So many overlays, and as many phones, listen to one table.", 1, 120)
@amount("seconds", 20.0, "How long.", 2, 600)
def film(rulings: int, seed: int, listeners: int, seconds: float) -> Measured:
    matches = [long_match(game, rulings, seed) for game in GAMES.values()]
    figures, live = list(map(film_figures, matches)), list(map(live_figures, matches))
    overlay = overlay_figures(listeners, seconds)
    told = {"figures": figures, "live": live, "overlay": overlay}
    notes = ("figures in bytes and ms; packed: as sent, with all but pictures", "live: percent of a core")
    return Measured("film", told, _ratios(figures, live, overlay), notes)


def _ratios(
    figures: Sequence[FilmFigures], live: Sequence[LiveFigures], overlay: OverlayFigures
) -> dict[str, str]:
    """Give weights by moment, shares of a core, and delays beside those of phones in the same run."""
    return {
        **{f"{film.game}: file, a moment": f"{film.file / film.moments / 1000:.1f} kB" for film in figures},
        **{f"{each.game}: live picture": f"{each.percent} % of a core" for each in live},
        f"a moment on {overlay.listeners} overlays, beside as many phones": times_as_much(
            overlay.overlays.p95, overlay.phones.p95
        ),
    }


# films


def long_match(game: Game, rulings: int, seed: int) -> Match:
    """Play matches until one has so many rulings; else give the longest."""
    longest = None
    for again in range(SEEDS):
        match = _play(game, Random(f"{seed} {again}"), rulings)
        longest = match if longest is None else max(longest, match, key=_count_rulings)
        if _count_rulings(longest) >= rulings:
            break
    assert longest is not None
    return longest


def play_by_chance(game: Game, seats: int, rng: Random) -> Iterator[Match]:
    """Yield the moments of a match, one after the other, until nothing is asked any more."""
    moment = begin(Setup(game, game.rules.house(), NAMES[:seats], begun=BEGUN))
    while isinstance(moment, Match):
        yield moment
        if not moment.asks:
            return
        moment = hear(moment, any_answer(moment.asks, moment.number, rng))
    raise RuntimeError(moment)


def _play(game: Game, rng: Random, rulings: int) -> Match:
    """Play until so much was ruled, or to the end."""
    told, match = 0, None
    for match in play_by_chance(game, SEATS, rng):
        told += len(match.rulings) if match.before is not None else 0
        if told >= rulings:
            break
    assert match is not None
    return match


def _count_rulings(match: Match) -> int:
    return sum(len(moment.rulings) for moment in moments(match))


def film_figures(match: Match) -> FilmFigures:
    record = record_lines(match)
    with TemporaryDirectory() as folder, _browser(match, Path(folder)) as browser:
        # another film first: templates and cards are loaded once for all
        browser.get("/history/1/film")
        page, opened = timed(lambda: browser.get("/history/2/film").data)
        every = max(1, match.number // STEPS)
        pages = (f"/history/2/film/{moment}" for moment in range(0, match.number, every))
        steps = [timed(lambda page=page: browser.get(page).data) for page in pages]
    file, file_made = timed(lambda: film_bytes(FilmRequest(tuple(record), "en")) or b"")
    card, card_made = timed(lambda: score_card_bytes(FilmRequest(tuple(record), "en")) or b"")
    files = {name: StaticFiles().content(name) or b"" for name in DRAWN_WITH}
    beside = sum(len(each if name.endswith(".woff2") else compress(each)) for name, each in files.items())
    weights, spent = zip(*((len(each), spent) for each, spent in steps), strict=True)
    return FilmFigures(
        match.setup.game.name,
        match.number,
        _count_rulings(match),
        *(len(page), len(compress(page)) + beside, round(median(weights))),
        *(round(opened, 1), round(median(spent), 1)),
        *(len(file), round(file_made, 1), len(card), round(card_made, 1)),
    )


@contextmanager
def _browser(match: Match, folder: Path) -> Iterator[FlaskClient]:
    """Open a browser at a table that keeps a short match and this one."""
    journal = folder / "journal.sqlite3"
    with open_journal(journal, connected_for_a_thread) as opened:
        opened.journal.begin(_play(match.setup.game, Random(0), 10))
        opened.journal.begin(match)
        yield create_app(table_in_memory(folder, TableDoor(lambda _errand: None, match))).test_client()


# a live picture of rendered tables, as from a camera


def live_figures(match: Match) -> LiveFigures:
    """Measure the live picture of a match's game for half a minute, with cards in all open parts."""
    bare, shown = _pictures(match)
    eyes, now = _eyes_over(match, bare), 0.0
    view = LiveView(lambda: now)
    spent, longest, given = 0.0, 0.0, 0
    # what runs beside counts, too
    with one_thread():
        view.go_on(eyes)
        for number in range(PICTURES):
            now += 1 / RATE
            eyes = replace(eyes, picture=shown[number % len(shown)])
            start, busy = perf_counter(), process_time()
            news = view.go_on(eyes)
            spent, longest = spent + process_time() - busy, max(longest, perf_counter() - start)
            given += sum(len(each.jpeg) for each in news)
    percent = round(100 * spent * RATE / PICTURES, 2)
    return LiveFigures(match.setup.game.name, percent, round(1000 * longest, 1), given * RATE // PICTURES)


def _eyes_over(match: Match, bare: Picture) -> EyesState:
    """Give eyes that know the table and watch cards."""
    zones = seat_zones(parting_of(match), *PLATES)
    settings = EyesSettings("", table=calibrate(bare), zones=zones, filmed=filmed_parts(match, zones))
    return EyesState(settings, watch=begin_unread_watch(bare), picture=bare)


def _pictures(match: Match) -> tuple[Picture, list[Picture]]:
    """Render the bare table, and one with cards in its middle, several times with other noise."""
    deck, rng = match.setup.game.table.deck(match.setup.house), Random(1)
    spots = [(x, y) for x in (-205, -70, 0, 70, 205) for y in (-50, 50)]
    cards = tuple(
        SceneCard(rng.choice(list(deck.counts)), float(x), float(y), rng.uniform(-8, 8)) for x, y in spots
    )
    table = SceneTable("felt", plates=plates(PLATES[0] / 2, PLATES[1] / 2))
    bare = render(Scene(table=table), faces_of(deck.name)).picture
    full = render(Scene(table=table, cards=cards), faces_of(deck.name)).picture
    noise = np.random.default_rng(1)
    specks = (noise.integers(0, 4, full.shape, np.uint8) for _number in range(SPECKLES))
    return bare, [np.asarray(cv2.add(full, each), np.uint8) for each in specks]


# overlays


def overlay_figures(listeners: int, seconds: float) -> OverlayFigures:
    """Measure the overlay: its weight, and a moment on many of them."""
    with TemporaryDirectory() as folder, _browser(match_with_cards(), Path(folder)) as browser:
        plain, cards = weigh_overlay(browser)
    overlays, phones = measure_listeners(listeners, seconds)
    watched = measure_beside_watchers(listeners, seconds)
    return OverlayFigures(plain, cards, listeners, overlays, phones, *watched)


def match_with_cards() -> Match:
    """Play until so many cards are turned up at once."""
    for seed in range(100):
        for match in play_by_chance(COYOTE, 5, Random(seed)):
            if len(new_cards(tell_moment(match, language("en")))) >= CARDS:
                return match
    raise RuntimeError("so many cards were never turned up")


def weigh_overlay(browser: FlaskClient) -> tuple[int, int]:
    """Add up what a first visit fetches: before pictures of cards, and with them."""
    page = browser.get("/overlay").text
    needed = set(NEEDED.findall(page))
    sheets = (path for path in needed if path.endswith(".css"))
    needed |= {inner for sheet in sheets for inner in IN_SHEETS.findall(browser.get(sheet).text)}
    packed = {"Accept-Encoding": "gzip"}
    weights = {path: len(browser.get(path, headers=packed).data) for path in (*needed, "/overlay")}
    cards = sum(size for path, size in weights.items() if path.startswith("/cards/"))
    return sum(weights.values()) - cards, sum(weights.values())


def measure_listeners(count: int, seconds: float) -> tuple[Times, Times]:
    """Let so many overlays and as many phones listen by turns to one table; give the times of both."""
    with TemporaryDirectory() as folder, serve_table(Path(folder)) as table:
        heard = _listen(table, count, seconds)
        overlays, phones = ([each for each in heard if each.phone % 2 == rest] for rest in (0, 1))
        return times_on_phones(table.told, overlays), times_on_phones(table.told, phones)


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
        times = times_on_phones(table.told, heard)
    return sum(each > PICTURE for each in read), round(sum(read) / lasting), times


def _listen(table: ServedTable, count: int, seconds: float) -> Sequence[HeardMoment]:
    """Let overlays and phones listen while the table is played at; return what each of them heard."""
    coming = APART * 2 * count + SETTLED
    plan = CrowdPlan(table.port, coming + seconds + LATE, tuple(_listen_requests(2 * count)))
    with ProcessPoolExecutor(1, get_context("spawn")) as crowd:
        return listen_while_played(crowd, table, plan, coming, seconds, [0.0]).heard


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
