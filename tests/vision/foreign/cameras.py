"""Prints and cameras by other hands: what albumentations and augraphy do to a card's face, and to a photograph.

A print and a camera are drawn once by a number and stay what they are; only noise is new in each picture.
"""

import random
from importlib import import_module
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator, default_rng

from hardware.twin.rendering.lens import Pixels, pixels


def _span(value: float) -> tuple[float, float]:
    return (value, value)


class Print:
    """A printing of a deck: its own inks, paper and care."""

    def __init__(self, number: int) -> None:
        self._number = number
        rng = default_rng([71, number])
        self._shades = _shades(rng, 0.5)
        self._inks = _inks(rng)

    def face(self, face: Pixels) -> Pixels:
        shaded = _apply(self._shades, face, self._number)
        printed = shaded
        for each in self._inks:
            printed = _augraphy(each, printed, self._number)
        return pixels(printed)


def _inks(rng: Generator) -> list[Any]:
    """Choose what a printing press does: colours apart from each other, uneven ink, the grain of paper."""
    augraphy: Any = import_module("augraphy")
    off = int(rng.integers(1, 3))
    choices = [
        augraphy.ColorShift(
            color_shift_offset_x_range=(off, off),
            color_shift_offset_y_range=(off, off),
            color_shift_iterations=(1, 1),
            color_shift_brightness_range=(1.0, 1.0),
            color_shift_gaussian_kernel_range=(3, 3),
            p=1,
        ),
        augraphy.InkMottling(
            ink_mottling_alpha_range=_span(float(rng.uniform(0.1, 0.22))),
            ink_mottling_noise_scale_range=(2, 2),
            ink_mottling_gaussian_kernel_range=(3, 5),
            p=1,
        ),
        augraphy.BrightnessTexturize(texturize_range=(0.9, 0.99), deviation=0.03, p=1),
        augraphy.SubtleNoise(subtle_range=int(rng.integers(4, 10)), p=1),
    ]
    return [each for each in choices if rng.random() < 0.6]


def _augraphy(each: Any, picture: Pixels, seed: int) -> Pixels:
    """Apply one of augraphy's effects, which draw from what all share."""
    random.seed(seed)
    np.random.seed(seed % 2**32)  # noqa: NPY002 - theirs
    done = np.asarray(each(picture.copy()))[..., :3]
    if done.shape != picture.shape:
        done = np.asarray(cv2.resize(done, picture.shape[1::-1]))
    return pixels(np.clip(done, 0, 255).astype(np.uint8))


def _shades(rng: Generator, strength: float) -> list[Any]:
    """Choose a tone curve, a saturation and a balance of white."""
    a: Any = import_module("albumentations")
    turn, colour, light, contrast, tone = rng.uniform(-1, 1, 5) * strength
    return [
        a.RandomToneCurve(scale=0.12 * strength, per_channel=False, p=1),
        a.ColorJitter(
            brightness=_span(1 + 0.08 * light),
            contrast=_span(1 + 0.12 * contrast),
            saturation=_span(1 + 0.4 * colour),
            hue=_span(0.015 * turn),
            p=1,
        ),
        a.RandomGamma(gamma_limit=_span(100 + 18 * tone), p=1),
    ]


class Camera:
    """A phone's or a webcam's own ideas of a picture."""

    def __init__(self, number: int) -> None:
        self._number = number
        rng = default_rng([73, number])
        self._webcam = number % 2 == 1
        self._look = [*_shades(rng, 0.8), *_whites(rng), *(_webcam if self._webcam else _phone)(rng)]
        self._noise = _noise(rng, 1.6 if self._webcam else 1.0)
        low, high = (62, 85) if self._webcam else (78, 94)
        self._quality = int(rng.integers(low, high))

    def photograph(self, picture: Pixels, number: int) -> bytes:
        noisy = _apply(self._noise, picture, 10_007 * self._number + number)
        looked = _apply(self._look, noisy, self._number)
        return cv2.imencode(".jpg", looked, [cv2.IMWRITE_JPEG_QUALITY, self._quality])[1].tobytes()


def _whites(rng: Generator) -> list[Any]:
    a: Any = import_module("albumentations")
    # whole steps: a step of one or less is taken for a share of all
    red, blue = (int(rng.integers(2, 11)) * int(rng.choice((-1, 1))) for _colour in range(2))
    return [a.RGBShift(_span(red), _span(0), _span(blue), p=1)]


def _phone(rng: Generator) -> list[Any]:
    """Choose a phone's: noise is smoothed, shadows are lifted in places, and edges sharpened much."""
    a: Any = import_module("albumentations")
    lifted = a.CLAHE(clip_limit=_span(float(rng.uniform(1.0, 1.8))), tile_grid_size=(4, 4), p=1)
    sharp = a.UnsharpMask(
        blur_limit=(3, 5), sigma_limit=(0.6, 1.2), alpha=_span(float(rng.uniform(0.3, 0.8))), threshold=4, p=1
    )
    smooth = a.GaussianBlur(blur_limit=(3, 3), sigma_limit=_span(float(rng.uniform(0.4, 0.8))), p=1)
    return [each for each, often in ((smooth, 0.7), (lifted, 0.5), (sharp, 0.9)) if rng.random() < often]


def _webcam(rng: Generator) -> list[Any]:
    """Choose a webcam's: fewer pixels than it says, coloured rims, pale or loud colours."""
    a: Any = import_module("albumentations")
    fewer = float(rng.uniform(0.62, 0.85))
    ways = {"downscale": cv2.INTER_AREA, "upscale": cv2.INTER_CUBIC}
    rims = float(rng.uniform(-0.012, 0.012))
    sharp = a.Sharpen(alpha=_span(float(rng.uniform(0.1, 0.35))), lightness=(1.0, 1.0), p=1)
    chosen = [
        (a.ChromaticAberration(_span(rims), _span(rims / 2), p=1), 0.7),
        (a.Downscale(scale_range=_span(fewer), interpolation_pair=ways, p=1), 0.9),
        (a.MedianBlur(blur_limit=(3, 3), p=1), 0.3),
        (sharp, 0.8),
    ]
    return [each for each, often in chosen if rng.random() < often]


def _noise(rng: Generator, strength: float) -> list[Any]:
    a: Any = import_module("albumentations")
    colour, light = (strength * rng.uniform(0.4, 1.0, 2)).tolist()
    return [
        a.ISONoise(color_shift=_span(0.012 * colour), intensity=_span(0.12 * light), p=1),
        a.GaussNoise(std_range=_span(0.012 * light), p=1),
    ]


def _apply(transforms: list[Any], picture: Pixels, seed: int) -> Pixels:
    """Apply transforms, which see red, green, blue, with what a number draws."""
    a: Any = import_module("albumentations")
    done = a.Compose(transforms, seed=seed % 2**31)(image=np.ascontiguousarray(picture[..., ::-1]))["image"]
    return pixels(np.ascontiguousarray(done[..., ::-1]))
