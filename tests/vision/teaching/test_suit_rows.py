"""A deck from home, taught by four pictures: a suit each, in two rows; what is amiss is one line."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.scene import CARD, Glare, SceneLight, Surface
from referee.kit.french_cards import CARDS, SUIT_ROWS, suit_rows
from tests.tiers import release, slow, tiered
from tests.vision.photographs import laid, ours
from tests.vision.sets.drawn_decks import playing_cards
from vision.teaching.likeness import distance
from vision.teaching.picture_folders import read_photograph
from vision.teaching.suit_rows import check_suit, learn_suits, teach_rows
from vision.troubles import Problem, TroubleError

SPADES = SUIT_ROWS["spades"]
NEAR = 0.3
"""A card that was cut out rightly differs less from its print."""


def test_rows_contain_each_card_once() -> None:
    told = [face for rows in SUIT_ROWS.values() for row in rows for face in row]
    assert sorted(told) == sorted(CARDS)
    assert suit_rows(CARDS) == SUIT_ROWS
    assert suit_rows(PRINTED["piquet"].counts)["hearts"] == (("Ah", "7h", "8h", "9h", "10h", "Jh", "Qh", "Kh"),)
    assert not suit_rows(PRINTED["coup"].counts)
    assert SPADES == (("As", "2s", "3s", "4s", "5s", "6s", "7s"), ("8s", "9s", "10s", "Js", "Qs", "Ks"))


@release("one suit is taught so at each commit: below, by a command, and from the pages")
def test_four_pictures_teach_52_cards(tmp_path: Path) -> None:
    surfaces: tuple[Surface, ...] = ("felt", "wood", "light", "felt")
    for (suit, rows), surface in zip(SUIT_ROWS.items(), surfaces, strict=True):
        cv2.imwrite(str(tmp_path / f"{suit}.jpg"), laid(rows, ours, surface))
    lesson = learn_suits(tmp_path, SUIT_ROWS, "home")
    assert [shot.problem for shot in lesson.shots if shot.problem is not None] == []
    assert set(lesson.taught.faces) == set(CARDS)
    assert lesson.taught.counts == dict.fromkeys(CARDS, 1)
    assert lesson.taught.card == CARD
    for face, (picture,) in lesson.taught.faces.items():
        rivals = (each for each in CARDS if each[-1] == face[-1])
        assert min(rivals, key=lambda each: distance(ours(each), picture)) == face


@slow("a foreign deck, whose cards have no colours of our own")
def test_teaches_deck_drawn_by_others() -> None:
    named = teach_rows(laid(SPADES, playing_cards().face, "wood"), SPADES)
    assert list(named) == [face for row in SPADES for face in row]
    for face in ("As", "6s", "9s", "Ks"):
        assert distance(playing_cards().face(face), named[face].picture) < NEAR


ABOVE, BELOW = SPADES
TWICE = (*ABOVE[:3], "3s", *ABOVE[4:])
AMISS = {
    "short": ((ABOVE, BELOW[:-1]), Problem("suit row", {"row": 2, "found": 5, "wanted": 6})),
    "gap": (((*ABOVE[:3], "", *ABOVE[4:]), BELOW), Problem("suit gap", {"row": 1, "face": "4s"})),
    "twice": ((TWICE, BELOW), Problem("suit twice", {"face": "3s", "other": "4s"})),
    "one row": ((ABOVE, ()), Problem("suit rows", {"found": 1, "wanted": 2, "cards": 7})),
}


@slow("a rendered picture for each thing that may be amiss")
@pytest.mark.parametrize("what", tiered(("twice",), tuple(AMISS)))
def test_what_is_amiss_is_named(what: str) -> None:
    rows, problem = AMISS[what]
    with pytest.raises(TroubleError) as raised:
        teach_rows(laid(rows), SPADES)
    assert raised.value.problem == problem


HIDDEN = Problem("suit gap", {"row": 1, "face": "5s"})  # its line says that the card may shine


@slow("a rendered picture of thirteen cards under a lamp")
@pytest.mark.parametrize(("strength", "problem"), [(1.2, Problem("suit glare", {"face": "5s"})), (1.6, HIDDEN)])
def test_reports_card_with_mirrored_lamp(strength: float, problem: Problem) -> None:
    lamp = SceneLight(glares=(Glare(74.0, -52.0, radius=45.0, strength=strength),))
    with pytest.raises(TroubleError) as raised:
        teach_rows(laid(SPADES, light=lamp), SPADES)
    assert raised.value.problem == problem


def test_rejects_suit_shown_before() -> None:
    spades = {face: ours(face) for face in ("As", "2s")}
    again = {"Ah": ours("As"), "2h": ours("2s")}
    with pytest.raises(TroubleError) as raised:
        check_suit(spades, again)
    assert raised.value.problem == Problem("suit again", {"face": "Ah", "other": "As"})
    check_suit(spades, {face: ours(face) for face in ("Ac", "2c", "Ah", "2h")})
    check_suit(spades, spades)


def test_reports_bad_picture_and_learns_the_others(tmp_path: Path) -> None:
    (tmp_path / "spades.jpg").write_bytes(b"no picture")
    cv2.imwrite(str(tmp_path / "swords.png"), np.zeros((60, 60, 3), np.uint8))
    lesson = learn_suits(tmp_path, SUIT_ROWS, "home")
    assert [shot.problem.key for shot in lesson.shots if shot.problem] == ["no picture", "no suit"]
    assert lesson.missed_faces == ("spades", "swords")
    assert read_photograph(tmp_path / "swords.png").shape == (60, 60, 3)
