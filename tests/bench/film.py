"""Size of films, and latency of a moment on many overlays."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from hardware.twin.player import any_answer
from referee.contract import Game
from referee.games.catalogue import GAMES
from referee.match import Match, Setup, begin, hear, moments
from referee.record import record_lines
from tests.bench.measured import Measured, amount, bench, times_as_much
from tests.bench.phones import LATE, SETTLED, listen_while_played, p95_on_phones
from tests.firmware.start.crowd import ARRIVAL_INTERVAL, CrowdPlan, request_head
from tests.firmware.start.served_table import serve_table
from tests.given import allowed, present
from tests.referee.tables import NAMES
from webui.server.film_making import FilmRequest, film_bytes

SEATS = 4
BEGUN = "2026-05-01T20:15:00+02:00"
SEEDS = 40  # maximum matches played until one is long enough


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
            beside: times_as_much(overlays, phones),
        }
    )


# films


def long_match(game: Game, rulings: int, seed: int) -> Match:
    """Play until a match has enough rulings; otherwise return the longest."""
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


# overlays


def measure_listeners(count: int, seconds: float) -> tuple[float | None, float | None]:
    """Connect overlays and then as many phones to one table, in turn."""
    coming = ARRIVAL_INTERVAL * 2 * count + SETTLED
    with TemporaryDirectory() as folder, serve_table(Path(folder)) as table:
        said = {"Accept-Language": "en", "Accept-Encoding": "gzip"}
        by_turns = (request_head(f"/events/{what}", said) for what in ("overlay", "score") * count)
        plan = CrowdPlan(table.port, coming + seconds + LATE, tuple(by_turns))
        with ProcessPoolExecutor(1, get_context("spawn")) as crowd:
            heard = listen_while_played(crowd, table, plan, coming, seconds).heard
        overlays, phones = ([each for each in heard if each.phone % 2 == rest] for rest in (0, 1))
        return p95_on_phones(table.told, overlays), p95_on_phones(table.told, phones)
