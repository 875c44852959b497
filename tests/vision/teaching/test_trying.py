"""A deck tries itself: what it learns is kept by its content, and tells what won't be told apart."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from tests.vision.sets.drawn_decks import playing_cards
from vision.reading.certainty import CERTAIN, UNTRIED, is_usable, probability
from vision.reading.focus import is_afar
from vision.reading.templates import Picture, templates
from vision.teaching.tried_decks import prepare_deck, try_taught
from vision.teaching.trying import certainty_of, doubts_of, try_deck

SIZE = (63.0, 88.0)


def print_card(text: str, colour: tuple[int, int, int] = (30, 30, 30)) -> Picture:
    """Print a large sign, and small ones in two corners."""
    card = np.full((352, 252, 3), 245, np.uint8)
    cv2.putText(card, text, (60, 230), cv2.FONT_HERSHEY_SIMPLEX, 5, colour, 14)
    for turn in range(2):
        card = np.ascontiguousarray(np.rot90(card, 2)) if turn else card
        cv2.putText(card, text, (12, 48), cv2.FONT_HERSHEY_SIMPLEX, 1.4, colour, 4)
    return card


def nearly_alike(number: int) -> Picture:
    """Print the same card with a speck of its own."""
    card = print_card("8")
    card[300:303, 40 + 30 * number : 43 + 30 * number] = 90
    return card


SIGNS = {sign: (print_card(sign),) for sign in "ABCDE2"}
ALIKE = {**SIGNS, "8": (nearly_alike(0),), "9": (nearly_alike(1),)}


def test_a_deck_of_clear_faces_has_no_doubts_and_its_names_are_sure() -> None:
    deck = templates(SIGNS, SIZE)
    trials = try_deck(deck, SIGNS)
    assert all(trial.read == trial.face for trial in trials if not trial.is_stranger)
    assert all(trial.read != trial.face for trial in trials if trial.is_stranger)
    assert doubts_of(deck, trials) == ()
    certainty = certainty_of(deck, trials)
    assert is_usable(certainty)
    assert probability(certainty, 2.0, 0.9, frozenset("AB")) >= CERTAIN


def test_faces_that_differ_by_a_speck_are_doubtful_and_others_aren_t() -> None:
    deck = templates(ALIKE, SIZE)
    doubts = doubts_of(deck, try_deck(deck, ALIKE))
    assert [{doubt.face, doubt.other} for doubt in doubts] == [{"8", "9"}]


def test_a_deck_is_tried_from_afar_too() -> None:
    deck = templates(SIGNS, SIZE)
    trials = [trial for trial in try_deck(deck, SIGNS) if trial.view == "steep"]
    assert len(trials) == 2 * len(SIGNS)
    assert all(is_afar(trial.card.pose, deck.fine.shape) for trial in trials)
    certainty = certainty_of(deck, try_deck(deck, SIGNS))
    assert certainty.afar is not None
    assert is_usable(certainty.afar)
    assert not is_usable(replace(certainty, afar=replace(certainty.afar, told=1.0)))


def test_what_half_covered_strangers_pass_for_is_learned_apart() -> None:
    deck = templates(SIGNS, SIZE)
    trials = try_deck(deck, SIGNS)
    # whole strangers never pass here, half covered ones always
    passing = next(trial for trial in trials if not trial.is_stranger and trial.view == "half covered")
    strange = [
        trial._replace(card=passing.card)
        if trial.is_stranger and trial.view == "half covered"
        else trial._replace(card=replace(trial.card, margin=0.0))
        if trial.is_stranger
        else trial
        for trial in trials
    ]
    certainty = certainty_of(deck, strange)
    assert certainty.covered is not None
    assert is_usable(certainty.covered)
    assert certainty.covered.mistaken > 0.9
    assert certainty.mistaken < 0.5
    assert not is_usable(replace(certainty, covered=replace(certainty.covered, told=1.0)))


def test_a_soft_picture_of_a_face_is_as_clear_in_trials_as_on_a_table() -> None:
    faces = {name: (playing_cards().face(name),) for name in ("7c", "7s", "8c", "8s")}
    trials = try_deck(templates(faces, SIZE), faces)
    steep = [trial.card.margin for trial in trials if trial.view == "steep" and not trial.is_stranger]
    assert min(steep) > 0.5


def test_trials_are_the_same_again() -> None:
    deck = templates(SIGNS, SIZE)
    assert certainty_of(deck, try_deck(deck, SIGNS)) == certainty_of(deck, try_deck(deck, SIGNS))


def test_several_pictures_of_a_face_are_tried_with_each_other() -> None:
    bright = {face: (one, np.asarray(one * 0.8, np.uint8)) for face, (one,) in SIGNS.items()}
    deck = templates(bright, SIZE)
    assert doubts_of(deck, try_deck(deck, bright)) == ()


def test_a_deck_of_one_face_is_prepared_too() -> None:
    deck = prepare_deck({"A": SIGNS["A"]}, SIZE)
    assert is_usable(deck.certainty)


def test_what_was_learned_is_kept_and_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = prepare_deck(SIGNS, SIZE, tmp_path / "tried").certainty
    assert first != UNTRIED
    monkeypatch.setattr("vision.teaching.tried_decks.try_deck", _never)
    assert prepare_deck(SIGNS, SIZE, tmp_path / "tried").certainty == first


def _never(*_arguments: object) -> None:
    raise AssertionError("tried again")


@pytest.mark.parametrize("content", [b"", b"{", b"{}", b"\xff\x00", b"[" * 2000])
def test_a_spoiled_file_is_made_anew(tmp_path: Path, content: bytes) -> None:
    first = prepare_deck(SIGNS, SIZE, tmp_path).certainty
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    file.write_bytes(content)
    assert prepare_deck(SIGNS, SIZE, tmp_path).certainty == first
    assert file.read_bytes() == whole


def test_figures_that_were_tampered_with_are_learned_anew(tmp_path: Path) -> None:
    first = prepare_deck(SIGNS, SIZE, tmp_path).certainty
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes().replace(b'"told":', b'"told":1'))
    assert prepare_deck(SIGNS, SIZE, tmp_path).certainty == first


def test_another_picture_is_another_deck(tmp_path: Path) -> None:
    prepare_deck(SIGNS, SIZE, tmp_path)
    prepare_deck({**SIGNS, "A": (print_card("Z"),)}, SIZE, tmp_path)
    prepare_deck(SIGNS, (70.0, 70.0), tmp_path)
    assert len(list(tmp_path.iterdir())) == 3


def test_without_a_folder_to_keep_it_a_deck_is_tried_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    assert is_usable(prepare_deck(SIGNS, SIZE, tmp_path / "file" / "tried").certainty)


def test_teaching_keeps_what_its_trials_taught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    doubts = try_taught(ALIKE, SIZE, tmp_path)
    assert [{doubt.face, doubt.other} for doubt in doubts] == [{"8", "9"}]
    monkeypatch.setattr("vision.teaching.tried_decks.try_deck", _never)
    assert is_usable(prepare_deck(ALIKE, SIZE, tmp_path).certainty)
