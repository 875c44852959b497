"""Whether the camera has moved since an earlier still picture, by positive evidence only. Pure.

Tiles of the picture that stayed vote for "still". Otherwise feature points and a shift of everything give
candidates for one motion of the ground; tiles refine them and vote for the best. Missing texture, one card, a
hand or other light are no evidence.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from typing import Any, Literal

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.process.tiles import (
    TILE,
    Small,
    Spectra,
    are_strong,
    brightness,
    contrasts,
    corners_of_tiles,
    shifts_between,
    spectra_of,
)
from vision.reading.views import Floats
from vision.sightings import Cards, Outline
from vision.table.plane import Reals, as_outline, bend_points, inverse, map_points, straighten_points
from vision.table.values import Size

CLEAR = 6.5  # peak of a tile's correlation, in standard deviations, from which on it shows the same texture
STAYED = 1.0  # pixels of the small picture within which a tile has stayed
MOST = 0.7  # share of the tiles that stay on a still table from which on nothing moved
FEW, FEWEST = 8, 4
"""Tiles from which on a motion, or rest without most tiles, is shown; and fewest tiles of any evidence."""
WIDE = 0.15  # least share of the picture that the tiles of a motion span
CLEARLY = 2  # how many times as many tiles a motion needs as have stayed
LEAST = 1.5  # pixels of the small picture by which tiles must move
FEATURES = 600
MOTIONS = 3  # motions that are looked for among the feature points
REACHES = (20.0, 8.0, 3.0)
"""Pixels within which tiles may be off a candidate, in each round of its refinement."""
PATCH, ALIKE = 21, 0.6
"""Side of a compared place's surroundings, in pixels of the small picture, and least correlation."""
STEP = 8  # pixels between places that are compared
EVIDENCE = 12  # places from which on a motion that explains them is better than another: a third of a card
BESIDE = ((16.0, 0.0), (0.0, 16.0))  # pixels to other motions that are tried: patterns repeat after 11 to 32
ON_CARD = 0.6 * TILE  # distance from a card's outline within which a tile shows the card
DARK = 25.0  # mean grey level below which no card can be read
FLAT = 0.15  # share of the contrast before below which a picture shows nothing
OTHER_LIGHT = 0.25  # change of a plain table's brightness from which on something covers it


class Anchor(Struct, frozen=True, eq=False):
    """A still table: its tiles and feature points."""

    small: Small
    lens: float
    corners: NDArray[np.int64]
    spectra: Spectra
    strong: NDArray[np.bool_]
    features: tuple[Reals, Any]
    """Places (n, 2) and descriptors of feature points."""
    on_cards: NDArray[np.bool_]  # the tiles that show a resting card
    own: int  # tiles that stay from one still picture to the next
    ground: int  # those that show no card
    drift: tuple[float, float] = (0.0, 0.0)
    """Small shift, in pixels, since the table's frame was right: slow shifts add up."""

    @property
    def middles(self) -> Reals:
        return _middles_of(self.corners)


class Motion(Struct, frozen=True, eq=False):
    """What the pictures show: a motion in straightened pixels of the small picture, or nothing certain."""

    verdict: Literal["still", "moved", "dark", "covered", "unknown"]
    by: Reals = np.eye(3)
    stayed: float = 0.0  # share of the still table's tiles that stayed
    drift: tuple[float, float] = (0.0, 0.0)
    is_doubtful: bool = False  # whether hardly any tile of the ground shows the motion, or another is as likely


def _middles_of(corners: NDArray[np.int64]) -> Reals:
    return np.asarray(corners + (TILE - 1) / 2, np.float64)


def take_anchor(
    pictures: Sequence[Small], known: Cards, lens: float, drift: tuple[float, float] = (0.0, 0.0)
) -> Anchor:
    """Return the anchor of several still pictures; their mean has less noise."""
    *most, last = pictures
    small = mean_of(most)
    corners = corners_of_tiles(small.size)
    spectra = spectra_of(small.grey, corners)
    cards = tuple(as_outline((np.array(card.outline) + 0.5) * small.scale - 0.5) for card in known)
    strong = are_strong(small.grey, corners)
    shifts, peaks = shifts_between(spectra, spectra_of(last.grey, corners), small.scale)
    stay, on_cards = _have_stayed(shifts, peaks, strong), _on_cards(corners, cards)
    return Anchor(
        small,
        lens,
        corners,
        spectra,
        strong,
        _features(small.grey),
        on_cards,
        own=int(stay.sum()),
        ground=int((stay & ~on_cards).sum()),
        drift=drift,
    )


