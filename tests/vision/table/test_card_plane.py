"""The table by its cards: plane, lens and frame, against cameras and cards that are known exactly."""

import cv2
import numpy as np
import pytest
from msgspec.structs import replace
from numpy.random import Generator, default_rng

from hardware.twin.rendering.renderer import render
from tests.given import present
from tests.vision.rendered_tables import faces_of_cached, templates_from_artwork
from tests.vision.slanted_views import camera_beside, scene_beside, seen_from
from vision.reading.reader import read
from vision.reading.views import surroundings_at
from vision.sightings import Outline
from vision.table.calibration import to_pixels, to_table
from vision.table.card_plane import (
    aligned,
    exact_outlines,
    fit_cards,
    middle_of,
    misfit,
    refine_table,
    with_light,
    with_middle,
    with_seat,
    without_cards,
)
from vision.table.optics import CAMERAS
from vision.table.plane import UNIT_SQUARE, Reals, as_matrix, as_outline
from vision.table.values import Calibration, Optics

CARD, SIZE = (63.0, 88.0), (1920, 1080)
GRID = np.stack(np.meshgrid(np.linspace(-250, 250, 5), np.linspace(-150, 150, 5)), -1).reshape(-1, 2)


def camera(rng: Generator, tilt: float, lens: float) -> Calibration:
    """Return a camera of any usual lens, tilted in any direction."""
    focal, way = SIZE[0] * rng.uniform(0.55, 1.2), rng.uniform(0, 2 * np.pi)
    tilted = cv2.Rodrigues(np.array([np.cos(way), np.sin(way), 0.0]) * np.radians(tilt))[0]
    turned = tilted @ cv2.Rodrigues(np.array([0.0, 0.0, rng.uniform(-3, 3)]))[0]
    optics = np.array([(focal, 0, (SIZE[0] - 1) / 2), (0, focal, (SIZE[1] - 1) / 2), (0, 0, 1)])
    plane = optics @ np.column_stack((turned[:, 0], turned[:, 1], (0, 0, rng.uniform(600, 900))))
    return Calibration(as_matrix(plane), SIZE, (1.0, 1.0, 1.0), 1.0, {}, lens)


