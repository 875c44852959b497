"""Calibrate the table's plane, lens and light from a picture, by the four corner plates."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.files import write_whole
from vision.pictures import Picture
from vision.table import plates
from vision.table.plane import (
    Reals,
    area_within,
    as_matrix,
    as_outline,
    bend_points,
    homography,
    inverse,
    least_squares,
    line_through,
    map_points,
    meet,
    pixels_per_mm,
    sample_colours,
    straighten_points,
)
from vision.table.values import Calibration, Size
from vision.troubles import Problem

DICTIONARY = cv2.aruco.DICT_4X4_50
CARD_WIDTH = 63.0  # millimetres; the resolution is judged by the size of such a card in the picture
LET_PASS = 0.95  # share of NEEDED that is accepted
NUDGED = 2.0  # millimetres of marker movement above which the calibration is useless
BLURRED = 2.6  # blur above which a picture is out of focus: standard deviation of an edge, in pixels
WASHED_OUT = 0.25  # blur at which codes aren't detected any more, in code cells


def to_pixels(table: Calibration, mm: Reals) -> Reals:
    return bend_points(map_points(np.array(table.plane, np.float64), mm), table.lens, table.size)


def to_table(table: Calibration, pixels: Reals) -> Reals:
    return map_points(inverse(np.array(table.plane)), straighten_points(pixels, table.lens, table.size))


def flat_plane(calibration: Calibration) -> Reals:
    """Return one matrix that approximates plane and lens over the middle of the table."""
    steps = np.linspace(-1, 1, 9)
    mm = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2) * (350.0, 200.0)
    return homography(mm, to_pixels(calibration, mm))


def scale(calibration: Calibration) -> float:
    """Return the pixels per millimetre in the middle of the table."""
    return pixels_per_mm(np.array(calibration.plane, np.float64), np.zeros(2))


def is_sound(calibration: Calibration) -> bool:
    """Return whether a calibration is plausible: picture and table have a usable size."""
    with np.errstate(all="ignore"):
        pixels = scale(calibration)
    # far wider than the range in which cards can be read
    return min(calibration.size) > 0 and 0.05 < pixels < 100.0


def find_markers(picture: Picture) -> dict[int, Reals]:
    """Return the codes 0 to 3 in a picture, each with its corners (4, 2) clockwise from its upper left."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    # blur a little: sensor noise breaks up a code's edges more than blur rounds them
    found = _codes_in(cv2.GaussianBlur(grey, (0, 0), 1.0))
    if len(found) < 4:
        # for a code of few pixels it is the other way round
        found = {**_codes_in(grey), **found}
    # convert grey levels to amounts of light, in which blur doesn't move an edge
    light = ((np.arange(256) / 255) ** 2.0).astype(np.float32)[np.asarray(grey, np.uint8)]
    codes = dict[int, Reals]()
    for number, corners in sorted(found.items()):
        # blur rounds corners, so intersect lines along the sides
        better = meet(np.array([_edge_line(light, *side) for side in _sides(corners)]))
        codes[number] = better if better is not None and np.abs(better - corners).max() < 6 else corners
    return codes


def _codes_in(grey: Any) -> dict[int, Reals]:
    corners, numbers, _rejected = _detector().detectMarkers(grey)
    found: dict[int, Reals] = {}
    for corner, number in zip(corners, [] if numbers is None else numbers.ravel().tolist(), strict=True):
        shape = np.asarray(corner, np.float64).reshape(4, 2)
        if number < 4 and (number not in found or area_within(shape) > area_within(found[number])):
            found[number] = shape
    return found


@cache
def _detector() -> Any:
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    settings.cornerRefinementWinSize = 5
    # sample only the middle of a cell: blur mixes small cells at their rims
    settings.perspectiveRemoveIgnoredMarginPerCell = 0.25
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), settings)


def _edge_line(light: NDArray[np.float32], start: Reals, end: Reals) -> Reals:
    """Return a line along one side of a code: a, b, c of ax + by + c = 0."""
    profiles, where, normal, far = _profiles_across(light, start, end)
    mean = profiles.mean(axis=0)
    black, white = float(mean[:4].mean()), float(mean[-4:].mean())
    # the position of a sharp step with the same amount of light
    dark = (white - profiles).sum(axis=1) / max(1e-6, white - black) * (far[1] - far[0])
    first = far[0] - (far[1] - far[0]) / 2
    points = where + (first + np.clip(dark, 0, far[-1] - far[0]))[:, None] * normal
    return line_through(points)


