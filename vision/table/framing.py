"""Guide people in placing a camera above the table. Pure.

The codes on the plates have a known size, so they show the lens's position even if some aren't visible.
"""

from collections.abc import Mapping
from math import atan, atan2, ceil, degrees, hypot, radians, tan

import numpy as np
from msgspec.structs import replace

from vision.pictures import Picture
from vision.table.calibration import (
    CARD_WIDTH,
    LET_PASS,
    blur_of,
    calibrate,
    find_markers,
    marker_problems,
    nudge_problems,
    size_problems,
    to_table,
)
from vision.table.optics import better_camera, focal_length, heights, largest_apart, lowest, plates_span
from vision.table.plane import Reals, as_outline, inverse, least_squares, lengths_of, map_points
from vision.table.plates import SIDE, Millimetres, plate_places, white_level
from vision.table.values import Calibration, Framing, Move, Optics, Pose, Size, Way
from vision.troubles import Problem

USUAL_APART: Millimetres = (844.0, 556.0)
"""Distances between the plates' middles until they are measured."""
USUAL_ANGLE = 66.0  # horizontal field of view of an unknown camera, in degrees
MOST_TILT = 6.0  # degrees of tilt beyond which the far side of the table gets blurred
WITHIN = 2.0  # least distance in pixels between a plate and the picture's edge
ROOM = 20.0
"""Distance in millimetres that a lens should keep from its least and greatest height, if possible."""


def frame_picture(picture: Picture, optics: Optics | None, apart: Millimetres | None = None) -> Framing:
    """Return a table's position in a picture; `apart` is the distance of its plates, if known."""
    size = (picture.shape[1], picture.shape[0])
    lens, markers = lens_for(optics, size), find_markers(picture)
    pose, apart = find_pose(markers, lens, apart or USUAL_APART)
    is_good = pose is not None and _is_seen_well(pose, markers, lens, apart)
    hangs = pose if pose is not None and is_good else Pose(ideal_height(0.0, lens, apart), 0.0, 0.0)
    wrong = marker_problems(picture, markers, lens.needed)
    return Framing(
        size=size,
        seen=tuple(markers),
        outline=as_outline(project(hangs, lens, plate_places(plates_span(apart)))),
        blur=blur_of(picture, markers),
        light=white_level(picture, markers),
        pose=pose,
        moves=() if pose is None or is_good else moves_to(pose, lens, apart),
        wrong=wrong if optics is None else explain_missing(wrong, markers, lens, apart),
    )


def lens_for(optics: Optics | None, size: Size) -> Optics:
    """Return the optics for a picture of this size; usual ones for an unknown lens."""
    known = optics or Optics("", size, USUAL_ANGLE, 0.0)
    return replace(known, mode=size)


def sight_problems(
    picture: Picture,
    optics: Optics | None = None,
    apart: Millimetres | None = None,
    table: Calibration | None = None,
) -> tuple[Problem, ...]:
    """Return problems of a picture of the table; with a calibration, also a nudge of the camera."""
    if table is not None and (other := size_problems(picture, table)):
        return other
    markers = find_markers(picture)
    nudged = () if table is None else nudge_problems(markers, table)
    lens = lens_for(optics, (picture.shape[1], picture.shape[0]))
    wrong = (*marker_problems(picture, markers, lens.needed), *nudged)
    return wrong if optics is None else explain_missing(wrong, markers, lens, apart or USUAL_APART)


BY_HEIGHT = frozenset({"marker hidden", "too far"})  # problems that another height may solve
TOLD_BY_LENS = frozenset({"too low", "too coarse", "table too large"})
"""Problems that replace them if the lens is known; each says what to do."""


def explain_missing(
    wrong: tuple[Problem, ...], markers: Mapping[int, Reals], lens: Optics, apart: Millimetres
) -> tuple[Problem, ...]:
    """Replace missing markers and small cards by their cause, if that is the lens or its height."""
    others = tuple(problem for problem in wrong if problem.key not in BY_HEIGHT)
    if others == wrong:
        return wrong
    pose, apart = find_pose(markers, lens, apart)
    between = heights(lens, apart)
    if between is None:
        return (_too_coarse(lens, apart), *others)
    if pose is None:
        # light or focus may be the cause
        low, high = between
        return others or (Problem("no marker", {"low": ceil(low / 10), "high": int(high / 10)}),)
    cut_off = _cut_off(pose, markers, lens, apart)
    if not cut_off or pose.height >= lowest(lens, apart):
        return wrong
    raised = ideal_height(pose.height, lens, apart) - pose.height
    kept = tuple(problem for problem in wrong if problem.values.get("marker") not in cut_off)
    return (Problem("too low", {"cm": max(1, round(raised / 10))}), *kept)


