"""What films, overlays and a live picture weigh and cost, and how soon a moment is on many overlays."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import cv2
import numpy as np
from flask.testing import FlaskClient
from msgspec import Struct
from msgspec.structs import replace

from firmware.storage.found_table import filmed_parts, parting_of, seat_zones
from firmware.storage.journal import open_journal
from firmware.table.door import TableDoor
from hardware.twin.player import any_answer
from hardware.twin.rendering.renderer import faces_of, render
from hardware.twin.rendering.scene import Scene, SceneCard, SceneTable, plates
from referee.contract import Game
from referee.games.catalogue import GAMES
from referee.match import Match, Setup, begin, hear, moments
from referee.record import record_lines
from tests.bench.measured import Measured, Times, amount, bench, one_thread, timed, times_as_much
from tests.bench.phones import LATE, SETTLED, listen_while_played, times_on_phones
from tests.firmware.start.crowd import APART, CrowdPlan, request_head
from tests.firmware.start.served_table import serve_table
from tests.referee.tables import NAMES
from tests.table_in_memory import table_in_memory
from vision.process.live_view import LiveView
from vision.process.messages import EyesSettings
from vision.process.on_frame import EyesState
from vision.process.watching import begin_unread_watch
from vision.table.calibration import calibrate
from vision.table.plates import Picture
from webui.server.app import create_app
from webui.server.film_making import FilmRequest, film_bytes

SEATS = 4
BEGUN = "2026-05-01T20:15:00+02:00"
STEPS = 25
"""Moments that are drawn, spread over the film."""
SEEDS = 40
"""Matches that are played at most until one is long enough."""
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
    step: int
    opened: float
    """The first page, of a film that was never looked at: read, laid out, drawn."""
    stepped: float
    file: int
    file_made: float


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
    """How soon a moment is there, on so many overlays and as many phones in the same run."""

    listeners: int
    overlays: Times
    phones: Times


@bench("Films of matches with many rulings, and the overlay: weight, time to open, events.")
@amount("rulings", 500, "At least so many.", 10, 5000)
@amount("listeners", 100, "So many overlays, and as many phones, listen to one table.", 1, 120)
@amount("seconds", 20.0, "How long.", 2, 600)
def film(rulings: int, seed: int, listeners: int, seconds: float) -> Measured:
    matches = [long_match(game, rulings, seed) for game in GAMES.values()]
    figures, live = list(map(film_figures, matches)), list(map(live_figures, matches))
    overlay = measure_listeners(listeners, seconds)
    told = {"figures": figures, "live": live, "overlay": overlay}
    notes = ("figures in bytes and ms", "live: percent of a core")
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
    weights, spent = zip(*((len(each), spent) for each, spent in steps), strict=True)
    return FilmFigures(
        match.setup.game.name,
        match.number,
        _count_rulings(match),
        *(len(page), round(median(weights)), round(opened, 1), round(median(spent), 1)),
        *(len(file), round(file_made, 1)),
    )


@contextmanager
def _browser(match: Match, folder: Path) -> Iterator[FlaskClient]:
    """Open a browser at a table that keeps a short match and this one."""
    journal = folder / "journal.sqlite3"
    with open_journal(journal) as opened:
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


def measure_listeners(count: int, seconds: float) -> OverlayFigures:
    """Let so many overlays and as many phones listen by turns to one table."""
    coming = APART * 2 * count + SETTLED
    with TemporaryDirectory() as folder, serve_table(Path(folder)) as table:
        plan = CrowdPlan(table.port, coming + seconds + LATE, tuple(_listen_requests(2 * count)))
        with ProcessPoolExecutor(1, get_context("spawn")) as crowd:
            heard = listen_while_played(crowd, table, plan, coming, seconds, [0.0]).heard
        times = (
            times_on_phones(table.told, [each for each in heard if each.phone % 2 == rest]) for rest in (0, 1)
        )
        return OverlayFigures(count, *times)


def _listen_requests(count: int) -> Iterator[bytes]:
    """Have overlays and phones come by turns."""
    for number in range(count):
        said = {"Accept-Language": "en", "Accept-Encoding": "gzip"}
        yield request_head("/events/score" if number % 2 else "/events/overlay", said)
