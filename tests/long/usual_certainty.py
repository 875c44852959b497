"""Estimate the certainty of names in an untried deck, from trials of our rendered decks.

`python -m tests.long.usual_certainty` prints the weights that `vision/reading/templates.py` starts from.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import get_args

import cv2
import numpy as np

from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.renderer import faces_of
from tests.scripts import script
from tests.vision.sets.drawn_decks import line_drawings, pictured_cards, playing_cards
from vision.reading.templates import GLANCED, STRANGERS, UNTRIED, Extent, Picture, templates
from vision.teaching.tried_decks import (
    Trial,
    glances_of,
    learn_from,
    learn_leads,
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


@script
def main() -> None:
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
