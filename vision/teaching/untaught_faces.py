"""Compose faces missing from a deck from similar ones, because untaught faces are rivals, too.

Names such as `2-red-striped-oval` describe a deck's design: each part has few values. If most combinations are
taught, a missing face equals its neighbour plus the difference between two other faces. Composing the taught
faces checks that assumption. A suit's pips change position with the rank; a colour's don't.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, product
from math import log
from typing import NamedTuple, TypeAlias

import cv2
import numpy as np
from msgspec import Struct

from vision.reading.templates import BACK, Floats, Picture
from vision.table.plane import Reals
from vision.teaching.even_light import Faces, white_cells

Parts: TypeAlias = tuple[str, ...]
Change: TypeAlias = tuple[int, frozenset[str]]  # index of the part of a name that changes, and its two values

SIZE = 126, 176
"""Size of composed faces: 2 pixels per millimetre of a playing card."""
MOST_TAUGHT = 0.5
"""Smallest share of all combinations that must be taught for names to describe a deck's design."""
BLUR = 3.0
"""Blur in pixels for that check; pictures are slightly offset from each other."""
ACCURATE = 0.65
"""Largest error of a composed face, as a share of the squared distance to its nearest neighbour."""
TWINS = 0.99
"""Share of trials beside an untaught face that mustn't be certain; one in a hundred may be.

The largest of few trials alone would be an outlier. In the trials at `BEYOND_TRIALS` (2026-11-30), shares from
0 to 1 allowed 57.7 to 57.4 % certain right names, and 3.2 to 3.1 % of untaught cards a certain name.
"""
MOST = 40  # most faces composed: each is compared with every card


class _Square(Struct, frozen=True):
    """A face, and two others that differ in the same way as this one and the missing one."""

    beside: Parts
    before: Parts
    after: Parts
    change: Change
    via: int  # which part differs between the face and the two others


def compose_faces(pictures: Faces) -> dict[str, Picture]:
    """Compose all faces of an incomplete deck, taught or not, from others, if the result is accurate.

    Without them, with a third of a photographed deck untaught, 50 fewer of 344 cards had a certain name, and 15
    of 250 untaught ones instead of none.
    """
    names = _named_parts(pictures)
    lacking = _lacking(names)
    if not lacking:
        return {}
    known = {parts: np.minimum(white_cells(pictures[name][0], SIZE), 1) for parts, name in names.items()}
    tried = _try_ways(
        {parts: np.asarray(cv2.GaussianBlur(each, (0, 0), BLUR), np.float32) for parts, each in known.items()}
    )
    separator = _separator(names.values())
    every = names | {parts: separator.join(parts) for parts in lacking}
    composed = ((name, _composed(parts, known, tried)) for parts, name in every.items())
    return {name: picture for name, picture in composed if picture is not None}


def lacks_uncomposed(names: Iterable[str], composed: Container[str]) -> bool:
    """Return whether a deck lacks a face that isn't `composed`."""
    known = _named_parts(names)
    separator = _separator(known.values())
    return any(separator.join(parts) not in composed for parts in _lacking(known))


class TriedStranger(NamedTuple):
    """A face tried as if untaught, and the face it was read as."""

    face: str
    read: str
    doubt: float  # doubt, in log odds, from which the name isn't certain


def doubts_beside_untaught(
    names: Iterable[str],
    strangers: Iterable[TriedStranger],
    usual: float,
    composed: Container[str] = (),
    twins: float = TWINS,
) -> dict[str, float]:
    """Return how much less certain faces are, in log odds, because a similar one was never taught.

    Faces that are `composed` are rivals already. Beside others, a share `twins` of trials of such a change
    mustn't be certain. The doubt is at least the `usual` one, given for as many untaught as taught faces, as a
    clear pair of faces doesn't show how similar another is.
    """
    known = _named_parts(names)
    parts_of = {name: parts for parts, name in known.items()}
    separator = _separator(known.values())
    enough = defaultdict[Change, list[float]](list)
    for face, read, doubt in strangers:
        if (change := _change(parts_of.get(face, ()), parts_of.get(read, ()))) is not None:
            enough[change].append(doubt)
    lacking = [parts for parts in _lacking(known) if separator.join(parts) not in composed]
    if not lacking:
        return {}
    least = max(0.0, usual + log(len(lacking) / len(known)))
    near = {name: [change for _face, change in _neighbours(parts, lacking)] for parts, name in known.items()}
    needed = {change: float(np.quantile(some, twins)) for change, some in enough.items()}
    return {
        name: round(max(least, *(needed.get(change, 0.0) for change in changes)), 3)
        for name, changes in near.items()
        if changes
    }


def _separator(names: Iterable[str]) -> str:
    """Return the character between the parts of names; empty if there is none."""
    return re.sub(r"[^-_ ]", "", next(iter(names), ""))[:1]


