"""Calibrate the table by its cards: plane and lens under which they all are rectangles of one size. Pure.

Cards give no origin. A new table has its origin in the middle of the cards, and its seat 1 at the picture's
lower edge; `with_seat` and `with_middle` change that. A refined table keeps the frame of the one before.
"""

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from vision.pictures import Picture
from vision.sightings import Cards, Outline, Point
from vision.table.calibration import is_sound, to_pixels, to_table, with_paper
from vision.table.optics import USUAL_FOCAL, focal_length
from vision.table.plane import (
    UNIT_SQUARE,
    Reals,
    area_within,
    as_matrix,
    bend_points,
    homography,
    inverse,
    least_squares,
    map_points,
    straighten_points,
)
from vision.table.plates import Millimetres
from vision.table.values import Calibration, Optics, Size

FOCAL_DOUBT, KNOWN_DOUBT = 0.35, 0.03
"""Standard deviation of the focal length's logarithm, for an unknown lens and a known one."""
LENS_DOUBT = 0.05  # standard deviation of the distortion of usual lenses
MOST_LENS = 0.22  # distortion from which on points at the picture's edge would change their order
FOR_LENS = 3  # fewest cards from which the distortion is determined
CORNER = 0.5  # usual error of an outline's corner in pixels, until it is measured
ENOUGH = 6  # surplus equations from which on the error of the outlines is measured
ROUNDS = 12  # most fits with a better estimate of that error
SETTLED = 0.8  # ratio of two estimates from which on the error counts as settled
FLATTEST = 0.15  # least cosine of the angle between the view and the vertical: 81 degrees
ODD, ODD_SHARE = 4.0, 0.012
"""A card that fits worse than this multiple of the median, and this share of its length, may be left out."""
MOST_ODD = 0.34  # largest share of cards that may be left out
WORST = 0.03  # largest error of a fit, as a share of a card's length; a misread card causes more
WHOLE = 0.97  # least visible share of a card whose outline is exact
STARTS = 3  # cards whose own perspective the fit starts from
TRIED = 2  # starts from which the fit is made: those that explain all cards best
BEHIND = 1e3  # error in pixels of a card behind the camera


FOUR = 4  # cards that are laid to measure a table


class CardFit(Struct, frozen=True):
    """A table fitted to cards, and the outlines that it was fitted to."""

    table: Calibration
    outlines: tuple[Outline, ...]


def exact_outlines(cards: Cards, size: Size) -> tuple[Outline, ...]:
    """Return the outlines of cards that are sure, completely visible and inside the picture."""
    edge = np.array(size) - 2.0
    return tuple(
        card.outline
        for card in cards
        if card.sure
        and card.visible >= WHOLE
        and not card.more_below
        and (np.min(card.outline, axis=0) > 1).all()
        and (np.max(card.outline, axis=0) < edge).all()
    )


def fit_cards(
    outlines: Sequence[Outline], card: Millimetres, size: Size, optics: Optics | None = None
) -> CardFit | None:
    """Fit plane and lens to cards of known size; None without cards, or if they don't fit together.

    A card that disagrees with the others is left out.
    """
    used, spare = tuple(outlines), int(MOST_ODD * len(outlines))
    view = _fit_view(used, card, size, optics)
    while view is not None and spare and _has_odd(_errors(view, used, card)):
        # one odd card spoils the fit for the others, too
        fewer = [(*used[:i], *used[i + 1 :]) for i in range(len(used))]
        views = [(_fit_view(each, card, size, optics), each) for each in fewer]
        view, used = min(views, key=lambda one: _worst_error(one[0], one[1], card))
        spare -= 1
    if view is None or _worst_error(view, used, card) > WORST:
        return None
    table = _framed(view, used, card, size)
    return CardFit(table, used) if is_sound(table) else None


def _errors(view: "_View", outlines: Sequence[Outline], card: Millimetres) -> Reals:
    seen = np.array(outlines)
    return _as_shares(view.errors(seen, card), seen, card)


def _has_odd(errors: Reals) -> bool:
    return float(errors.max()) > min(WORST, max(ODD * float(np.median(errors)), ODD_SHARE))


def _worst_error(view: "_View | None", outlines: Sequence[Outline], card: Millimetres) -> float:
    return float("inf") if view is None or not outlines else float(_errors(view, outlines, card).max())


