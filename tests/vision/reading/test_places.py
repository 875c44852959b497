"""Where cards may lie: what stands out from above, which places are proposed, covered, and kept once."""

from math import dist

import cv2
import numpy as np
import pytest

from tests.given import present
from tests.vision.laid_cards import (
    HIGH,
    SHAPE,
    WIDE,
    few_cards,
    in_other_light,
    lay_onto,
    leaning_table,
    table,
    wood,
)
from tests.vision.laid_cards import card as laid_card
from vision.process.sought_cards import _local, seek_face
from vision.reading import views
from vision.reading.explaining import cover_places, explain_places, is_certain, pool_of
from vision.reading.identifying import COVER, cover_of, resemblances, uncovered_places, visible_cells
from vision.reading.looking import Seeing, compare_card
from vision.reading.moved_places import TOGETHER, first_of_each
from vision.reading.outlines import quads_by_side, rigid_pose
from vision.reading.own_light import cell_middles
from vision.reading.templates import Picture, templates
from vision.reading.thresholds import PLACE_FIT
from vision.table.plane import inverse, map_points

CARD = (63.0, 88.0)

# the view from above


@pytest.mark.parametrize("noise", [0.0, 40.0])
def test_card_stands_out_from_noise(noise: float) -> None:
    bare = np.full((600, 800, 3), 60, np.uint8)
    picture = bare + np.random.default_rng(1).normal(0, noise, bare.shape)
    picture[200:376, 300:426] += 130
    levels = views.pyramid(np.clip(picture, 0, 255).astype(np.uint8))
    view = views.view_of(
        levels, (63, 88), views.Surroundings(np.diag([2.0, 2.0, 1.0]), (), views.lines_of(bare))
    )
    corners = map_points(inverse(view.back), np.array([(300.0, 200.0), (426.0, 376.0)]))
    (left, top), (right, low) = corners.round().astype(int).tolist()
    assert view.solid[top + 3 : low - 3, left + 3 : right - 3].all()
    away = view.solid.copy()
    away[top - 8 : low + 8, left - 8 : right + 8] = 0
    assert np.count_nonzero(away) < 0.002 * away.size
    assert np.count_nonzero(view.edges) < 0.03 * away.size


def test_places_card_along_its_own_sides() -> None:
    corners = np.array([(200, 150), (322, 162), (304, 338), (182, 326)], np.int32)
    view = views.view_of(views.pyramid(np.zeros((480, 640, 3), np.uint8)), CARD, None)
    quads = np.array(list(quads_by_side(corners[:, None], view, CARD, 1)))
    # each long and each short side has it, either way up
    for way in (corners, np.roll(corners, 2, axis=0)):
        assert (np.abs(quads - way).max(axis=(1, 2)) < 0.01).sum() == 4


BACKS = {
    "inside": ((1.3, 0.1, 90), (-0.1, 1.2, 80), (0, 0, 1)),
    "in perspective": ((1.4, 0.2, 60), (0.1, 1.5, 40), (2e-4, 6e-4, 1)),
    "beyond the edges": ((3.0, 0.4, -70), (-0.3, 3.1, -90), (0, 0, 1)),
    "quite outside": ((1.0, 0, 900), (0, 1.0, -700), (0, 0, 1)),
    "over the horizon": ((1.4, 0.2, 60), (0.1, 1.5, 40), (0, -8e-3, 1)),
    "finer than the picture": ((0.3, 0.05, 200), (-0.05, 0.3, 120), (0, 0, 1)),
}


@pytest.mark.parametrize("where", BACKS)
def test_rectified_part_equals_whole(where: str) -> None:
    noise = np.random.default_rng(3).integers(0, 255, (600, 800, 3))
    picture = cv2.GaussianBlur(noise.astype(np.uint8), (0, 0), 3)
    back, shape, levels = np.array(BACKS[where], np.float64), (210, 160), views.pyramid(picture)
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    each = [
        cv2.warpPerspective(level, views.to_level(i) @ back, shape, flags=how, borderMode=cv2.BORDER_REPLICATE)
        for i, level in enumerate(levels)
    ]
    off = [np.abs(views.rectify_part(levels, back, shape).astype(int) - whole).max() for whole in each]
    assert min(off) <= 2


# the plane under cards


LYING = ((-120.0, -80.0, 0.2), (90.0, -60.0, 1.1), (0.0, 40.0, 2.0), (-90.0, 110.0, 0.7), (150.0, 90.0, 2.8))


@pytest.mark.parametrize("focal", [0.8, 1.4, 1.9])
@pytest.mark.parametrize("lean", [(0.0, 0.0), (0.5, 0.0), (-0.3, 0.4), (-0.85, -0.15), (0.3, 0.9)])
def test_plane_from_outlines_gives_card_sizes(lean: tuple[float, float], focal: float) -> None:
    poses = []
    for across, down, turn in LYING:
        c, s = np.cos(turn), np.sin(turn)
        laid = np.array([(c, -s, across), (s, c, down), (0, 0, 1)])
        poses.append(leaning_table(lean, focal) @ laid @ np.diag((*CARD, 1.0)))
    plane = views.plane_under(poses, CARD, SHAPE)
    for pose in poses:
        corners = map_points(inverse(plane), map_points(pose, views.CORNERS))
        sides = [float(np.hypot(*(corners[(k + 1) % 4] - corners[k]))) for k in range(4)]
        assert sides == pytest.approx([*CARD] * 2, rel=0.03)


