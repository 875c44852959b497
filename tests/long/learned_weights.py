"""Weights learned from trials of decks of all kinds: `python -m tests.long.learned_weights untried`.

`untried` prints those for a deck without trials of its own, in `vision/reading/templates.py`. `growing` prints
those of both judges of a card that is learnt, in `vision/teaching/naming.py`, and how far two pictures are
apart, for the limits of `vision/teaching/same_card.py`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Literal, get_args

import cv2
import numpy as np
from msgspec import Struct
from numpy.random import Generator, default_rng

from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.renderer import faces_of
from tests.scripts import script
from tests.vision.sets.drawn_decks import line_drawings, pictured_cards, playing_cards
from vision.pictures import Picture
from vision.reading.identifying import chance_of
from vision.reading.templates import GLANCED, STRANGERS, UNTRIED, Extent, learn_weights, soften_patch, templates
from vision.teaching.draft_deck import RIVALS, nearness
from vision.teaching.naming import figures_of_both
from vision.teaching.same_card import Comparison, compare_cards, most_alike
from vision.teaching.tried_decks import (
    Seen,
    Trial,
    glances_of,
    learn_from,
    learn_leads,
    light_up,
    photograph,
    print_again,
    read_trial,
    see_small,
    try_deck,
    without_mistaken,
    worst_shortfalls,
)

WIDE = 252  # width of a taught picture, in pixels
STRANGERS_OF_UNTRIED = 0.06
"""Assumed unknown cards per card on a table, if a deck's missing faces are unknown."""
PLAIN, LOOSELY = (0.0,) * len(GLANCED), 0.3
"""The prior before any trial, and its weight."""


def decks_of_all_kinds() -> Iterator[tuple[Mapping[str, Sequence[Picture]], tuple[float, float]]]:
    for drawn in (playing_cards(), pictured_cards(), line_drawings()):
        yield {name: [_shrink(drawn.face(name))] for name in drawn.faces}, drawn.size
    for name in ("coup", "coyote-gigamic", "plenty-coups", "ogallala", "piquet"):
        paint = faces_of(name)
        yield {face: [_shrink(paint(face))] for face in (*PRINTED[name].faces, "back")}, (63, 88)


def _shrink(face: object) -> Picture:
    picture = np.asarray(face, np.uint8)
    high = round(WIDE * picture.shape[0] / picture.shape[1])
    return np.asarray(cv2.resize(picture, (WIDE, high), interpolation=cv2.INTER_AREA), np.uint8)


def print_untried() -> None:
    cards, glances, shortfalls = list[Trial](), list[Trial](), list[Mapping[Extent, Sequence[float]]]()
    for pictures, size in decks_of_all_kinds():
        deck = templates(pictures, size)
        trials = try_deck(deck, pictures)
        cards += trials
        glances += glances_of(deck, trials)
        shortfalls.append(worst_shortfalls(trials))
    print(f"{len(cards)} trials")
    print(f"against rivals: {learn_leads(cards, PLAIN[: len(UNTRIED.rivals)], LOOSELY)}")
    print(f"against strangers: {learn_from(without_mistaken(cards), PLAIN, LOOSELY, STRANGERS_OF_UNTRIED)}")
    print(f"at a glance: {learn_from(glances, PLAIN, LOOSELY, STRANGERS)}")
    for extent in get_args(Extent):
        usual = np.median([each[extent] for each in shortfalls], axis=0)
        print(f"worst figures, {extent}: {tuple(usual.round(3).tolist())}")


# a deck that is learnt card by card

FACES, EVENINGS = 16, 2  # most faces of a deck that are tried in an evening, and evenings of each deck
ACROSS = 60, 220  # width of a card in a photograph, in pixels
MISCUT = 0.012  # deviation of a corner of a cut card, as a share of its sides


class GrowingTrial(Struct, frozen=True):
    """A card compared with a deck that has one picture of each face: both judges, and the truth."""

    chance: float  # by the reader, if unknown cards are as frequent as known ones
    compared: Comparison  # with the picture of the face that the reader names
    near: float  # how near the deck's faces come to each other
    is_right: bool


