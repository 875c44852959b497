"""Decks that lack faces: what was never taught is a rival, as far as it can be composed, and a doubt."""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from math import log

import cv2
import numpy as np
from msgspec.structs import replace

from tests.tiers import slow, tiered
from vision.reading.reader import read
from vision.reading.templates import Picture, templates
from vision.teaching.tried_decks import STAND_IN, USUAL_DOUBTS, certainty_of, prepare_deck, try_deck
from vision.teaching.untaught_faces import (
    TriedStranger,
    compose_faces,
    doubts_beside_untaught,
    lacks_uncomposed,
)

COUNTS = tiered(("1", "2"), ("1", "2", "3"))
COLOURS = {"red": (40, 40, 200), "green": (60, 140, 30), "purple": (130, 40, 100)}
FILLS, SHAPES = ("empty", "striped", "solid"), ("disc", "box", "kite")


@cache
def draw(name: str) -> Picture:
    """Draw one to three signs of a colour, a filling and a shape."""
    count, colour, fill, shape = name.split("-")
    card, tone = np.full((352, 252, 3), 245, np.uint8), COLOURS[colour]
    for k in range(int(count)):
        x, y = 126, 176 + round(100 * (k - (int(count) - 1) / 2))
        sign = np.zeros(card.shape[:2], np.uint8)
        if shape == "disc":
            cv2.ellipse(sign, (x, y), (70, 36), 0, 0, 360, 255, cv2.FILLED)
        elif shape == "box":
            cv2.rectangle(sign, (x - 66, y - 32), (x + 66, y + 32), 255, cv2.FILLED)
        else:
            cv2.fillPoly(sign, [np.array([(x - 80, y), (x, y - 38), (x + 80, y), (x, y + 38)])], 255)
        edge = cv2.subtract(sign, cv2.erode(sign, np.ones((7, 7), np.uint8)))
        card[edge > 0] = tone
        if fill == "solid":
            card[sign > 0] = tone
        elif fill == "striped":
            stripes = sign.copy()
            stripes[:, np.arange(252) % 6 > 1] = 0
            card[stripes > 0] = tone
    return np.asarray(cv2.GaussianBlur(card, (0, 0), 0.8), np.uint8)


NAMES = tuple("-".join(parts) for parts in product(COUNTS, COLOURS, FILLS, SHAPES))
LACKING = ("1-red-striped-kite", "2-purple-empty-disc", *tiered((), ("3-red-striped-box",)))
BESIDE = ("1-red-empty-kite", "2-purple-striped-disc", *tiered((), ("3-red-solid-box",)))


FEW = tuple(name for name in NAMES if not {"green", "kite", "box", "solid"} & {*name.split("-")})


def pictures(names: Sequence[str] = NAMES) -> Mapping[str, Sequence[Picture]]:
    return {name: (draw(name),) for name in names if name not in LACKING}


def on_table(name: str) -> Picture:
    """Lay a card on a dark table, a little turned."""
    card = cv2.resize(draw(name), (190, 266), interpolation=cv2.INTER_AREA)
    matrix = cv2.getRotationMatrix2D((95, 133), 8, 1.0)
    matrix[:, 2] += (150, 110)
    ground = np.full((500, 500, 3), (40, 60, 50), np.uint8)
    return np.asarray(
        cv2.warpAffine(card, matrix, (500, 500), ground, borderMode=cv2.BORDER_TRANSPARENT), np.uint8
    )


def test_composes_missing_faces() -> None:
    composed = compose_faces(pictures())
    assert set(LACKING) <= set(composed)
    for name in LACKING:
        off = apart(composed[name], draw(name))
        assert off < 0.5 * min(apart(shot, draw(name)) for (shot,) in pictures().values())


def apart(one: Picture, other: Picture) -> float:
    """Measure how far two pictures are from each other, each as white as its paper."""
    a, b = (
        cv2.resize(each, (63, 88), interpolation=cv2.INTER_AREA) / np.float32(each[5, 5].mean())
        for each in (one, other)
    )
    return float(np.square(a - b).mean())


