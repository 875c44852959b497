"""Try a deck before play: simulate each face from near, afar and aside, half covered, in other light.

Each trial is read twice: with the whole deck, and without its own face, as if from another deck. The results
determine the deck's certainty and its look-alikes. A face with several pictures is compared with those that the
trial didn't use.

Decks are tried once. The result is stored outside the deck's folder, in a file named after a digest of the
pictures, so it can't be stale. If that file is damaged or can't be written, the deck is tried again.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias, get_args

import cv2
import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.random import Generator, default_rng

from vision.files import make_folder, read_json_or, write_whole
from vision.reading.deciding import Likeness, likeness
from vision.reading.explaining import is_certain
from vision.reading.focus import AFAR, to_colours, to_light
from vision.reading.identifying import (
    doubt_until_unsure,
    extent_of,
    figures_of,
    leads_of,
    resemblances,
    shortfalls_of,
)
from vision.reading.looking import Seeing
from vision.reading.own_light import Indices, cell_middles
from vision.reading.templates import (
    GLANCED,
    STRANGERS,
    UNTRIED,
    Certainty,
    Extent,
    Floats,
    Picture,
    Templates,
    channels_of,
    is_usable,
    lab_of,
    learn_weights,
    soften_patch,
    templates,
    whiten_patch,
)
from vision.reading.thresholds import LEAST_CELL
from vision.table.plane import Reals
from vision.table.plates import Millimetres
from vision.teaching.even_light import Faces, in_even_light
from vision.teaching.likeness import align_picture
from vision.teaching.progress import ReportProgress, ignore_progress, report_each
from vision.teaching.untaught_faces import (
    TWINS,
    TriedStranger,
    compose_faces,
    doubts_beside_untaught,
    lacks_uncomposed,
)

View: TypeAlias = Literal["near", "far", "half covered", "steep"]

ACROSS: Mapping[View, tuple[float, float]] = {
    "near": (2.0, 3.0),
    "far": (1.3, 1.75),
    "half covered": (1.6, 2.4),
    "steep": (LEAST_CELL, AFAR),
}
"""Width of the reader's cells in pixels; a cell is about a millimetre of a playing card."""
FORESHORTENED = 2.0  # largest ratio of a cell's sides on a steep card
COVERED = 0.12, 0.65  # visible share of a covered card


class Trial(NamedTuple):
    """One picture of a face, and the result of reading it."""

    face: str
    view: View
    is_stranger: bool
    read: str
    card: Likeness
    glance: Likeness  # the result of coarse cells alone
    picture: int = 1  # number of the face's picture used
    stand_in: Literal["none", "rival", "removed"] = "none"
    """A stranger's composed version: there is none, it was a rival, or it was left out, for doubts alone."""


class Seen(NamedTuple):
    """A rectified card as a camera sees it, its visible cells and its pose."""

    patch: Floats
    seen: Floats
    pose: Reals


class Doubt(NamedTuple):
    """Two faces that trials hardly or wrongly distinguished, the view, and the lead of the right name.

    Below 0 the other face won; a name counts from `CLEAR`; 1 is an exact match.
    """

    face: str
    other: str
    view: View
    margin: float
    picture: int = 1  # number of the face's picture used
    is_untaught: bool = False  # whether the face was tried as if untaught, and named for certain as the other


STAND_IN = "as if not taught: "
"""Prefix of composed faces that replace taught ones in trials."""


def try_deck(deck: Templates, pictures: Faces, report: ReportProgress = ignore_progress) -> tuple[Trial, ...]:
    names = report_each(pictures, len(pictures), report)
    # faces that can't be composed are no rivals: their neighbours' doubts need trials without rivals
    alone = lacks_uncomposed(pictures, deck.untaught)
    return tuple(trial for name in names for trial in _try_face(deck, name, pictures[name], alone=alone))


