"""How well coins and horses are counted, on rendered tables whose truth is known."""

from collections import Counter
from functools import cache
from itertools import product

import numpy as np
from msgspec.structs import replace

from firmware.storage.decks import SHARPNESS
from hardware.decks.catalogue import PRINTED
from hardware.decks.print.raster import picture
from hardware.twin.rendering.renderer import render
from hardware.twin.rendering.scene import Scene
from referee.contract import Piece
from referee.games.catalogue import GAMES
from tests.bench.measured import Measured, amount, bench, one_thread, right_and_wrong
from tests.hardware.twin.layouts import LAYOUTS
from tests.hardware.twin.levels import LEVELS, random_scene
from tests.vision.photographs import PIECE_LAYOUTS, scatter_pieces
from tests.vision.rendered_tables import faces_of_cached, templates_from_artwork
from vision.process.counting_pieces import count_in_zones
from vision.reading.pieces import PieceKind, piece_kind, read_pieces
from vision.reading.reader import read
from vision.reading.views import surroundings_at
from vision.table.calibration import calibrate

CARDS, PIECES = 5, 12
FIRST = 2000  # seeds below were used to find the thresholds
EVERYWHERE = {"table": ((-2000.0, -2000.0), (2000.0, -2000.0), (2000.0, 2000.0), (-2000.0, 2000.0))}


@bench("Pieces: how many tables of coins and horses are counted right, unsurely and wrong.", seed=FIRST)
@amount("tables", 4, "How many of each layout and level.", 1, 10_000)
@one_thread()
def pieces(tables: int, seed: int) -> Measured:
    counts = {layout: Counter[str]() for layout in PIECE_LAYOUTS}
    for layout, level, number in product(PIECE_LAYOUTS, LEVELS, range(seed, seed + tables)):
        counts[layout].update(_verdict(deck, piece, layout, level, number) for deck, piece in _kinds())
    ratios = {
        f"{layout}: right, wrong": right_and_wrong(of["right"], of["wrong"], of.total())
        for layout, of in counts.items()
    }
    told = (
        "the others are unsure, at least so many lie there, or the table wasn't found",
        "pieces that lie exactly on each other look like one, from above",
    )
    return Measured(ratios, told)


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
    rng, names = np.random.default_rng(seed), tuple(PRINTED[deck].faces)
    faces = tuple(names[number] for number in rng.integers(len(names), size=CARDS))
    scene = random_scene(LEVELS[level], LAYOUTS["separate"], faces, seed)
    sides = len(PRINTED[deck].pieces[piece.name])
    laid = scatter_pieces(piece.name, sides, piece.across, PIECES, PIECE_LAYOUTS[layout], rng)
    return replace(scene, cards=(*scene.cards, *laid))


def _verdict(deck: str, piece: Piece, layout: str, level: str, seed: int) -> str:
    """Count as the eyes do: find the table, read the cards, count; then compare with the truth."""
    scene = _scene(deck, piece, layout, level, seed)
    truth = sum(1 for card in scene.cards if card.deck)
    shown = render(scene, faces_of_cached(deck))
    xs, ys = ([getattr(plate, axis) for plate in scene.table.plates] for axis in ("x", "y"))
    table = calibrate(shown, (max(xs) - min(xs), max(ys) - min(ys)))
    if table is None:
        return "none"
    around = surroundings_at(table)
    reading = read_pieces(shown, (_kind(deck, piece),), around)
    cards = read(shown, templates_from_artwork(deck), None, around).cards
    (counted,) = count_in_zones([reading], (piece.name,), cards, table, EVERYWHERE)
    is_wrong = counted.count != truth if counted.is_sure else counted.count > truth
    return "wrong" if is_wrong else "right" if counted.is_sure else "unsure"
