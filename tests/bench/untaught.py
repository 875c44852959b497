"""Names of cards whose face was never taught: each face of a deck is left out in turn."""

from collections import Counter
from itertools import product
from random import Random

import cv2
import numpy as np

from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.renderer import BACK
from tests.bench.measured import Measured, percent
from tests.hardware.twin.layouts import LAYOUTS
from tests.hardware.twin.levels import LEVELS, random_scene
from tests.hardware.twin.truth import frame_of
from tests.tidiness import tries
from tests.vision.counting import pairs
from tests.vision.rendered_tables import CARDS, faces_of_cached
from vision.reading.reader import read
from vision.reading.templates import Templates
from vision.reading.views import Surroundings
from vision.teaching.tried_decks import prepare_deck

DECKS = ("piquet", "plenty-coups")  # decks whose names describe a design
LAID, LIGHTS = ("separate", "crossing"), ("L0", "L1")


def untaught(every: int = 4, seed: int = 1000) -> Measured:
    """Cards of a face that a deck lacks, and of its others: each `every`-th face is left out in turn."""
    cv2.setNumThreads(1)
    ratios, notes = dict[str, str](), list[str]()
    for deck in DECKS:
        counts = Counter[str]()
        for number, face in enumerate(tuple(PRINTED[deck].faces)[::every]):
            notes += _read_tables(deck, face, seed + number, counts)
        ratios |= {
            f"{deck}: untaught cards with a certain name": f"{counts['named']} of {counts['untaught']}",
            f"{deck}: others right, wrong": f"{percent(counts['right'], counts['others'])}, {counts['wrong']}",
        }
    return Measured(ratios, tuple(notes), "an untaught card has a certain name" if notes else "")


def _read_tables(deck: str, lacking: str, seed: int, counts: Counter[str]) -> list[str]:
    taught, others, notes = _deck_without(deck, lacking), tuple(PRINTED[deck].faces), list[str]()
    for layout, light in product(LAID, LIGHTS):
        rng = Random(f"{seed} {layout} {light}")
        faces = [lacking, *rng.choices([name for name in others if name != lacking], k=CARDS - 1)]
        rng.shuffle(faces)
        scene = random_scene(LEVELS[light], LAYOUTS[layout], tuple(faces), seed)
        frame = frame_of(scene, faces_of_cached(deck))
        reading = read(frame.picture, taught, None, Surroundings(frame.plane))
        seen = pairs(frame.truth, reading.cards)
        for i, card in enumerate(frame.truth):
            name = seen[i].face if i in seen and seen[i].sure else None
            is_untaught = card.face == lacking
            counts["untaught" if is_untaught else "others"] += 1
            counts["right" if name == card.face else ""] += 1
            counts["named" if is_untaught else "wrong"] += name not in {None, card.face}
            if name not in {None, card.face}:
                notes.append(f"{deck} without {lacking}, {layout}, {light}, {seed}: {name} for {card.face}")
    return notes


def _deck_without(deck: str, lacking: str) -> Templates:
    faces = faces_of_cached(deck)
    names = (name for name in (*PRINTED[deck].faces, BACK) if name != lacking)
    return prepare_deck({name: [np.asarray(faces(name))] for name in names}, kept=tries())
