"""Compose faces missing from a deck from similar ones, because untaught faces are rivals, too.

Names such as `2-red-striped-oval` describe a design: each part has few values. If most combinations are taught,
a missing face equals its neighbour plus the difference between two other faces. Composing the taught faces
checks that assumption. A suit's pips change position with the rank; a colour's don't. A deck may have several
designs, and faces that belong to none.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, combinations, product
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
MOST_TAUGHT, SOME_TAUGHT = 0.5, 0.3
"""Least shares that must be taught before others count as missing: of all combinations, and of each value's.

A red and a black healer don't mean that an empty bow comes with an empty healer.
"""
BLUR = 3.0
"""Blur in pixels for that check; pictures are slightly offset from each other."""
ACCURATE = 0.65
"""Largest error of a composed face, as a share of the squared distance to its nearest neighbour."""
TWINS = 0.99
"""Share of trials beside an untaught face that mustn't be certain; one in a hundred may be.

The largest of few trials alone would be an outlier. In the trials at `BEYOND_TRIALS` (2026-11-30), shares from
0 to 1 allowed 57.7 to 57.4 % certain right names, and 3.2 to 3.1 % of untaught cards a certain name.
"""
CLOSE, MAYBE_CLOSE = 0.4, 0.75
"""Distances of close faces, as shares of the median distance of two faces of the deck: the median of the taught
pairs with that change, or the smallest of fewer than `FEW` pairs.

With one suit instead of another of its colour, photographed playing cards are 0.21 to 0.37 apart, two jacks
0.72; with another filling, colour or shape, those of a symbol deck 0.06 to 0.26.
"""
FEW = 3  # fewest pairs of taught faces that show how close faces with a change are
UNRIVALLED, UNTRIED = 2.0, 1.4
"""Factors of the usual and of the tried doubts beside a close face that isn't composed: nothing shows its look.

With one more face, or a third, of three photographed decks untaught in turn (2026-12-01), 3 of 1436 untaught
cards beside such faces were certain until doubts of 1.9, 2.3 and 5.1, where trials gave 0, 0 and 3.9; beside
composed faces and changes that few pairs show, until 0.8 and 1.2.
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
    return {
        name: picture for names in _designs(pictures) for name, picture in _compose(names, pictures).items()
    }


def _compose(names: Mapping[Parts, str], pictures: Faces) -> dict[str, Picture]:
    lacking = _lacking(names)
    if not lacking:
        return {}
    known = {parts: np.minimum(white_cells(pictures[name][0], SIZE), 1) for parts, name in names.items()}
    tried = _try_ways(
        {parts: np.asarray(cv2.GaussianBlur(each, (0, 0), BLUR), np.float32) for parts, each in known.items()}
    )
    every = {**names, **{parts: _joined(parts, names) for parts in lacking}}
    composed = ((name, _composed(parts, known, tried)) for parts, name in every.items())
    return {name: picture for name, picture in composed if picture is not None}


def lacks_uncomposed(names: Iterable[str], composed: Container[str]) -> bool:
    """Return whether a deck lacks a face that isn't `composed`."""
    return any(_joined(parts, names) not in composed for names in _designs(names) for parts in _lacking(names))


class TriedStranger(NamedTuple):
    """A face tried as if untaught, and the face it was read as."""

    face: str
    read: str
    doubt: float  # doubt, in log odds, from which the name isn't certain


def doubts_beside_untaught(
    names: Iterable[str],
    strangers: Iterable[TriedStranger],
    usual: float,
    apart: Callable[[str, str], float],
    composed: Container[str] = (),
    twins: float = TWINS,
) -> dict[str, float]:
    """Return how much less certain faces are, in log odds, because a similar one was never taught.

    A card that looks like a taught face may be its untaught twin, however many others are taught. Twins differ
    by a change that leaves taught faces `CLOSE` to each other, as `apart` measures it, or that few show. Beside
    a twin, the doubt is at least the `usual` one. A share `twins` of trials of a change mustn't be certain,
    unless the other face is `composed`: then it is a rival.
    """
    designs = _designs(names)
    parts_of = {name: parts for known in designs for parts, name in known.items()}
    enough = defaultdict[Change, list[float]](list)
    for face, read, doubt in strangers:
        if (change := _change(parts_of.get(face, ()), parts_of.get(read, ()))) is not None:
            enough[change].append(doubt)
    needed = {change: float(np.quantile(some, twins)) for change, some in enough.items()}
    doubts = dict[str, float]()
    for known in designs:
        if not (lacking := _lacking(known)):
            continue
        distances = defaultdict[Change, list[float]](list)
        for (one, name), (other, its) in combinations(known.items(), 2):
            if (change := _change(one, other)) is not None:
                distances[change].append(apart(name, its))
        for parts, name in known.items():
            some = list[float]()
            for other, change in _neighbours(parts, lacking):
                pairs, is_rival = distances[change], _joined(other, known) in composed
                is_shown = len(pairs) >= FEW
                nearest = float(np.median(pairs)) if is_shown else min(pairs, default=0.0)
                is_close = nearest < (CLOSE if is_shown else MAYBE_CLOSE)
                is_alone = is_close and is_shown and not is_rival
                usual_there = usual * (UNRIVALLED if is_alone else 1.0) if is_close else 0.0
                tried = 0.0 if is_rival else needed.get(change, 0.0)
                some.append(max(usual_there, tried * (UNTRIED if is_alone else 1.0)))
            if some:
                doubts[name] = round(max(some), 3)
    return doubts


def _joined(parts: Parts, names: Mapping[Parts, str]) -> str:
    """Return the name of a missing face, with the separator of the design's other names, if any."""
    return re.sub(r"[^-_ ]", "", next(iter(names.values()), ""))[:1].join(parts)


def _change(one: Parts, other: Parts) -> Change | None:
    off = [i for i, (mine, its) in enumerate(zip(one, other, strict=False)) if mine != its]
    return (off[0], frozenset((one[off[0]], other[off[0]]))) if len(off) == 1 else None


def _designs(names: Iterable[str]) -> list[dict[Parts, str]]:
    """Split names into parts: 2-red-oval at its dashes, Qs before its last letter; group those that share some.

    A joker is a design of its own, and so is `wild-+4` beside cards of four colours.
    """
    apart = {tuple(re.split(r"[-_ ]", name)): name for name in names if name != BACK}
    if all(len(parts) == 1 for parts in apart):
        apart = {(name[:-1], name[-1]) if name[-1].isalpha() else (name,): name for name in apart.values()}
    designs = list[dict[Parts, str]]()
    for parts, name in apart.items():
        beside = [each for each in designs if any(_share_part(parts, other) for other in each)]
        joined = {other: its for each in beside for other, its in each.items()}
        designs = [*(each for each in designs if each not in beside), {**joined, parts: name}]
    return designs


def _share_part(one: Parts, other: Parts) -> bool:
    return len(one) == len(other) and any(mine == its for mine, its in zip(one, other, strict=True))


def _lacking(names: Iterable[Parts]) -> list[Parts]:
    """Return the missing faces of a design, if most faces are taught, and enough with each of their parts."""
    taught = list(names)
    values = [dict.fromkeys(each) for each in zip(*taught, strict=True)]
    every = list(product(*values))
    counts = Counter(chain.from_iterable(map(enumerate, taught)))
    lacking = [
        parts
        for parts in every
        if parts not in taught
        and all(counts[i, part] * len(values[i]) > SOME_TAUGHT * len(every) for i, part in enumerate(parts))
    ]
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
