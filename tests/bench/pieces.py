"""How well coins and horses are counted, on rendered tables whose truth is known."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import product
from statistics import median
from typing import Any

import numpy as np
from msgspec.structs import replace

from firmware.storage.decks import SHARPNESS
from hardware.decks.catalogue import PRINTED
from hardware.decks.print.raster import picture
from hardware.twin.rendering.layouts import LAYOUTS
from hardware.twin.rendering.levels import LEVELS, random_scene
from hardware.twin.rendering.renderer import render
from hardware.twin.rendering.scene import Scene
from referee.contract import Piece
from referee.games.catalogue import GAMES
from tests.bench.measured import Measured, amount, bench, milliseconds, one_thread, percent, timed
from tests.vision.counting import yardstick
from tests.vision.photographs import PIECE_LAYOUTS, scatter_pieces
from tests.vision.rendered_tables import faces_of_cached, templates_from_artwork
from vision.process.counting_pieces import count_in_zones
from vision.reading.pieces import PieceKind, piece_kind, read_pieces
from vision.reading.reader import read
from vision.reading.views import surroundings_at
from vision.table.calibration import calibrate

CARDS, PIECES = 5, 12
FIRST = 2000
"""Seeds below were used to find the thresholds."""
EVERYWHERE = {"table": ((-2000.0, -2000.0), (2000.0, -2000.0), (2000.0, 2000.0), (-2000.0, 2000.0))}
VERDICTS = ("right", "unsure", "wrong", "none")


@bench("Pieces: how many tables of coins and horses are counted right, unsurely and wrong.", seed=FIRST)
@amount("tables", 4, "How many of each layout and level.", 1, 10_000)
@one_thread()
def pieces(tables: int, seed: int) -> Measured:
    rows = [
        _measure(layout, level, range(seed, seed + tables)) for layout, level in product(PIECE_LAYOUTS, LEVELS)
    ]
    figures = {"seeds": [seed, seed + tables - 1], "kinds": [name for name, _piece in _kinds()], "counts": rows}
    told = (
        "unsure: at least so many lie there; wrong: said for certain; none: the table wasn't found",
        "pieces that lie exactly on each other look like one, from above",
    )
    ratios = {f"{layout}: right, wrong": _share(rows, layout) for layout in PIECE_LAYOUTS}
    return Measured("pieces", figures, ratios, told)


def _share(rows: Iterable[Mapping[str, Any]], layout: str) -> str:
    """Sum up a layout's tables."""
    of = Counter[str]()
    for row in rows:
        if row["layout"] == layout:
            of.update({name: row[name] for name in ("tables", "right", "wrong")})
    return f"{percent(of['right'], of['tables'])}, {of['wrong']} of {of['tables']}"


def _measure(layout: str, level: str, seeds: range) -> dict[str, Any]:
    """Count tables, and what became of the counts; the ratio is to the yardstick's time, with one thread."""
    verdicts, ratios, laid, seen = Counter[str](), [0.0], 0, 0
    for seed, (deck, piece) in product(seeds, _kinds()):
        scene = _scene(deck, piece, layout, level, seed)
        count = sum(1 for card in scene.cards if card.deck)
        verdict, counted, ratio = _count(scene, deck, piece, count)
        verdicts[verdict] += 1
        ratios.append(ratio)
        laid, seen = laid + count, seen + counted
    told = {verdict: verdicts[verdict] for verdict in VERDICTS}
    ratio = round(median(ratios[1:]), 1)
    place = {"layout": layout, "level": level, "tables": verdicts.total()}
    return {**place, **told, "pieces": laid, "seen": seen, "ratio": ratio}


@cache
def _kinds() -> tuple[tuple[str, Piece], ...]:
    """List every kind of pieces that is printed, with its deck."""
    decks = {deck.name: game for game in GAMES.values() for deck in [game.table.deck(game.rules.house())]}
    return tuple(
        (deck, piece) for deck, game in decks.items() for piece in game.table.pieces if PRINTED[deck].pieces
    )


@cache
def _kind(deck: str, piece: Piece) -> PieceKind:
    sides = PRINTED[deck].pieces[piece.name]
    return piece_kind(piece.name, piece.across, [picture(side(), SHARPNESS) for side in sides])


def _scene(deck: str, piece: Piece, layout: str, level: str, seed: int) -> Scene:
    """Lay cards of a deck apart, and pieces anywhere, also on the cards."""
    rng, names = np.random.default_rng(seed), tuple(PRINTED[deck].faces)
    faces = tuple(names[number] for number in rng.integers(len(names), size=CARDS))
    scene = random_scene(LEVELS[level], LAYOUTS["separate"], faces, seed)
    sides = len(PRINTED[deck].pieces[piece.name])
    laid = scatter_pieces(piece.name, sides, piece.across, PIECES, PIECE_LAYOUTS[layout], rng)
    return replace(scene, cards=(*scene.cards, *laid))


def _count(scene: Scene, deck: str, piece: Piece, truth: int) -> tuple[str, int, float]:
    """Count as the eyes do: find the table, read the cards, count; then compare with the truth."""
    shown = render(scene, faces_of_cached(deck)).picture
    table = calibrate(shown, _apart(scene))
    if table is None:
        return "none", 0, 0.0
    around, kind = surroundings_at(table), _kind(deck, piece)
    reading, spent = timed(lambda: read_pieces(shown, (kind,), around))
    cards = read(shown, templates_from_artwork(deck), None, around).cards
    (counted,) = count_in_zones([reading], (piece.name,), cards, table, EVERYWHERE)
    is_wrong = counted.count != truth if counted.is_sure else counted.count > truth
    verdict = "wrong" if is_wrong else "right" if counted.is_sure else "unsure"
    return verdict, counted.count, spent / median(milliseconds(lambda: yardstick(shown)) for _time in range(3))


def _apart(scene: Scene) -> tuple[float, float]:
    """Measure how far apart the plates' codes are."""
    xs, ys = ([getattr(plate, axis) for plate in scene.table.plates] for axis in ("x", "y"))
    return max(xs) - min(xs), max(ys) - min(ys)
