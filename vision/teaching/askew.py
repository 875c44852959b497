"""Find pictures of a deck that were cut out askew: another side was taken for the card's, or a printed line.

A deck's cards share a frame, and look-alikes all but a corner. Of those that a picture resembles most, the
median shows how it should lie. A picture that is askew draws to its name all cards that are seen as badly.
"""

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from vision.reading.templates import Floats, Picture
from vision.table.plane import Reals, map_points
from vision.teaching.likeness import SIZE, find_warp, grey_of, shrink_and_whiten

FEWEST, ALIKE = 3, 5
"""With how many others a picture is compared, at least and at most."""
HALF, FAR = 0.5, 0.015
"""How much less a picture that was askew differs from those once it is moved, and how far that is, as a share
of a side. Of 255 pictures of others' decks five were askew: they came to 0.38 and less, by 0.029 and more; the
others to 0.65 and more, by 0.01 and less.
"""
CORNERS = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)


def find_askew(pictures: Mapping[str, Picture]) -> Mapping[str, Reals]:
    """Find pictures that were cut out askew: where the card's corners are in each, in shares of it."""
    greys = [grey_of(shrink_and_whiten(each)) for each in pictures.values()]
    if len(greys) <= FEWEST:
        return {}
    # each is most alike itself
    others = np.argsort(-np.corrcoef([grey.ravel() for grey in greys]))[:, 1 : ALIKE + 1].tolist()
    moved = (_moved_onto(grey, greys, some) for grey, some in zip(greys, others, strict=True))
    return {name: corners for name, corners in zip(pictures, moved, strict=True) if corners is not None}


def _moved_onto(grey: Floats, greys: Sequence[Floats], others: Sequence[int]) -> Reals | None:
    """Find where the card's corners are, by others that lie as they should; None if it lies so, too."""
    usual = np.asarray(np.median([greys[i] for i in others], axis=0), np.float32)
    warp = find_warp(grey, usual, cv2.MOTION_HOMOGRAPHY)
    if warp is None:
        return None
    corners = (map_points(np.asarray(warp, np.float64), CORNERS * SIZE - 0.5) + 0.5) / SIZE
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    moved = cv2.warpPerspective(grey, warp, SIZE, flags=how, borderMode=cv2.BORDER_REPLICATE)
    before, after = (1 - np.corrcoef(each.ravel(), usual.ravel())[0, 1] for each in (grey, moved))
    return corners if after < HALF * before and np.abs(corners - CORNERS).max() > FAR else None
