"""Layouts keep what they promise."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from numpy.random import default_rng

from hardware.twin.rendering.layouts import (
    LAYOUTS,
    CrowdedError,
    cascade,
    column,
    heap,
    is_inside_area,
    lay_crossing,
    lay_face_down,
    lay_mixed,
    lay_overlapping,
    lay_separate,
    lay_touching,
    one_fan,
    overlap_area,
    row,
    trick,
)
from hardware.twin.rendering.scene import SceneCard

FACES = tuple(str(i) for i in range(12))


def has_no_overlap(cards: tuple[SceneCard, ...]) -> bool:
    return all(overlap_area(one, other) < 1.0 for one, other in combinations(cards, 2))


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("seed", range(8))
def test_all_cards_lie_in_the_middle_once_and_in_order(name: str, seed: int) -> None:
    cards = LAYOUTS[name](FACES, default_rng(seed))
    assert is_inside_area(cards)
    assert len(cards) == len(FACES)
    if name not in ("face down", "mixed"):
        assert tuple(card.face for card in cards) == FACES
    assert cards == LAYOUTS[name](FACES, default_rng(seed))


@pytest.mark.parametrize("layout", [lay_separate, lay_touching, lay_face_down])
def test_none_on_another(layout: object) -> None:
    for seed in range(10):
        assert has_no_overlap(layout(FACES, default_rng(seed)))  # type: ignore[operator]


def test_separate_cards_leave_room() -> None:
    for seed in range(10):
        cards = lay_separate(FACES, default_rng(seed))
        grown = [SceneCard(c.face, c.x, c.y, c.angle, size=(c.size[0] + 2, c.size[1] + 2)) for c in cards]
        assert has_no_overlap(tuple(grown))


def test_rows_touch() -> None:
    cards = row(FACES[:4], default_rng(1))
    for one, other in pairwise(cards):
        assert 63 <= other.x - one.x < 64


@pytest.mark.parametrize("group", [trick, heap])
def test_groups_cross(group: object) -> None:
    for seed in range(10):
        cards: tuple[SceneCard, ...] = group(FACES[:4], default_rng(seed))  # type: ignore[operator]
        assert not has_no_overlap(cards)
        assert all(overlap_area(one, other) > 0 for one, other in pairwise(cards[:2]))


def test_a_fan_shows_a_strip_of_13_to_20_mm() -> None:
    for seed in range(20):
        cards = one_fan(FACES[:6], default_rng(seed))
        steps = [np.hypot(b.x - a.x, b.y - a.y) for a, b in pairwise(cards)]
        assert 11 < np.mean(steps) < 22
        assert all(b.x > a.x and b.height > a.height for a, b in pairwise(cards))


def test_a_column_shows_a_strip_of_18_to_25_mm() -> None:
    for seed in range(20):
        steps = [b.y - a.y for a, b in pairwise(column(FACES[:5], default_rng(seed)))]
        assert all(18 <= step <= 25 for step in steps)


@pytest.mark.parametrize("layout", [lay_crossing, cascade, lay_overlapping])
def test_what_lies_on_others_lies_higher(layout: object) -> None:
    cards: tuple[SceneCard, ...] = layout(FACES, default_rng(4))  # type: ignore[operator]
    for i, lower in enumerate(cards):
        assert all(upper.height > lower.height for upper in cards[i + 1 :] if overlap_area(lower, upper) > 0)


def test_face_down_shows_nothing() -> None:
    assert {card.face for card in lay_face_down(FACES, default_rng(1))} == {None}


def test_mixtures_have_all_sorts() -> None:
    cards = [lay_mixed(FACES, default_rng(seed)) for seed in range(10)]
    assert any(card.face is None for group in cards for card in group)
    assert any(not has_no_overlap(group) for group in cards)


def test_no_room_is_said() -> None:
    with pytest.raises(CrowdedError):
        lay_separate(FACES * 8, default_rng(1))
