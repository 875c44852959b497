"""Trials of growing decks: our drawn cards, photographed twice, with their face known and unknown.

`python -m tests.long.growing_decks` prints how far two pictures are apart, for the limits of
`vision/teaching/same_card.py`; the weights by which `vision/teaching/questions.py` combines both judges; and
sharpness and reflections, for the limits of `vision/teaching/clear_cuts.py`.
"""

from collections.abc import Iterator, Mapping

import cv2
import numpy as np
from msgspec import Struct
from numpy.random import Generator, default_rng

from tests.long.usual_certainty import decks_of_all_kinds
from tests.scripts import script
from vision.pictures import Picture
from vision.reading.identifying import chance_of
from vision.reading.templates import STRANGERS, UNTRIED, learn_weights, soften_patch, templates
from vision.teaching.clear_cuts import has_glare, sharpness
from vision.teaching.draft_deck import RIVALS, nearness
from vision.teaching.questions import figures_of_both
from vision.teaching.same_card import Comparison, compare_cards, most_alike
from vision.teaching.tried_decks import Seen, light_up, photograph, print_again, read_trial, see_small

FACES, EVENINGS = 16, 2  # most faces of a deck that are tried in an evening, and evenings of each deck
ACROSS = 60, 220  # width of a card in a photograph, in pixels
MISCUT = 0.012  # deviation of a corner of a cut card, as a share of its sides


class Trial(Struct, frozen=True):
    """A card compared with a deck that has one picture of each face: both judges, and the truth."""

    deck: int
    chance: float  # by the reader, if unknown cards are as frequent as known ones
    compared: Comparison  # with the picture of the face that the reader names
    near: float  # how near the deck's faces come to each other
    is_right: bool


class EveningCamera(Struct, frozen=True):
    """A camera above a table: its processing and its focus stay the same for an evening."""

    seed: int
    wide: int  # width of a card in pixels


def photograph_card(card: Picture, camera: EveningCamera, rng: Generator) -> Picture:
    """Photograph a card in some place and light of the table, and cut it out about right."""
    size = camera.wide, round(camera.wide * card.shape[0] / card.shape[1])
    lit = light_up(see_small(card, size, default_rng(camera.seed)), rng)
    noisy = np.asarray(lit + rng.normal(0, 0.8, lit.shape) * np.sqrt(np.maximum(lit, 4) / 16), np.float32)
    small = photograph(noisy, default_rng(camera.seed))
    high, across = card.shape[:2]
    corners = np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float32)
    found = np.asarray(corners + rng.normal(0, MISCUT, (4, 2)) * size, np.float32)
    onto = np.array([(0, 0), (across, 0), (across, high), (0, high)], np.float32)
    how, warp = cv2.INTER_CUBIC, cv2.getPerspectiveTransform(found, onto)
    cut = cv2.warpPerspective(small, warp, (across, high), flags=how, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, np.uint8)


def all_trials() -> Iterator[Trial]:
    for number, (pictures, size) in enumerate(decks_of_all_kinds()):
        for evening in range(EVENINGS):
            rng = default_rng([number, evening])
            names = list(pictures)
            some = [names[i] for i in sorted(rng.permutation(len(names))[:FACES])]
            printed = {face: np.asarray(print_again(pictures[face][0], rng), np.uint8) for face in some}
            wide = round(float(np.exp(rng.uniform(*np.log(ACROSS)))))
            camera = EveningCamera(1000 * number + evening, wide)
            first, again = (
                {face: photograph_card(card, camera, rng) for face, card in printed.items()}
                for _time in range(2)
            )
            yield from try_growing(number, first, again, size)


def try_growing(
    number: int, first: Mapping[str, Picture], again: Mapping[str, Picture], size: tuple[float, float]
) -> Iterator[Trial]:
    """Read each face's second picture with its first one in the deck, and without."""
    _KNOWN.clear()
    deck = templates({face: [picture] for face, picture in first.items()}, size)
    high, wide = deck.fine.shape
    for face, picture in again.items():
        small = np.asarray(cv2.resize(picture, (wide, high), interpolation=cv2.INTER_AREA), np.float32)
        pose = np.diag((2.0 * wide, 2.0 * high, 1.0))
        seen = Seen(soften_patch(small), np.ones(high * wide, np.float32), pose)
        for known in (first, {name: some for name, some in first.items() if name != face}):
            rows = np.flatnonzero([deck.names[each] in known for each in deck.faces])
            trial = read_trial(deck, face, "near", seen, rows)
            chance = chance_of(trial.card, trial.card.margin, UNTRIED, -np.log(STRANGERS))
            compared = compare_cards(first[trial.read], picture)
            yield Trial(number, chance, compared, nearness(nearest_of(known)), trial.read == face)