def _too_coarse(lens: Optics, apart: Millimetres) -> Problem:
    across, down = largest_apart(lens, apart)
    least, better = {"across": int(across), "down": int(down)}, better_camera(lens, apart)
    if better is None:
        return Problem("table too large", least)
    pixels, needed = round(focal_length(lens) * CARD_WIDTH / lowest(lens, apart)), round(lens.needed)
    return Problem("too coarse", {"pixels": pixels, "needed": needed, "camera": better.name, **least})


def _cut_off(pose: Pose, markers: Mapping[int, Reals], lens: Optics, apart: Millimetres) -> tuple[int, ...]:
    """Return the markers outside the picture, by the positions of the others."""
    square = plate_places((SIDE, SIDE))
    corners = {number: project(pose, lens, square + place) for number, place in enumerate(plate_places(apart))}
    missing = ((number, four) for number, four in corners.items() if number not in markers)
    return tuple(each for each, four in missing if not ((four > 0) & (four < np.array(lens.mode) - 1)).all())


def find_pose(
    markers: Mapping[int, Reals], lens: Optics, apart: Millimetres
) -> tuple[Pose | None, Millimetres]:
    """Return the lens's position and the distances of the plates; with fewer than three, those given."""
    if not markers:
        return None, apart
    tilt_right, tilt_down, height = _solve_plane(markers, lens)
    on_table = inverse(_plane_seen(tilt_right, tilt_down, height, lens))
    there = {number: map_points(on_table, corners) for number, corners in markers.items()}
    middle, turn, apart = _lay_plates(there, apart)
    right, down = middle.tolist()
    tilts = degrees(atan(tilt_right)), degrees(atan(tilt_down))
    return Pose(height, right, down, turn, *tilts), apart


def _plane_seen(right: float, down: float, height: float, lens: Optics) -> Reals:
    """Return the matrix from millimetres around the point below the lens to the picture; tilts are tangents."""
    ahead = np.array((right, down, 1.0)) / np.sqrt(right**2 + down**2 + 1)
    across = np.array((1.0, 0.0, 0.0)) - ahead[0] * ahead
    across /= np.sqrt(across @ across)
    (x, y), focal = (np.array(lens.mode) - 1) / 2, focal_length(lens)
    rays = np.column_stack((across, np.cross(ahead, across), height * ahead))
    return np.asarray(np.array([(focal, 0, x), (0, focal, y), (0, 0, 1)]) @ rays, np.float64)


_UNSURE_TILT = tan(radians(8.0))
"""Expected tilt, as a tangent: a single code hardly shows it."""
_CORNER = 0.3  # usual error of a code's corner in pixels


def _solve_plane(markers: Mapping[int, Reals], lens: Optics) -> tuple[float, float, float]:
    """Return tilts (as tangents) and height at which each code has its true size."""
    focal, side = focal_length(lens), SIDE
    rough = focal * side / lengths_of(np.stack([*markers.values()])).mean()
    pairs = ((0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3))
    lengths = np.array((side, side, side, side, side * np.sqrt(2), side * np.sqrt(2)))
    miss = _CORNER * rough / focal

    def wrong(values: Reals) -> Reals:
        right, down, share = values
        on_table = inverse(_plane_seen(right, down, share * rough, lens))
        flat = [map_points(on_table, corners) for corners in markers.values()]
        missed = [np.array([hypot(*(at[j] - at[i])) for i, j in pairs]) - lengths for at in flat]
        return np.concatenate((*(each / miss for each in missed), values[:2] / _UNSURE_TILT))

    right, down, share = least_squares(wrong, np.array((0.0, 0.0, 1.0))).tolist()
    return right, down, share * float(rough)


def _lay_plates(there: Mapping[int, Reals], apart: Millimetres) -> tuple[Reals, float, Millimetres]:
    middles = {number: corners.mean(axis=0) for number, corners in there.items()}
    missing = [number for number in range(4) if number not in middles]
    if len(missing) == 1:
        # the three others give its position
        (one,) = missing
        middles[one] = middles[(one + 1) % 4] + middles[(one + 3) % 4] - middles[(one + 2) % 4]
    if len(middles) == 4:
        a, b, c, d = (middles[number] for number in range(4))
        across, down = (b + c - a - d) / 2, (c + d - a - b) / 2
        middle: Reals = (a + b + c + d) / 4
        return middle, _angle(across), (hypot(*across), hypot(*down))
    known = np.array(list(middles.values()))
    places = plate_places(apart)[list(middles)]
    if len(middles) > 1:
        # the rotation that maps the places to the visible middles
        to, of = known - known.mean(axis=0), places - places.mean(axis=0)
        turn = degrees(atan2(float((of[:, 0] * to[:, 1] - of[:, 1] * to[:, 0]).sum()), float((of * to).sum())))
    else:
        top = next(iter(there.values()))
        turn = _angle(top[1] - top[0])
    return np.subtract(known.mean(axis=0), _turned(places.mean(axis=0), turn)), turn, apart


