"""What films, overlays and clips weigh and cost, and how soon they are there."""

from collections.abc import Iterator
from contextlib import contextmanager
from gzip import compress
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

import click
from flask.testing import FlaskClient
from msgspec import Struct

from firmware.storage.database import connected_for_a_thread
from firmware.storage.journal import open_journal
from firmware.table.door import TableDoor
from referee.contract import Game
from referee.games.catalogue import GAMES
from referee.match import Match, moments
from referee.record import record_lines
from tests.bench.clips import clip_figures
from tests.bench.measured import amount, json_option, milliseconds, print_figures, seed_option
from tests.bench.overlays import (
    OverlayFigures,
    match_with_cards,
    measure_beside_watchers,
    measure_listeners,
    play_by_chance,
    weigh_overlay,
)
from tests.table_in_memory import table_in_memory
from webui.server.app import create_app
from webui.server.film_making import film_bytes, score_card_bytes
from webui.server.templates import StaticFiles

NAMES = ("Ana", "Bo", "Chloé", "Dan")
DRAWN_WITH = (
    *("look.css", "score.css", "film.css", "clip.css", "film.js", "clip.js"),
    *("fonts/mesa-600.woff2", "fonts/mesa-700.woff2"),
)
"""The files that a film's page loads beside its pictures."""
STEPS = 25
"""Moments that are drawn, spread over the film."""
SEEDS = 40
"""Matches that are played at most until one is long enough."""


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


@click.command(help="Films of matches with many rulings, and the overlay: weight, time to open, events.")
@amount("rulings", 500, "At least so many.", 10, 5000)
@seed_option()
@amount("listeners", 100, "So many overlays, and as many phones, listen to one table.", 1, 120)
@amount("seconds", 20.0, "How long.", 2, 600)
@json_option
def film(rulings: int, seed: int, listeners: int, seconds: float, *, as_json: bool) -> None:
    matches = [long_match(game, rulings, seed) for game in GAMES.values()]
    figures, clips = list(map(figures_of, matches)), list(map(clip_figures, matches))
    overlay = overlay_figures(listeners, seconds)
    told = {"figures": figures, "clips": clips, "overlay": overlay}
    notes = ("figures in bytes and ms; packed: as sent, with all but pictures", "clips: percent of a core")
    print_figures("film", told, *notes, as_json=as_json)


def overlay_figures(listeners: int, seconds: float) -> OverlayFigures:
    """Measure the overlay: its weight, and a moment on many of them."""
    with TemporaryDirectory() as folder, _browser(match_with_cards(), Path(folder)) as browser:
        plain, cards = weigh_overlay(browser)
    overlays, phones = measure_listeners(listeners, seconds)
    watched = measure_beside_watchers(listeners, seconds)
    return OverlayFigures(plain, cards, listeners, overlays, phones, *watched)


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


def _play(game: Game, rng: Random, rulings: int) -> Match:
    """Play until so much was ruled, or to the end."""
    told, match = 0, None
    for match in play_by_chance(game, NAMES, rng):
        told += len(match.rulings) if match.before is not None else 0
        if told >= rulings:
            break
    assert match is not None
    return match


def _count_rulings(match: Match) -> int:
    return sum(len(moment.rulings) for moment in moments(match))


def figures_of(match: Match) -> FilmFigures:
    record = record_lines(match)
    with TemporaryDirectory() as folder, _browser(match, Path(folder)) as browser:
        # another film first: templates and cards are loaded once for all
        browser.get("/history/1/film")
        page, opened = _timed(browser, "/history/2/film")
        every = max(1, match.number // STEPS)
        steps = [_timed(browser, f"/history/2/film/{moment}") for moment in range(0, match.number, every)]
    made: dict[str, bytes] = {}
    file_made = milliseconds(lambda: made.update(file=film_bytes(record, "en")))
    card_made = milliseconds(lambda: made.update(card=score_card_bytes(record, "en")))
    files = StaticFiles()
    beside = sum(_sent(files.content(name) or b"", name) for name in DRAWN_WITH)
    weights, spent = zip(*((len(each), spent) for each, spent in steps), strict=True)
    return FilmFigures(
        match.setup.game.name,
        match.number,
        _count_rulings(match),
        *(len(page), len(compress(page)) + beside, round(median(weights))),
        *(round(opened, 1), round(median(spent), 1)),
        *(len(made["file"]), round(file_made, 1), len(made["card"]), round(card_made, 1)),
    )


def _sent(content: bytes, name: str) -> int:
    return len(content) if name.endswith(".woff2") else len(compress(content))


def _timed(browser: FlaskClient, address: str) -> tuple[bytes, float]:
    got: list[bytes] = []
    spent = milliseconds(lambda: got.append(browser.get(address).data))
    return got[0], spent


@contextmanager
def _browser(match: Match, folder: Path) -> Iterator[FlaskClient]:
    """Open a browser at a table that keeps a short match and this one."""
    journal = folder / "journal.sqlite3"
    with open_journal(journal, connected_for_a_thread) as opened:
        opened.journal.begin(_play(match.setup.game, Random(0), 10))
        opened.journal.begin(match)
        yield create_app(table_in_memory(folder, TableDoor(_drop, match))).test_client()


def _drop(_errand: object) -> None:
    """Hear nothing: nobody plays here."""
