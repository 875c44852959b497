"""Trials of growing decks: our drawn cards, photographed twice, with their face known and unknown.

`python -m tests.long.growing_decks` prints how far two pictures are apart, for the limits of
`vision/teaching/same_card.py`, and the weights by which `vision/teaching/questions.py` combines both judges.
"""

from collections.abc import Iterator, Mapping

import cv2
import numpy as np
from msgspec import Struct
from numpy.random import Generator, default_rng

from tests.long.usual_certainty import decks_of_all_kinds
from vision.pictures import Picture
from vision.reading.identifying import chance_of
from vision.reading.templates import STRANGERS, UNTRIED, learn_weights, soften_patch, templates
from vision.teaching.same_card import compare_cards
from vision.teaching.tried_decks import Seen, _read_trial, light_up, photograph, print_again, see_small

FACES = 24  # most faces of a deck that are tried
ACROSS = 60, 220  # width of a card in a photograph, in pixels
MISCUT = 0.012  # deviation of a corner of a cut card, as a share of its sides
Photographs = Mapping[str, tuple[Picture, Picture]]


class Trial(Struct, frozen=True):
    """A card compared with a deck that has one picture of each face: both judges, and the truth."""

    deck: str
    chance: float  # by the reader, if unknown cards are as frequent as known ones
    apart: float  # from the pictures of the face that the reader names
    is_right: bool
    is_stranger: bool


def photograph_card(card: Picture, rng: Generator) -> Picture:
    """Photograph a card as it lies on some table, and cut it out about right."""
    wide = round(float(np.exp(rng.uniform(*np.log(ACROSS)))))
    size = wide, round(wide * card.shape[0] / card.shape[1])
    small = photograph(light_up(see_small(card, size, rng), rng), rng)
    high, across = card.shape[:2]
    corners = np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float32)
    off = rng.normal(0, MISCUT, (4, 2)) * size
    onto = np.array([(0, 0), (across, 0), (across, high), (0, high)], np.float32)
    warp = cv2.getPerspectiveTransform((corners + off).astype(np.float32), onto)
    cut = cv2.warpPerspective(
        small, warp, (across, high), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(cut, np.uint8)


def try_growing(name: str, faces: Photographs, size: tuple[float, float]) -> Iterator[Trial]:
    deck = templates({face: [first] for face, (first, _again) in faces.items()}, size)
    high, wide = deck.fine.shape
    for face, (_first, again) in faces.items():
        patch = soften_patch(
            np.asarray(cv2.resize(again, (wide, high), interpolation=cv2.INTER_AREA), np.float32)
        )
        seen = Seen(patch, np.ones(high * wide, np.float32), np.diag((2.0 * wide, 2.0 * high, 1.0)))
        own = deck.names.index(face)
        for rows in (np.arange(len(deck.faces)), np.flatnonzero(deck.faces != own)):
            trial = _read_trial(deck, face, "near", seen, rows)
            chance = chance_of(trial.card, trial.card.margin, UNTRIED, -np.log(STRANGERS))
            apart = compare_cards(faces[trial.read][0], again).apart
            yield Trial(name, chance, apart, trial.read == face, trial.is_stranger)


def all_trials() -> Iterator[Trial]:
    for number, (pictures, size) in enumerate(decks_of_all_kinds()):
        rng = default_rng(number)
        names = list(pictures)
        some = [names[i] for i in sorted(rng.permutation(len(names))[:FACES])]
        printed = {face: np.asarray(print_again(pictures[face][0], rng), np.uint8) for face in some}
        shots = {
            face: (photograph_card(card, rng), photograph_card(card, rng)) for face, card in printed.items()
        }
        yield from try_growing(str(number), shots, size)


def logit(chance: float) -> float:
    return float(np.log((chance + 5e-4) / (1 - chance + 5e-4)))


def main() -> None:
    trials = list(all_trials())
    same = np.array([each.apart for each in trials if each.is_right])
    other = np.array([each.apart for each in trials if not each.is_right])
    print(f"{len(trials)} trials")
    print("same card, quantiles 0.5 0.9 0.95 0.99:", np.quantile(same, (0.5, 0.9, 0.95, 0.99)).round(3))
    print("another card, quantiles 0.001 0.01 0.05 0.5:", np.quantile(other, (0.001, 0.01, 0.05, 0.5)).round(3))
    for name in sorted({each.deck for each in trials}):
        mine = [each for each in trials if each.deck == name]
        near = sorted(each.apart for each in mine if not each.is_right)[:4]
        far = sorted(each.apart for each in mine if each.is_right)[-4:]
        print(name, "another", np.round(near, 3), "same", np.round(far, 3))
    rows = [(1.0, logit(each.chance), float(np.log(each.apart + 0.01))) for each in trials]
    weights = learn_weights(rows, [each.is_right for each in trials], [1.0] * len(rows), (0.0, 0.0, 0.0), 0.3)
    print("both judges:", weights)
    odds = np.array(rows) @ weights
    for limit in (0.0, 1.1, 2.2, 3, 4, 5):
        right = np.array([each.is_right for each in trials])
        print(
            limit,
            "accepted right",
            round(float((odds[right] > limit).mean()), 3),
            "wrong",
            int((odds[~right] > limit).sum()),
        )


if __name__ == "__main__":
    main()
