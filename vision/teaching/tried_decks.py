"""Try a deck before it is played with: see each face from near, afar and aside, half covered, in other light.

Each trial is read twice: with the whole deck, and with its own face left out, as a stranger. What both came to
is the deck's certainty, and tells which faces won't be told apart. A face with several pictures is tried with
those that were not taken for the trial.

Decks are tried once; what came of it is kept outside the deck's folder, in a file named after a digest of the
pictures: it can't be stale. A file that is spoiled, or can't be kept, costs no more than trying again.
"""

from collections.abc import Iterator, Mapping, Sequence
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
from vision.reading.focus import AFAR, to_colours, to_light
from vision.reading.identifying import chance_of, figures_of, leads_of, resemblances
from vision.reading.own_light import Indices, cell_middles
from vision.reading.templates import (
    CERTAIN,
    GLANCED,
    UNTRIED,
    Certainty,
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
from vision.table.plane import Reals
from vision.table.plates import Millimetres
from vision.teaching.even_light import Faces, in_even_light
from vision.teaching.likeness import align_picture
from vision.teaching.progress import Tell, told_each, untold
from vision.teaching.untaught_faces import compose_faces, doubts_beside_untaught

View: TypeAlias = Literal["near", "far", "half covered", "steep"]

ACROSS: Mapping[View, tuple[float, float]] = {
    "near": (2.0, 3.0),
    "far": (1.3, 1.75),
    "half covered": (1.6, 2.4),
    "steep": (0.6, AFAR),
}
"""How many pixels each cell of the reader has across, about a millimetre of a playing card."""
FORESHORTENED = 2.0  # how many times as long a cell of a steep card may seem one way as the other
COVERED = 0.12, 0.65  # how much of a covered card is seen


class Trial(NamedTuple):
    """One picture of a face, and how it was read."""

    face: str
    view: View
    is_stranger: bool
    read: str
    card: Likeness
    glance: Likeness  # how it was read by coarse cells alone
    picture: int = 1  # which of the face's pictures it was


class Seen(NamedTuple):
    """A card as a camera sees it: rectified, which of its cells are in sight, and how it lies there."""

    patch: Floats
    seen: Floats
    pose: Reals


class Doubt(NamedTuple):
    """Two faces that trials hardly told apart: in which view, and how clearly the right name beat the other.

    Below 0 the other won; a name is told from `CLEAR` on; 1 is an exact match.
    """

    face: str
    other: str
    view: View
    margin: float
    picture: int = 1  # of which of the face's pictures it was made


STAND_IN = "as if not taught: "
"""What the names of composed faces begin with that stand in for those which were taught."""


def try_deck(deck: Templates, pictures: Faces, tell: Tell = untold) -> tuple[Trial, ...]:
    names = told_each(pictures, len(pictures), tell)
    return tuple(trial for name in names for trial in _try_face(deck, name, pictures[name]))


def _try_face(deck: Templates, name: str, pictures: Sequence[Picture]) -> Iterator[Trial]:
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
        # the picture itself would be too good a witness where there are others
        rest = own if len(pictures) == 1 else np.delete(own, [2 * taken, 2 * taken + 1])
        own_trial = _read_trial(deck, name, view, again, np.concatenate((rest, others)))
        yield own_trial._replace(picture=taken + 1)
        if len(others):
            yield _read_trial(deck, name, view, again, np.concatenate((others, instead)))


def _read_trial(deck: Templates, name: str, view: View, again: Seen, rows: Indices) -> Trial:
    small, shown = _coarse(deck, again.patch, again.seen)
    order = rows[_order(deck, small, shown, rows)]
    card = likeness(again.patch, again.pose, deck, deck.fine, order, again.seen * deck.fine.inside)
    glance = likeness(soften_patch(small), again.pose, deck, deck.coarse, order, shown * deck.coarse.inside)
    is_stranger = not (deck.faces[rows] == deck.names.index(name)).any()
    return Trial(name, view, is_stranger, deck.name_of(card.row), card, glance)


def _coarse(deck: Templates, patch: Floats, seen: Floats) -> tuple[Floats, Floats]:
    """Shrink a fine patch to coarse cells, and tell which of those are seen."""
    shape = deck.coarse.shape
    small = np.asarray(cv2.resize(patch, shape[::-1], interpolation=cv2.INTER_AREA), np.float32)
    shown = cv2.resize(seen.reshape(deck.fine.shape), shape[::-1], interpolation=cv2.INTER_NEAREST)
    return small, np.asarray(shown.ravel(), np.float32)


def _order(deck: Templates, small: Floats, shown: Floats, rows: Indices) -> Indices:
    """Order rows by how well they fit a coarse patch."""
    lab = lab_of(channels_of(whiten_patch(small)))[:, None]
    fits = resemblances(deck.coarse, lab, (shown * deck.coarse.inside)[None])[0]
    return np.argsort(-fits[rows], kind="stable")


# seeing a card again


def see_again(shot: Picture, view: View, deck: Templates, rng: Generator) -> Seen:
    high, wide = deck.fine.shape
    size = _size_in_picture(view, deck.fine.shape, rng)
    small = photograph(light_up(see_small(print_again(shot, rng), size, rng), rng), rng)
    how = cv2.INTER_AREA if size[0] >= wide and size[1] >= high else cv2.INTER_LINEAR
    patch = soften_patch(np.asarray(cv2.resize(small, (wide, high), interpolation=how), np.float32))
    seen = _half((high, wide), rng) if view == "half covered" else np.ones(high * wide, np.float32)
    return Seen(patch, seen, np.diag((*size, 1.0)))


def _size_in_picture(view: View, shape: tuple[int, int], rng: Generator) -> tuple[int, int]:
    """Choose how many pixels a card has across and down."""
    across = down = rng.uniform(*ACROSS[view])
    if view == "steep":
        longer = rng.uniform(1, FORESHORTENED)
        across, down = (longer * across, down) if rng.random() < 0.5 else (across, longer * down)
    return round(across * shape[1]), round(down * shape[0])


def _half(shape: tuple[int, int], rng: Generator) -> Floats:
    angle = rng.uniform(0, 2 * np.pi)
    along = cell_middles(shape) @ (np.cos(angle) * shape[1], np.sin(angle) * shape[0])
    return np.asarray(along < np.quantile(along, rng.uniform(*COVERED)), np.float32)


# what they came to


def certainty_of(deck: Templates, trials: Sequence[Trial]) -> Certainty:
    """Learn a deck's certainty from its trials, and what names are worth at a glance."""
    told = [each for each in trials if each.read not in deck.untaught]
    certainty = Certainty(
        learn_leads(told, UNTRIED.rivals, OWN_LOYALTY),
        learn_from(without_mistaken(told), UNTRIED.weights, OWN_LOYALTY, STRANGERS),
        learn_from(glances_of(deck, told), GLANCED, OWN_LOYALTY, STRANGERS),
    )
    strange = (each for each in trials if each.is_stranger)
    strangers = [(each.face, each.read, chance_of(each.card, each.card.margin, certainty)) for each in strange]
    taught = [name for name in deck.names if name not in deck.untaught]
    return replace(certainty, doubts=doubts_beside_untaught(taught, strangers, STRANGERS))


def without_mistaken(trials: Sequence[Trial]) -> list[Trial]:
    """Leave out the cards that were taken for another face: they say nothing of strangers."""
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
    """Learn what names are worth, if so many strangers lie on a table for each card."""
    return learn_weights(
        [figures_of(each.card, each.card.margin) for each in trials],
        [not each.is_stranger and each.read == each.face for each in trials],
        [strangers if each.is_stranger else 1.0 for each in trials],
        usual,
        loyal,
    )


STRANGERS = 0.02
"""How many strangers are thought to lie on a table for each card, beside the faces that the deck lacks."""
OWN_LOYALTY = 1.0  # how strongly a deck is thought to be as others, before it was tried


CLEAR = 0.35  # by how much a face must beat another not to be thought like it
WHOLE_VIEWS: frozenset[View] = frozenset({"near", "far"})


def doubts_of(deck: Templates, trials: Sequence[Trial]) -> tuple[Doubt, ...]:
    """List the pairs of faces that whole cards in trials were hardly told apart by, the worst first."""
    worst: dict[frozenset[str], Doubt] = {}
    for each in trials:
        doubt = None if each.is_stranger or each.view not in WHOLE_VIEWS else _doubt(deck, each)
        if doubt is not None and doubt.margin < CLEAR:
            pair = frozenset((doubt.face, doubt.other))
            worst[pair] = min(doubt, worst.get(pair, doubt), key=lambda one: one.margin)
    return tuple(sorted(worst.values(), key=lambda doubt: (doubt.margin, doubt.face)))


def _doubt(deck: Templates, trial: Trial) -> Doubt | None:
    if trial.read != trial.face:
        return Doubt(trial.face, trial.read, trial.view, -trial.card.margin, trial.picture)
    if not trial.card.rivals:
        return None
    rival = deck.name_of(trial.card.rivals[0][0])
    return Doubt(trial.face, rival, trial.view, trial.card.margin, trial.picture)


class SureNames(NamedTuple):
    """How many sure names are right, and how many are wrong."""

    right: int
    wrong: int


def sure_names(pictures: Faces, size: Millimetres) -> tuple[Templates, SureNames]:
    """Prepare a deck, and count the names of which its trials are sure."""
    deck, trials = _try_prepared(pictures, size)
    certainty = certainty_of(deck, trials)
    sure = (each for each in trials if chance_of(each.card, each.card.margin, certainty) >= CERTAIN)
    told = [not each.is_stranger and each.read == each.face for each in sure]
    return replace(deck, certainty=certainty), SureNames(sum(told), len(told) - sum(told))


# tried once

TRYING = 31
"""Counted up when decks are tried in another way: what was learned before is learned anew."""
MOST_KEPT = 60  # how many decks' certainties are kept; those that were kept first go first


def _try_prepared(
    pictures: Faces, size: Millimetres, tell: Tell = untold
) -> tuple[Templates, tuple[Trial, ...]]:
    """Try a deck; a face that is tried as a stranger is also compared with what it would be composed as."""
    even = in_even_light(pictures)
    composed = {
        name if name not in even else STAND_IN + name: [each] for name, each in compose_faces(even).items()
    }
    deck = replace(templates({**even, **composed}, size), untaught=frozenset(composed))
    return deck, try_deck(deck, even, tell)


def ready_deck(pictures: Faces, size: Millimetres, kept: Path | None) -> Templates:
    """Prepare a deck at once: with what was learned of it, else as one that wasn't tried."""
    even = in_even_light(pictures)
    # with the faces that it lacks, as far as they can be composed of others
    lacking = {name: [picture] for name, picture in compose_faces(even).items() if name not in even}
    deck = replace(templates({**even, **lacking}, size), untaught=frozenset(lacking))
    learned = None if kept is None else read_json_or(_file_of(kept, pictures, size), Certainty, None)
    return deck if learned is None or not is_usable(learned) else replace(deck, certainty=learned)


def prepare_deck(pictures: Faces, size: Millimetres = (63, 88), kept: Path | None = None) -> Templates:
    """Prepare a deck for reading; try it, unless it was tried before and that is kept in a folder."""
    deck = ready_deck(pictures, size, kept)
    if deck.certainty is not UNTRIED:
        return deck
    certainty = certainty_of(*_try_prepared(pictures, size))
    if kept is not None:
        _keep_certainty(_file_of(kept, pictures, size), certainty)
    return replace(deck, certainty=certainty)


def try_taught(
    pictures: Faces, size: Millimetres, kept: Path | None = None, tell: Tell = untold
) -> tuple[Doubt, ...]:
    """Try a deck that was just taught; keep what that taught, and give the faces that are hardly told apart."""
    deck, trials = _try_prepared(pictures, size, tell)
    if kept is not None:
        _keep_certainty(_file_of(kept, pictures, size), certainty_of(deck, trials))
    return doubts_of(deck, trials)


def _file_of(kept: Path, pictures: Faces, size: Millimetres) -> Path:
    digest = sha256(repr((TRYING, size)).encode())
    for face, some in pictures.items():
        for picture in some:
            digest.update(repr((face, picture.shape)).encode())
            digest.update(np.ascontiguousarray(picture).tobytes())
    return kept / f"{digest.hexdigest()[:32]}.json"


def _keep_certainty(file: Path, certainty: Certainty) -> None:
    """Keep what was learned; a full or locked disk only means that the deck is tried again."""
    with suppress(OSError):
        make_folder(file.parent)
        write_whole(file, msgspec.json.encode(certainty))
        by_age = sorted(file.parent.glob("*.json"), key=lambda each: each.stat().st_mtime)
        for old in by_age[:-MOST_KEPT]:
            old.unlink(missing_ok=True)


# the same card by another camera
# A deck is taught by one camera from one print, and read by another camera, of cards that were used. What lies
# between the two is drawn here: ink and its register, paper, wear and a bend; lenses and light; and what a
# camera makes of it, which measures, balances, bends tones, lifts colours, smooths, sharpens and packs. The
# strengths are those that are allowed or usual: offset printing drifts by a few units of colour and a tenth of
# a millimetre (ISO 12647-2), phones pack at 75 to 95 with halved colours, and raise contrast and colours by up
# to a third.

INK, REGISTER = 0.08, 0.0015
"""How much stronger one run prints a colour, and how far colours lie from each other, in widths of a card."""
BENT = 0.004
"""How far places of a bent card, or of one that was cut out crookedly, lie from where they should."""
SCUFFED = 4.0  # by how many steps of 255 use makes places of a card paler, or soils them

UNEVEN = 0.12
"""How unevenly a bent or glossy card is lit, and a phone evens out tones: a deviation, as a share."""
DEPTH = 0.45
"""How much paler or deeper than by another camera print may seem beside paper that is white by both, as a
logarithm: a white card that is exposed too long washes out by a third."""


def print_again(shot: Picture, rng: Generator) -> Picture:
    """Print a card on another day, and use it."""
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
    """Measure a lit card with noise, and make of it what a phone or a webcam makes."""
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
    """Bend tones: lift or sink the middle, make the ends softer or harder, and print paler or deeper."""
    bent = np.power(light, np.float32(np.exp(rng.normal(0, 0.15))))
    toned = bent + np.float32(rng.uniform(-0.15, 0.3)) * bent * (1 - bent) * (2 * bent - 1)
    depth = np.float32(np.exp(rng.uniform(-DEPTH, DEPTH)))
    return np.asarray(np.clip(1 - (1 - toned) * depth, 0, 1), np.float32)
