"""Motion of the camera by tiles: only evidence counts, and lenses bend it."""

from functools import cache

import cv2
import numpy as np
import pytest

from vision.pictures import Picture
from vision.process.camera_motion import Anchor, carry_points, in_pixels_of_picture, motion_since, take_anchor
from vision.process.tiles import shrink
from vision.sightings import Sighting
from vision.table.plane import Reals, map_points

SIZE = (1280, 720)
PLACES = np.stack(np.meshgrid((200.0, 640.0, 1080.0), (120.0, 360.0, 600.0)), -1).reshape(-1, 2)


@cache
def ground(seed: int, contrast: float) -> Picture:
    """Return a table of blurred noise, larger than any picture of it."""
    noise = np.random.default_rng(seed).standard_normal((1100, 1700)).astype(np.float32)
    texture = cv2.GaussianBlur(noise, (0, 0), 3.0)
    return np.asarray(np.clip(120 + contrast * texture / texture.std(), 0, 255), np.uint8)


@cache
def camera_noise(seed: int) -> Reals:
    return np.random.default_rng(seed).normal(0, 3, SIZE[::-1])


def seen(table: Picture, motion: Reals, lens: float = 0.0, seed: int = 0, light: float = 1.0) -> Picture:
    """Return the picture of a camera with noise; `motion` maps places of its first picture to this one."""
    # every eighth place is enough: in between, the map is straight
    coarse = np.stack(np.meshgrid(*(np.arange(0, side, 8) + 3.5 for side in SIZE)), -1)
    back = carry_points(np.linalg.inv(motion), coarse.reshape(-1, 2), lens, SIZE) + np.array((200.0, 180.0))
    where = cv2.resize(back.reshape(coarse.shape).astype(np.float32), SIZE, interpolation=cv2.INTER_LINEAR)
    flat = cv2.remap(table, where[..., 0], where[..., 1], cv2.INTER_LINEAR) * light
    grey = np.clip(flat + camera_noise(seed), 0, 255).astype(np.uint8)
    return np.asarray(cv2.merge([grey] * 3), np.uint8)


def anchor_of(table: Picture, lens: float = 0.0) -> Anchor:
    return take_anchor([shrink(seen(table, np.eye(3), lens, seed)) for seed in range(5)], (), lens)


def shift(x: float, y: float) -> Reals:
    return np.array([(1, 0, x), (0, 1, y), (0, 0, 1.0)])


CHECKS = np.array([(0.999, -0.035, 40.0), (0.035, 0.999, -40.0), (0, 0, 1.0)])
TURN = np.array([(0.995, -0.08, 60.0), (0.08, 0.995, -35.0), (2e-5, 1e-5, 1.0)])


@pytest.mark.parametrize(
    ("motion", "lens"),
    [(shift(9, -6), 0.0), (shift(70, 40), -0.12), (TURN, -0.12)],
    ids=["nudge", "shift", "turn"],
)
def test_motion_of_the_ground_is_measured_within_a_pixel(motion: Reals, lens: float) -> None:
    table = ground(1, 20.0)
    found = motion_since(anchor_of(table, lens), shrink(seen(table, motion, lens, 9)))
    assert found.verdict == "moved"
    by = in_pixels_of_picture(found.by, 0.5)
    off = carry_points(by, PLACES, lens, SIZE) - carry_points(motion, PLACES, lens, SIZE)
    assert np.hypot(*off.T).max() < 1.0


@pytest.mark.parametrize("light", [1.0, 0.6])
def test_still_ground_is_still_in_any_light(light: float) -> None:
    table = ground(2, 20.0)
    found = motion_since(anchor_of(table), shrink(seen(table, np.eye(3), 0.0, 9, light)))
    assert found.verdict == "still"
    assert found.stayed > 0.9


def test_cards_and_hands_on_still_ground_are_no_motion() -> None:
    table = ground(3, 20.0)
    now = seen(table, np.eye(3), 0.0, 9)
    now[300:, 200:1000] = ground(8, 60.0)[300:720, 200:1000, None]
    assert motion_since(anchor_of(table), shrink(now)).verdict == "still"