def mean_of(pictures: Sequence[Small]) -> Small:
    return Small(np.mean([each.grey for each in pictures], axis=0, dtype=np.float32), pictures[0].scale)


def motion_since(anchor: Anchor, now: Small) -> Motion:
    """Compare a still picture of the same size with the anchor."""
    if now.grey.mean() < DARK and _shows_nothing(anchor, now):
        return Motion("dark")
    spectra = spectra_of(now.grey, anchor.corners)
    shifts, peaks = shifts_between(anchor.spectra, spectra, now.scale)
    stay = _have_stayed(shifts, peaks, anchor.strong)
    stayed = int(stay.sum())
    if stayed >= max(FEWEST, MOST * anchor.own):
        return _since_the_frame(anchor, np.median(shifts[stay], axis=0), stayed / max(1, anchor.own))
    if _shows_nothing(anchor, now):
        return Motion("covered")
    found = sorted(_motions(anchor, now, _starts(anchor, now)), key=lambda each: each.tiles, reverse=True)
    shift: Reals | None = None
    if found and (best := reduce(_better, found)).tiles >= CLEARLY * stayed:
        if best.far > LEAST:
            found += _motions(anchor, now, (best.by @ _shift_by(way) for way in BESIDE))
            best = reduce(_better, found, best)
            is_doubtful = best.on_ground < FEWEST or any(_is_rival(each, best) for each in found)
            return Motion("moved", best.by @ _shift_by(anchor.drift), is_doubtful=is_doubtful)
        shift, stayed = best.shift, 0
    elif stayed >= FEW:
        shift = np.median(shifts[stay], axis=0)
    return Motion("unknown") if shift is None else _since_the_frame(anchor, shift, stayed / max(1, anchor.own))


def _better(best: "_Candidate", other: "_Candidate") -> "_Candidate":
    return other if _is_clearly_better(other, best) else best


def _is_clearly_better(one: "_Candidate", other: "_Candidate") -> bool:
    """Return whether one motion explains much that the other doesn't: only cards or stains break a pattern."""
    ours, theirs = (one.alike > 0) & (other.alike < 0), (one.alike < 0) & (other.alike > 0)
    return int(ours.sum()) >= max(EVIDENCE, CLEARLY * int(theirs.sum()))


def _is_rival(one: "_Candidate", best: "_Candidate") -> bool:
    """Return whether another motion explains nearly as much, as on a checked cloth without cards."""
    is_other = float(np.hypot(*(one.shift - best.shift))) > REACHES[-1]
    return is_other and one.tiles >= MOST * best.tiles and not _is_clearly_better(best, one)


def _since_the_frame(anchor: Anchor, shift: Reals, stayed: float) -> Motion:
    """Add up small shifts: a camera that sinks moves the picture less at a time than shows."""
    x, y = (shift + anchor.drift).tolist()
    if np.hypot(x, y) > LEAST:
        return Motion("moved", _shift_by((x, y)), stayed)
    return Motion("still", stayed=stayed, drift=(x, y))


def _shift_by(way: tuple[float, float]) -> Reals:
    return np.array([(1, 0, way[0]), (0, 1, way[1]), (0, 0, 1.0)])


