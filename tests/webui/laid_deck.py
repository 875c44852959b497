"""A taught deck cut out by hand; most outlines follow the cards' edges."""

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.random import default_rng

from firmware.state_folder import DECKS, state_directory
from firmware.storage.decks import all_counts, draw_faces
from hardware.decks.catalogue import PRINTED
from vision.card_cuts import CutCard
from vision.pictures import Picture
from vision.table.plane import UNIT_SQUARE, Reals, homography, map_points
from vision.teaching.kept_cuts import cut_card
from vision.teaching.taught_decks import TaughtDeck, save_deck

SIZE, ROOM = (252, 352), 70  # pixels of a card, and of the dark cloth on each side
INNER = UNIT_SQUARE + 0.16 * (0.5 - UNIT_SQUARE)
ODD: Mapping[str, Reals] = {
    "frame": INNER,
    "corner": UNIT_SQUARE + np.array([(0, 0), (0, 0), (-0.3, -0.12), (0, 0)]),
    "wide": UNIT_SQUARE + np.array([(0.12, 0), (0, 0), (0, 0), (0.12, 0)]),
}
"""Wrong outlines, as fractions of the card."""


def lay_deck(name: str, odd: int) -> tuple[str, ...]:
    faces = draw_faces(name)
    wrong = dict(zip(faces, (line for _time in range(odd) for line in ODD.values()), strict=False))
    wrong = dict(list(wrong.items())[:odd])
    cards = {
        face: (_cut_out(picture, wrong.get(face, UNIT_SQUARE), seed),)
        for seed, (face, (picture,)) in enumerate(faces.items())
    }
    deck = TaughtDeck(name, (63.0, 88.0), all_counts(PRINTED[name]), cards)
    save_deck(deck, state_directory() / DECKS / name)
    return tuple(wrong)


def _cut_out(face: Picture, line: Reals, seed: int) -> CutCard:
    """Render a slightly rotated card on a dark cloth, and cut it out along an outline."""
    rng = default_rng(seed)
    card = cv2.resize(face, SIZE, interpolation=cv2.INTER_AREA)
    high, wide = SIZE[1] + 2 * ROOM, SIZE[0] + 2 * ROOM
    cloth = np.clip(rng.normal(38, 3, (high, wide, 3)), 0, 255).astype(np.uint8)
    onto = homography(UNIT_SQUARE, UNIT_SQUARE * SIZE + ROOM + rng.normal(0, 4, (4, 2)))
    where = homography(UNIT_SQUARE * SIZE - 0.5, map_points(onto, UNIT_SQUARE) - 0.5)
    laid = cv2.warpPerspective(card, where, (wide, high), dst=cloth, borderMode=cv2.BORDER_TRANSPARENT)
    picture, corners = np.asarray(laid, np.uint8), map_points(onto, line) - 0.5
    return cut_card(picture, corners, 63 / 88)