def nearest_of(firsts: Mapping[str, Picture]) -> Iterator[float]:
    for face, first in firsts.items():
        others = [picture for name, picture in firsts.items() if name != face]
        yield min(_apart(others[i], first) for i in most_alike(first, others, RIVALS))


_KNOWN: dict[tuple[int, int], float] = {}


def _apart(one: Picture, other: Picture) -> float:
    """Compare two pictures of a deck once."""
    key = id(one), id(other)
    if key not in _KNOWN:
        _KNOWN[key] = compare_cards(one, other).apart
    return _KNOWN[key]


def print_clearness() -> None:
    """Print the sharpness of cards in focus and out of it, and how often a reflection is noticed."""
    cuts = list(_photographed())
    for millimetres in (0.0, 0.8, 1.2, 2.0):
        values = [sharpness(_blurred(cut, millimetres)) for cut in cuts]
        print(
            f"sharpness, blur {millimetres} mm, quantiles 0.02 0.1 0.5:",
            np.quantile(values, (0.02, 0.1, 0.5)).round(3),
        )
    for what, some in (("no reflection", cuts), ("a reflection", list(map(_lit, cuts)))):
        print(f"{what}, noticed:", round(float(np.mean([has_glare(cut) for cut in some])), 3))


def _photographed() -> Iterator[Picture]:
    for number, (pictures, _size) in enumerate(decks_of_all_kinds()):
        rng = default_rng([number, EVENINGS])
        names = list(pictures)
        for i in rng.permutation(len(names))[:FACES]:
            card = np.asarray(print_again(pictures[names[i]][0], rng), np.uint8)
            for wide in ACROSS:
                yield photograph_card(card, EveningCamera(100 * number + int(i), wide), rng)


def _blurred(cut: Picture, millimetres: float) -> Picture:
    spread = millimetres * min(cut.shape[:2]) / 63
    return np.asarray(cv2.GaussianBlur(cut, (0, 0), spread), np.uint8) if spread else cut


def _lit(cut: Picture) -> Picture:
    """Add a lamp's reflection, a quarter of the card wide."""
    (high, wide), (down, across) = cut.shape[:2], np.mgrid[: cut.shape[0], : cut.shape[1]]
    away = np.square(across - 0.4 * wide) + np.square(down - 0.4 * high)
    spot = 260 * np.exp(-away / (2 * (0.12 * wide) ** 2))
    return np.asarray(np.clip(cut + spot[..., None], 0, 255), np.uint8)


@script
def main() -> None:
    print_clearness()
    trials = list(all_trials())
    right = np.array([each.is_right for each in trials])
    print(f"{len(trials)} trials")
    for what in ("apart", "tint"):
        values = np.array([getattr(each.compared, what) for each in trials])
        print(
            f"{what}, same card, quantiles 0.5 0.9 0.95:", np.quantile(values[right], (0.5, 0.9, 0.95)).round(3)
        )
        print(
            f"{what}, another card, quantiles 0 0.01 0.05 0.5:",
            np.quantile(values[~right], (0, 0.01, 0.05, 0.5)).round(3),
        )
    joined = np.array([each.compared.is_same for each in trials])
    print("joined: right", int((joined & right).sum()), "wrong", int((joined & ~right).sum()))
    rows = [figures_of_both(each.chance, each.compared, each.near) for each in trials]
    weights = learn_weights(rows, right.tolist(), [1.0] * len(rows), (0.0,) * len(rows[0]), 0.3)
    print("both judges:", weights)
    odds = np.array(rows) @ weights
    for limit in (0.0, 1.1, 2.2, 3, 4, 5):
        share, wrong = (odds > limit)[right].mean(), (odds > limit)[~right].sum()
        print(f"odds above {limit}: right {share:.3f}, wrong {wrong}")
