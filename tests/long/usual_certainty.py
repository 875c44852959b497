"""Learn what names are worth in a deck that wasn't tried yet: from trials of the decks that we draw.

`python -m tests.long.usual_certainty` prints the weights that `vision/reading/templates.py` starts from.
"""

from collections.abc import Iterator, Mapping, Sequence

import cv2
import numpy as np

from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.renderer import faces_of
from tests.vision.sets.drawn_decks import line_drawings, pictured_cards, playing_cards
from vision.reading.templates import GLANCED, UNTRIED, Picture, templates
from vision.teaching.tried_decks import (
    STRANGERS,
    Trial,
    glances_of,
    learn_from,
    learn_leads,
    try_deck,
    without_mistaken,
)

WIDE = 252  # how wide a taught picture is, in pixels
STRANGERS_OF_UNTRIED = 0.06
"""How many strangers are thought to lie on a table for each card if it isn't known what a deck lacks."""
PLAIN, LOOSELY = (0.0,) * len(GLANCED), 0.3
"""What is thought before anything was tried, and how strongly."""


def main() -> None:
    cards, glances = list[Trial](), list[Trial]()
    for pictures, size in _decks():
        deck = templates(pictures, size)
        trials = try_deck(deck, pictures)
        cards += trials
        glances += glances_of(deck, trials)
    print(f"{len(cards)} trials")
    print(f"against rivals: {learn_leads(cards, PLAIN[: len(UNTRIED.rivals)], LOOSELY)}")
    print(f"against strangers: {learn_from(without_mistaken(cards), PLAIN, LOOSELY, STRANGERS_OF_UNTRIED)}")
    print(f"at a glance: {learn_from(glances, PLAIN, LOOSELY, STRANGERS)}")


def _decks() -> Iterator[tuple[Mapping[str, Sequence[Picture]], tuple[float, float]]]:
    """Draw decks of all kinds, a picture of each face."""
    for drawn in (playing_cards(), pictured_cards(), line_drawings()):
        yield {name: [_shrink(drawn.face(name))] for name in drawn.faces}, drawn.size
    for name in ("coup", "coyote-gigamic", "plenty-coups", "ogallala", "piquet"):
        paint = faces_of(name)
        yield {face: [_shrink(paint(face))] for face in (*PRINTED[name].faces, "back")}, (63, 88)


def _shrink(face: object) -> Picture:
    picture = np.asarray(face, np.uint8)
    high = round(WIDE * picture.shape[0] / picture.shape[1])
    return np.asarray(cv2.resize(picture, (WIDE, high), interpolation=cv2.INTER_AREA), np.uint8)


if __name__ == "__main__":
    main()
