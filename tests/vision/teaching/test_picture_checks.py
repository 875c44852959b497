"""Photographs of one face that disagree."""

from functools import cache

import cv2
import numpy as np
import pytest

from hardware.twin.rendering.renderer import faces_of
from tests.vision.foreign.sheets import kept_deck
from vision.teaching.kept_cuts import CutCard
from vision.teaching.picture_checks import Shot, find_disagreements
from vision.troubles import Problem


@cache
def flat(face: str) -> np.ndarray:
    return cv2.resize(faces_of("coup")(face), (252, 352), interpolation=cv2.INTER_AREA)


def test_doubts_one_of_two_odd_pictures() -> None:
    shots = [Shot(f"duke__{like}.png", "duke", CutCard(flat(like))) for like in ("duke", "captain")]
    assert [problem.key for problem in find_disagreements(shots).values()] == ["disagrees"]


@pytest.mark.parametrize("order", [1, -1])
def test_prefers_sharper_picture(order: int) -> None:
    soft = CutCard(np.asarray(cv2.GaussianBlur(flat("duke"), (0, 0), 25), np.uint8))
    files = ("duke.png", "duke__2.png")[::order]
    shots = [Shot(file, "duke", card) for file, card in zip(files, (soft, CutCard(flat("duke"))), strict=True)]
    assert find_disagreements(shots[::order]) == {
        files[0]: Problem("disagrees", {"file": files[0], "other": files[1]})
    }


def test_other_colour_is_another_face() -> None:
    deck = kept_deck("coloured")
    shown = {name: cv2.resize(deck.face(name), (252, 352)) for name in ("red-7", "blue-7")}
    laid = ("red-7", "blue-7", "red-7")
    shots = [Shot(f"red-7__{i}.png", "red-7", CutCard(shown[name])) for i, name in enumerate(laid)]
    wrong = find_disagreements([*shots, Shot("blue-7.png", "blue-7", CutCard(shown["blue-7"]))])
    assert {file: problem.key for file, problem in wrong.items()} == {"red-7__1.png": "another face"}
