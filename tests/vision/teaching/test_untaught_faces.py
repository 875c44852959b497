"""Decks that lack faces: what was never taught is a rival, as far as it can be composed, and a doubt."""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from tests.tiers import slow, tiered
from vision.reading.reader import read
from vision.reading.templates import Picture, templates
from vision.teaching.tried_decks import STAND_IN, certainty_of, distances_in, prepare_deck, try_deck
from vision.teaching.untaught_faces import (
    UNRIVALLED,
    UNTRIED,
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


def suits_apart(one: str, other: str) -> float:
    """Measure faces as in a deck whose suits hardly differ: two ranks are as far apart as usual."""
    return 0.2 if one[0] == other[0] else 1.0


def test_names_beside_untaught_faces_are_doubted() -> None:
    names = [*(f"{rank}-s" for rank in "6789"), *(f"{rank}-h" for rank in "678")]
    alike = [TriedStranger("9-s", "8-s", 6.5), TriedStranger("8-s", "9-s", 2.0)]
    # 9 of hearts may lie there: of a 9 named as an 8, one trial in a hundred may be certain
    doubts = {"8-h": 6.455, "7-h": 0.0, "6-h": 0.0, "9-s": UNRIVALLED * 3.0}
    assert doubts_beside_untaught(names, alike, 3.0, suits_apart) == doubts
    assert doubts_beside_untaught([*names, "9-h"], alike, 3.0, suits_apart) == {}
    # a composed twin is a rival, and trials without it don't count
    composed = {"8-h": 0.0, "7-h": 0.0, "6-h": 0.0, "9-s": 3.0}
    assert doubts_beside_untaught(names, alike, 3.0, suits_apart, {"9-h"}) == composed
    # one clear pair doesn't show that others of its kind are as clear
    clear = TriedStranger("7-s", "7-h", 0.0)
    assert doubts_beside_untaught(names, [*alike, clear], 3.0, suits_apart) == doubts
    # twins that need more in trials get more
    close = TriedStranger("7-s", "7-h", 5.0)
    assert doubts_beside_untaught(names, [close], 3.0, suits_apart)["9-s"] == UNTRIED * 5.0
    # if few pairs show a change, it may be a close one
    for rank, doubt in ((0.7, 3.0), (0.8, 0.0)):
        few = doubts_beside_untaught(
            ["8-s", "9-s", "8-h"], (), 3.0, lambda one, other, rank=rank: 1.0 if one[0] != other[0] else rank
        )
        assert few["9-s"] == doubt


def test_doubt_beside_one_untaught_face_is_as_large_among_many_faces() -> None:
    few, many = ([f"{rank}-{suit}" for rank in ranks for suit in "shdc"] for ranks in ("6789", "23456789JQKA"))
    for names in (few, many):
        taught = [name for name in names if name != "9-h"]
        assert doubts_beside_untaught(taught, (), 3.0, suits_apart)["9-s"] == UNRIVALLED * 3.0


def test_special_cards_are_designs_of_their_own() -> None:
    colours = [
        f"{colour}-{sign}" for colour in ("red", "blue", "green", "yellow") for sign in ("5", "6", "skip")
    ]
    taught = [*(name for name in colours if name != "red-5"), "wild", "wild-+4", "joker-red", "joker-black"]

    def colours_apart(one: str, other: str) -> float:
        return 0.2 if one.split("-")[1:] == other.split("-")[1:] else 1.0

    doubts = doubts_beside_untaught(taught, (), 3.0, colours_apart)
    assert {name for name, doubt in doubts.items() if doubt} == {"blue-5", "green-5", "yellow-5"}
    assert not lacks_uncomposed([*taught, "red-5"], ())
    # a healer of two colours doesn't mean that there is one of a third, with a bow alone
    some = [
        "empty-bow",
        *(f"{colour}-{what}" for colour in ("red", "black") for what in ("bow", "healer", "chief", "digger")),
    ]
    assert not lacks_uncomposed(some, ())


def test_distance_of_faces_is_a_share_of_the_deck_s_median() -> None:
    shown = {name: [draw(name)] for name in ("1-red-empty-disc", "1-red-empty-box", "1-green-solid-kite")}
    apart = distances_in(templates(shown), tuple(shown))
    near, far = apart("1-red-empty-disc", "1-red-empty-box"), apart("1-red-empty-disc", "1-green-solid-kite")
    assert 0 < near < 1 <= far
    assert sorted([near, far, apart("1-red-empty-box", "1-green-solid-kite")])[1] == pytest.approx(1)


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
    for some in doubts.values():
        assert some.keys() == {"8-s", "7-h"}
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
    assert doubts_beside_untaught(names, (), 3.0, suits_apart).keys() == {"9-s", "7-h", "8-h"}
    # a complete deck lacks no faces of a joker's kind
    whole = [rank + suit for rank in ("7", "8", "9", "10") for suit in "shdc"]
    assert not lacks_uncomposed([*whole, "joker"], ())
