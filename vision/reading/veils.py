"""Look again at cards without a name, through a veil of glare: a lamp mirrored on them adds smooth light.

A person reads such a card without noticing. Here the smooth light is found that, added to a face, makes what is
seen; it is taken out of the picture, and the card is judged in what is left as strictly as any. Smooth light of
the lamp's one colour makes no print and changes no hue. Each rival is looked at through the veil that it would
need; a card has a name if none of them shows itself.
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from vision.reading.deciding import Likeness
from vision.reading.explaining import Pool, hide_places, is_card, is_certain, poses_of
from vision.reading.identifying import Cover, cover_of, labs_at, patches_of
from vision.reading.looking import Seeing, compare_card, seen_cells
from vision.reading.own_light import Indices, across_and_down
from vision.reading.strangeness import mean_round
from vision.reading.templates import BACK, Floats, QuickGrid, Shape, TemplateGrid, channels_of
from vision.reading.views import Picture, Pose, common_share, outline_of, pyramid
from vision.sightings import Outline
from vision.table.plane import inverse, map_points

TONE = 2.2  # the power that turns a picture's steps to light
ORDER = 4  # how often a veil's strength may turn across a card
FACES, ROWS = 4, 24
"""The faces that are looked at, each through a veil of its own, and of how many rows they are chosen."""
WEAK = 0.06  # a veil that is weaker everywhere, as a share of white paper's light, hides nothing
OFF = 0.06  # from which difference on a cell counts less, as a share of white paper's light
SURELY = 0.5  # the least margin of a card that was read through a veil
IN_SIGHT = 0.4  # the least share of a card that must be in sight
HOPEFUL = 0.5  # how well what is local in a place must resemble a face for it to be looked at
LOCAL = 5  # the side of the surroundings that light is even in, in rough cells
TRIED = 40  # the most places from which those that are looked at are chosen
EXPLAINED = 0.6  # what two places have in common of which only one is looked at
SAME_PLACE = 0.8  # what two outlines of one card have in common, as a share of both together
BESIDE = 0.15  # how much round a card is looked at, as a share of its diagonal
MOST = 4  # the most places that are looked at in one picture


class Veil(Struct, frozen=True, eq=False):
    """What is added to a card's light: amounts of each smooth shape, and its colour."""

    amounts: Floats
    colour: Floats


def lift_veils(seeing: Seeing, pool: Pool, found: Sequence[Likeness]) -> tuple[Likeness, ...]:
    """Name what a veil of glare kept without a name: doubtful cards, and places that no name explains."""
    named = [each for each in found if is_certain(seeing, each)]
    doubts = [each for each in found if each not in named and not _is_named(each, named, seeing)]
    for pose in _places_without_name(seeing, pool, named, doubts):
        card = _name_at(pose, seeing, named)
        if card is not None:
            named.append(card)
            doubts = [each for each in doubts if not _is_same(each.pose, card.pose)]
    return (*named, *doubts)


def _is_named(doubt: Likeness, named: Sequence[Likeness], seeing: Seeing) -> bool:
    """Return whether a card in the same place is already named as the doubtful card's clear part names it."""
    return any(
        _face_of(doubt, seeing) == _face_of(card, seeing) and _is_same(doubt.pose, card.pose) for card in named
    )


def _places_without_name(
    seeing: Seeing, pool: Pool, named: Sequence[Likeness], doubts: Sequence[Likeness]
) -> list[Pose]:
    """List where a card may lie that has no name: doubtful ones first, then what resembles a face most."""
    places = [each.pose for each in doubts]
    seen = hide_places(pool, poses_of(named))
    free = np.flatnonzero(seen.sum(axis=1) > IN_SIGHT * seeing.deck.rough.inside.sum())
    if len(free):
        fits = _fits_without_light(seeing.deck.rough, pool.labs[:, free], seen[free]).max(axis=1)
        order = [k for k in np.argsort(-fits, kind="stable").tolist() if fits[k] > HOPEFUL]
        for pose in (pool.poses[free[k]] for k in order[:TRIED]):
            if not any(common_share(outline_of(pose), outline_of(each)) > EXPLAINED for each in places):
                places.append(pose)
    return places[:MOST]


def _name_at(pose: Pose, seeing: Seeing, named: Sequence[Likeness]) -> Likeness | None:
    """Name the card at a place, if it can be named without its veil, and isn't known elsewhere."""
    left, top, right, low = _box_round(outline_of(pose), seeing.shape)
    near = replace(seeing, levels=pyramid(np.ascontiguousarray(seeing.levels[0][top:low, left:right])))
    to_part = np.array([(1, 0, -left), (0, 1, -top), (0, 0, 1)], np.float64)
    above = [
        cover_of(to_part @ each.pose)
        for each in named
        if common_share(outline_of(each.pose), outline_of(pose)) > 0
    ]
    for covers in ([], above) if above else ([],):
        told = _look_through_veil(near, to_part @ pose, covers)
        if told is not None:
            return replace(told, pose=inverse(to_part) @ told.pose) if _is_spare(told, seeing, named) else None
    return None