def photograph_card(card: Picture, camera: int, wide: int, rng: Generator) -> Picture:
    """Photograph a card in some place and light of the table, and cut it out about right.

    The camera's processing and focus are drawn by its number; a card is `wide` pixels wide in its pictures.
    """
    size = wide, round(wide * card.shape[0] / card.shape[1])
    lit = light_up(see_small(card, size, default_rng(camera)), rng)
    noisy = np.asarray(lit + rng.normal(0, 0.8, lit.shape) * np.sqrt(np.maximum(lit, 4) / 16), np.float32)
    small = photograph(noisy, default_rng(camera))
    high, across = card.shape[:2]
    corners = np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float32)
    found = np.asarray(corners + rng.normal(0, MISCUT, (4, 2)) * size, np.float32)
    onto = np.array([(0, 0), (across, 0), (across, high), (0, high)], np.float32)
    how, warp = cv2.INTER_CUBIC, cv2.getPerspectiveTransform(found, onto)
    cut = cv2.warpPerspective(small, warp, (across, high), flags=how, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, np.uint8)


def all_trials() -> Iterator[GrowingTrial]:
    for number, (pictures, size) in enumerate(decks_of_all_kinds()):
        for evening in range(EVENINGS):
            rng = default_rng([number, evening])
            names = list(pictures)
            some = [names[i] for i in sorted(rng.permutation(len(names))[:FACES])]
            printed = {face: np.asarray(print_again(pictures[face][0], rng), np.uint8) for face in some}
            wide = round(float(np.exp(rng.uniform(*np.log(ACROSS)))))
            camera = 1000 * number + evening, wide
            first, again = (
                {face: photograph_card(card, *camera, rng) for face, card in printed.items()}
                for _time in range(2)
            )
            yield from try_growing(first, again, size)


def try_growing(
    first: Mapping[str, Picture], again: Mapping[str, Picture], size: tuple[float, float]
) -> Iterator[GrowingTrial]:
    """Read each face's second picture with its first one in the deck, and without."""
    apart = cache(lambda one, other: compare_cards(first[one], first[other]).apart)
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
            near = nearness(nearest_of(known, apart))
            yield GrowingTrial(chance, compared, near, trial.read == face)


def nearest_of(firsts: Mapping[str, Picture], apart: Callable[[str, str], float]) -> Iterator[float]:
    for face, first in firsts.items():
        others = [name for name in firsts if name != face]
        alike = most_alike(first, [firsts[name] for name in others], RIVALS)
        yield min(apart(others[i], face) for i in alike)


def print_growing() -> None:
    trials = list(all_trials())
    right = np.array([each.is_right for each in trials])
    print(f"{len(trials)} trials")
    for what in ("apart", "tint"):
        values = np.array([getattr(each.compared, what) for each in trials])
        same, other = (np.quantile(some, (0.01, 0.05, 0.5, 0.95)) for some in (values[right], values[~right]))
        print(f"{what}, quantiles 0.01 0.05 0.5 0.95: same card {same.round(3)}, another card {other.round(3)}")
    joined = np.array([each.compared.is_same for each in trials])
    print("joined: right", int((joined & right).sum()), "wrong", int((joined & ~right).sum()))
    rows = [figures_of_both(each.chance, each.compared, each.near) for each in trials]
    weights = learn_weights(rows, right.tolist(), [1.0] * len(rows), (0.0,) * len(rows[0]), 0.3)
    print("both judges:", weights)
    odds = np.array(rows) @ weights
    for limit in (0.0, 1.1, 2.2, 3, 4, 5):
        share, wrong = (odds > limit)[right].mean(), (odds > limit)[~right].sum()
        print(f"odds above {limit}: right {share:.3f}, wrong {wrong}")


@script
def main(what: Literal["untried", "growing"], /) -> None:
    {"untried": print_untried, "growing": print_growing}[what]()
