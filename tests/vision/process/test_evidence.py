"""Evidence: annotated pictures in a folder of limited size."""

import os
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from vision.process.evidence import Sidecar, annotate_picture, as_jpeg, keep_evidence, pictures_of_match
from vision.sightings import Outline, Reading, RunnerUp, Sighting, UnexplainedThing

BOX: Outline = ((40.0, 40.0), (140.0, 40.0), (140.0, 180.0), (40.0, 180.0))
SURE = Sighting("20", True, 0.93, (RunnerUp("2", 0.4),), BOX, "up", 1.0, 0.0)
READING = Reading((SURE,), (UnexplainedThing(((200.0, 50.0), (230.0, 50.0), (215.0, 90.0)), 0.2),))
PICTURE = np.full((240, 320, 3), 60, np.uint8)
JPEG = as_jpeg(PICTURE, READING)


def keep_picture(folder: Path, match: str, moment: int, age: int, most: int = 10**9) -> Path:
    file = keep_evidence(folder, JPEG, Sidecar(match, moment, READING), most)
    os.utime(file, (age, age))
    return file


def test_annotates_a_copy_of_the_picture() -> None:
    shown = annotate_picture(PICTURE, READING)
    assert (PICTURE == 60).all()
    assert (shown[40, 60:120] != 60).any()
    assert (shown[60:160, 60:120] == 60).all()
    assert (shown[50, 205:225] != 60).any()


def test_stores_picture_with_its_reading(tmp_path: Path) -> None:
    file = keep_evidence(tmp_path / "evidence", JPEG, Sidecar("m-1", 7, READING, "shown"))
    assert file.name == "m-1.000007.jpg"
    assert cv2.imread(str(file)).shape == PICTURE.shape
    back = msgspec.json.decode(file.with_suffix(".json").read_bytes(), type=Sidecar)
    assert back == Sidecar("m-1", 7, READING, "shown")
    assert keep_evidence(file.parent, JPEG, Sidecar("m-1", 7, READING)).name == "m-1.000007-2.jpg"
    assert len(pictures_of_match(file.parent, "m-1")) == 2


def test_deletes_oldest_evidence_first_and_open_match_last(tmp_path: Path) -> None:
    files = [
        keep_picture(tmp_path, match, moment, age)
        for match, moment, age in (("9", 1, 900), ("9", 12, 100), ("10", 2, 0), ("10", 11, 5), ("11", 1, 1))
    ]
    size = sum(file.stat().st_size for file in tmp_path.iterdir()) / len(files)
    for moment, oldest in enumerate((*files[2:], *files[:2]), 13):
        before = set(tmp_path.glob("*.jpg"))
        newest = keep_picture(tmp_path, "9", moment, 0, most=round(5.5 * size))
        assert {*tmp_path.glob("*.jpg")} == before - {oldest} | {newest}
        assert not oldest.with_suffix(".json").exists()


@pytest.mark.parametrize("match", ["", "../x", "a/b", "a.b", ".x", "x" * 90])
def test_rejects_unsafe_match_names(tmp_path: Path, match: str) -> None:
    with pytest.raises(ValueError, match="evidence"):
        keep_evidence(tmp_path, JPEG, Sidecar(match, 1, READING))
