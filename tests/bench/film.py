"""What films and a live picture weigh and cost, and how soon a moment is on many overlays."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import process_time

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from firmware.storage.found_table import filmed_parts, parting_of, seat_zones
from hardware.twin.player import any_answer
from hardware.twin.rendering.renderer import faces_of, render
from hardware.twin.rendering.scene import Scene, SceneCard, SceneTable, plates
from referee.contract import Game
from referee.games.catalogue import GAMES
from referee.match import Match, Setup, begin, hear, moments
from referee.record import record_lines
from tests.bench.measured import Measured, amount, bench, one_thread, times_as_much
from tests.bench.phones import LATE, SETTLED, listen_while_played, p95_on_phones
from tests.firmware.start.crowd import APART, CrowdPlan, request_head
from tests.firmware.start.served_table import serve_table
from tests.given import allowed, present
from tests.referee.tables import NAMES
from vision.pictures import Picture
from vision.process.live_view import LiveView
from vision.process.messages import EyesSettings
from vision.process.on_frame import EyesState
from vision.process.watching import begin_unread_watch
from vision.table.calibration import calibrate
from webui.server.film_making import FilmRequest, film_bytes

SEATS = 4
BEGUN = "2026-05-01T20:15:00+02:00"
SEEDS = 40  # matches that are played at most until one is long enough
RATE = 15  # pictures a second while cards move
PICTURES = 450  # thirty seconds of them
SPECKLES = 6
"""How many noises there are, each of some grey levels: a picture without any would be too easy to pack."""
PLATES = (844.0, 556.0)


class LiveFigures(Struct, frozen=True):
    """What a live picture of a game comes to."""

    percent: float  # of a core, in CPU time, at 15 pictures a second of full size
    second: int  # bytes a second for each who watches it


@bench("Films of matches with many rulings, and the overlay: weight, events.")
@amount("rulings", 500, "At least so many.", 10, 5000)
@amount("listeners", 100, "So many overlays, and as many phones, listen to one table.", 1, 120)
@amount("seconds", 20.0, "How long.", 2, 600)
def film(rulings: int, seed: int, listeners: int, seconds: float) -> Measured:
    named = [(name, long_match(game, rulings, seed)) for name, game in GAMES.items()]
    overlays, phones = measure_listeners(listeners, seconds)
    beside = f"a moment on {listeners} overlays, beside as many phones"
    return Measured(
        {
            **{
                f"{name}: file, a moment": f"{len(film_file(each)) / each.number / 1000:.1f} kB"
                for name, each in named
            },
            **{f"{name}: live picture": f"{live_figures(each).percent} % of a core" for name, each in named},
            beside: times_as_much(overlays, phones),
        }
    )


# films


def long_match(game: Game, rulings: int, seed: int) -> Match:
    """Play matches until one has so many rulings; else give the longest."""
    longest = None
    for again in range(SEEDS):
        match = _play(game, Random(f"{seed} {again}"), rulings)
        longest = match if longest is None else max(longest, match, key=count_rulings)
        if count_rulings(longest) >= rulings:
            break
    return present(longest)


def _play(game: Game, rng: Random, rulings: int) -> Match:
    match = allowed(begin(Setup(game, game.rules.house(), NAMES[:SEATS], begun=BEGUN)))
    told = 0
    while match.asks and told < rulings:
        match = allowed(hear(match, any_answer(match.asks, match.number, rng)))
        told += len(match.rulings)
    return match


def count_rulings(match: Match) -> int:
    return sum(len(moment.rulings) for moment in moments(match))


def film_file(match: Match) -> bytes:
    return present(film_bytes(FilmRequest(tuple(record_lines(match)), "en")))


# a live picture of rendered tables, as from a camera


def live_figures(match: Match) -> LiveFigures:
    """Measure the live picture of a match's game for half a minute, with cards in all open parts."""
    bare, shown = _pictures(match)
    eyes, now = _eyes_over(match, bare), 0.0
    view = LiveView(lambda: now)
    spent, given = 0.0, 0
    # what runs beside counts, too
    with one_thread():
        view.go_on(eyes)
        for number in range(PICTURES):
            now += 1 / RATE
            eyes = replace(eyes, picture=shown[number % len(shown)])
            busy = process_time()
            news = view.go_on(eyes)
            spent += process_time() - busy
            given += sum(len(each.jpeg) for each in news)
    return LiveFigures(round(100 * spent * RATE / PICTURES, 2), given * RATE // PICTURES)


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
    bare = render(Scene(table=table), faces_of(deck.name))
    full = render(Scene(table=table, cards=cards), faces_of(deck.name))
    noise = np.random.default_rng(1)
    specks = (noise.integers(0, 4, full.shape, np.uint8) for _number in range(SPECKLES))
    return bare, [np.asarray(cv2.add(full, each), np.uint8) for each in specks]


# overlays


def measure_listeners(count: int, seconds: float) -> tuple[float | None, float | None]:
    """Let so many overlays and as many phones listen by turns to one table."""
    coming = APART * 2 * count + SETTLED
    with TemporaryDirectory() as folder, serve_table(Path(folder)) as table:
        said = {"Accept-Language": "en", "Accept-Encoding": "gzip"}
        by_turns = (request_head(f"/events/{what}", said) for what in ("overlay", "score") * count)
        plan = CrowdPlan(table.port, coming + seconds + LATE, tuple(by_turns))
        with ProcessPoolExecutor(1, get_context("spawn")) as crowd:
            heard = listen_while_played(crowd, table, plan, coming, seconds).heard
        overlays, phones = ([each for each in heard if each.phone % 2 == rest] for rest in (0, 1))
        return p95_on_phones(table.told, overlays), p95_on_phones(table.told, phones)