def _profiles_across(
    light: NDArray[np.float32], start: Reals, end: Reals
) -> tuple[NDArray[np.float32], Reals, Reals, Reals]:
    """Sample across a code's side in many places, from the inside out: profiles, places, direction, steps."""
    along = end - start
    length = float(np.hypot(*along))
    normal = np.array((along[1], -along[0])) / length
    # not as far as the text on the plate
    far = np.arange(-length / 13, length / 13, 0.25)
    where = start + np.linspace(0.08, 0.92, 48)[:, None] * along
    return sample_colours(light, where[:, None] + far[:, None] * normal), where, normal, far


def calibrate(picture: Picture, apart: plates.Millimetres | None = None) -> Calibration | None:
    """Calibrate by all four plates; None if one isn't visible. `apart` is their distance, if known."""
    markers = find_markers(picture)
    if len(markers) < 4:
        return None
    size = (picture.shape[1], picture.shape[0])
    solved, lens, corners = _solve_table(markers, apart, size)
    home = _home(corners) if apart is None else np.eye(3)
    plane = solved @ home
    there = map_points(inverse(plane), straighten_points(_corners_of(markers), lens, size))
    residual = _root_mean_square(there - map_points(inverse(home), corners))
    codes = {str(number): as_outline(corners) for number, corners in markers.items()}
    white = (1.0, 1.0, 1.0)
    return _measure_light(Calibration(as_matrix(plane), size, white, 1.0, codes, lens, residual), picture)


_Solution = tuple[Reals, float, Reals]
"""Plane, lens, and the codes' corners on the table: (16, 2) in millimetres."""


def _solve_table(markers: Mapping[int, Reals], apart: plates.Millimetres | None, size: Size) -> _Solution:
    """Fit plane, lens and the positions of the plates to the picture; every code is a square of known size."""
    seen = _corners_of(markers)
    places, angles = _guess_plates(markers, apart)
    plane = homography(_square_corners(places, angles), seen)
    free = np.concatenate((plane.ravel()[:8], (0.0,), angles, places.ravel() if apart is None else ()))

    def parts(values: Reals) -> _Solution:
        there = values[13:].reshape(4, 2) if apart is None else places
        corners = _square_corners(there, values[9:13])
        return np.append(values[:8], 1.0).reshape(3, 3), float(values[8]), corners

    # the solution could shift freely with the table, so a weak pull towards the guess fixes it
    def wrong(values: Reals) -> Reals:
        now, lens, corners = parts(values)
        missed = bend_points(map_points(now, corners), lens, size) - seen
        pull = (values[9:] - free[9:]) * 1e-4
        return np.concatenate((missed.ravel(), pull, (values[8] * _LENS_PULL,)))

    return parts(least_squares(wrong, free))


_LENS_PULL = 3.0
"""Preference of the fit for an undistorted lens: pixels of error for a distortion of 1."""


def _guess_plates(markers: Mapping[int, Reals], apart: plates.Millimetres | None) -> tuple[Reals, Reals]:
    """Return rough positions and angles of the plates, as if the camera looked straight down."""
    middles = np.array([markers[number].mean(axis=0) for number in range(4)])
    tops = np.array([markers[number][1] - markers[number][0] for number in range(4)])
    across = middles[1] + middles[2] - middles[0] - middles[3]
    turn = np.arctan2(across[1], across[0])
    angles = np.arctan2(tops[:, 1], tops[:, 0]) - turn
    angles = (angles + np.pi) % (2 * np.pi) - np.pi
    if apart is not None:
        return plates.plate_places(apart), angles
    c, s = np.cos(turn), np.sin(turn)
    turned = (middles - middles.mean(axis=0)) @ np.array([(c, -s), (s, c)])
    return turned * (plates.SIDE / np.mean(_sides_of(markers))), angles


def _square_corners(places: Reals, angles: Reals) -> Reals:
    unit = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * plates.SIDE / 2
    c, s = np.cos(angles), np.sin(angles)
    turn = np.stack((np.stack((c, s), -1), np.stack((-s, c), -1)), -2)
    out: Reals = (unit @ turn + places[:, None, :]).reshape(-1, 2)
    return out


def _corners_of(markers: Mapping[int, Reals]) -> Reals:
    return np.concatenate(list(markers.values()))


def _root_mean_square(missed: Reals) -> float:
    return float(np.sqrt((missed**2).sum(axis=1).mean()))


def _home(corners: Reals) -> Reals:
    """Return the motion from table coordinates, x along the plates' edges, to those of the solution."""
    middles = corners.reshape(4, 4, 2).mean(axis=1)
    across = middles[1] + middles[2] - middles[0] - middles[3]
    c, s = across / np.hypot(*across)
    x, y = middles.mean(axis=0)
    return np.array([(c, -s, x), (s, c, y), (0, 0, 1)])


