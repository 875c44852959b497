"""A deck tries itself: what it learns is kept by its content, and tells what won't be told apart."""

from pathlib import Path

import numpy as np
import pytest

from tests.vision.teaching.cards import SIGNS, print_card
from vision.reading.identifying import chance_of
from vision.reading.templates import CERTAIN, UNTRIED, Picture, Templates, is_usable, templates
from vision.teaching.tried_decks import (
    Trial,
    certainty_of,
    doubts_of,
    prepare_deck,
    try_deck,
    try_taught,
    worst_shortfalls,
)

SIZE = (63.0, 88.0)


def nearly_alike(number: int) -> Picture:
    """Print the same card with a speck of its own."""
    card = print_card("8")
    card[300:303, 40 + 30 * number : 43 + 30 * number] = 90
    return card


PAIR = {sign: SIGNS[sign] for sign in "AB"}
ALIKE = {**PAIR, "8": (nearly_alike(0),), "9": (nearly_alike(1),)}


@pytest.fixture(scope="module")
def deck() -> Templates:
    return templates(SIGNS, SIZE)


@pytest.fixture(scope="module")
def trials(deck: Templates) -> tuple[Trial, ...]:
    return try_deck(deck, SIGNS)


@pytest.fixture(scope="module")
def pair() -> tuple[Templates, tuple[Trial, ...]]:
    deck = templates(PAIR, SIZE)
    return deck, try_deck(deck, PAIR)


def test_clear_faces_are_sure_without_doubts(deck: Templates, trials: tuple[Trial, ...]) -> None:
    # of half a card it may be the half without its sign that shows
    assert all(
        (trial.read == trial.face) is not trial.is_stranger for trial in trials if trial.view != "half covered"
    )
    assert doubts_of(deck, trials) == ()
    certainty = certainty_of(deck, trials)
    assert is_usable(certainty)
    near = [trial for trial in trials if trial.view == "near"]
    for trial in near:
        told = chance_of(trial.card, trial.card.margin, certainty)
        assert (told >= CERTAIN) is not trial.is_stranger


def test_limits_of_few_trials_are_at_least_the_usual_ones(deck: Templates, trials: tuple[Trial, ...]) -> None:
    """A deck has few trials; the luckiest ones would rule out cards in worse light."""
    worst, own = certainty_of(deck, trials).worst, worst_shortfalls(trials)
    for extent, usual in UNTRIED.worst.items():
        assert worst[extent] == tuple(max(both) for both in zip(usual, own[extent], strict=True))


def test_trials_are_deterministic(pair: tuple[Templates, tuple[Trial, ...]]) -> None:
    deck, trials = pair
    assert certainty_of(deck, try_deck(deck, PAIR)) == certainty_of(deck, trials)


def test_tries_pictures_of_a_face_with_each_other() -> None:
    bright = {face: (*SIGNS[face], np.asarray(SIGNS[face][0] * 0.8, np.uint8)) for face in "ABC"}
    deck = templates(bright, SIZE)
    assert doubts_of(deck, try_deck(deck, bright)) == ()


def test_prepares_deck_of_one_face(tmp_path: Path) -> None:
    one = {"A": SIGNS["A"]}
    assert is_usable(prepare_deck(one, SIZE, tmp_path).certainty)
    prepare_deck({"A": (print_card("Z"),)}, SIZE, tmp_path)
    prepare_deck(one, (70.0, 70.0), tmp_path)
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.parametrize("content", [b"{", b"{}", b"\xff\x00", b"[" * 2000, None])
def test_stores_trials_and_repeats_spoiled_ones(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    pair: tuple[Templates, tuple[Trial, ...]],
    content: bytes | None,
) -> None:
    monkeypatch.setattr("vision.teaching.tried_decks.try_deck", lambda *_arguments: pair[1])
    first = prepare_deck(PAIR, SIZE, tmp_path / "tried").certainty
    assert first != UNTRIED
    (file,) = (tmp_path / "tried").iterdir()
    whole = file.read_bytes()
    # a figure that was tampered with is no more than a spoiled file
    file.write_bytes(whole.replace(b'"weights":[', b'"weights":[1,') if content is None else content)
    assert prepare_deck(PAIR, SIZE, tmp_path / "tried").certainty == first
    assert file.read_bytes() == whole
    monkeypatch.setattr("vision.teaching.tried_decks.try_deck", _never)
    assert prepare_deck(PAIR, SIZE, tmp_path / "tried").certainty == first


def _never(*_arguments: object) -> None:
    raise AssertionError("tried again")


def test_teaching_reports_look_alikes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    doubts = try_taught(ALIKE, SIZE, tmp_path)
    assert [{doubt.face, doubt.other} for doubt in doubts if not doubt.is_untaught] == [{"8", "9"}]
    # without its picture, each of the two would be named as the other
    assert {(doubt.face, doubt.other) for doubt in doubts if doubt.is_untaught} == {("8", "9"), ("9", "8")}
    monkeypatch.setattr("vision.teaching.tried_decks.try_deck", _never)
    assert is_usable(prepare_deck(ALIKE, SIZE, tmp_path).certainty)