def _angle(way: Reals) -> float:
    return degrees(atan2(way[1], way[0]))


def _turned(points: Reals, turn: float) -> Reals:
    c, s = np.cos(radians(turn)), np.sin(radians(turn))
    return np.asarray(points @ np.array([(c, s), (-s, c)]), np.float64)


def project(pose: Pose, lens: Optics, points: Reals) -> Reals:
    """Return points of the table, in millimetres from the middle of the plates, in picture pixels."""
    tilts = tan(radians(pose.tilt_right)), tan(radians(pose.tilt_down))
    plane = _plane_seen(*tilts, pose.height, lens)
    return map_points(plane, _turned(points, pose.turn) + np.array((pose.right, pose.down)))


def ideal_height(height: float, lens: Optics, apart: Millimetres) -> float:
    """Return the good height nearest to a height; the greatest one if the table is too large for the lens."""
    between = heights(lens, apart)
    if between is None:
        return focal_length(lens) * CARD_WIDTH / lens.needed
    low, high = between
    room = min(ROOM, (high - low) / 2)
    return min(max(height, low + room), high - room)


def _is_seen_well(pose: Pose, markers: Mapping[int, Reals], lens: Optics, apart: Millimetres) -> bool:
    """Return whether all plates are visible, cards are large enough, and the camera is hardly tilted."""
    corners = project(pose, lens, plate_places(plates_span(apart)))
    is_inside = (corners >= WITHIN).all() and (corners < np.array(lens.mode) - WITHIN).all()
    card = CARD_WIDTH * float(lengths_of(np.stack([*markers.values()])).mean()) / SIDE
    tilt = hypot(pose.tilt_right, pose.tilt_down)
    return len(markers) == 4 and bool(is_inside) and card >= lens.needed * LET_PASS and tilt <= MOST_TILT


def tell_move(move: Move) -> Problem:
    """Return a move as a message, in whole centimetres or degrees."""
    is_angle = move.way.startswith(("look", "turn"))
    unit, size = ("degrees", 1.0) if is_angle else ("cm", 10.0)
    return Problem(f"move {move.way}", {unit: max(1, round(move.amount / size))})


def moves_to(pose: Pose, lens: Optics, apart: Millimetres) -> tuple[Move, ...]:
    """Return moves that bring the table to its target in the picture, the most helpful first."""
    if heights(lens, apart) is None:
        across = largest_apart(lens, apart)[0]
        return (Move("closer", apart[0] - across, float("inf")),)
    corners, height = plate_places(plates_span(apart)), ideal_height(pose.height, lens, apart)
    now = project(pose, lens, corners)
    # upside-down plates are as good
    turn = (pose.turn + 90) % 180 - 90
    choices: tuple[tuple[Way, Way, float, float, Pose], ...] = (
        ("raise", "lower", height - pose.height, 10.0, replace(pose, height=height)),
        ("right", "left", pose.right, 10.0, replace(pose, right=0.0)),
        ("down", "up", pose.down, 10.0, replace(pose, down=0.0)),
        ("look right", "look left", pose.tilt_right, 1.0, replace(pose, tilt_right=0.0)),
        ("look down", "look up", pose.tilt_down, 1.0, replace(pose, tilt_down=0.0)),
        ("turn right", "turn left", turn, 1.0, replace(pose, turn=pose.turn - turn)),
    )
    moves = list[Move]()
    for more, less, amount, unit, then in choices:
        # skip moves that round to nothing
        if abs(amount) >= unit / 2:
            effect = float(np.hypot(*(project(then, lens, corners) - now).T).max())
            moves.append(Move(more if amount > 0 else less, abs(amount), effect))
    return tuple(sorted(moves, key=lambda move: -move.effect))


FAR_OFF = 0.1
"""Largest relative difference of typed and measured distances: measured ones are within 2 %, prints shrink."""


def plates_apart(table: Calibration) -> Millimetres:
    a, b, c, d = (to_table(table, np.array(table.markers[str(number)])).mean(axis=0) for number in range(4))
    across, down = (np.hypot(*(b - a)) + np.hypot(*(c - d))) / 2, (np.hypot(*(d - a)) + np.hypot(*(c - b))) / 2
    return round(float(across), 1), round(float(down), 1)


def denied_by_size(picture: Picture, typed: Millimetres) -> Millimetres | None:
    """Return the measured distances of the plates if the typed ones are clearly wrong, else None.

    A calibration by wrong distances would be useless.
    """
    found = calibrate(picture)
    if found is None:
        return None
    seen = plates_apart(found)
    return None if can_be(typed, seen) else seen


def can_be(typed: Millimetres, seen: Millimetres) -> bool:
    """Return whether typed distances agree with measured ones."""
    return all(abs(one / other - 1) <= FAR_OFF for one, other in zip(typed, seen, strict=True))