def _try_face(deck: Templates, name: str, pictures: Sequence[Picture], *, alone: bool) -> Iterator[Trial]:
    face = deck.names.index(name)
    stands_in = np.array([each.startswith(STAND_IN) for each in deck.names])[deck.faces]
    own, others = np.flatnonzero(deck.faces == face), np.flatnonzero((deck.faces != face) & ~stands_in)
    instead = np.flatnonzero([deck.names[each] == STAND_IN + name for each in deck.faces])
    for number, view in enumerate(get_args(View)):
        taken = number % len(pictures)
        rng = default_rng([face, number])
        shot = pictures[taken]
        if len(pictures) > 1:
            shot = align_picture(shot, pictures[(taken + 1) % len(pictures)])
        again = see_again(shot, view, deck, rng)
        # matching a picture against itself would be too optimistic if there are others
        rest = own if len(pictures) == 1 else np.delete(own, [2 * taken, 2 * taken + 1])
        own_trial = read_trial(deck, name, view, again, np.concatenate((rest, others)))
        yield own_trial._replace(picture=taken + 1)
        if len(others):
            beside = read_trial(deck, name, view, again, np.concatenate((others, instead)))
            yield beside._replace(stand_in="rival" if len(instead) else "none")
        if len(others) and len(instead) and alone:
            yield read_trial(deck, name, view, again, others)._replace(stand_in="removed")


def read_trial(deck: Templates, name: str, view: View, again: Seen, rows: Indices) -> Trial:
    small, shown = _coarse(deck, again.patch, again.seen)
    order = rows[_order(deck, small, shown, rows)]
    card = likeness(again.patch, again.pose, deck, deck.fine, order, again.seen * deck.fine.inside)
    glance = likeness(soften_patch(small), again.pose, deck, deck.coarse, order, shown * deck.coarse.inside)
    is_stranger = not (deck.faces[rows] == deck.names.index(name)).any()
    return Trial(name, view, is_stranger, deck.name_of(card.row), card, glance)


def _coarse(deck: Templates, patch: Floats, seen: Floats) -> tuple[Floats, Floats]:
    """Shrink a fine patch to coarse cells; also return which of those are visible."""
    shape = deck.coarse.shape
    small = np.asarray(cv2.resize(patch, shape[::-1], interpolation=cv2.INTER_AREA), np.float32)
    shown = cv2.resize(seen.reshape(deck.fine.shape), shape[::-1], interpolation=cv2.INTER_NEAREST)
    return small, np.asarray(shown.ravel(), np.float32)


def _order(deck: Templates, small: Floats, shown: Floats, rows: Indices) -> Indices:
    """Order rows by how well they fit a coarse patch."""
    lab = lab_of(channels_of(whiten_patch(small)))[:, None]
    fits = resemblances(deck.coarse, lab, (shown * deck.coarse.inside)[None])[0]
    return np.argsort(-fits[rows], kind="stable")


# simulated views of a card


def see_again(shot: Picture, view: View, deck: Templates, rng: Generator) -> Seen:
    high, wide = deck.fine.shape
    size = _size_in_picture(view, deck.fine.shape, rng)
    small = photograph(light_up(see_small(print_again(shot, rng), size, rng), rng), rng)
    how = cv2.INTER_AREA if size[0] >= wide and size[1] >= high else cv2.INTER_LINEAR
    patch = soften_patch(np.asarray(cv2.resize(small, (wide, high), interpolation=how), np.float32))
    seen = _half((high, wide), rng) if view == "half covered" else np.ones(high * wide, np.float32)
    return Seen(patch, seen, np.diag((*size, 1.0)))


def _size_in_picture(view: View, shape: tuple[int, int], rng: Generator) -> tuple[int, int]:
    """Return a card's size in pixels across and down."""
    across = down = rng.uniform(*ACROSS[view])
    if view == "steep":
        longer = rng.uniform(1, FORESHORTENED)
        across, down = (longer * across, down) if rng.random() < 0.5 else (across, longer * down)
    return round(across * shape[1]), round(down * shape[0])


