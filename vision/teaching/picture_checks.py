"""Compare a deck's photographs: those of one face must look alike, and like no other face."""

from collections.abc import Mapping, Sequence
from itertools import combinations

import cv2
import numpy as np
from msgspec import Struct

from vision.pictures import Picture
from vision.table.plane import Reals
from vision.teaching.kept_cuts import CutCard
from vision.teaching.likeness import LIMIT, distance
from vision.troubles import Problem

STRANGE, MARGIN = 0.5, 0.05
"""Distance at which two photographs disagree; one that much nearer to another face was misnamed."""


class Shot(Struct, frozen=True, eq=False):
    """Result of one picture of a folder."""

    file: str
    face: str
    card: CutCard | None = None
    corners: Reals | None = None  # positions of the card's corners in the photograph
    problem: Problem | None = None


def find_disagreements(shots: Sequence[Shot]) -> dict[str, Problem]:
    """Return the pictures, by file, that don't look like the others of their face.

    A picture without visible edges may be cut tightly, so it is compared with one that has them.
    A picture closer to another face was misnamed; one that is close to no face may be a bad photograph.
    """
    faces: dict[str, dict[str, CutCard]] = {}
    for shot in shots:
        if shot.card is not None:
            faces.setdefault(shot.face, {})[shot.file] = shot.card
    # the first picture with the clearest edges
    usual = {face: max(some.values(), key=_edges_seen).picture for face, some in faces.items()}
    problems: dict[str, Problem] = {}
    for face, some in faces.items():
        if len(some) > 1 and not _are_alike(some):
            others = {name: picture for name, picture in usual.items() if name != face}
            problems |= _disagreements_in(face, some, others)
    return problems


def _disagreements_in(
    face: str, some: Mapping[str, CutCard], others: Mapping[str, Picture]
) -> Mapping[str, Problem]:
    near = {
        file: min(
            ((_distance_either_way(theirs, card.picture), name) for name, theirs in others.items()),
            default=(1.0, ""),
        )
        for file, card in some.items()
    }
    typical, far = _typical_picture(some, {file: apart for file, (apart, _other) in near.items()})
    problems: dict[str, Problem] = {}
    for file, apart in far.items():
        nearest, stranger = near[file]
        is_misnamed = nearest < apart - MARGIN
        is_cut_worse = _edges_seen(some[typical]) > _edges_seen(some[file])
        if is_cut_worse and nearest > LIMIT and (is_misnamed or apart > STRANGE):
            problems[file] = Problem("cut tightly", {"file": file, "other": typical})
        elif is_misnamed:
            problems[file] = Problem("another face", {"file": file, "face": face, "other": stranger})
        elif apart > STRANGE:
            problems[file] = Problem("disagrees", {"file": file, "other": typical})
    return problems


LEFT_OUT = frozenset({"another face", "cut tightly"})  # problems of pictures that the deck doesn't need


def _are_alike(some: Mapping[str, CutCard]) -> bool:
    first, *others = (card.picture for card in some.values())
    return all(_distance_either_way(first, other) <= LIMIT for other in others)


def _typical_picture(some: Mapping[str, CutCard], near: Mapping[str, float]) -> tuple[str, Mapping[str, float]]:
    """Return the most typical picture, and those far from it with their distances.

    Pictures that resemble another face, or lack visible edges, rank last. Two pictures
    are equally far from each other, so the sharper one counts.
    """
    files, cards = list(some), list(some.values())
    apart = np.zeros((len(files), len(files)))
    for i, j in combinations(range(len(files)), 2):
        apart[i, j] = apart[j, i] = _distance_either_way(cards[i].picture, cards[j].picture)
    rated = [
        (near[file] <= LIMIT, -_edges_seen(card), float(apart[i].sum()), -_sharpness(card.picture))
        for i, (file, card) in enumerate(some.items())
    ]
    typical = min(range(len(files)), key=rated.__getitem__)
    distances = zip(files, apart[typical].tolist(), strict=True)
    return files[typical], {file: far for file, far in distances if far > LIMIT}


def _edges_seen(card: CutCard) -> int:
    """Return 2 for visible edges, 1 for those of the picture, which may lie inside the card, 0 for none."""
    if card.wide is None:
        return 2
    return int(card.wide.cut.is_sure) * (1 if card.wide.cut.kind == "nothing" else 2)


def _sharpness(picture: Picture) -> float:
    return float(cv2.Laplacian(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.CV_32F).var())


def _distance_either_way(one: Picture, other: Picture) -> float:
    upright = distance(one, other)
    return upright if upright <= LIMIT else min(upright, distance(one, np.ascontiguousarray(other[::-1, ::-1])))
