"""What an overlay costs: its first visit with and without cards, and a moment on many of them beside phones."""

import re
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import sleep

from flask.testing import FlaskClient
from msgspec import Struct

from firmware.benches.chance_matches import play_by_chance
from firmware.benches.crowd import APART, CrowdPlan, visit
from firmware.benches.phones import (
    LATE,
    SETTLED,
    Times,
    delivery_times,
    play_on_table,
    request_head,
    serve_table,
    times_of,
    times_text,
)
from firmware.language.catalogues import language
from firmware.language.speaking import _
from referee.games.coyote import COYOTE
from referee.match import Match
from referee.public_moment import new_cards
from referee.telling import listener_at

CARDS = 5
"""New cards at once: more are never shown."""
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
    with TemporaryDirectory() as folder, ExitStack() as ends:
        crowd = ends.enter_context(ProcessPoolExecutor(1, get_context("spawn")))
        table = ends.enter_context(serve_table(Path(folder)))
        coming = APART * 2 * count + SETTLED
        plan = CrowdPlan(table.port, coming + seconds + LATE, tuple(_listen_requests(2 * count)))
        back = crowd.submit(visit, plan)
        sleep(coming)
        play_on_table(table.door, seconds, [0.0])
        heard = back.result().heard
        overlays, phones = (
            delivery_times(table.told, [each for each in heard if each.phone % 2 == rest]) for rest in (0, 1)
        )
    return times_of([taken for _at, taken in overlays]), times_of([taken for _at, taken in phones])


def _listen_requests(count: int) -> Iterator[bytes]:
    """Have overlays and phones come by turns."""
    for number in range(count):
        said = {"Accept-Language": "en", "Accept-Encoding": "gzip"}
        yield request_head("/events/score" if number % 2 else "/events/overlay", said)


def overlay_lines(figures: OverlayFigures) -> Iterable[str]:
    """Write the figures down."""
    yield _(
        "overlay: {plain} bytes before pictures of cards, {cards} with {count} new cards, as they are sent"
    ).format(plain=figures.plain, cards=figures.cards, count=CARDS)
    yield _("a moment on {count} overlays: {times}").format(
        count=figures.listeners, times=times_text(figures.overlays)
    )
    yield _("the same on {count} phones of the same table: {times}").format(
        count=figures.listeners, times=times_text(figures.phones)
    )