def _half(shape: tuple[int, int], rng: Generator) -> Floats:
    angle = rng.uniform(0, 2 * np.pi)
    along = cell_middles(shape) @ (np.cos(angle) * shape[1], np.sin(angle) * shape[0])
    return np.asarray(along < np.quantile(along, rng.uniform(*COVERED)), np.float32)


# results


def certainty_of(deck: Templates, trials: Sequence[Trial], twins: float = TWINS) -> Certainty:
    """Learn a deck's certainty from its trials, also for comparisons at a glance.

    Beside an untaught face, a share `twins` of trials mustn't be certain.
    """
    taught = [name for name in deck.names if name not in deck.untaught]
    of_taught = [each for each in trials if each.read not in deck.untaught and each.stand_in != "removed"]
    certainty = Certainty(
        learn_leads(of_taught, UNTRIED.rivals, OWN_LOYALTY),
        learn_from(without_mistaken(of_taught), UNTRIED.weights, OWN_LOYALTY, STRANGERS),
        learn_from(glances_of(deck, of_taught), GLANCED, OWN_LOYALTY, STRANGERS),
        worst=_worst_or_usual(of_taught),
    )
    strangers: Mapping[Extent, list[TriedStranger]] = {"whole": [], "covered": []}
    for each in trials:
        if each.is_stranger and each.stand_in != "rival":
            doubt = doubt_until_unsure(each.card, each.card.margin, certainty)
            strangers[extent_of(each.card)].append(TriedStranger(each.face, each.read, doubt))
    apart = distances_in(deck, taught)
    # too little of a covered card may show for a composed face to be a rival
    composed = {"whole": deck.untaught, "covered": frozenset[str]()}
    doubts = {
        extent: doubts_beside_untaught(taught, some, USUAL_DOUBTS[extent], apart, composed[extent], twins)
        for extent, some in strangers.items()
    }
    return replace(certainty, doubts=doubts)


USUAL_DOUBTS: Mapping[Extent, float] = {"whole": 1.25, "covered": 1.35}
"""Least doubt, in log odds, beside an untaught twin.

The changes that a deck's own faces show are few: two kings may differ more than two nines.
"""


def distances_in(deck: Templates, names: Sequence[str]) -> Callable[[str, str], float]:
    """Return a function for the distance of two faces, as a share of the median distance in the deck."""
    rows = [int(np.flatnonzero(deck.faces == deck.names.index(name))[0]) for name in names]
    labs = deck.coarse.lab[rows].reshape(len(rows), 3, -1) * deck.coarse.inside
    squares = np.square(labs).sum(axis=(1, 2))
    flat = labs.reshape(len(rows), -1)
    apart = squares[:, None] + squares - 2 * flat @ flat.T
    usual = float(np.median(apart[np.triu_indices(len(rows), 1)])) if len(rows) > 1 else 1.0
    place = {name: i for i, name in enumerate(names)}
    return lambda one, other: float(apart[place[one], place[other]]) / max(usual, 1e-6)


def _worst_or_usual(trials: Sequence[Trial]) -> dict[Extent, tuple[float, ...]]:
    """Return the worst figures of a deck's own cards, at least the usual ones: a deck has few trials."""
    own = worst_shortfalls(trials)
    return {
        extent: tuple(max(both) for both in zip(usual, own.get(extent, usual), strict=True))
        for extent, usual in UNTRIED.worst.items()
    }


def worst_shortfalls(trials: Sequence[Trial]) -> dict[Extent, tuple[float, ...]]:
    own: dict[Extent, list[tuple[float, ...]]] = {}
    for each in trials:
        if not each.is_stranger and each.read == each.face:
            own.setdefault(extent_of(each.card), []).append(shortfalls_of(each.card))
    return {
        extent: tuple(round(max(some), 4) for some in zip(*several, strict=True))
        for extent, several in own.items()
    }


def without_mistaken(trials: Sequence[Trial]) -> list[Trial]:
    """Remove cards read as another face; they carry no information about other decks' cards."""
    return [each for each in trials if each.is_stranger or each.read == each.face]


