"""Two looks at the same cards, a phone's and the table's, made one: neither says more than both bear.

A card that is sure in one look names the same card in the other, unless that denies it; two looks that name it
differently leave it unsure, with both names. Of two looks that aren't sure, none makes a name.
"""

from collections.abc import Iterator, Sequence
from itertools import islice, product
from math import sqrt

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.pictures import Picture
from vision.process.looks import covers
from vision.process.places import distance_between, is_same_place, pair_nearest
from vision.sightings import Cards, Outline, RunnerUp, SecondLook, Sighting, guesses, likely_face, likely_faces
from vision.table.calibration import calibrate, flat_plane
from vision.table.plane import Reals, as_outline, homography, map_points

OnTable = tuple[Sighting, Outline]  # a card, and where it lies on the table in millimetres
SHARED, TRIED = 2, 4
"""The least cards by which two pictures without markers are laid on each other, and the most."""
OFF = 0.06
"""How far shared cards may be off where pictures are laid on each other, as a share of their longer side."""
OVERLAP = 0.1  # the share of a card that another may cover if it isn't the same one


class FusedCard(Struct, frozen=True):
    """A card as both looks have it, and what the second one did."""

    card: Sighting
    part: SecondLook = "none"


def fuse_looks(first: Cards, second: Cards, size: tuple[int, int]) -> tuple[FusedCard, ...]:
    """Make one of two looks; the second one's cards lie as they would in the first one's picture."""
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
    # what the sure look says, where the first one has it
    there = {"outline": first.outline, "visible": first.visible, "turned": first.turned}
    return FusedCard(replace(sure, **there, more_below=first.more_below), "settled")


def _both_unsure(first: Sighting, second: Sighting) -> Sighting:
    """Leave a card unsure, with what both looks hold possible, or else the first; no likelier than either."""
    fits = {each.face: each.score for each in second.runners_up}
    shared = (each for each in first.runners_up if each.face in fits)
    both = [RunnerUp(each.face, round(sqrt(max(0.0, each.score * fits[each.face])), 3)) for each in shared]
    common = tuple(sorted(both, key=lambda each: -each.score)) or first.runners_up
    is_agreed = likely_face(first) is not None and likely_face(first) == likely_face(second)
    lowest = min(first.chance or 0.0, second.chance or 0.0) if is_agreed else None
    return replace(first, runners_up=common, chance=lowest)


def _denies(unsure: Sighting, sure: Sighting) -> bool:
    """Return whether a card that isn't sure could well be something, but not what the other look says."""
    if unsure.facing != sure.facing:
        return True
    return bool(likely_faces(unsure)) and all(each.face != sure.face for each in unsure.runners_up)


def _disputed(first: Sighting, second: Sighting) -> FusedCard:
    """Leave a card unsure, with what each look says of it first."""
    says = (*guesses(first)[:1], *guesses(second)[:1])
    others = [each for each in (*guesses(first), *guesses(second)) if each not in says]
    known = {each.face: each for each in (*others[::-1], *says[::-1])}
    several = sorted(known.values(), key=lambda each: (each not in says, -each.score))
    disputed = replace(first, face=None, sure=False, facing="up", runners_up=tuple(several), chance=None)
    return FusedCard(disputed, "disputed")


def _is_whole_and_free(card: Sighting, others: Cards, size: tuple[int, int]) -> bool:
    """Return whether all of a card would be in a picture of this size, apart from the others in it."""
    corners = np.array(card.outline, np.float32)
    if (corners < 0).any() or (corners > np.array(size)).any():
        return False
    return all(covers(other.outline, card.outline) < OVERLAP for other in others)


def bring_into_picture(placed: Sequence[OnTable], picture: Picture, seen: Cards) -> tuple[Sighting, ...]:
    """Bring cards of the table to where they lie in another picture of it; none where that isn't known."""
    table = calibrate(picture) if placed else None
    plane = _plane_by_shared_cards(placed, seen) if table is None else flat_plane(table)
    if plane is None:
        return ()
    return tuple(
        replace(card, outline=as_outline(map_points(plane, np.array(outline)))) for card, outline in placed
    )


def _plane_by_shared_cards(placed: Sequence[OnTable], seen: Cards) -> Reals | None:
    """Map the table to a picture by cards that both name, each once; None where they don't fit together."""
    shared = list(islice(_shared_outlines(placed, seen), TRIED))
    if len(shared) < SHARED:
        return None
    mm, pixels = (np.array(outlines, np.float64) for outlines in zip(*shared, strict=True))
    # a card that looks the same both ways up may have its corners from either end
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
    """Fit a plane to points; give how far off they are, and the plane."""
    plane = homography(mm, pixels)
    off = float(np.sqrt(((map_points(plane, mm) - pixels) ** 2).sum(axis=1).mean()))
    return off if np.isfinite(off) else float("inf"), plane
