"""The printed corner plates, and measurements of light by their black and white."""

from collections.abc import Mapping

import numpy as np

from vision.pictures import Picture
from vision.table.plane import UNIT_SQUARE, Reals, homography, map_points, sample_colours
from vision.troubles import Problem

Colour = tuple[float, float, float]  # blue, green, red, 0 to 255

DARK, BRIGHT = 70.0, 250.0  # limits of white paper's brightness, 0 to 255
UNEVEN = 0.22  # relative variation of a white patch above which it counts as glare
LIFTED, NEARLY = 1.4, 0.9
"""Relative brightness of black ink that shows a reflected lamp; share of BRIGHT that is nearly too bright."""
CELLS = 6  # cells along a code, including its rim
SIDE = 40.0  # side of a code in millimetres
PATCH = (10.0, 50.0, 20.0, 10.0)
"""The white patch below a code: left, top, width, height in millimetres from the code's upper left corner."""
Millimetres = tuple[float, float]  # across and down


def plate_places(apart: Millimetres) -> Reals:
    """Return the middles of codes 0 to 3 in millimetres, for given distances across and down."""
    return np.asarray((UNIT_SQUARE - 0.5) * apart, np.float64)


def _patch_pixels(picture: Picture, corners: Reals) -> Reals:
    """Return the pixels of the inner part of a plate's white patch: (n, 3)."""
    left, top, width, height = PATCH
    plane = homography(UNIT_SQUARE * SIDE, corners)
    grid = np.stack(np.meshgrid(np.linspace(0.2, 0.8, 24), np.linspace(0.25, 0.75, 10)), axis=-1)
    where = map_points(plane, grid.reshape(-1, 2) * (width, height) + np.array((left, top)))
    inside = (where >= 0).all(axis=1) & (where < (picture.shape[1], picture.shape[0])).all(axis=1)
    return np.asarray(sample_colours(picture, where)[inside], np.float64)


def white_patches(picture: Picture, markers: Mapping[int, Reals]) -> Mapping[int, Reals]:
    """Return the pixels of all white patches that are mostly inside the picture."""
    patches = {number: _patch_pixels(picture, corners) for number, corners in markers.items()}
    return {number: patch for number, patch in patches.items() if len(patch) >= 60}


def shines(patch: Reals) -> bool:
    """Return whether a patch is unusable for measuring light: too bright, or brighter on one side."""
    return _least_colour(patch) >= BRIGHT or _is_uneven(patch)


def _least_colour(patch: Reals) -> float:
    return float(np.median(patch.min(axis=1)))


def _is_uneven(patch: Reals) -> bool:
    low, middle, high = np.percentile(patch.mean(axis=1), (10, 50, 90))
    return bool(high - low > UNEVEN * middle + 12)


def white_level(picture: Picture, markers: Mapping[int, Reals]) -> float | None:
    """Return the brightness of white paper, 0 to 255; None if no white patch is visible."""
    patches = white_patches(picture, markers).values()
    return float(np.median([_brightest_colour(patch) for patch in patches])) if patches else None


def _brightest_colour(patch: Reals) -> float:
    return float(np.median(patch, axis=0).max())


def patch_light_problems(patches: Mapping[int, Reals]) -> tuple[Problem, ...]:
    top = float(np.median([_brightest_colour(patch) for patch in patches.values()]))
    lows = [_least_colour(patch) for patch in patches.values()]
    is_bright = len(lows) > 1 and sum(low >= BRIGHT for low in lows) * 2 > len(lows)
    return _judge_light(top, float(np.median(lows)) if is_bright else None)


def _judge_light(top: float, blown: float | None) -> tuple[Problem, ...]:
    """Return a problem if paper is too dark, or if `blown`, the brightness of overexposed parts, is given."""
    if top < DARK:
        return (Problem("too dark", {"light": round(top), "least": DARK}),)
    return () if blown is None else (Problem("too bright", {"light": round(blown), "most": BRIGHT}),)


def light_problems(picture: Picture) -> tuple[Problem, ...]:
    """Return problems of a picture's light, independent of its content."""
    coarse = picture[::4, ::4]
    top = float(np.percentile(coarse.max(axis=2), 99))
    is_bright = float((coarse.min(axis=2) >= BRIGHT).mean()) > 0.4
    return _judge_light(top, float(np.median(coarse)) if is_bright else None)


def glare_problems(picture: Picture, markers: Mapping[int, Reals]) -> tuple[Problem, ...]:
    """Return a problem for each plate that reflects a lamp or is overexposed."""
    patches = white_patches(picture, markers)
    whites = map(_least_colour, patches.values())
    # light falls off slowly: if no other plate is nearly too bright, the cause is a lamp
    is_lamp = max((white for white in whites if white < BRIGHT), default=BRIGHT) < NEARLY * BRIGHT
    blacks = {number: _black_level(picture, corners) for number, corners in markers.items()}
    # a reflection brightens black ink, too; overexposure leaves it black
    lifted = LIFTED * float(np.median(list(blacks.values()))) + 15 if blacks else 0.0
    keys = {
        number: "glare" if is_lamp or _is_uneven(patch) or blacks[number] > lifted else "over-exposed"
        for number, patch in patches.items()
        if shines(patch)
    }
    return tuple(Problem(key, {"marker": number}) for number, key in keys.items())


def _black_level(picture: Picture, corners: Reals) -> float:
    """Return the brightness of the lightest part of a code's black rim."""
    along, beside = np.linspace(0.1, 0.9, 20), 0.5 / CELLS
    ends = np.stack([np.full_like(along, beside), along], axis=-1)
    rim = np.concatenate([ends, 1 - ends, ends[:, ::-1], 1 - ends[:, ::-1]])
    where = map_points(homography(UNIT_SQUARE, corners), rim)
    return float(np.percentile(sample_colours(picture, where).mean(axis=1), 90))