def recalibrate(picture: Picture, old: Calibration) -> Calibration | None:
    """Calibrate again after a nudge. Three plates are enough, because their positions are known."""
    seen = {number: code for number, code in find_markers(picture).items() if str(number) in old.markers}
    if len(seen) < 3 or (picture.shape[1], picture.shape[0]) != old.size:
        return None
    mm = np.concatenate([to_table(old, np.array(old.markers[str(number)])) for number in seen])
    straight = straighten_points(_corners_of(seen), old.lens, old.size)
    plane = homography(mm, straight)
    residual = _root_mean_square(map_points(inverse(plane), straight) - mm)
    found = replace(old, plane=as_matrix(plane), residual=residual)
    # the plane gives the position of a hidden plate
    moved = {number: to_pixels(found, to_table(old, np.array(code))) for number, code in old.markers.items()}
    codes = moved | {str(number): code for number, code in seen.items()}
    outlines = {number: as_outline(code) for number, code in codes.items()}
    return _measure_light(replace(found, markers=outlines), picture)


def _measure_light(calibration: Calibration, picture: Picture) -> Calibration:
    codes = {int(number): np.array(code) for number, code in calibration.markers.items()}
    patches = plates.white_patches(picture, codes).values()
    clear = [np.median(patch, axis=0) for patch in patches if not plates.shines(patch)]
    if not clear:
        return calibration
    return with_paper(calibration, np.median(np.array(clear), axis=0))


def with_paper(calibration: Calibration, colour: Reals) -> Calibration:
    """Return the calibration with light and white balance by the colour of white paper in the picture."""
    top = float(colour.max())
    blue, green, red = (top / max(1.0, float(part)) for part in colour)
    return replace(calibration, white=(blue, green, red), light=top / 255)


def marker_problems(picture: Picture, markers: Mapping[int, Reals], needed: float) -> tuple[Problem, ...]:
    """Return the problems of a picture with these markers; `needed` is the card width in pixels."""
    seen = light_and_focus_problems(picture, markers) or plates.glare_problems(picture, markers)
    # in the dark, don't report missing markers
    lost = () if seen and not markers else [number for number in range(4) if number not in markers]
    hidden = (Problem("marker hidden", {"marker": number}) for number in lost)
    across = CARD_WIDTH * float(np.mean(_sides_of(markers))) / plates.SIDE if markers else needed
    small = Problem("too far", {"pixels": round(across), "needed": round(needed)})
    return (*seen, *hidden, *(() if across >= needed * LET_PASS else (small,)))


def size_problems(picture: Picture, calibration: Calibration) -> tuple[Problem, ...]:
    (height, width), (wanted, high) = picture.shape[:2], calibration.size
    wrong = Problem("wrong size", {"width": width, "height": height, "wanted": wanted, "wanted_height": high})
    return () if (width, height) == (wanted, high) else (wrong,)


def light_and_focus_problems(picture: Picture, markers: Mapping[int, Reals]) -> tuple[Problem, ...]:
    """Return problems of light and focus, measured at the plates, or in the whole picture without plates."""
    patches = plates.white_patches(picture, markers)
    light = plates.patch_light_problems(patches) if patches else plates.light_problems(picture)
    if light:
        return light
    blur = blur_of(picture, markers)
    most = BLURRED
    if 0 < len(markers) < 4:
        # small codes may be missing because of blur
        most = min(BLURRED, WASHED_OUT * float(np.median(_sides_of(markers))) / plates.CELLS)
    return (Problem("out of focus", {"blur": round(blur, 1), "most": round(most, 1)}),) if blur > most else ()


def _sides_of(markers: Mapping[int, Reals]) -> list[float]:
    """Return the side lengths of the codes in pixels."""
    return [float(np.sqrt(area_within(each))) for each in markers.values()]


def nudge_problems(markers: Mapping[int, Reals], calibration: Calibration) -> tuple[Problem, ...]:
    """Return a problem if the codes have moved since the calibration."""
    known = calibration.markers
    both = [(code, np.array(known[str(number)])) for number, code in markers.items() if str(number) in known]
    moved = [to_table(calibration, code) - to_table(calibration, before) for code, before in both]
    far = float(np.median([np.hypot(*each.mean(axis=0)) for each in moved])) if moved else 0.0
    return (Problem("nudged", {"moved": round(far, 1), "most": NUDGED}),) if far > NUDGED else ()