def glances_of(deck: Templates, trials: Sequence[Trial]) -> list[Trial]:
    whole = (each for each in trials if each.view != "half covered")
    return [each._replace(card=each.glance, read=deck.name_of(each.glance.row)) for each in whole]


def learn_leads(trials: Sequence[Trial], usual: Sequence[float], loyal: float) -> tuple[float, ...]:
    own = [each for each in trials if not each.is_stranger]
    return learn_weights(
        [leads_of(each.card, each.card.margin) for each in own],
        [each.read == each.face for each in own],
        [1.0] * len(own),
        usual,
        loyal,
    )


def learn_from(
    trials: Sequence[Trial], usual: Sequence[float], loyal: float, strangers: float
) -> tuple[float, ...]:
    """Learn feature weights, given the number of other decks' cards per card on a table."""
    return learn_weights(
        [figures_of(each.card, each.card.margin) for each in trials],
        [not each.is_stranger and each.read == each.face for each in trials],
        [strangers if each.is_stranger else 1.0 for each in trials],
        usual,
        loyal,
    )


OWN_LOYALTY = 1.0  # strength of the prior from other decks' trials


CLEAR = 0.35  # smallest lead over another face without being a look-alike
WHOLE_VIEWS: frozenset[View] = frozenset({"near", "far"})


def doubts_of(deck: Templates, trials: Sequence[Trial]) -> tuple[Doubt, ...]:
    """Return pairs of faces hardly distinguished in trials of whole cards, the worst first."""
    worst: dict[frozenset[str], Doubt] = {}
    for each in trials:
        doubt = None if each.is_stranger or each.view not in WHOLE_VIEWS else _doubt(deck, each)
        if doubt is not None and doubt.margin < CLEAR:
            pair = frozenset((doubt.face, doubt.other))
            worst[pair] = min(doubt, worst.get(pair, doubt), key=lambda one: one.margin)
    return tuple(sorted(worst.values(), key=lambda doubt: (doubt.margin, doubt.face)))


def mistaken_strangers(deck: Templates, trials: Sequence[Trial]) -> tuple[Doubt, ...]:
    """Return faces that trials, as if untaught, named for certain as another one; one doubt per pair."""
    seeing = Seeing((), deck)
    named = (each for each in trials if each.is_stranger and each.stand_in != "removed")
    certain = (each for each in named if is_certain(seeing, each.card))
    pairs = {
        (each.face, each.read): Doubt(each.face, each.read, each.view, -each.card.margin, is_untaught=True)
        for each in certain
    }
    return tuple(pairs[pair] for pair in sorted(pairs))


def _doubt(deck: Templates, trial: Trial) -> Doubt | None:
    if trial.read != trial.face:
        return Doubt(trial.face, trial.read, trial.view, -trial.card.margin, trial.picture)
    if not trial.card.rivals:
        return None
    rival = deck.name_of(trial.card.rivals[0][0])
    return Doubt(trial.face, rival, trial.view, trial.card.margin, trial.picture)


# stored trials

TRYING = 36
"""Version of the trials; incremented when they change, so that decks are tried again."""
MOST_KEPT = 60  # most decks with a stored certainty; the oldest ones are deleted first


def try_prepared(
    pictures: Faces, size: Millimetres, report: ReportProgress = ignore_progress
) -> tuple[Templates, tuple[Trial, ...]]:
    """Try a deck. A face tried as if untaught is also compared with its composed version."""
    even = in_even_light(pictures)
    composed = {
        name if name not in even else STAND_IN + name: [each] for name, each in compose_faces(even).items()
    }
    deck = replace(templates({**even, **composed}, size), untaught=frozenset(composed))
    return deck, try_deck(deck, even, report)


def ready_deck(pictures: Faces, size: Millimetres, kept: Path | None) -> Templates:
    """Prepare a deck at once, with its stored trials or the usual certainty."""
    even = in_even_light(pictures)
    # include missing faces that can be composed from others
    lacking = {name: [picture] for name, picture in compose_faces(even).items() if name not in even}
    deck = replace(templates({**even, **lacking}, size), untaught=frozenset(lacking))
    learned = None if kept is None else read_json_or(_file_of(kept, pictures, size), Certainty, None)
    return deck if learned is None or not is_usable(learned) else replace(deck, certainty=learned)


