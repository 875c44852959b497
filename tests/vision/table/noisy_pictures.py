"""Small pictures with noise, as a sensor takes them: no two are equal."""

import numpy as np


def noisy(number: int) -> np.ndarray:
    return np.random.default_rng(number).integers(60, 120, (48, 64, 3)).astype(np.uint8)