def lay(rng: Generator, count: int) -> Reals:
    """Return the corners of cards that lie apart on the table, in millimetres: (n, 4, 2)."""
    spots = rng.permutation(15)[:count]
    middles = np.column_stack((spots % 5 - 2.0, spots // 5 - 1.0)) * (120.0, 120.0)
    turns = np.exp(1j * rng.uniform(0, 2 * np.pi, count))
    corners = ((UNIT_SQUARE - 0.5) * CARD) @ np.array([1, 1j]) * turns[:, None]
    return np.stack((corners.real, corners.imag), -1) + middles[:, None]


def outlines_in(seen: Calibration, cards: Reals, rng: Generator, error: float = 0.0) -> tuple[Outline, ...]:
    pixels = to_pixels(seen, cards.reshape(-1, 2)).reshape(cards.shape)
    return tuple(as_outline(each) for each in pixels + rng.normal(0, error, pixels.shape))


def off_by(found: Calibration, seen: Calibration, cards: Reals) -> float:
    """Return the largest error in millimetres anywhere among the cards; the frame is the cards' own."""
    mm = cards.reshape(-1, 2)
    placed = aligned(found, to_pixels(seen, mm), mm)
    return float(np.hypot(*(to_table(placed, to_pixels(seen, GRID)) - GRID).T).max())


@pytest.mark.parametrize(("count", "tilt"), [(2, 35.0), (3, 0.0), (4, 45.0), (12, 60.0)])
def test_exact_outlines_give_the_plane_back(count: int, tilt: float) -> None:
    rng = default_rng(count)
    # two cards don't show how the lens bends
    seen = camera(rng, tilt, rng.uniform(-0.05, 0.05) if count > 2 else 0.0)
    cards = lay(rng, count)
    found = present(fit_cards(outlines_in(seen, cards, rng), CARD, SIZE))
    assert off_by(found.table, seen, cards) < 1e-6
    assert len(found.outlines) == count


@pytest.mark.parametrize(("count", "most"), [(12, 1.0), (4, 1.8), (2, 4.5), (1, 20.0)])
def test_outlines_off_by_a_third_of_a_pixel_give_millimetres(count: int, most: float) -> None:
    for tilt in (0.0, 35.0, 45.0):
        rng = default_rng([count, int(tilt)])
        seen, cards = camera(rng, tilt, 0.02 if count > 2 else 0.0), lay(rng, count)
        found = present(fit_cards(outlines_in(seen, cards, rng, 0.33), CARD, SIZE))
        assert off_by(found.table, seen, cards) < most


def test_a_card_of_another_size_is_left_out() -> None:
    rng = default_rng(1)
    seen, cards = camera(rng, 30.0, 0.01), lay(rng, 5)
    half = cards.copy()
    half[2, 2:] = (cards[2, 2:] + cards[2, 1::-1]) / 2
    found = present(fit_cards(outlines_in(seen, half, rng, 0.2), CARD, SIZE))
    assert len(found.outlines) == 4
    assert off_by(found.table, seen, cards) < 2.0


def test_outlines_that_fit_no_plane_give_no_table() -> None:
    rng = default_rng(2)
    seen, cards = camera(rng, 20.0, 0.0), lay(rng, 6)
    assert fit_cards(outlines_in(seen, cards, rng, 9.0), CARD, SIZE) is None
    assert fit_cards((), CARD, SIZE) is None


def test_more_cards_refine_a_table_in_its_frame() -> None:
    rng = default_rng(3)
    seen, cards = camera(rng, 40.0, 0.0), lay(rng, 10)
    shown = outlines_in(seen, cards, rng, 0.3)
    first = replace(present(fit_cards(shown[:2], CARD, SIZE)).table, white=(1.3, 1.0, 1.1), light=0.6)
    rough = with_seat(first, (100.0, 500.0))
    fine = refine_table(rough, shown, CARD)
    assert (fine.white, fine.light) == (first.white, first.light)
    assert misfit(fine, shown, CARD) < misfit(rough, shown, CARD)
    assert off_by(fine, seen, cards) < off_by(rough, seen, cards)
    middle, left = to_table(fine, to_pixels(rough, np.array([(0.0, 0.0), (-100.0, 0.0)])))
    assert np.hypot(*middle) < 8
    assert np.hypot(*(left - (-100.0, 0.0))) < 12


def test_a_fit_that_explains_its_cards_worse_is_refused() -> None:
    rng = default_rng(4)
    seen, cards = camera(rng, 20.0, 0.0), lay(rng, 6)
    assert refine_table(seen, outlines_in(seen, cards, rng), CARD) is seen
    # a lens of another angle than expected
    other = Optics("Camera", SIZE, 25.0, 100.0)
    slanted = camera(rng, 40.0, 0.0)
    assert refine_table(slanted, outlines_in(slanted, cards, rng, 0.3), CARD, other) is slanted


def test_the_frame_starts_among_the_cards_and_follows_two_taps() -> None:
    rng = default_rng(5)
    seen, cards = camera(rng, 30.0, 0.0), lay(rng, 4)
    shown = outlines_in(seen, cards, rng)
    table = present(fit_cards(shown, CARD, SIZE)).table
    x, y = middle_of(shown)
    assert np.hypot(*to_table(table, np.array([(x, y)]))[0]) < 1e-6
    down = to_table(table, np.array([(x, y + 40.0)]))[0]
    assert abs(down[0]) < 3 < down[1]  # seat 1 is at the picture's lower edge
    sat = with_seat(table, (x - 300.0, y))
    left = to_table(sat, np.array([(x - 300.0, y)]))[0]
    assert abs(left[0]) < 1e-6 < left[1]
    moved = with_middle(sat, (x + 50.0, y + 20.0))
    assert np.hypot(*to_table(moved, np.array([(x + 50.0, y + 20.0)]))[0]) < 1e-6


def test_a_picture_from_40_degrees_gives_plane_and_light() -> None:
    seen = camera_beside(CAMERAS["usb 1080p"], 40.0, 100.0, 2)
    scene = scene_beside(seen, "coup", 6, 2)
    # as much of the table as the camera sees; drawing all of it takes twice as long
    scene = replace(scene, table=replace(scene.table, width=1700.0, depth=1500.0))
    picture, deck = render(scene, faces_of_cached("coup")), templates_from_artwork("coup")
    cards = read(picture, deck).cards
    outlines = exact_outlines(cards, SIZE)
    assert len(outlines) >= 4
    found = present(fit_cards(outlines, deck.size, SIZE))
    mm = np.array([(card.x, card.y) for card in scene.cards])
    placed = aligned(found.table, seen_from(seen, mm), mm)
    off = np.hypot(*(to_table(placed, seen_from(seen, mm)) - mm).T)
    assert off.mean() < 0.6
    assert off.max() < 1.4
    # the table speeds up the next reading and finds the same cards
    bare = without_cards(picture, found.outlines)
    again = read(picture, deck, None, surroundings_at(found.table, bare)).cards
    assert {card.face for card in cards if card.sure} <= {card.face for card in again if card.sure}
    # white paper in evening light is yellowish
    lit = with_light(found.table, picture, found.outlines)
    assert 0.3 < lit.light <= 1.0
    assert min(lit.white) == 1.0


def test_cards_are_replaced_by_the_table_around_them() -> None:
    table = np.full((480, 640, 3), (60, 90, 120), np.uint8)
    laid = table.copy()
    corners = np.array([(200, 100), (263, 110), (250, 198), (187, 188)])
    cv2.fillConvexPoly(laid, corners.astype(np.int32), (250, 250, 250))
    bare = without_cards(laid, (as_outline(corners.astype(np.float64)),))
    assert np.abs(bare.astype(int) - table).max() <= 2


def test_a_table_remembers_its_other_values() -> None:
    rng = default_rng(6)
    seen = replace(camera(rng, 10.0, 0.01), white=(1.2, 1.0, 1.1), light=0.7)
    assert with_seat(seen, (5.0, 5.0)).white == seen.white
    assert with_light(seen, np.zeros((8, 8, 3), np.uint8), ()) == seen