@pytest.mark.parametrize(
    ("across", "down", "fits"),
    [(1, 1, True), (1.1, 0.9, True), (0.8, 1, False), (1, 1.3, False), (0, 0, False)],
)
def test_position_with_card_size_fits(across: float, down: float, fits: bool) -> None:
    turn = np.array([(0.6, -0.8, 300.0), (0.8, 0.6, 200.0), (0.0, 0.0, 1.0)])
    back = np.array([(1.2, 0.1, 5.0), (-0.1, 0.9, 8.0), (0.0003, 0.0002, 1.0)])
    assert views.has_card_size(back @ turn @ np.diag((63 * across, 88 * down, 1)), back, (63, 88)) is fits


# each once


def test_keeps_first_of_nearly_equal_positions() -> None:
    apart = [np.array([(63, 0, 90 * k), (0, 88, 40), (0, 0, 1.0)]) for k in range(2 * TOGETHER)]
    again = [pose @ np.array([(turn, 0, 0.005), (0, turn, 0), (0, 0, 1)]) for pose in apart for turn in (1, -1)]
    count = len(apart)
    assert first_of_each([]) == []
    assert first_of_each([*apart, *again]) == list(range(count))
    assert first_of_each([*again, *apart]) == list(range(0, 2 * count, 2))


# which cells are covered


def any_pose(rng: np.random.Generator) -> views.Pose:
    """Lay a card somewhere, at any angle, in some perspective."""
    turn, (x, y), (slant, lean) = (
        rng.uniform(0, 2 * np.pi),
        rng.uniform(900, 1100, 2),
        rng.uniform(-0.2, 0.2, 2),
    )
    c, s = np.cos(turn), np.sin(turn)
    size = np.array([(126 * rng.uniform(0.8, 1.2), rng.uniform(-9, 9), 0), (0, 176, 0), (slant, lean, 1)])
    return np.array([(c, -s, x), (s, c, y), (0, 0, 1)]) @ size


@pytest.mark.parametrize("seed", range(3))
def test_cell_under_card_or_shadow_is_hidden(seed: int) -> None:
    rng, shape = np.random.default_rng(seed), (22, 16)
    pose, above = any_pose(rng), [any_pose(rng) for _card in range(int(rng.integers(1, 4)))]
    spots = map_points(pose, cell_middles(shape))
    there = [np.abs(map_points(inverse(each), spots)).max(axis=1) for each in above]
    (seen,) = visible_cells([pose], shape, (2000, 2000), [cover_of(each) for each in above])
    assert (seen == (np.min(there, axis=0) >= 0.5 + COVER)).all()
    assert visible_cells([pose], shape, (2000, 2000), []).all()


# faces of which a card could be either


def print_bars(*, across: bool) -> Picture:
    face = np.full((HIGH, WIDE, 3), 255, np.uint8)
    for place in (20, 60, 80):
        ends = ((10, place), (100, place + 12)) if across else ((place, 10), (place + 12, 150))
        cv2.rectangle(face, *ends, (160, 40, 20), cv2.FILLED)
    return face


def pose_at(left: int, top: int) -> views.Pose:
    return np.array([(WIDE, 0, left + (WIDE - 1) / 2), (0, HIGH, top + (HIGH - 1) / 2), (0, 0, 1)])


def test_ambiguous_card_gives_one_unsure_sighting() -> None:
    one, other = print_bars(across=True), print_bars(across=False)
    picture = np.full((400, 600, 3), 60, np.uint8)
    picture[100 : 100 + HIGH, 50 : 50 + WIDE] = cv2.addWeighted(one, 0.5, other, 0.5, 0)
    deck = templates({"across": [one], "down": [other]})
    seeing = Seeing(views.pyramid(picture), deck)
    near = [pose_at(50 + x, 100 + y) for x in (-2, 0, 2) for y in (-2, 0, 2)]
    (card,) = explain_places(seeing, pool_of(seeing, near), [])
    assert not is_certain(seeing, card)
    assert np.abs(np.array(views.outline_of(card.pose)) - views.outline_of(pose_at(50, 100))).max() < 8


@pytest.mark.parametrize(("across", "down"), [(130, 180), (180, 130), (150, 150)])
def test_cover_changes_all_covered_positions(across: int, down: int) -> None:
    seeing = Seeing(views.pyramid(np.zeros((400, 600, 3), np.uint8)), few_cards())
    card, ways = pose_at(250, 100) @ np.diag([across / WIDE, down / HIGH, 1]), np.linspace(-1.1, 1.1, 12)
    pool = pool_of(seeing, [card @ np.array([(1, 0, x), (0, 1, y), (0, 0, 1)]) for x in ways for y in ways])
    uncovered = pool.seen * uncovered_places(pool.spots, cover_of(card))
    seen, changed = pool.seen.copy(), np.flatnonzero((uncovered != pool.seen).any(axis=1))
    assert cover_places(pool, seen, [cover_of(card)]).tolist() == changed.tolist()
    assert (seen == uncovered).all()


