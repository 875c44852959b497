"""Round pieces, seen from above: each turned anyhow, touching, lying on each other and on cards."""

from collections import Counter
from functools import cache
from itertools import product

import cv2
import numpy as np
import pytest
from msgspec.structs import replace
from numpy.random import default_rng

from hardware.decks.catalogue import PRINTED
from hardware.decks.print.raster import picture
from hardware.twin.rendering.renderer import faces_of
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneCard, SceneTable, piece_card
from tests.hardware.twin.layouts import LAYOUTS
from tests.hardware.twin.levels import LEVELS, random_scene
from tests.hardware.twin.truth import Frame, frame_of
from tests.tiers import tiered
from tests.vision.photographs import PIECE_LAYOUTS, scatter_pieces
from vision.reading.pieces import (
    PieceKind,
    PieceReading,
    Rim,
    find_circles,
    longest_arc,
    piece_kind,
    read_pieces,
    rim_of,
    slopes_of,
)
from vision.reading.views import Picture, surroundings

ACROSS = 24.0
KINDS = {"coup": "coins", "plenty-coups": "horses"}
PLAIN = Scene(SceneCamera(resolution=(1200, 900), focal=924.0, noise=2.0), SceneTable("felt", plates=()))


def sides(deck: str) -> list[Picture]:
    return [picture(side(), 4.0) for side in PRINTED[deck].pieces[KINDS[deck]]]


@cache
def kind(deck: str) -> PieceKind:
    return piece_kind(KINDS[deck], ACROSS, sides(deck))


def coin(x: float, y: float, side: int = 0, angle: float = 0.0, height: float = 0.3) -> SceneCard:
    return replace(piece_card("coins", side, ACROSS, x, y, angle), height=height)


def show(*cards: SceneCard) -> Frame:
    return frame_of(replace(PLAIN, cards=cards), faces_of("coup"))


def read_frame(frame: Frame, *kinds: PieceKind) -> PieceReading:
    return read_pieces(frame.picture, kinds or (kind("coup"),), surroundings(frame.plane))


@pytest.mark.parametrize(
    ("deck", "layout", "level"),
    tiered(
        (("coup", "alone", "L1"), ("coup", "overlapping", "L2"), ("plenty-coups", "touching", "L0")),
        tuple(product(KINDS, ("alone", "touching", "overlapping"), LEVELS)),
    ),
)
def test_pieces_are_counted_wherever_they_lie(deck: str, layout: str, level: str) -> None:
    rng = default_rng(7)
    bare = random_scene(LEVELS[level], LAYOUTS["separate"], (), 7)
    laid = scatter_pieces(KINDS[deck], 2, ACROSS, 9, PIECE_LAYOUTS[layout], rng)
    frame = frame_of(replace(bare, cards=laid), faces_of(deck))
    seen = read_frame(frame, kind(deck))
    assert len(seen.pieces) <= 9
    assert len(seen.pieces) + len(seen.doubts) >= 9
    for piece in seen.pieces:
        truth = [np.hypot(*np.subtract(np.mean(each.outline, axis=0), piece.middle)) for each in frame.truth]
        assert min(truth) < 8


def test_a_coin_on_a_card_is_counted_and_what_is_printed_there_is_not() -> None:
    assert len(read_frame(show(SceneCard("duke", 0, 0), coin(5, 10))).pieces) == 1
    assert read_frame(show(SceneCard("duke", 0, 0))).pieces == ()


def test_a_stack_that_is_not_straight_is_in_doubt() -> None:
    seen = read_frame(show(coin(0, 0), coin(4, 1, height=0.8)))
    assert len(seen.pieces) == 1
    assert len(seen.doubts) == 1


def test_a_coin_half_under_a_card_is_never_more_than_a_doubt() -> None:
    seen = read_frame(show(coin(30, 0), SceneCard("duke", 0, 0, height=0.8)))
    assert seen.pieces == ()


def test_pieces_of_another_game_are_no_coins() -> None:
    horses = tuple(piece_card("horses", number % 2, ACROSS, 70.0 * number - 140, 0) for number in range(5))
    frame = frame_of(replace(PLAIN, cards=horses), faces_of("plenty-coups"))
    seen = read_frame(frame, kind("coup"))
    assert seen.pieces == ()
    assert len(seen.doubts) == 5
    both = read_frame(frame, kind("coup"), kind("plenty-coups"))
    assert Counter(piece.kind for piece in both.pieces) == {"horses": 5}


def test_nothing_is_counted_without_kinds_or_pieces_or_where_the_table_makes_no_sense() -> None:
    frame = show(coin(0, 0))
    assert read_pieces(frame.picture, (), surroundings(frame.plane)) == PieceReading()
    for plane in (np.zeros((3, 3)), np.eye(3) * 1e-3):
        assert read_pieces(frame.picture, (kind("coup"),), surroundings(plane)) == PieceReading()
    # there are markers on it
    assert read_frame(frame_of(replace(PLAIN, table=SceneTable("wood")), faces_of("coup"))).pieces == ()


def test_a_rim_is_the_one_that_is_printed_else_the_edge() -> None:
    (rim,) = rim_of(sides("coup"), ACROSS)
    assert rim.rise == -1
    assert rim.radius == pytest.approx(10.0, abs=0.3)
    assert rim_of([np.full((96, 96, 3), 90, np.uint8)], ACROSS) == (Rim(12.0),)


@pytest.mark.parametrize(("disc", "ground"), [(40, 200), (200, 40)])
def test_by_its_edge_a_disc_is_found_on_lighter_and_on_darker_ground(disc: int, ground: int) -> None:
    grey = cv2.circle(np.full((160, 160), ground, np.uint8), (80, 80), 30, (disc,), -1)
    found = find_circles(slopes_of(np.asarray(grey, np.uint8)), Rim(30.0))
    assert found.middles.tolist() == [[80, 80]]


def test_an_arc_runs_across_the_end_of_the_circle_and_over_single_gaps() -> None:
    marked = np.zeros(72, np.bool_)
    assert longest_arc(marked) == 0
    marked[[70, 71, 0, 2, 3]] = True
    assert longest_arc(marked) == pytest.approx(6 / 72)
    assert longest_arc(~np.zeros(72, np.bool_)) == 1