def prepare_deck(pictures: Faces, size: Millimetres = (63, 88), kept: Path | None = None) -> Templates:
    """Prepare a deck for reading; try it unless its trials are stored in the folder `kept`."""
    deck = ready_deck(pictures, size, kept)
    if deck.certainty is not UNTRIED:
        return deck
    certainty = certainty_of(*try_prepared(pictures, size))
    _keep_certainty(certainty, kept, pictures, size)
    return replace(deck, certainty=certainty)


def try_taught(
    pictures: Faces, size: Millimetres, kept: Path | None = None, report: ReportProgress = ignore_progress
) -> tuple[Doubt, ...]:
    """Try a newly taught deck, store the result, and return its look-alikes and mistaken untaught cards."""
    deck, trials = try_prepared(pictures, size, report)
    certainty = certainty_of(deck, trials)
    _keep_certainty(certainty, kept, pictures, size)
    return (*doubts_of(deck, trials), *mistaken_strangers(replace(deck, certainty=certainty), trials))


def _file_of(kept: Path, pictures: Faces, size: Millimetres) -> Path:
    digest = sha256(repr((TRYING, size)).encode())
    for face, some in pictures.items():
        for picture in some:
            digest.update(repr((face, picture.shape)).encode())
            digest.update(np.ascontiguousarray(picture).tobytes())
    return kept / f"{digest.hexdigest()[:32]}.json"


def _keep_certainty(certainty: Certainty, kept: Path | None, pictures: Faces, size: Millimetres) -> None:
    """Store a certainty. If the disk is full or read-only, the deck is tried again later."""
    if kept is None:
        return
    file = _file_of(kept, pictures, size)
    with suppress(OSError):
        make_folder(file.parent)
        write_whole(file, msgspec.json.encode(certainty))
        by_age = sorted(file.parent.glob("*.json"), key=lambda each: each.stat().st_mtime)
        for old in by_age[:-MOST_KEPT]:
            old.unlink(missing_ok=True)


# the same card by another camera
# A deck is taught with one camera from one print, and read by another camera from used cards. This simulates
# the difference: ink and its register, paper, wear and a bend; lenses and light; a camera's noise, white
# balance, tone curve, colour boost, smoothing, sharpening and compression. The strengths are permitted or
# typical ones. Offset printing drifts by a few units of colour and a tenth of a millimetre (ISO 12647-2).
# Phones use JPEG quality 75 to 95 with halved colour resolution, and boost contrast and colours by up to a
# third.

INK, REGISTER = 0.08, 0.0015
"""Variation of ink strength between print runs, and of colour register, in card widths."""
BENT = 0.004
"""Displacement of points on a bent or badly cut card, as a share of its width."""
SCUFFED = 4.0  # fading or dirt on used cards, in steps of 255

UNEVEN = 0.12
"""Unevenness of light on a bent or glossy card and of a phone's tone mapping: a deviation, as a share."""
DEPTH = 0.45
"""Largest log difference in depth of print between cameras that agree on white.

An overexposed white card loses a third of its depth.
"""


def print_again(shot: Picture, rng: Generator) -> Picture:
    """Simulate another print run of a card, and its use."""
    ink = np.exp(rng.normal(0, INK, 3)).astype(np.float32)
    paper = rng.uniform(0.93, 1, 3).astype(np.float32)
    bgr = np.power(np.asarray(shot[..., :3], np.float32) / np.float32(255), ink) * paper
    high, wide = shot.shape[:2]
    planes = [_shift(plane, rng.normal(0, REGISTER * wide, 2)) for plane in cv2.split(bgr)]
    used = cv2.merge(planes) * 255 + _clouds((high, wide), 12, rng)[..., None] * rng.uniform(0, SCUFFED)
    return np.asarray(np.clip(_bend(np.asarray(used, np.float32), rng), 0, 255), np.uint8)


