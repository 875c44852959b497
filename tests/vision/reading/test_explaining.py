"""How long the reader looks for one more card where likelier places hold none."""

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from vision.reading.explaining import (
    Pool,
    Seeing,
    _margin,
    _places_under,
    cover_places,
    explain_places,
    is_certain,
    pool_of,
)
from vision.reading.identifying import _cell, cover_of, uncovered_places
from vision.reading.templates import Picture, templates
from vision.reading.views import Pose, outline_of, pyramid
from vision.teaching.likeness import SIZE as LIKENESS

WIDE, HIGH = 126, 176


def print_bars(*, across: bool) -> Picture:
    """Print a face of three bars."""
    face = np.full((HIGH, WIDE, 3), 255, np.uint8)
    for place in (20, 60, 80):
        ends = ((10, place), (100, place + 12)) if across else ((place, 10), (place + 12, 150))
        cv2.rectangle(face, *ends, (160, 40, 20), cv2.FILLED)
    return face


def pose_at(left: int, top: int) -> Pose:
    """Lay a card upright."""
    return np.array([(WIDE, 0, left + (WIDE - 1) / 2), (0, HIGH, top + (HIGH - 1) / 2), (0, 0, 1)])


CARD, NOTHING = pose_at(50, 100), pose_at(450, 100)


def seeing_one_card() -> Seeing:
    """Look at a bare table with one card."""
    picture = np.full((400, 600, 3), 60, np.uint8)
    picture[100 : 100 + HIGH, 50 : 50 + WIDE] = print_bars(across=True)
    deck = templates({"across": [print_bars(across=True)], "down": [print_bars(across=False)]})
    return Seeing(picture.shape, pyramid(picture), deck, among=None, plane=False)


def pool_of_decoys(seeing: Seeing, before: int) -> Pool:
    """Let so many places that hold nothing seem a little likelier than the one that holds the card."""
    card, every = pool_of(seeing, [CARD]), pool_of(seeing, [NOTHING] * before + [CARD])
    seen = np.repeat(card.seen, before + 1, axis=0)
    seen[-1, : seen.shape[1] // 4] = 0
    return Pool(every.poses, np.repeat(card.labs, before + 1, axis=1), every.spots, seen)


@pytest.mark.parametrize(("before", "found"), [(0, 1), (59, 1), (60, 0)])
def test_a_card_is_found_among_the_sixty_likeliest_places(before: int, found: int) -> None:
    seeing = seeing_one_card()
    assert len(explain_places(seeing, pool_of_decoys(seeing, before), [])) == found


def test_of_places_beside_a_card_those_that_it_covers_change() -> None:
    seeing = seeing_one_card()
    pool = pool_of(seeing, [pose_at(50, 100), pose_at(100, 150), pose_at(200, 100), pose_at(450, 100)])
    seen = pool.seen.copy()
    assert cover_places(pool, seen, [cover_of(CARD)]).tolist() == [0, 1]
    assert not seen[0].any()
    assert 0 < seen[1].sum() < pool.seen[1].sum()
    assert (seen[2:] == pool.seen[2:]).all()
    assert not len(cover_places(pool, seen, [cover_of(CARD)]))


def test_a_card_that_could_be_either_of_two_is_one_unsure_card_however_many_places_show_it() -> None:
    seeing = seeing_one_card()
    picture = np.full((400, 600, 3), 60, np.uint8)
    halfway = cv2.addWeighted(print_bars(across=True), 0.5, print_bars(across=False), 0.5, 0)
    picture[100 : 100 + HIGH, 50 : 50 + WIDE] = halfway
    seeing = replace(seeing, levels=pyramid(picture))
    near = [pose_at(50 + x, 100 + y) for x in (-2, 0, 2) for y in (-2, 0, 2)]
    (card,) = explain_places(seeing, pool_of(seeing, near), [])
    assert not is_certain(card, seeing.deck)
    assert np.abs(np.array(outline_of(card.pose)) - outline_of(CARD)).max() < 8


def test_places_that_a_card_leaves_nothing_of_are_under_it_and_those_beside_it_are_not() -> None:
    seeing = seeing_one_card()
    pool = pool_of(seeing, [pose_at(50, 100), pose_at(53, 102), pose_at(100, 150), NOTHING])
    assert _places_under(pool, pool.seen, cover_of(CARD)).tolist() == [0, 1]


@pytest.mark.parametrize(("across", "down"), [(126, 176), (176, 126), (150, 150)])
def test_every_place_that_a_card_covers_changes_however_far_its_middle_is(across: int, down: int) -> None:
    seeing = seeing_one_card()
    shape = np.diag([across / WIDE, down / HIGH, 1])
    ways = np.linspace(-1.1, 1.1, 12)
    poses = [
        pose_at(250, 100) @ shape @ np.array([(1, 0, x), (0, 1, y), (0, 0, 1)]) for x in ways for y in ways
    ]
    pool, card = pool_of(seeing, poses), pose_at(250, 100) @ shape
    uncovered = pool.seen * uncovered_places(pool.spots, cover_of(card))
    seen = pool.seen.copy()
    assert (
        cover_places(pool, seen, [cover_of(card)]).tolist()
        == np.flatnonzero((uncovered != pool.seen).any(axis=1)).tolist()
    )
    assert (seen == uncovered).all()


@pytest.mark.parametrize("wide", [63, 126, 200])
@pytest.mark.parametrize("cells", [(11, 8), (8, 11), (5, 5)])
def test_a_cell_is_as_large_as_its_share_of_the_cards_shorter_side(wide: int, cells: tuple[int, int]) -> None:
    pose = np.diag([wide, HIGH, 1.0])
    turned = np.array([(0, -1, 30), (1, 0, 40), (0, 0, 1)]) @ pose
    sides = _cell(np.stack((pose, turned)), cells)
    assert sides == pytest.approx([min(wide / cells[1], HIGH / cells[0])] * 2)


@pytest.mark.parametrize(
    ("among", "margin", "told"),
    [
        (None, 0.3, 0.3),
        ({"across": 1}, 0.3, 1.0),
        ({"across": 1, "down": 1}, 0.3, 0.4),
        ({"across": 1}, 0.14, 0.14),
        ({"down": 1}, 0.3, 0.3),
        ({"across": 0, "down": 1}, 0.3, 0.3),
    ],
)
def test_only_faces_that_can_be_there_count_against_the_best_unless_it_is_a_close_thing(
    among: dict[str, int] | None, margin: float, told: float
) -> None:
    seeing = seeing_one_card()
    rows = {seeing.deck.names[seeing.deck.faces[row]]: row for row in range(len(seeing.deck.faces))}
    (card,) = explain_places(seeing, pool_of(seeing, [CARD]), [])
    best = replace(card, row=rows["across"], margin=margin, rivals=((rows["down"], 0.6),))
    assert _margin(best, seeing.deck, among) == pytest.approx(told)


def test_a_deck_whose_cards_size_is_not_told_is_of_63_by_88_millimetres() -> None:
    assert templates({"across": [print_bars(across=True)]}).size == (63, 88)
    assert LIKENESS[0] / LIKENESS[1] == 63 / 88