def refine_table(
    table: Calibration, outlines: Sequence[Outline], card: Millimetres, optics: Optics | None = None
) -> Calibration:
    """Return the table fitted to more cards, in its frame; the same table if that explains them no better."""
    found = fit_cards(outlines, card, table.size, optics)
    if found is None or misfit(found.table, outlines, card) >= misfit(table, outlines, card):
        return table
    better = in_frame_of(found.table, table, found.outlines)
    return replace(better, white=table.white, light=table.light)


def misfit(table: Calibration, outlines: Sequence[Outline], card: Millimetres) -> float:
    """Return how badly cards fit a table: their error (root mean square), as a share of their length."""
    errors = np.minimum(misfits(table, outlines, card), WORST)
    return float(np.sqrt((errors**2).mean())) if outlines else 0.0


def misfits(table: Calibration, outlines: Sequence[Outline], card: Millimetres) -> Reals:
    """Return each card's error in the picture, as a share of its length."""
    seen = np.array(outlines, np.float64).reshape(-1, 4, 2)
    flat = to_table(table, seen.reshape(-1, 2)).reshape(seen.shape)
    again = to_pixels(table, _placed(flat, card).reshape(-1, 2)).reshape(seen.shape)
    return _as_shares(again - seen, seen, card)


def _as_shares(errors: Reals, outlines: Reals, card: Millimetres) -> Reals:
    """Return each card's error, root mean square of its corners, as a share of its length."""
    areas = np.array([area_within(each) for each in outlines])
    lengths = np.sqrt(areas / (card[0] * card[1])) * max(card)
    return np.asarray(np.sqrt((errors**2).sum(axis=2).mean(axis=1)) / lengths, np.float64)


# the frame


def in_frame_of(table: Calibration, old: Calibration, seen: Sequence[Outline]) -> Calibration:
    """Move a table's frame so that outlines in the same picture keep their positions, as far as possible."""
    pixels = np.reshape(seen, (-1, 2)).astype(np.float64)
    return aligned(table, pixels, to_table(old, pixels))


def aligned(table: Calibration, pixels: Reals, mm: Reals) -> Calibration:
    """Move a table's frame so that pixels get positions in millimetres, as far as possible."""
    flat = to_table(table, pixels)
    to, of = mm - mm.mean(axis=0), flat - flat.mean(axis=0)
    turn = np.arctan2((of[:, 0] * to[:, 1] - of[:, 1] * to[:, 0]).sum(), (of * to).sum())
    c, s = np.cos(turn), np.sin(turn)
    x, y = mm.mean(axis=0) - np.array([(c, -s), (s, c)]) @ flat.mean(axis=0)
    return _moved(table, np.array([(c, -s, x), (s, c, y), (0, 0, 1)]))


def with_middle(table: Calibration, at: Point) -> Calibration:
    """Move a table's origin to a point of the picture."""
    x, y = to_table(table, np.array([at], np.float64))[0]
    return _moved(table, np.array([(1, 0, -x), (0, 1, -y), (0, 0, 1.0)]))


def with_seat(table: Calibration, at: Point) -> Calibration:
    """Turn a table around its origin so that seat 1 is in the direction of a point of the picture."""
    return _turned(table, to_table(table, np.array([at], np.float64))[0])


def _turned(table: Calibration, down: Reals) -> Calibration:
    """Turn a table so that a direction becomes down, where seat 1 is."""
    length = float(np.hypot(*down))
    if length < 1e-6:
        return table
    s, c = down / length
    return _moved(table, np.array([(c, -s, 0), (s, c, 0), (0, 0, 1)]))


def _moved(table: Calibration, to_new: Reals) -> Calibration:
    return replace(table, plane=as_matrix(np.array(table.plane) @ inverse(to_new)))


def middle_of(outlines: Sequence[Outline]) -> Point:
    """Return the middle between the outermost cards in the picture."""
    middles = np.mean(outlines, axis=1)
    x, y = (middles.min(axis=0) + middles.max(axis=0)) / 2
    return float(x), float(y)


# light


PAPER = 80.0  # percentile of a card's brightness that is paper, not print


