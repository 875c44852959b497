"""Light is a gain: dimming, a lamp at one side and a cloud change no pixel; a hand does, in any light."""

import numpy as np
import pytest

from vision.pictures import Picture
from vision.process.light import difference_mask, in_light_of

RNG = np.random.default_rng(3)
TABLE = np.asarray(RNG.integers(60, 200, (9, 16)).repeat(10, axis=0).repeat(10, axis=1), np.uint8)
ACROSS = np.linspace(0, 1, TABLE.shape[1])[None]
LIGHTS = {
    "dimmed": np.full_like(ACROSS, 0.5),
    "brighter": np.full_like(ACROSS, 1.2),
    "a lamp at one side": 0.5 + 0.5 * ACROSS,
    "a lamp above the middle": 1 - 0.6 * (ACROSS - 0.5) ** 2,
}


def lit(table: Picture, light: str) -> Picture:
    return np.asarray(np.clip(table * LIGHTS[light] + RNG.normal(0, 0.5, table.shape), 0, 255), np.uint8)


def with_hand(table: Picture) -> Picture:
    reaching = table.copy()
    reaching[40:, 60:100] = 240 - reaching[40:, 60:100]
    return reaching


@pytest.mark.parametrize("light", LIGHTS)
def test_a_hand_shows_in_any_light_and_light_alone_does_not(light: str) -> None:
    assert difference_mask(TABLE, lit(TABLE, light), 12).mean() < 0.005
    mask = difference_mask(TABLE, lit(with_hand(TABLE), light), 12)
    expected = np.abs(with_hand(TABLE).astype(int) - TABLE) > 60
    assert mask[expected].mean() > 0.95
    assert mask[:, :50].mean() < 0.02
    assert mask[:, 110:].mean() < 0.02
    now = lit(TABLE, light)
    assert np.abs(in_light_of(TABLE, now).astype(int) - now).mean() < 3
    assert in_light_of(TABLE, TABLE) is TABLE
