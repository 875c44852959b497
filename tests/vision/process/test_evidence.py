"""Evidence: pictures drawn upon and kept, in a folder of limited size."""

import os
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from vision.process.evidence import (
    Sidecar,
    _draw_label,
    _overlap,
    annotate_picture,
    as_jpeg,
    keep_evidence,
    label,
    pictures_of_match,
    place_label,
    throw_out_oldest,
)
from vision.sightings import Outline, Reading, RunnerUp, Sighting, UnexplainedThing

BOX: Outline = ((40.0, 40.0), (140.0, 40.0), (140.0, 180.0), (40.0, 180.0))
SURE = Sighting("20", True, 0.93, (RunnerUp("2", 0.4),), BOX, "up", 1.0, 0.0)
UNSURE = Sighting(None, False, 0.5, (RunnerUp("6", 0.5), RunnerUp("9", 0.49)), BOX, "up", 1.0)
BACK = Sighting(None, True, 0.8, (), BOX, "down", 1.0)
READING = Reading((SURE,), (UnexplainedThing(((200.0, 50.0), (230.0, 50.0), (215.0, 90.0)), 0.2),))
PICTURE = np.full((240, 320, 3), 60, np.uint8)
JPEG = as_jpeg(PICTURE, READING)


def keep_picture(folder: Path, match: str, moment: int, age: int, most: int = 10**9) -> Path:
    file = keep_evidence(folder, JPEG, Sidecar(match, moment, READING), most)
    for part in (file, file.with_suffix(".json")):
        if part.exists():
            os.utime(part, (age, age))
    return file


def test_cards_are_named_in_few_signs() -> None:
    assert [label(card) for card in (SURE, UNSURE, BACK)] == ["20 0.93", "6? 0.50 9? 0.49", "back 0.80"]


def test_outlines_and_labels_are_drawn_into_a_copy() -> None:
    shown = annotate_picture(PICTURE, READING)
    assert (PICTURE == 60).all()
    assert (shown[40, 60:120] != 60).any()
    assert (shown[60:160, 60:120] == 60).all()
    assert (shown[50, 205:225] != 60).any()


def test_a_picture_and_its_reading_are_kept(tmp_path: Path) -> None:
    file = keep_evidence(tmp_path / "evidence", JPEG, Sidecar("m-1", 7, READING, "shown"))
    assert file.name == "m-1.000007.jpg"
    assert cv2.imread(str(file)).shape == PICTURE.shape
    back = msgspec.json.decode(file.with_suffix(".json").read_bytes(), type=Sidecar)
    assert back == Sidecar("m-1", 7, READING, "shown")
    assert keep_evidence(file.parent, JPEG, Sidecar("m-1", 7, READING)).name == "m-1.000007-2.jpg"
    assert len(pictures_of_match(file.parent, "m-1")) == 2


def test_the_oldest_go_first_and_the_open_match_last(tmp_path: Path) -> None:
    first = keep_picture(tmp_path, "open", 1, 100)
    old, older = keep_picture(tmp_path, "b", 1, 300), keep_picture(tmp_path, "a", 1, 200)
    size = sum(path.stat().st_size for path in (first, first.with_suffix(".json")))
    keep_picture(tmp_path, "open", 2, 400, most=round(3.5 * size))
    assert first.exists()
    assert not older.exists()
    assert not older.with_suffix(".json").exists()
    assert old.exists()
    newest = pictures_of_match(tmp_path, "open")[-1]
    assert throw_out_oldest(tmp_path, "open", most=0, newest=newest) == [old, first]
    assert pictures_of_match(tmp_path, "open") == [newest]


def test_the_oldest_go_first_also_by_a_clock_that_jumps(tmp_path: Path) -> None:
    files = [
        keep_picture(tmp_path, match, moment, age)
        for match, moment, age in (("9", 1, 900), ("9", 12, 100), ("10", 2, 0), ("10", 11, 5), ("11", 1, 1))
    ]
    assert throw_out_oldest(tmp_path, "9", most=0) == [*files[2:], *files[:2]]


def test_a_folder_stays_within_its_bound(tmp_path: Path) -> None:
    bound = 40_000
    for number in range(30):
        keep_picture(tmp_path, f"m{number}", 1, 1000 + number, most=bound)
        assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= bound


@pytest.mark.parametrize("match", ["", "../x", "a/b", "a.b", ".x", "x" * 90])
def test_names_that_lead_elsewhere_are_refused(tmp_path: Path, match: str) -> None:
    with pytest.raises(ValueError, match="evidence"):
        keep_evidence(tmp_path, JPEG, Sidecar(match, 1, READING))


def test_labels_cover_no_card_where_there_is_room() -> None:
    size, plate = (800, 600), (120, 24)
    cards = [(100.0, 40.0, 200.0, 180.0), (210.0, 40.0, 310.0, 180.0), (100.0, 0.0, 200.0, 36.0)]
    for card in cards:
        left, top, right, low = place_label(card, plate, cards, size)
        assert (right - left, low - top) == plate
        assert left >= 0
        assert top >= 0
        assert not any(
            left < other[2] and other[0] < right and top < other[3] and other[1] < low for other in cards
        )


def test_a_label_stays_in_the_picture_even_over_a_card() -> None:
    whole = (0.0, 0.0, 320.0, 240.0)
    left, top, right, low = place_label(whole, (120, 24), [whole], (320, 240))
    assert left >= 0
    assert top >= 0
    assert (right <= 320, low <= 240) == (True, True)


def test_a_label_has_dark_ground_on_all_sides() -> None:
    shown = np.full((240, 320, 3), 60, np.uint8)
    _draw_label(shown, SURE, [], 2)
    drawn, letters = (shown != 60).any(axis=2), (shown > 60).any(axis=2)
    for axis in (0, 1):
        plate, text = (np.flatnonzero(which.any(axis=axis)) for which in (drawn, letters))
        assert plate[0] < text[0]
        assert text[-1] < plate[-1]


@pytest.mark.parametrize("left", range(-6, 12, 3))
@pytest.mark.parametrize("top", range(-6, 12, 3))
def test_two_boxes_overlap_by_the_pixels_that_both_cover(left: int, top: int) -> None:
    """Places that lie beside a card's label are told from those upon it."""
    one, other = (20, 0, 29, 5), (20 + left, top, 24 + left, 8 + top)
    canvas = np.zeros((60, 80), int)
    for x, y, right, low in (one, other):
        canvas[y + 20 : low + 20, x:right] += 1
    assert _overlap(one, other) == _overlap(other, one) == (canvas == 2).sum()