def with_light(table: Calibration, picture: Picture, outlines: Sequence[Outline]) -> Calibration:
    """Measure light and white balance at the paper of the lightest cards."""
    colours = [_paper_of(picture, np.array(outline)) for outline in outlines]
    if not colours:
        return table
    lightest = sorted(colours, key=lambda colour: -float(colour.min()))[: max(1, len(colours) // 2)]
    return with_paper(table, np.median(np.array(lightest), axis=0))


def _paper_of(picture: Picture, corners: Reals) -> Reals:
    left, top = np.maximum(corners.min(axis=0), 0).astype(int)
    right, low = np.ceil(corners.max(axis=0)).astype(int)
    part = picture[top : low + 1, left : right + 1]
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, (corners - (left, top)).round().astype(np.int32), 1)
    inside = part[mask > 0].astype(np.float64)
    if not len(inside):
        return np.zeros(3)
    light = inside.sum(axis=1)
    return np.asarray(np.median(inside[light >= np.percentile(light, PAPER)], axis=0), np.float64)


COARSE = 8  # pixels of the picture per pixel of the small one in which cards are filled in
AROUND = 1.12  # enlargement of an outline that also contains a card's shadow


def without_cards(picture: Picture, outlines: Sequence[Outline]) -> Picture:
    """Return a table's picture without its cards: their places continue what surrounds them."""
    mask = enlarged_mask(picture.shape[:2], [np.array(outline) for outline in outlines], AROUND)
    small = picture.shape[1] // COARSE, picture.shape[0] // COARSE
    coarse = cv2.resize(picture, small, interpolation=cv2.INTER_AREA)
    holes = np.asarray(cv2.resize(mask, small, interpolation=cv2.INTER_AREA) > 0, np.uint8)
    filled = cv2.inpaint(coarse, holes, 3, cv2.INPAINT_TELEA)
    there = cv2.resize(filled, picture.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.where(mask[..., None] > 0, there, picture), np.uint8)


def enlarged_mask(shape: tuple[int, ...], outlines: Iterable[Reals], times: float) -> Picture:
    """Return a mask of outlines that are enlarged around their middles: 255 inside, 0 elsewhere."""
    mask = np.zeros(shape, np.uint8)
    for corners in outlines:
        wider = corners.mean(axis=0) + (corners - corners.mean(axis=0)) * times
        cv2.fillConvexPoly(mask, wider.round().astype(np.int32), 255)
    return mask


# the fit


class _View(Struct, frozen=True, eq=False):
    """A pinhole camera above a plane, with radial distortion."""

    level: Reals  # rotates rays of the picture to those of a camera that looks straight down
    distance: float  # from the lens to the plane in millimetres
    focal: float
    lens: float
    size: Size

    def plane(self) -> Reals:
        return np.asarray(self._optics() @ self.level.T @ np.diag((1, 1, self.distance)), np.float64)

    def _optics(self) -> Reals:
        x, y = (np.array(self.size, np.float64) - 1) / 2
        return np.array([(self.focal, 0, x), (0, self.focal, y), (0, 0, 1)])

    def errors(self, seen: Reals, card: Millimetres) -> Reals:
        """Return the error in pixels of each corner (n, 4, 2), with every card in its best place."""
        straight = straighten_points(seen.reshape(-1, 2), self.lens, self.size)
        rays = (straight - (np.array(self.size) - 1) / 2) / self.focal
        away = np.column_stack((rays, np.ones(len(rays)))) @ self.level.T
        if (away[:, 2] < FLATTEST / 4).any():
            return np.full(seen.shape, BEHIND)
        flat = (away[:, :2] / away[:, 2:] * self.distance).reshape(seen.shape)
        placed = _placed(flat, card).reshape(-1, 2)
        return bend_points(map_points(self.plane(), placed), self.lens, self.size).reshape(seen.shape) - seen


def _placed(flat: Reals, card: Millimetres) -> Reals:
    """Return rectangles of a card's size at the best places for outlines on the table: (n, 4, 2)."""
    own = (UNIT_SQUARE - 0.5) * card @ np.array([1, 1j])
    there = flat @ np.array([1, 1j])
    middles = there.mean(axis=1, keepdims=True)
    turns = (there - middles) @ own.conj()
    out = middles + np.exp(1j * np.angle(turns))[:, None] * own
    return np.stack((out.real, out.imag), axis=-1)


def _fit_view(
    outlines: Sequence[Outline], card: Millimetres, size: Size, optics: Optics | None
) -> _View | None:
    seen = np.array(outlines, np.float64).reshape(-1, 4, 2)
    known = None if optics is None or optics.is_usb else focal_length(replace(optics, mode=size))
    focal, doubt = (USUAL_FOCAL * max(size), FOCAL_DOUBT) if known is None else (known, KNOWN_DOUBT)
    bends = len(outlines) >= FOR_LENS

    def view_of(values: Reals) -> _View:
        level = np.asarray(cv2.Rodrigues(np.array([values[0], values[1], 0.0]))[0], np.float64)
        lens = float(np.clip(values[4], -MOST_LENS, MOST_LENS)) if bends else 0.0
        return _View(level, float(np.exp(values[2])), focal * float(np.exp(values[3])), lens, size)

    def solve(start: Reals, error: float) -> tuple[float, Reals]:
        def wrong(values: Reals) -> Reals:
            doubts = values[3:] / np.array((doubt, LENS_DOUBT))[: len(values) - 3]
            return np.concatenate((view_of(values).errors(seen, card).ravel(), error * doubts))

        values = least_squares(wrong, start)
        missed = wrong(values)
        return float(missed @ missed), values

    def cost(start: Reals) -> float:
        return float((view_of(start).errors(seen, card) ** 2).sum())

    starts = sorted(_starts(seen, card, size, focal, bends=bends), key=cost)[:TRIED]
    if not starts:
        return None
    _cost, best = min((solve(start, CORNER) for start in starts), key=lambda one: one[0])
    surplus = 5 * len(outlines) - len(best)
    error = CORNER
    for _round in range(ROUNDS if surplus >= ENOUGH else 0):
        missed = view_of(best).errors(seen, card)
        # exact outlines leave no doubt, so that what lenses usually are no longer counts
        measured = float(np.sqrt((missed**2).sum() / surplus))
        if measured > SETTLED * error:
            break
        error = measured
        best = solve(best, error)[1]
    view = view_of(best)
    return view if view.level[2, 2] > FLATTEST else None


def _starts(seen: Reals, card: Millimetres, size: Size, focal: float, *, bends: bool) -> list[Reals]:
    """Return starts of the fit by single cards' perspective, each with the other tilt that looks alike."""
    middle = (np.array(size) - 1) / 2
    areas = np.array([area_within(each) for each in seen])
    starts = list[Reals]()
    for index in np.argsort(-areas)[:STARTS]:
        matrix = homography((UNIT_SQUARE - 0.5) * card, (seen[index] - middle) / focal)
        if not np.isfinite(matrix).all():
            continue
        across, down, to = matrix.T
        length = np.sqrt(np.linalg.norm(across) * np.linalg.norm(down))
        normal = np.cross(across, down) / length**2
        normal /= max(1e-9, float(np.linalg.norm(normal)))
        normal = normal if normal[2] > 0 else -normal
        ahead = to / np.linalg.norm(to)
        # seen from the lens, a small card looks nearly the same if it is tilted the other way
        mirrored = 2 * (normal @ ahead) * ahead - normal
        for up in (normal, mirrored):
            lean = np.array((up[1], -up[0])) * (
                np.arccos(np.clip(up[2], -1, 1)) / max(1e-9, float(np.hypot(*up[:2])))
            )
            distance = float(np.abs(up @ to) / length)
            starts.append(np.array((*lean, np.log(max(1.0, distance)), 0.0, *((0.0,) if bends else ()))))
    return starts


def _framed(view: _View, outlines: Sequence[Outline], card: Millimetres, size: Size) -> Calibration:
    """Return the table with its origin in the middle of the cards, and seat 1 at the picture's lower edge."""
    raw = Calibration(as_matrix(view.plane()), size, (1.0, 1.0, 1.0), 1.0, {}, view.lens)
    at = middle_of(outlines)
    table = with_middle(raw, at)
    below = to_table(table, np.array([(at[0], at[1] + 1.0)]))[0]
    table = _turned(table, below)
    # on the table, so that the unit is that of a table with markers
    off = misfits(table, outlines, card) * max(card)
    return replace(table, residual=round(float(np.sqrt((off**2).mean())), 3))
