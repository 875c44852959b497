"""Faults of a camera's pictures: black, too bright, garbled, frozen."""

import numpy as np
import pytest

from tests.vision.table.noisy_pictures import noisy
from vision.table.camera import FROZEN, camera_fault, glance_at


def with_part(number: int, part: slice | list[int], shown: np.ndarray | int) -> np.ndarray:
    picture = noisy(number)
    picture[part] = shown if isinstance(shown, int) else shown[part]
    return picture


LOWER = slice(24, None)


@pytest.mark.parametrize(
    ("pictures", "key"),
    [
        ([with_part(number, LOWER, 128) for number in range(5)], "garbled"),
        ([with_part(number, LOWER, 0) for number in range(5)], "garbled"),
        ([with_part(number, LOWER, noisy(9)) for number in range(5)], "frozen"),
        ([np.random.default_rng(7).integers(0, 256, (48, 64, 3)).astype(np.uint8)], "garbled"),
        ([np.full((48, 64, 3), 255, np.uint8)], "too bright"),
        # saturated areas have no noise, which is no fault
        ([with_part(number, [*range(8), *range(40, 48)], 0) for number in range(5)], None),
        ([with_part(number, LOWER, noisy(number) // 8) for number in range(5)], None),
        ([with_part(number, slice(0, 20), 255) for number in range(5)], None),
        ([], None),
        ([noisy(0)] * (FROZEN - 1), None),
        ([noisy(number) for number in range(6)], None),
        ([noisy(1), *([noisy(0)] * 5)], "frozen"),
    ],
)
def test_detects_damaged_pictures(pictures: list[np.ndarray], key: str | None) -> None:
    assert camera_fault([glance_at(picture) for picture in pictures]) == key