def _box_round(place: Outline, shape: tuple[int, int]) -> tuple[int, int, int, int]:
    """Find the part of a picture that holds a card and what lies just beside it."""
    corners = np.array(place)
    room = BESIDE * float(np.hypot(*(corners[0] - corners[2])))
    left, top = np.maximum(corners.min(axis=0) - room, 0).astype(int).tolist()
    right, low = (corners.max(axis=0) + room).astype(int).tolist()
    return left, top, min(right, shape[1]), min(low, shape[0])


def _is_same(one: Pose, other: Pose) -> bool:
    return common_share(outline_of(one), outline_of(other)) > SAME_PLACE


def _is_spare(card: Likeness, seeing: Seeing, named: Sequence[Likeness]) -> bool:
    """Return whether a card can be there besides those that have a name."""
    name = seeing.deck.names[_face_of(card, seeing)]
    elsewhere = sum(_face_of(each, seeing) == _face_of(card, seeing) for each in named)
    return seeing.among is None or name == BACK or elsewhere < seeing.among.get(name, 0)


def _fits_without_light(grid: QuickGrid, labs: Floats, seen: Floats) -> Floats:
    """Correlate what is local in patches (channels, n, cells) with what is local in all rows: n x rows."""
    local = _local_print(labs.transpose(1, 0, 2), grid.shape) * seen[:, None]
    size = np.sqrt(np.square(local).sum(axis=(1, 2)))[:, None]
    rows = _local_rows(grid)
    fits = local.reshape(len(local), -1) @ rows.reshape(len(rows), -1).T
    return np.asarray(fits / np.maximum(size * np.sqrt(np.square(rows).sum(axis=(1, 2))), 1e-6), np.float32)


@lru_cache(maxsize=4)
def _local_rows(grid: QuickGrid) -> Floats:
    return _local_print(grid.lab.reshape(len(grid.lab), 3, -1), grid.shape) * grid.inside


def _local_print(labs: Floats, shape: Shape) -> Floats:
    """Take out what is even over a fifth of a card, as light is: n, channels, cells."""
    return labs - mean_round(labs, shape, LOCAL)


# looking


def _look_through_veil(seeing: Seeing, pose: Pose, above: Sequence[Cover]) -> Likeness | None:
    """Name the card that lies at a place, whichever face's veil is lifted; None if that isn't sure."""
    looks = _looks(seeing, pose, above)
    first = next(looks, None)
    # most places end here: rivals are looked at only where the likeliest face tells its name
    if first is None or not _is_told(first, seeing):
        return None
    # a rival whose veil leaves no card says nothing
    cards = [first, *(each for each in looks if is_card(seeing, each))]
    if len({_face_of(each, seeing) for each in cards}) > 1:
        return None
    return max((each for each in cards if _is_told(each, seeing)), key=lambda each: each.fit)


def _is_told(card: Likeness, seeing: Seeing) -> bool:
    return is_card(seeing, card) and card.margin > SURELY and is_certain(seeing, card)


def _face_of(card: Likeness, seeing: Seeing) -> int:
    return int(seeing.deck.faces[card.row])


def _looks(seeing: Seeing, pose: Pose, above: Sequence[Cover]) -> Iterator[Likeness]:
    """Look at a place as each of its likeliest faces, without the veil that this face would need."""
    for row in _likely_rows(seeing, pose, above):
        told = look_as(seeing, pose, row, above)
        told = None if told is None else look_as(seeing, told.pose, row, above)
        if told is not None:
            yield told


def look_as(seeing: Seeing, pose: Pose, row: int, above: Sequence[Cover]) -> Likeness | None:
    """Look at a place without the veil that makes it one face; None if there is none, or no card is left."""
    grid = seeing.deck.coarse
    light, white, seen = _light_at(seeing, pose, grid, above)
    amounts, _off = _fit_veils(light, _light_of_rows(grid, np.array([row])), seen, grid.shape)
    veil = Veil(amounts[0], white)
    if not seen.any() or _strength(veil, grid.shape, seen) < WEAK:
        return None
    clear = replace(seeing, levels=pyramid(lift_veil(seeing.levels[0], pose, veil)))
    return compare_card(clear, pose, row, above)


def _likely_rows(seeing: Seeing, pose: Pose, above: Sequence[Cover]) -> list[int]:
    grid, faces = seeing.deck.rough, seeing.deck.faces
    light, _white, seen = _light_at(seeing, pose, grid, above)
    if seen.sum() < IN_SIGHT * grid.inside.sum():
        return []
    fits = _fits_without_light(grid, labs_at(seeing.levels, [pose], grid.shape), seen[None])[0]
    some = np.argsort(-fits, kind="stable")[:ROWS]
    _amounts, off = _fit_veils(light, _light_of_rows(grid, some), seen, grid.shape)
    rows = list[int]()
    for row in some[np.argsort(off, kind="stable")].tolist():
        if all(faces[row] != faces[other] for other in rows):
            rows.append(row)
    return rows[:FACES]