def blur_of(picture: Picture, markers: Mapping[int, Reals]) -> float:
    """Return the blur of the codes' edges, or else of the picture's: a standard deviation in pixels."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)
    blurs = [_side_blur(grey, *side) for corners in markers.values() for side in _sides(corners)]
    return float(np.median(blurs)) if blurs else _whole_blur(grey)


def _sides(corners: Reals) -> list[tuple[Reals, Reals]]:
    return [(corners[i], corners[(i + 1) % 4]) for i in range(4)]


def _side_blur(grey: NDArray[np.float32], start: Reals, end: Reals) -> float:
    """Return one side's blur: the steeper its mean step, the sharper the picture."""
    profiles, _where, _normal, far = _profiles_across(grey, start, end)
    step, fine = profiles.mean(axis=0), float(far[1] - far[0])
    steepest = float(np.abs(np.gradient(step, fine)).max())
    return float(step.max() - step.min()) / max(1e-6, steepest) / float(np.sqrt(2 * np.pi))


def _whole_blur(grey: NDArray[np.float32]) -> float:
    """Estimate a picture's blur: blurring it further weakens sharp edges more than soft ones."""
    fine, coarse = (_steepest_slope(cv2.GaussianBlur(grey, (0, 0), sigma)) for sigma in (1.0, 3.0))
    ratio = (fine / max(1e-6, coarse)) ** 2
    # for the sigmas 1 and 3 above
    return float(np.sqrt(max(0.0, (9.0 - ratio) / (ratio - 1)))) if ratio > 1.02 else 99.0


def _steepest_slope(grey: Any) -> float:
    across, down = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    return float(np.percentile(cv2.magnitude(across, down)[::2, ::2], 99.8))


LEAST = 50  # pixels along the shorter side of a picture in which a card could be readable
EVEN = 12.0  # grey levels between the darkest and the lightest parts of an empty picture


def legibility_problems(picture: Picture) -> tuple[Problem, ...]:
    """Return the reasons why no card may be readable in a picture; empty if nothing is wrong."""
    high, wide = picture.shape[:2]
    if min(high, wide) < LEAST:
        return (Problem("tiny", {"width": wide, "height": high}),)
    # one colour everywhere, apart from grain
    dark, bright = np.percentile(cv2.GaussianBlur(picture, (0, 0), 2.0), (0.5, 99.5), axis=(0, 1))
    if (bright - dark).max() < EVEN:
        return plates.light_problems(picture) or (Problem("one colour"),)
    return light_and_focus_problems(picture, find_markers(picture))


# the empty table as a rectified picture, which stays valid when the camera moves

PER_MM = 2  # pixels per millimetre of the stored picture: about a camera's resolution above a table
LARGEST = 1600  # largest width and height of the stored picture in millimetres
COARSE = 8  # pixels between computed positions, each way; those between are interpolated


def save_empty_table(file: Path, picture: Picture, table: Calibration) -> None:
    """Store a picture of the empty table, with its origin in the middle; black outside the camera's view."""
    high, wide = picture.shape[:2]
    rim = np.stack(np.meshgrid(np.linspace(0, wide - 1, 9), np.linspace(0, high - 1, 9)), -1).reshape(-1, 2)
    reach = np.abs(to_table(table, rim)).max(axis=0)
    wide, high = (2 * PER_MM * min(LARGEST // 2, int(far)) for far in reach)
    steps = _coarse_places(wide, high)
    mm = (steps.reshape(-1, 2) - ((wide - 1) / 2, (high - 1) / 2)) / PER_MM
    flat = _show(picture, to_pixels(table, mm).reshape(steps.shape), (wide, high))
    write_whole(file, cv2.imencode(".png", flat)[1].tobytes())


def project_empty_table(empty: Picture, table: Calibration) -> Picture:
    """Return the empty table as seen from the camera's current position; black where nothing is stored."""
    wide, high = table.size
    steps = _coarse_places(wide, high)
    mm = to_table(table, steps.reshape(-1, 2)).reshape(steps.shape)
    middle = np.array([(empty.shape[1] - 1) / 2, (empty.shape[0] - 1) / 2])
    return _show(empty, mm * PER_MM + middle, (wide, high))


def _coarse_places(wide: int, high: int) -> Reals:
    sides = (np.arange(0, side + COARSE, COARSE, dtype=np.float64) for side in (wide, high))
    return np.stack(np.meshgrid(*sides), -1)


def _show(picture: Picture, coarse: Reals, size: Size) -> Picture:
    """Sample a picture at positions given for every COARSE pixels; those between are interpolated."""
    x, y = np.meshgrid(*(np.arange(side, dtype=np.float32) for side in size))
    where = cv2.remap(coarse.astype(np.float32), x / COARSE, y / COARSE, cv2.INTER_LINEAR)
    across, down = np.ascontiguousarray(where[..., 0]), np.ascontiguousarray(where[..., 1])
    return np.asarray(cv2.remap(picture, across, down, cv2.INTER_LINEAR, borderValue=(0, 0, 0)), np.uint8)