# seeking a face


def sought(picture: Picture, face: str) -> list[np.ndarray]:
    deck, plane = few_cards(), np.diag((WIDE / 63, HIGH / 88, 1.0))
    row = deck.faces.tolist().index(deck.names.index(face))
    return [np.array(views.outline_of(pose)) for pose in seek_face(views.pyramid(picture), row, deck, plane)]


@pytest.mark.parametrize("turned", [0, 47, 178])
def test_proposes_face_at_its_position_in_any_light(turned: float) -> None:
    there = laid_card("7c", 220, 150, turned)
    for picture in (table(there), in_other_light(table(laid_card("Jd", 30, 40), there))):
        # a card that looks the same both ways up may be seen from either end
        off = min(
            np.abs(place - np.roll(there.outline, ends, axis=0)).max()
            for place in sought(picture, "7c")
            for ends in (0, 2)
        )
        assert off < 0.2 * WIDE


def test_proposes_nothing_without_print_or_space() -> None:
    assert sought(np.full((400, 400, 3), 120, np.uint8), "7c") == []
    assert sought(wood()[:60, :60], "7c") == []
    assert len(sought(table(laid_card("7c", 220, 150)), "7c")) <= 3


@pytest.mark.parametrize("seed", range(3))
def test_flat_light_stays_finite_without_print(seed: int) -> None:
    rng = np.random.default_rng(seed)
    grey = np.full((160, 40), 128, np.float32)
    grey[:40] = rng.uniform(0, 255, (40, 40))
    grey[40:80] += rng.uniform(-1e-4, 1e-4, (40, 40)).astype(np.float32)
    assert np.isfinite(_local(grey)).all()


# from a rough outline


CARD_WIDE, CARD_HIGH = 252, 352
INK = (120, 30, 90)
DOWN = np.array((0, 26))
SIGNS = ("disc", "ring", "wave", "striped wave", "wave's outline")


def card(sign: str) -> Picture:
    """Print one sign on a white card."""
    white = np.full((CARD_HIGH, CARD_WIDE, 3), 250, np.uint8)
    if sign in {"disc", "ring"}:
        cv2.ellipse(white, (126, 176), (70, 34), 0, 0, 360, INK, -1 if sign == "disc" else 5, cv2.LINE_AA)
        return white
    along = np.arange(41)
    edge = np.column_stack((60 + 3.3 * along, 176 - 22 * np.sin(along * 2 * np.pi / 40)))
    wave = np.concatenate((edge - DOWN, (edge + DOWN)[::-1])).astype(np.int32)
    if sign == "wave":
        cv2.fillPoly(white, [wave], INK, cv2.LINE_AA)
        return white
    if sign == "striped wave":
        filled = white.copy()
        cv2.fillPoly(filled, [wave], INK)
        white[:, ::6], white[:, 1::6] = filled[:, ::6], filled[:, 1::6]
    cv2.polylines(white, [wave], True, INK, 5, cv2.LINE_AA)
    return white


DECK = templates({sign: [card(sign)] for sign in SIGNS})


@pytest.mark.parametrize("sign", SIGNS)
def test_finds_card_with_one_symbol_from_rough_outline(sign: str) -> None:
    there = rigid_pose((250, 250), 0.1, (126, 176))
    cloth = np.full((500, 500, 3), 60, np.uint8)
    lay_onto(cloth, card(sign), views.outline_of(there))
    seeing = Seeing(views.pyramid(np.asarray(cv2.GaussianBlur(cloth, (0, 0), 1), np.uint8)), DECK)
    for row in range(0, 2 * len(SIGNS), 2):
        found = present(compare_card(seeing, rigid_pose((250, 250), 0.1, (131, 183)), row))
        assert DECK.name_of(found.row) == sign
        assert found.fit > 0.9
        assert max(map(dist, views.outline_of(found.pose), views.outline_of(there))) < 6


@pytest.mark.parametrize("sign", ["ring", "wave's outline"])
def test_looks_at_whole_outline_whose_thin_lines_are_beside_the_face(sign: str) -> None:
    there = rigid_pose((250, 250), 0.1, (126, 176))
    cloth = np.full((500, 500, 3), 60, np.uint8)
    lay_onto(cloth, card(sign), views.outline_of(there))
    seeing = Seeing(views.pyramid(np.asarray(cv2.GaussianBlur(cloth, (0, 0), 1), np.uint8)), DECK)
    pool = pool_of(seeing, [rigid_pose((252, 254), 0.1, (130, 181))])
    assert resemblances(DECK.rough, pool.labs, pool.seen).max() < PLACE_FIT
    (found,) = explain_places(seeing, pool, ())
    assert DECK.name_of(found.row) == sign