def _light_at(
    seeing: Seeing, pose: Pose, grid: TemplateGrid, above: Sequence[Cover]
) -> tuple[Floats, Floats, Floats]:
    """Give a place's light, as shares of white paper's, with that paper's colour, and the cells in sight."""
    light = (channels_of(patches_of(seeing.levels, [pose], grid.shape)[0]) / 255) ** np.float32(TONE)
    bright = light.mean(axis=0)
    white = light[:, bright >= np.quantile(bright, 0.85)].mean(axis=1)
    (seen,) = seen_cells(seeing, [pose], grid, above)
    return np.asarray(light / white[:, None], np.float32), white, seen


def _light_of_rows(grid: TemplateGrid, rows: Indices) -> Floats:
    return np.asarray(
        np.stack([np.clip(grid.bgr[row], 0, 1.2) for row in rows.tolist()]) ** np.float32(TONE), np.float32
    )


@cache
def _shapes(shape: Shape) -> Floats:
    x, y = across_and_down(shape)
    return _shapes_at(x, y)


def _shapes_at(x: Floats, y: Floats) -> Floats:
    across, down = (_powers(np.clip(2 * each, -1.1, 1.1)) for each in (x, y))
    return np.stack([across[i] * down[j] for i in range(ORDER + 1) for j in range(ORDER + 1 - i)])


def _powers(of: Floats) -> Floats:
    """List the powers up to ORDER, by multiplying: numpy's own are four times as slow."""
    return np.asarray(np.multiply.accumulate([np.ones_like(of), *[of] * ORDER]))


def _fit_veils(light: Floats, rows: Floats, seen: Floats, shape: Shape) -> tuple[Floats, Floats]:
    """Find the veil that makes what is seen of each row, beside a gain and a slope; and how far off it is."""
    columns = _columns_of(rows, shape)
    wanted, count = light.ravel(), len(rows)
    loosely = np.array([0.3] * 3 + [3.0] * 2 + [0.3] * (columns.shape[1] - 5)) * light.shape[1] / 300
    there = loosely * np.array([0.8] * 3 + [0.0] * (len(loosely) - 3))
    far, amounts = np.zeros((count, light.shape[1]), np.float32), np.zeros(0, np.float32)
    for _again in range(3):
        squares = columns * np.tile(seen / (1 + far), (1, 3))[:, None]
        amounts = np.linalg.solve(
            squares @ columns.transpose(0, 2, 1) + np.diag(loosely), (squares @ wanted + there)[..., None]
        )[..., 0].astype(np.float32)
        off = wanted - (amounts[:, None] @ columns)[:, 0]
        far = np.asarray(np.square(off.reshape(count, 3, -1)).sum(axis=1) / OFF**2, np.float32)
    off = (far / (1 + far)) @ seen / max(1.0, float(seen.sum()))
    return amounts[:, 5:], np.asarray(off, np.float32)


def _columns_of(rows: Floats, shape: Shape) -> Floats:
    """List what a card's light may be made of: the row in each colour, sloping, and the shapes of a veil."""
    shapes, (x, y) = _shapes(shape), across_and_down(shape)
    columns = np.zeros((len(rows), 5 + len(shapes), 3, len(x)), np.float32)
    for channel in range(3):
        columns[:, channel, channel] = rows[:, channel]
    columns[:, 3], columns[:, 4], columns[:, 5:] = rows * x, rows * y, shapes[:, None]
    return columns.reshape(len(rows), columns.shape[1], -1)


def _strength(veil: Veil, shape: Shape, seen: Floats) -> float:
    return float(np.quantile((veil.amounts @ _shapes(shape))[seen > 0], 0.95))


def lift_veil(picture: Picture, pose: Pose, veil: Veil) -> Picture:
    corners = np.array(outline_of(pose))
    left, top = np.maximum(0, np.floor(corners.min(axis=0)).astype(int) - ROUND)
    right, low = np.ceil(corners.max(axis=0)).astype(int) + ROUND
    part = picture[top:low, left:right]
    y, x = np.mgrid[top : top + part.shape[0], left : left + part.shape[1]]
    u, v = map_points(inverse(pose), np.column_stack((x.ravel(), y.ravel()))).T
    strength = np.maximum(veil.amounts @ _shapes_at(u.astype(np.float32), v.astype(np.float32)), 0)
    strength[(np.abs(u) > 0.52) | (np.abs(v) > 0.52)] = 0
    light = (part.astype(np.float32) / 255) ** TONE - strength.reshape(*part.shape[:2], 1) * veil.colour
    clear = picture.copy()
    clear[top:low, left:right] = (np.maximum(light, 0) ** (1 / TONE) * 255 + 0.5).astype(np.uint8)
    return clear


ROUND = 3  # the pixels round a card that are lifted with it
