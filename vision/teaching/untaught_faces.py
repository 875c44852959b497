"""Compose faces missing from a deck from similar ones, because untaught faces are rivals, too.

Names such as `2-red-striped-oval` describe a deck's design: each part has few values. If most combinations are
taught, a missing face equals its neighbour plus the difference between two other faces. Composing the taught
faces checks that assumption. A suit's pips change position with the rank; a colour's don't.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import log
from typing import TypeAlias

import cv2
import numpy as np
from msgspec import Struct

from vision.reading.templates import BACK, Floats, Picture
from vision.teaching.even_light import Faces, white_cells

Parts: TypeAlias = tuple[str, ...]
Change: TypeAlias = tuple[int, frozenset[str]]  # index of the part of a name that changes, and its two values

SIZE = 126, 176
"""Size of composed faces: 2 pixels per millimetre of a playing card."""
MOST_TAUGHT = 0.5
"""Smallest share of all combinations that must be taught for names to describe a deck's design."""
BLUR = 3.0
"""Blur in pixels for that check; pictures are slightly offset from each other."""
MOST = 32  # most faces composed: each is compared with every card


class _Square(Struct, frozen=True):
    """A face, and two others that differ in the same way as this one and the missing one."""

    beside: Parts
    before: Parts
    after: Parts
    change: Change
    via: int  # which part differs between the face and the two others


def compose_faces(pictures: Faces) -> dict[str, Picture]:
    """Compose all faces of an incomplete deck, taught or not, from others, if the result is accurate."""
    names = _named_parts(pictures)
    lacking = _lacking(names)
    if not lacking:
        return {}
    known = {parts: np.minimum(white_cells(pictures[name][0], SIZE), 1) for parts, name in names.items()}
    off = _errors(
        {parts: np.asarray(cv2.GaussianBlur(each, (0, 0), BLUR), np.float32) for parts, each in known.items()}
    )
    joint = re.sub(r"[^-_ ]", "", next(iter(names.values())))[:1]
    every = names | {parts: joint.join(parts) for parts in lacking}
    composed = ((name, _composed(parts, known, off)) for parts, name in every.items())
    return {name: picture for name, picture in composed if picture is not None}


def doubts_beside_untaught(
    names: Iterable[str], strangers: Sequence[tuple[str, str, float]], rarely: float
) -> dict[str, float]:
    """Return how much less certain faces are, in log odds, because a similar one was never taught.

    `strangers` are faces tried as if untaught, with the face they were read as and its probability. Another
    deck's card occurs `rarely`; an untaught face of the deck is as frequent as any.
    """
    known = _named_parts(names)
    parts_of = {name: parts for parts, name in known.items()}
    tried, taken = Counter[Change](), defaultdict[Change, float](float)
    for face, read, chance in strangers:
        beside = (_change(parts_of.get(face, ()), other) for other in known)
        tried.update(change for change in beside if change is not None)
        change = _change(parts_of.get(face, ()), parts_of.get(read, ()))
        if change is not None:
            taken[change] += chance
    risk = {
        name: sum(
            taken[change] / max(1, tried[change])
            for other in _lacking(known)
            if (change := _change(parts, other)) is not None
        )
        for parts, name in known.items()
    }
    return {name: round(log(1 + each / rarely), 3) for name, each in risk.items() if each}


def _change(one: Parts, other: Parts) -> Change | None:
    off = [i for i, (mine, its) in enumerate(zip(one, other, strict=False)) if mine != its]
    return (off[0], frozenset((one[off[0]], other[off[0]]))) if len(off) == 1 else None


def _named_parts(names: Iterable[str]) -> dict[Parts, str]:
    """Split names into parts: 2-red-oval at its dashes, Qs before its last letter."""
    apart = {tuple(re.split(r"[-_ ]", name)): name for name in names if name != BACK}
    if any(len(parts) > 1 for parts in apart):
        return apart
    return {(name[:-1], name[-1:]): name for name in apart.values()}


def _lacking(names: Mapping[Parts, str]) -> list[Parts]:
    if len({len(parts) for parts in names}) != 1:
        return []
    every = list(product(*(dict.fromkeys(each) for each in zip(*names, strict=True))))
    lacking = [parts for parts in every if parts not in names]
    return lacking if len(lacking) <= min(MOST, (1 - MOST_TAUGHT) * len(every)) else []


def _squares(sought: Parts, known: Mapping[Parts, Floats]) -> Iterator[_Square]:
    for i, via in product(range(len(sought)), repeat=2):
        for part, other in product({each[i] for each in known}, {each[via] for each in known}):
            beside, after = _with(sought, i, part), _with(sought, via, other)
            before = _with(beside, via, other)
            if i != via and part != sought[i] and {beside, before, after} <= known.keys() and after != sought:
                yield _Square(beside, before, after, (i, frozenset((part, sought[i]))), via)


def _with(parts: Parts, i: int, part: str) -> Parts:
    return (*parts[:i], part, *parts[i + 1 :])


def _made(square: _Square, known: Mapping[Parts, Floats]) -> Floats:
    return known[square.beside] + known[square.after] - known[square.before]


Errors: TypeAlias = Mapping[tuple[Change, int], float]


def _errors(known: Mapping[Parts, Floats]) -> tuple[Errors, Mapping[Change, float]]:
    """Compose taught faces. Return the errors, and the distances between neighbours."""
    off: dict[tuple[Change, int], list[float]] = {}
    apart: dict[Change, list[float]] = {}
    for sought, picture in known.items():
        for square in _squares(sought, known):
            wrong = np.square(_made(square, known) - picture).mean()
            off.setdefault((square.change, square.via), []).append(float(wrong))
            far = np.square(known[square.beside] - picture).mean()
            apart.setdefault(square.change, []).append(float(far))
    return (
        {key: float(np.median(some)) for key, some in off.items()},
        {key: float(np.median(some)) for key, some in apart.items()},
    )


def _composed(
    sought: Parts, known: Mapping[Parts, Floats], tried: tuple[Errors, Mapping[Change, float]]
) -> Picture | None:
    off, apart = tried
    squares = [each for each in _squares(sought, known) if (each.change, each.via) in off]
    if not squares:
        return None
    best = min(squares, key=lambda each: off[each.change, each.via])
    nearest = min(apart[each.change] for each in squares)
    if off[best.change, best.via] > nearest:
        return None
    alike = [_made(each, known) for each in squares if (each.change, each.via) == (best.change, best.via)]
    return np.asarray(np.clip(np.mean(alike, axis=0) * 255, 0, 255), np.uint8)