def test_other_table_is_unknown_and_darkness_is_dark() -> None:
    anchor = anchor_of(ground(5, 20.0))
    assert motion_since(anchor, shrink(seen(ground(6, 20.0), np.eye(3)))).verdict == "unknown"
    assert motion_since(anchor, shrink(seen(ground(5, 20.0), np.eye(3), light=0.02))).verdict == "dark"
    plain = np.full((1100, 1700), 150, np.uint8)
    assert motion_since(anchor, shrink(seen(plain, np.eye(3)))).verdict == "covered"


def test_plain_table_is_not_covered_when_its_cards_are_taken() -> None:
    plain, with_cards = np.full((1100, 1700), 150, np.uint8), np.full((1100, 1700), 150, np.uint8)
    cards = list[Sighting]()
    for x, y in ((200, 150), (500, 150), (800, 150), (200, 420), (500, 420), (800, 420)):
        there = np.s_[180 + y : 380 + y, 200 + x : 340 + x]
        with_cards[there] = ground(9, 60.0)[there]
        outline = tuple(map(tuple, [(x, y), (x + 140, y), (x + 140, y + 200), (x, y + 200)]))
        cards.append(Sighting(None, False, 0.0, (), outline, "up", 1.0))
    pictures = [shrink(seen(with_cards, np.eye(3), 0.0, seed)) for seed in range(5)]
    anchor = take_anchor(pictures, tuple(cards), 0.0)
    assert anchor.own > anchor.ground == 0
    for light in (1.0, 0.9):
        swept = shrink(seen(plain, np.eye(3), 0.0, 9, light))
        assert motion_since(anchor, swept).verdict == "unknown"
    assert motion_since(anchor, shrink(seen(plain, np.eye(3), 0.0, 9, 0.4))).verdict == "covered"
    assert motion_since(anchor, shrink(seen(with_cards, np.eye(3), 0.0, 9))).verdict == "still"


@pytest.mark.parametrize("end", [(3.2, 0.0), (33.2, -20.0)], ids=["small", "large"])
def test_small_shifts_add_up_also_before_a_large_one(end: tuple[float, float]) -> None:
    table = ground(7, 20.0)
    first = motion_since(anchor_of(table), shrink(seen(table, shift(1.6, 0), 0.0, 9)))
    assert first.verdict == "still"
    pictures = [shrink(seen(table, shift(1.6, 0), 0.0, seed)) for seed in range(5)]
    sunk = take_anchor(pictures, (), 0.0, first.drift)
    found = motion_since(sunk, shrink(seen(table, shift(*end), 0.0, 9)))
    assert found.verdict == "moved"
    by = in_pixels_of_picture(found.by, 0.5)
    assert np.abs(map_points(by, PLACES) - PLACES - end).max() < 0.5


@pytest.mark.parametrize("motion", [shift(50, 20), CHECKS], ids=["shift", "turn"])
@pytest.mark.parametrize("has_cards", [True, False], ids=["unknown cards", "nothing"])
def test_only_things_on_a_checked_cloth_show_which_of_its_motions_is_right(
    motion: Reals, has_cards: bool
) -> None:
    across, down = (np.arange(side) // 17 % 2 for side in (1700, 1100))
    cloth = np.asarray(220 - 70 * across[None] - 70 * down[:, None], np.uint8)
    if has_cards:
        for x, y in ((560, 400), (1000, 480)):
            cloth[y : y + 130, x : x + 92] = ground(x, 40.0)[:130, :92]
    found = motion_since(anchor_of(cloth), shrink(seen(cloth, motion, 0.0, 9)))
    assert found.verdict == "moved"
    assert found.is_doubtful is not has_cards
    if has_cards:
        off = map_points(in_pixels_of_picture(found.by, 0.5), PLACES) - map_points(motion, PLACES)
        assert np.hypot(*off.T).max() < 1.0
