"""Fuse two looks at the same cards, by a phone and by the table's camera.

A card that is sure in one look is sure in the result, unless the other look rules that name out. If the looks
disagree, the card is unsure, with both names. Two unsure looks give no name.
"""

from collections.abc import Iterator, Sequence
from itertools import islice, product
from math import sqrt

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.pictures import Picture
from vision.process.places import distance_between, is_same_place, pair_nearest
from vision.sightings import Cards, Outline, RunnerUp, SecondLook, Sighting, guesses, likely_face, likely_faces
from vision.table.calibration import calibrate, flat_plane
from vision.table.plane import Reals, as_outline, covers, homography, map_points

OnTable = tuple[Sighting, Outline]  # a card, and its outline on the table in millimetres
SHARED, TRIED = 2, 4
"""Least and largest number of shared cards for aligning two pictures without markers."""
OFF = 0.06
"""Largest error of shared cards after alignment, as a share of their longer side."""
OVERLAP = 0.1  # covered share of a card from which on another counts as the same card


class FusedCard(Struct, frozen=True):
    """A card from both looks, and the second look's part in it."""

    card: Sighting
    part: SecondLook = "none"


def fuse_looks(first: Cards, second: Cards, size: tuple[int, int]) -> tuple[FusedCard, ...]:
    """Fuse two looks. Outlines of the second must be in the first one's picture coordinates."""
    partners = {one: other for other, one in pair_nearest(first, second, _apart).items()}
    fused = [
        _fuse_card(card, second[partners[place]]) if place in partners else FusedCard(card)
        for place, card in enumerate(first)
    ]
    left = (card for place, card in enumerate(second) if place not in partners.values())
    added = (card for card in left if card.sure and _is_whole_and_free(card, first, size))
    return (*fused, *(FusedCard(card, "added") for card in added))


def _apart(one: Sighting, other: Sighting) -> float | None:
    return distance_between(one, other) if is_same_place(one, other) else None


def _fuse_card(first: Sighting, second: Sighting) -> FusedCard:
    if first.sure and second.sure:
        same = (first.face, first.facing) == (second.face, second.facing)
        return FusedCard(first, "agreed") if same else _disputed(first, second)
    if not first.sure and not second.sure:
        return FusedCard(_both_unsure(first, second))
    sure, unsure = (first, second) if first.sure else (second, first)
    if _denies(unsure, sure):
        return _disputed(first, second)
    if first.sure:
        return FusedCard(first)
    # the sure look's name at the first look's position
    there = {"outline": first.outline, "visible": first.visible, "turned": first.turned}
    return FusedCard(replace(sure, **there, more_below=first.more_below), "settled")


def _both_unsure(first: Sighting, second: Sighting) -> Sighting:
    """Return an unsure card with the guesses that both looks share, or else the first look's guesses."""
    fits = {each.face: each.score for each in second.runners_up}
    shared = (each for each in first.runners_up if each.face in fits)
    both = [RunnerUp(each.face, round(sqrt(max(0.0, each.score * fits[each.face])), 3)) for each in shared]
    common = tuple(sorted(both, key=lambda each: -each.score)) or first.runners_up
    is_agreed = likely_face(first) is not None and likely_face(first) == likely_face(second)
    lowest = min(first.chance or 0.0, second.chance or 0.0) if is_agreed else None
    return replace(first, runners_up=common, chance=lowest)


def _denies(unsure: Sighting, sure: Sighting) -> bool:
    """Return whether an unsure card has good guesses, but not the other look's name among them."""
    if unsure.facing != sure.facing:
        return True
    return bool(likely_faces(unsure)) and all(each.face != sure.face for each in unsure.runners_up)


def _disputed(first: Sighting, second: Sighting) -> FusedCard:
    """Return an unsure card with the best guess of each look first."""
    best = (*guesses(first)[:1], *guesses(second)[:1])
    others = [each for each in (*guesses(first), *guesses(second)) if each not in best]
    known = {each.face: each for each in (*others[::-1], *best[::-1])}
    several = sorted(known.values(), key=lambda each: (each not in best, -each.score))
    disputed = replace(first, face=None, sure=False, facing="up", runners_up=tuple(several), chance=None)
    return FusedCard(disputed, "disputed")


def _is_whole_and_free(card: Sighting, others: Cards, size: tuple[int, int]) -> bool:
    """Return whether a card is completely inside a picture of this size, and overlaps no other card."""
    corners = np.array(card.outline, np.float32)
    if (corners < 0).any() or (corners > np.array(size)).any():
        return False
    return all(covers(other.outline, card.outline) < OVERLAP for other in others)


def bring_into_picture(placed: Sequence[OnTable], picture: Picture, seen: Cards) -> tuple[Sighting, ...]:
    """Return cards of the table in another picture's coordinates; none if its plane can't be determined."""
    table = calibrate(picture) if placed else None
    plane = _plane_by_shared_cards(placed, seen) if table is None else flat_plane(table)
    if plane is None:
        return ()
    return tuple(
        replace(card, outline=as_outline(map_points(plane, np.array(outline)))) for card, outline in placed
    )


def _plane_by_shared_cards(placed: Sequence[OnTable], seen: Cards) -> Reals | None:
    """Return the matrix from table to picture by cards that both name once; None if they don't fit together."""
    shared = list(islice(_shared_outlines(placed, seen), TRIED))
    if len(shared) < SHARED:
        return None
    mm, pixels = (np.array(outlines, np.float64) for outlines in zip(*shared, strict=True))
    # a card that looks the same both ways up may be outlined from either end
    ways = product(*((outline, np.roll(outline, 2, axis=0)) for outline in pixels))
    off, plane = min((_fit(mm.reshape(-1, 2), np.concatenate(way)) for way in ways), key=lambda fit: fit[0])
    return plane if off < OFF * float(np.linalg.norm(pixels[:, 1] - pixels[:, 2], axis=1).max()) else None


def _shared_outlines(placed: Sequence[OnTable], seen: Cards) -> Iterator[tuple[Outline, Outline]]:
    sure = [(card.face, outline) for card, outline in placed if card.sure and card.face is not None]
    for face, outline in sure:
        here = [card for card in seen if card.sure and card.face == face]
        there = [other for other in sure if other[0] == face]
        if len(here) == len(there) == 1:
            yield outline, here[0].outline


def _fit(mm: NDArray[np.float64], pixels: NDArray[np.float64]) -> tuple[float, Reals]:
    """Fit a plane to points; return the error in pixels (root mean square), and the plane."""
    plane = homography(mm, pixels)
    off = float(np.sqrt(((map_points(plane, mm) - pixels) ** 2).sum(axis=1).mean()))
    return off if np.isfinite(off) else float("inf"), plane