def test_composes_nothing_for_complete_deck() -> None:
    whole = {name: (draw(name),) for name in NAMES[:27]}
    assert compose_faces(whole) == {}
    assert compose_faces({f"card{i}": (draw(name),) for i, name in enumerate(NAMES[:9])}) == {}
    assert compose_faces({}) == {}


@slow("a deck is tried, once: seven faces at a commit")
def test_untaught_face_is_not_named_as_its_neighbour() -> None:
    deck = prepare_deck(pictures(tiered(FEW, NAMES)))
    for name in tiered(LACKING[1:], LACKING):
        (card,) = read(on_table(name), deck).cards
        assert not card.sure, name
        assert name not in {each.face for each in card.runners_up}
    for name in tiered(BESIDE[1:], BESIDE):
        (card,) = read(on_table(name), deck).cards
        assert card.face == name


def test_names_beside_untaught_faces_are_doubted() -> None:
    names = ["7-s", "8-s", "9-s", "7-h", "8-h"]
    alike = [TriedStranger("9-s", "8-s", 6.5), TriedStranger("8-s", "9-s", 2.0)]
    # 9 of hearts may lie there: of a 9 named as an 8, one trial in a hundred may be certain
    # one face is untaught, five are taught
    doubts = {"8-h": 6.455, "7-h": 1.391, "9-s": 1.391}
    assert doubts_beside_untaught(names, alike, 3.0) == doubts
    assert doubts_beside_untaught([*names, "9-h"], alike, 3.0) == {}
    # a composed face is a rival itself
    assert doubts_beside_untaught(names, alike, 3.0, {"9-h"}) == {}
    # one clear pair doesn't show that others of its kind are as clear
    clear = TriedStranger("7-s", "7-h", 0.0)
    assert doubts_beside_untaught(names, [*alike, clear], 3.0) == doubts


def test_composed_neighbours_do_not_hide_what_an_uncomposed_one_costs() -> None:
    """A deck that lacks a face without a composed version is tried without composed versions, too."""
    assert not lacks_uncomposed(["7-s", "8-s", "7-h", "8-h"], ())
    assert lacks_uncomposed(["7-s", "8-s", "7-h"], ())
    assert not lacks_uncomposed(["7-s", "8-s", "7-h"], {"8-h"})
    shown = {name: (draw(drawn),) for name, drawn in zip(("7-s", "8-s", "7-h"), NAMES, strict=False)}
    stand_ins = {STAND_IN + name: each for name, each in shown.items()}
    deck = replace(templates({**shown, **stand_ins}), untaught=frozenset(stand_ins))
    trials = try_deck(deck, shown)
    kinds = {(trial.stand_in, trial.is_stranger) for trial in trials}
    assert kinds == {("none", False), ("rival", True), ("removed", True)}
    doubts = certainty_of(deck, trials).doubts
    for extent, some in doubts.items():
        assert some.keys() == {"8-s", "7-h"}
        assert min(some.values()) >= USUAL_DOUBTS[extent] - log(3) - 0.001
    whole = replace(deck, untaught=deck.untaught | {"8-h"})
    assert {trial.stand_in for trial in try_deck(whole, shown)} == {"none", "rival"}


SOME = tuple(name for i, name in enumerate(NAMES) if (i + i // 3 + i // 9) % 3)
"""The deck without one colour of each filling and shape."""


@slow("two dozen faces are composed")
def test_composes_faces_in_another_ink() -> None:
    lacking = [name for name in NAMES if name not in SOME]
    composed = compose_faces({name: (draw(name),) for name in SOME})
    assert set(lacking) <= set(composed)
    for name in lacking:
        nearest = min(apart(draw(other), draw(name)) for other in SOME)
        assert apart(composed[name], draw(name)) < 0.75 * nearest


def test_joker_does_not_hide_what_an_incomplete_deck_lacks() -> None:
    names = ["7-s", "8-s", "9-s", "7-h", "8-h", "joker"]
    assert doubts_beside_untaught(names, (), 3.0).keys() == {"9-s", "7-h", "8-h"}
    # a complete deck lacks no faces of a joker's kind
    whole = [rank + suit for rank in ("7", "8", "9", "10") for suit in "shdc"]
    assert not lacks_uncomposed([*whole, "joker"], ())