def _change(one: Parts, other: Parts) -> Change | None:
    off = [i for i, (mine, its) in enumerate(zip(one, other, strict=False)) if mine != its]
    return (off[0], frozenset((one[off[0]], other[off[0]]))) if len(off) == 1 else None


def _named_parts(names: Iterable[str]) -> dict[Parts, str]:
    """Split names into parts: 2-red-oval at its dashes, Qs before its last letter.

    Faces that share no part with another, such as a joker, aren't of the design.
    """
    apart = {tuple(re.split(r"[-_ ]", name)): name for name in names if name != BACK}
    if all(len(parts) == 1 for parts in apart):
        apart = {(name[:-1], name[-1:]): name for name in apart.values()}
    shared = Counter(chain.from_iterable(map(enumerate, apart)))
    return {parts: name for parts, name in apart.items() if any(shared[each] > 1 for each in enumerate(parts))}


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


Inks: TypeAlias = Mapping[tuple[Change, str], Reals]
"""For each change of a part, the matrix from one value's inks to the other's, by the first value."""
Way: TypeAlias = tuple[Change, int]
"""The change between a face and its neighbour, and the part by which that change is known."""
INKS = -1  # in place of that part: the change is one of inks


class _Tried(Struct, frozen=True, eq=False):
    """Results of composing taught faces: medians of squared distances, and the inks."""

    off: Mapping[Way, float]  # from composed faces to the true ones
    apart: Mapping[Change, float]  # between neighbours
    inks: Inks


def _ways(
    sought: Parts, known: Mapping[Parts, Floats], inks: Inks
) -> Iterator[tuple[Way, Callable[[], Floats]]]:
    """Yield all ways to compose a face from its neighbours."""
    for square in _squares(sought, known):
        yield (square.change, square.via), partial(_made, square, known)
    for beside, change in _neighbours(sought, known):
        if (matrix := inks.get((change, beside[change[0]]))) is not None:
            yield (change, INKS), partial(_inked, known[beside], matrix)


def _neighbours(parts: Parts, known: Iterable[Parts]) -> Iterator[tuple[Parts, Change]]:
    return ((other, change) for other in known if (change := _change(parts, other)) is not None)


def _try_ways(known: Mapping[Parts, Floats]) -> _Tried:
    """Compose each taught face in all ways, and compare it with the true one."""
    inks = _ink_changes(known)
    off, apart = defaultdict[Way, list[float]](list), defaultdict[Change, list[float]](list)
    for sought, picture in known.items():
        for way, compose in _ways(sought, known, inks):
            off[way].append(float(np.square(compose() - picture).mean()))
        for beside, change in _neighbours(sought, known):
            apart[change].append(float(np.square(known[beside] - picture).mean()))
    return _Tried(
        {way: float(np.median(some)) for way, some in off.items()},
        {change: float(np.median(some)) for change, some in apart.items()},
        inks,
    )


def _composed(sought: Parts, known: Mapping[Parts, Floats], tried: _Tried) -> Picture | None:
    ways = [each for each in _ways(sought, known, tried.inks) if each[0] in tried.off]
    if not ways:
        return None
    best = min((way for way, _compose in ways), key=lambda way: tried.off[way])
    if tried.off[best] > ACCURATE * min(tried.apart[change] for (change, _via), _compose in ways):
        return None
    alike = [compose() for way, compose in ways if way == best]
    return np.asarray(np.clip(np.mean(alike, axis=0) * 255, 0, 255), np.uint8)


def _ink_changes(known: Mapping[Parts, Floats]) -> Inks:
    inks = {parts: _ink_of(picture[::EACH, ::EACH]) for parts, picture in known.items()}
    pairs: dict[tuple[Change, str], list[tuple[Reals, Reals]]] = defaultdict(list)
    for one in known:
        for other, change in _neighbours(one, known):
            pairs[change, one[change[0]]].append((inks[one], inks[other]))
    return {key: _best_matrix(some) for key, some in pairs.items() if len(some) >= PAIRS}


PAIRS = 4  # fewest pairs of faces that show a change of ink; a matrix fits fewer ones by chance
EACH = 3  # every third cell across and down is enough to measure inks


def _best_matrix(pairs: Sequence[tuple[Reals, Reals]]) -> Reals:
    before, after = (np.concatenate(each) for each in zip(*pairs, strict=True))
    return np.asarray(np.linalg.lstsq(before, after, rcond=None)[0], np.float64)


def _ink_of(picture: Floats) -> Reals:
    """Return the density of print in the three colours; cells x 3, 0 is paper."""
    return np.asarray(-np.log(np.maximum(picture.reshape(-1, 3), DENSEST)), np.float64)


DENSEST = 0.02  # smallest brightness that counts, as a share of white


def _inked(picture: Floats, inks: Reals) -> Floats:
    return np.asarray(np.exp(-np.maximum(_ink_of(picture) @ inks, 0)).reshape(picture.shape), np.float32)