def _have_stayed(shifts: Reals, peaks: Reals, strong: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return np.asarray((peaks > CLEAR) & (np.hypot(*shifts.T) < STAYED) & strong)


def _shows_nothing(anchor: Anchor, now: Small) -> bool:
    """Return whether the textures of most strong tiles are gone, as in the dark or under a hand on the lens.

    Cards are taken away; where the ground has no texture, its brightness must have changed, too.
    """
    strong = anchor.strong & ~anchor.on_cards
    if strong.sum() < FEW and _has_other_light(anchor, now):
        strong = anchor.strong
    if strong.sum() < FEW:
        return False
    shares = contrasts(now.grey, anchor.corners) / np.maximum(
        contrasts(anchor.small.grey, anchor.corners), 1e-6
    )
    return float(np.quantile(shares[strong], MOST)) < FLAT


def _has_other_light(anchor: Anchor, now: Small) -> bool:
    tiles = ~anchor.on_cards
    before, after = (brightness(each.grey, anchor.corners)[tiles] for each in (anchor.small, now))
    return bool(tiles.any()) and float(np.median(np.abs(after / np.maximum(before, 1.0) - 1))) > OTHER_LIGHT


# motions


def carry_points(by: Reals, points: Reals, lens: float, size: Size) -> Reals:
    """Return the new places of points (n, 2) of a picture after a motion of straightened points."""
    return bend_points(map_points(by, straighten_points(points, lens, size)), lens, size)


def in_pixels_of_picture(by: Reals, scale: float) -> Reals:
    """Return a motion of the small picture as one of the whole picture."""
    off = 0.5 / scale - 0.5
    enlarge = np.array([(1 / scale, 0, off), (0, 1 / scale, off), (0, 0, 1.0)])
    return enlarge @ by @ inverse(enlarge)


class _Candidate(Struct, frozen=True, eq=False):
    """A motion, and what it explains."""

    by: Reals
    alike: NDArray[np.int8]  # at each place 1 if it looks as before, -1 if it doesn't; 0 outside the picture
    tiles: int
    on_ground: int
    shift: Reals  # of the middle tile, in pixels
    far: float  # pixels by which most tiles move at most; a turn leaves those in the middle


def _motions(anchor: Anchor, now: Small, starts: Iterable[Reals]) -> Iterator[_Candidate]:
    middles, size = anchor.middles, now.size
    for start in starts:
        by = _refine(anchor, now, start)
        if by is None:
            continue
        shifts, peaks = _votes(anchor, now, by)
        same = (peaks > CLEAR) & (np.hypot(*shifts.T) < STAYED)
        if same.sum() < FEW or _span(middles[same], size) < WIDE:
            continue
        moved = carry_points(by, middles, anchor.lens, size) - middles
        far = float(np.quantile(np.hypot(*moved.T), 0.8))
        on_ground = int((same & ~anchor.on_cards).sum())
        yield _Candidate(by, _alike(anchor, now, by), int(same.sum()), on_ground, np.median(moved, axis=0), far)


def _starts(anchor: Anchor, now: Small) -> Iterator[Reals]:
    """Yield no motion, the motions of most feature points, and the shift of the whole picture."""
    yield np.eye(3)
    places, descriptors = anchor.features
    seen, others = _features(now.grey)
    if len(places) > FEW and len(seen) > FEW:
        pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(descriptors, others)
        was = straighten_points(places[[each.queryIdx for each in pairs]], anchor.lens, now.size)
        there = straighten_points(seen[[each.trainIdx for each in pairs]], anchor.lens, now.size)
        for _motion in range(MOTIONS):
            if len(was) < FEW:
                break
            found: Any
            found, used = cv2.findHomography(was, there, cv2.RANSAC, 3.0)
            if found is None or used.sum() < FEW:
                break
            if _is_plausible(found, now.size):
                yield np.asarray(found, np.float64)
            was, there = was[used[:, 0] == 0], there[used[:, 0] == 0]
    halves = [
        cv2.resize(each, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        for each in (anchor.small.grey, now.grey)
    ]
    one, other = (each - cv2.blur(each, (15, 15)) for each in halves)
    (x, y), _peak = cv2.phaseCorrelate(one, other, cv2.createHanningWindow(one.shape[::-1], cv2.CV_32F))
    yield np.array([(1, 0, 2 * x), (0, 1, 2 * y), (0, 0, 1.0)])


def _features(grey: Floats) -> tuple[Reals, Any]:
    points, descriptors = cv2.ORB.create(FEATURES, fastThreshold=7).detectAndCompute(
        grey.astype(np.uint8), None
    )
    return np.array([each.pt for each in points], np.float64).reshape(-1, 2), descriptors


def _refine(anchor: Anchor, now: Small, by: Reals) -> Reals | None:
    """Fit a motion to the tiles that it nearly explains; None if too few, or no camera moves so."""
    middles, lens, size = anchor.middles, anchor.lens, now.size
    straight = straighten_points(middles, lens, size)
    for reach in REACHES:
        shifts, peaks = _votes(anchor, now, by)
        near = (peaks > CLEAR) & (np.hypot(*shifts.T) < reach)
        if near.sum() < FEWEST:
            return None
        # a tile's shift is measured in the anchor's picture
        there = straighten_points(carry_points(by, (middles + shifts)[near], lens, size), lens, size)
        found = _fit_motion(straight[near], there, reach)
        if found is None or not _is_plausible(found, size):
            return None
        by = found
    return by


def _fit_motion(was: Reals, there: Reals, reach: float) -> Reals | None:
    # the first candidates are coarse
    off = 2.0 if reach < REACHES[0] else 4.0
    found: Any
    if len(was) < FEW + 2:
        found, _used = cv2.estimateAffinePartial2D(was, there, method=cv2.RANSAC, ransacReprojThreshold=off)
        return None if found is None else np.vstack((found, (0, 0, 1)))
    found, _used = cv2.findHomography(was, there, cv2.RANSAC, off)
    return None if found is None else np.asarray(found, np.float64)


def _is_plausible(by: Reals, size: Size) -> bool:
    """Return whether a camera that moves can change the picture so."""
    wide, high = size
    rim = map_points(by, np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float64))
    if not np.isfinite(rim).all() or not cv2.isContourConvex(rim.astype(np.float32)):
        return False
    return 0.3 < cv2.contourArea(rim.astype(np.float32)) / (wide * high) < 3 and float(np.linalg.det(by)) > 0


def _votes(anchor: Anchor, now: Small, by: Reals) -> tuple[Reals, Reals]:
    """Return the tiles' remaining shifts, and their peaks; no peak where a tile has left the picture."""
    (wide, high), edge = now.size, TILE / 3
    back = _as_before(now.grey, by, anchor.lens)
    shifts, peaks = shifts_between(anchor.spectra, spectra_of(back, anchor.corners), now.scale)
    x, y = carry_points(by, anchor.middles, anchor.lens, now.size).T
    inside = (x > edge) & (x < wide - edge) & (y > edge) & (y < high - edge)
    return shifts, np.where(inside, peaks, 0.0)


def _as_before(grey: Floats, by: Reals, lens: float) -> Floats:
    """Return a picture as it would look without the motion."""
    high, wide = grey.shape
    if not lens:
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpPerspective(grey, by, (wide, high), flags=how, borderMode=cv2.BORDER_REFLECT))
    across, down = (-(-side // STEP) for side in (wide, high))
    places = np.stack(np.meshgrid(*((np.arange(count) + 0.5) * STEP - 0.5 for count in (across, down))), -1)
    there = carry_points(by, places.reshape(-1, 2), lens, (wide, high)).reshape(places.shape).astype(np.float32)
    full = cv2.resize(there, (across * STEP, down * STEP), interpolation=cv2.INTER_LINEAR)[:high, :wide]
    seen = cv2.remap(grey, full[..., 0], full[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(seen)


def _span(points: Reals, size: Size) -> float:
    """Return the share of the picture that points span."""
    hull = cv2.convexHull(points.astype(np.float32))
    return cv2.contourArea(hull) / (size[0] * size[1])


def _on_cards(corners: NDArray[np.int64], cards: Sequence[Outline]) -> NDArray[np.bool_]:
    """Return the tiles that show a resting card."""
    return np.array(
        [
            any(
                cv2.pointPolygonTest(np.array(card, np.float32), (x, y), measureDist=True) > -ON_CARD
                for card in cards
            )
            for x, y in _middles_of(corners).tolist()
        ],
        np.bool_,
    )


def _alike(anchor: Anchor, now: Small, by: Reals) -> NDArray[np.int8]:
    """Compare the picture with the anchor, place by place, after undoing a motion."""
    back, (wide, high) = _as_before(now.grey, by, anchor.lens), now.size
    mean, spread, other_mean, other_spread = (
        each for grey in (anchor.small.grey, back) for each in _mean_and_spread(grey)
    )
    same = _blur(anchor.small.grey * back) - mean * other_mean > ALIKE * spread * other_spread
    places = np.stack(np.meshgrid(*(np.arange(STEP // 2, side, STEP) for side in now.size)), -1)
    x, y = carry_points(by, places.reshape(-1, 2).astype(np.float64), anchor.lens, now.size).T
    edge = PATCH / 2
    inside = (x > edge) & (x < wide - edge) & (y > edge) & (y < high - edge)
    looks = same[places[..., 1], places[..., 0]].ravel()
    return np.where(inside, np.where(looks, 1, -1), 0).astype(np.int8)


def _mean_and_spread(grey: Floats) -> tuple[Floats, Floats]:
    mean = _blur(grey)
    return mean, np.sqrt(np.maximum(_blur(grey * grey) - mean * mean, 1.0))


def _blur(grey: Floats) -> Floats:
    return np.asarray(cv2.blur(grey, (PATCH, PATCH)))