def _shift(plane: cv2.typing.MatLike, by: Reals) -> cv2.typing.MatLike:
    moved = np.column_stack((np.eye(2), by))
    return cv2.warpAffine(plane, moved, plane.shape[::-1], borderMode=cv2.BORDER_REPLICATE)


def _clouds(shape: tuple[int, int], across: int, rng: Generator) -> Floats:
    high, wide = shape
    few = rng.standard_normal((max(2, round(across * high / wide)), across)).astype(np.float32)
    return np.asarray(cv2.resize(few, (wide, high), interpolation=cv2.INTER_CUBIC), np.float32)


def _bend(picture: Floats, rng: Generator) -> Floats:
    high, wide = picture.shape[:2]
    y, x = np.mgrid[0:high, 0:wide].astype(np.float32)
    across, down = (
        _clouds((high, wide), 3, rng) * np.float32(rng.uniform(0, BENT) * wide) for _way in range(2)
    )
    return np.asarray(
        cv2.remap(picture, x + across, y + down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32
    )


def see_small(card: Picture, size: tuple[int, int], rng: Generator) -> Floats:
    light = cv2.resize(
        to_light(np.asarray(card, np.float32) / np.float32(255)), size, interpolation=cv2.INTER_AREA
    )
    soft = cv2.GaussianBlur(light, (0, 0), rng.uniform(0.4, 1.4))
    return to_colours(np.asarray(soft, np.float32)) * np.float32(255)


def light_up(small: Floats, rng: Generator) -> Floats:
    high, wide = small.shape[:2]
    x, y = np.linspace(-1, 1, wide)[None, :, None], np.linspace(-1, 1, high)[:, None, None]
    gain = rng.uniform(0.5, 0.95) * (1 + rng.uniform(-0.08, 0.08) * x + rng.uniform(-0.08, 0.08) * y)
    at, reach = rng.uniform(-1.2, 1.2, 2), rng.uniform(0.3, 0.9)
    gloss = rng.uniform(0, 35) * np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / reach**2)
    uneven = np.exp(_clouds((high, wide), 3, rng) * rng.uniform(0, UNEVEN))[..., None]
    return np.asarray(small * gain * uneven * rng.uniform(0.88, 1, 3) + rng.uniform(0, 20) + gloss, np.float32)


def photograph(lit: Floats, rng: Generator) -> Picture:
    """Simulate a camera's noise and the processing of a phone or webcam."""
    noise = rng.uniform(0.4, 1.2) * np.sqrt(np.maximum(lit, 4) / 16)
    measured = lit + rng.standard_normal(lit.shape) * noise
    toned = _tone(np.clip(measured / 255, 0, 1).astype(np.float32), rng)
    grey = cv2.cvtColor(toned, cv2.COLOR_BGR2GRAY)[..., None]
    vivid = grey + (toned - grey) * np.float32(rng.uniform(0.75, 1.35))
    smooth = cv2.bilateralFilter(np.asarray(vivid, np.float32), 3, float(rng.uniform(0.01, 0.08)), 1.0)
    halo = smooth - cv2.GaussianBlur(smooth, (0, 0), rng.uniform(0.7, 1.6))
    sharp = smooth + np.float32(rng.uniform(0, 0.9)) * halo
    eight = np.asarray(np.clip(sharp * 255, 0, 255), np.uint8)
    _done, packed = cv2.imencode(".jpg", eight, (cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(72, 96))))
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _tone(light: Floats, rng: Generator) -> Floats:
    """Bend the tone curve: its middle, its ends and the depth of print."""
    bent = np.power(light, np.float32(np.exp(rng.normal(0, 0.15))))
    toned = bent + np.float32(rng.uniform(-0.15, 0.3)) * bent * (1 - bent) * (2 * bent - 1)
    depth = np.float32(np.exp(rng.uniform(-DEPTH, DEPTH)))
    return np.asarray(np.clip(1 - (1 - toned) * depth, 0, 1), np.float32)
