"""Faint print: thin lines on white cards, in a shadow or soiled, are told by their lines, not by the light."""

import cv2
import numpy as np
import pytest

from tests.vision.sets.drawn_decks import line_drawings
from vision.reading.explaining import is_certain
from vision.reading.flat_light import flat_rows
from vision.reading.identifying import compare_card, correlations, labs_at, resemblances
from vision.reading.templates import Picture, Templates, templates
from vision.reading.views import CORNERS, Pose, pyramid
from vision.table.plane import map_points

LINED = tuple(
    f"{count}-{colour}-open-{shape}"
    for count in (1, 3)
    for colour in ("red", "green")
    for shape in ("oval", "lozenge", "wave")
)
POSE: Pose = np.array([(114.0, 0, 150), (0, 174.0, 150), (0, 0, 1.0)])


def lined_cards() -> Templates:
    return templates({name: [line_drawings().face(name)] for name in LINED}, (57, 87))


def in_shadow(name: str, seed: int) -> Picture:
    """Lay a soiled card on a table, with the edge of a soft shadow across it."""
    rng = np.random.default_rng(seed)
    picture = np.full((300, 300, 3), (60, 90, 50), np.uint8)
    face = cv2.resize(line_drawings().face(name), (114, 174), interpolation=cv2.INTER_AREA)
    picture[63:237, 93:207] = face
    y, x = np.mgrid[0:300, 0:300] / 300
    turn = rng.uniform(0, 2 * np.pi)
    shade = 0.85 + 0.1 * np.tanh(3 * (np.cos(turn) * (x - 0.5) + np.sin(turn) * (y - 0.5)))
    soil = 1 - 0.04 * np.clip(cv2.GaussianBlur(rng.normal(0, 20, (300, 300)), (0, 0), 8), -1, 1)
    return np.asarray(np.clip(picture * (shade * soil)[..., None], 0, 255), np.uint8)


def test_light_that_changes_slowly_leaves_flat_rows_as_they_are() -> None:
    grid = lined_cards().coarse
    labs = grid.lab.reshape(len(grid.lab), 3, -1).transpose(1, 0, 2)
    across = np.tile(np.linspace(-0.03, 0.03, grid.shape[1], dtype=np.float32), grid.shape[0])
    lit, unlit = (flat_rows(each, grid.shape, grid.inside) for each in (labs + across, labs))
    raw = correlations(grid, labs + across, np.repeat(grid.inside[None], len(labs[0]), axis=0))
    assert ((lit * unlit).sum(axis=1) > 0.9).all()
    assert np.median(raw.diagonal()) < 0.8


def test_what_is_partly_covered_is_compared_as_it_is() -> None:
    deck = lined_cards()
    labs = labs_at(pyramid(in_shadow(LINED[0], 1)), [POSE], deck.coarse.shape)
    seen = deck.coarse.inside.copy()
    seen[: len(seen) // 3] = 0
    assert (resemblances(deck.coarse, labs, seen[None]) == correlations(deck.coarse, labs, seen[None])).all()


@pytest.mark.parametrize("name", LINED)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_thin_lines_are_named_in_a_shadow_and_the_card_stays_where_its_outline_lies(
    name: str, seed: int
) -> None:
    deck, levels = lined_cards(), pyramid(in_shadow(name, seed))
    fits = resemblances(deck.rough, labs_at(levels, [POSE], deck.rough.shape), deck.rough.inside[None])[0]
    card = compare_card(levels, POSE, int(fits.argmax()), deck)
    assert card is not None
    assert deck.names[deck.faces[card.row]] == name
    assert is_certain(card, deck)
    moved = np.abs(map_points(card.pose, CORNERS) - map_points(POSE, CORNERS)).max()
    assert moved < 0.03 * float(np.hypot(114, 174))
