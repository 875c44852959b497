"""What films, overlays and clips weigh and cost, and how soon they are there."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from gzip import compress
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import click
from flask.testing import FlaskClient
from msgspec import Struct

from firmware.parts.addresses import UNSAID, TableAddress
from firmware.start.filling import fill_table
from firmware.start.table_parts import bare_parts, places_in
from firmware.storage.database import connected_for_a_thread
from firmware.storage.journal import open_journal
from firmware.table.door import TableDoor
from referee.contract import Game
from referee.games.catalogue import GAMES
from referee.match import Match, moments
from referee.record import record_lines
from tests.bench.chance_matches import play_by_chance
from tests.bench.clips import clip_figures, clip_lines
from tests.bench.measured import json_option, milliseconds, print_figures
from tests.bench.overlays import (
    OverlayFigures,
    match_with_cards,
    measure_beside_watchers,
    measure_listeners,
    overlay_lines,
    weigh_overlay,
)
from webui.server.app import create_app
from webui.server.film_making import film_bytes, score_card_bytes
from webui.server.static_files import StaticFiles

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
@click.option(
    "--rulings", default=500, show_default=True, type=click.IntRange(10, 5000), help="At least so many."
)
@click.option("--seed", default=1, show_default=True, help="Where chance starts.")
@click.option(
    "--listeners",
    default=100,
    show_default=True,
    type=click.IntRange(1, 120),
    help="So many overlays, and as many phones, listen to one table.",
)
@click.option("--seconds", default=20.0, show_default=True, type=click.FloatRange(2, 600), help="How long.")
@json_option
def film(rulings: int, seed: int, listeners: int, seconds: float, *, as_json: bool) -> None:
    """Measure films, clips and the overlay."""
    matches = [long_match(game, rulings, seed) for game in GAMES.values()]
    figures, clips = list(map(figures_of, matches)), list(map(clip_figures, matches))
    overlay = overlay_figures(listeners, seconds)
    told = {"figures": figures, "clips": clips, "overlay": overlay}
    lines = (*_lines(figures), *clip_lines(clips), *overlay_lines(overlay))
    print_figures("film", told, lines, as_json=as_json)


def overlay_figures(listeners: int, seconds: float) -> OverlayFigures:
    """Measure the overlay: its weight, and a moment on many of them."""
    with TemporaryDirectory() as folder, _browser(match_with_cards(), Path(folder)) as browser:
        plain, cards = weigh_overlay(browser)
    overlays, phones = measure_listeners(listeners, seconds)
    watched = measure_beside_watchers(listeners, seconds)
    return OverlayFigures(plain, cards, listeners, overlays, phones, *watched)


def long_match(game: Game, rulings: int, seed: int) -> Match:
    """Play matches until one has so many rulings; else give the longest."""
    longest: tuple[int, Match] | None = None
    for number in range(SEEDS):
        match = _play(game, Random(f"{seed} {number}"), rulings)
        count = _count_rulings(match)
        if longest is None or count > longest[0]:
            longest = count, match
        if count >= rulings:
            break
    if longest is None:
        raise RuntimeError("no match was played")
    return longest[1]


def _play(game: Game, rng: Random, rulings: int) -> Match:
    """Play until so much was ruled, or to the end."""
    told = 0
    for match in play_by_chance(game, NAMES, rng):
        told += len(match.rulings) if match.before is not None else 0
        if told >= rulings:
            break
    return match


def _count_rulings(match: Match) -> int:
    return sum(len(moment.rulings) for moment in moments(match))


def figures_of(match: Match) -> FilmFigures:
    """Measure the film of a match."""
    record = record_lines(match)
    with TemporaryDirectory() as folder, _browser(match, Path(folder)) as browser:
        # another film first: templates and cards are loaded once for all
        browser.get("/history/1/film")
        page, opened = _timed(browser, "/history/2/film")
        every = max(1, match.number // STEPS)
        steps = [_timed(browser, f"/history/2/film/{number}") for number in range(0, match.number, every)]
    made: dict[str, Any] = {}
    file_made = milliseconds(lambda: made.update(file=film_bytes(record, "en")))
    card_made = milliseconds(lambda: made.update(card=score_card_bytes(record, "en")))
    files = StaticFiles()
    beside = sum(_sent(files.content(name) or b"", name) for name in DRAWN_WITH)
    return FilmFigures(
        game=match.setup.game.name,
        moments=match.number,
        rulings=_count_rulings(match),
        page=len(page),
        page_packed=len(compress(page)) + beside,
        step=round(median(len(each) for each, _spent in steps)),
        opened=round(opened, 1),
        stepped=round(median(spent for _each, spent in steps), 1),
        file=len(made["file"]),
        file_made=round(file_made, 1),
        card=len(made["card"]),
        card_made=round(card_made, 1),
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
        door, address = TableDoor(_drop, match), TableAddress(UNSAID["http"])
        table = fill_table(door, bare_parts(door, folder), places_in(folder), "en", address)
        yield create_app(table).test_client()


def _drop(_errand: object) -> None:
    """Hear nothing: nobody plays here."""


def _lines(figures: Iterable[FilmFigures]) -> Iterable[str]:
    for each in figures:
        yield (
            f"{each.game}: {each.moments} moments, {each.rulings} rulings; page {each.page} bytes ({each.page_packed} sent, with all but"
            f" pictures), opened in {each.opened} ms; a moment {each.step} bytes in {each.stepped} ms; file {each.file} bytes in"
            f" {each.file_made} ms; picture of the score {each.card} bytes in {each.card_made} ms"
        )
