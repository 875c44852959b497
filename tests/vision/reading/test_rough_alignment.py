"""Rating places by the sides of a card that may show, and moving them onto their faces."""

import cv2
import numpy as np
import pytest

from tests.vision.sets.drawn_decks import playing_cards
from vision.reading.identifying import correlations, labs_at
from vision.reading.rough_alignment import LEAST, SIDES, SMALLER, cells_of_side, move_onto_rows, rate_sides
from vision.reading.templates import Picture, Templates, templates
from vision.reading.views import CORNERS, Pose, pyramid
from vision.table.plane import map_points

FACES = ("7c", "Jd", "Qc", "4h")
WIDE, HIGH = 130, 180


def few_cards() -> Templates:
    return templates({name: [playing_cards().face(name)] for name in FACES})


def one_card(name: str, hidden: float = 0) -> tuple[tuple[Picture, ...], Pose]:
    """Lay a card on cloth, with its lower part, so large a share of it, under a red thing."""
    picture = np.full((400, 400, 3), (60, 80, 50), np.uint8)
    face = cv2.resize(playing_cards().face(name), (WIDE, HIGH), interpolation=cv2.INTER_AREA)
    picture[100 : 100 + HIGH, 150 : 150 + WIDE] = face
    if hidden:
        picture[100 + round(HIGH * (1 - hidden)) :, 100:330] = (30, 30, 160)
    return pyramid(picture), np.array([(WIDE, 0, 149.5 + WIDE / 2), (0, HIGH, 99.5 + HIGH / 2), (0, 0, 1.0)])


@pytest.mark.parametrize("name", FACES)
@pytest.mark.parametrize("hidden", [0.0, 0.3, 0.5])
def test_a_place_is_rated_by_the_side_of_it_that_shows(name: str, hidden: float) -> None:
    deck = few_cards()
    levels, pose = one_card(name, hidden)
    grid = deck.rough
    rated = rate_sides(grid, labs_at(levels, [pose], grid.shape), grid.inside[None])
    assert deck.names[deck.faces[rated.rows[0]]] == name
    assert rated.fits[0] > 0.75
    side = cells_of_side(grid.shape, int(rated.sides[0])).reshape(grid.shape)
    assert not side[round(grid.shape[0] * (1 - hidden)) + 1 :].any()


def test_the_rating_of_a_side_is_the_correlation_of_its_cells() -> None:
    deck = few_cards()
    levels, pose = one_card("Jd", 0.5)
    grid = deck.rough
    labs = labs_at(levels, [pose], grid.shape)
    rated = rate_sides(grid, labs, grid.inside[None])
    every = []
    for number in range(len(SIDES)):
        seen = grid.inside * cells_of_side(grid.shape, number)
        share = float(seen.sum() / grid.inside.sum())
        if share > LEAST:
            every.append(correlations(grid, labs, seen[None]).max() * min(share, 1) ** SMALLER)
    assert rated.fits[0] == pytest.approx(max(every), abs=0.01)


@pytest.mark.parametrize("name", FACES)
@pytest.mark.parametrize(("x", "y", "turn"), [(0.03, 0.02, 0.0), (-0.03, 0.0, 0.04), (0.02, -0.03, -0.04)])
def test_places_beside_a_card_move_onto_it(name: str, x: float, y: float, turn: float) -> None:
    deck = few_cards()
    levels, pose = one_card(name)
    c, s = np.cos(turn), np.sin(turn)
    away = np.array([(1, 0, x * WIDE), (0, 1, y * HIGH), (0, 0, 1)]) @ pose @ np.array([
        (c, -s * HIGH / WIDE, 0), (s * WIDE / HIGH, c, 0), (0, 0, 1),
    ])  # fmt: skip
    row = np.array([int(np.flatnonzero(deck.faces == FACES.index(name))[0])])
    (moved,) = move_onto_rows(levels, [away], deck.rough.inside[None], deck, row)
    before, after = (
        np.abs(map_points(each, CORNERS) - map_points(pose, CORNERS)).max() for each in (away, moved)
    )
    assert after < 0.7 * before
