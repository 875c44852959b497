"""`coyote render`: frames with their truth, and every way to get it wrong."""

import json
from pathlib import Path

import cv2
import pytest

from tests.firmware.conftest import Coyote


def test_a_frame_and_its_truth(coyote: Coyote, tmp_path: Path) -> None:
    picture, truth = tmp_path / "table.png", tmp_path / "table.json"
    line = f"render piquet --cards 4 --layout crossing --size 1920x1080 --seed 7 -o {picture} --truth {truth}"
    assert coyote(line).code == 0
    assert cv2.imread(str(picture)).shape == (1080, 1920, 3)
    told = json.loads(truth.read_text(encoding="utf-8"))
    assert told["seed"] == 7
    assert len(told["cards"]) == 4
    assert all(len(card["outline"]) == 4 and 0 <= card["visible"] <= 1 for card in told["cards"])
    first = picture.read_bytes()
    assert coyote(line).code == 0
    assert picture.read_bytes() == first


def test_a_fault_on_demand(coyote: Coyote, tmp_path: Path) -> None:
    picture = tmp_path / "black.jpg"
    assert coyote(f"render coup --fault black --size 1920x1080 -o {picture}").code == 0
    assert cv2.imread(str(picture)).max() < 8


@pytest.mark.parametrize(
    "line",
    [
        "render coup -o {there}.gif",
        "render coup",
        "render tarot -o {there}.png",
        "render piquet --cards 30 -o {there}.png",
        "render coup --level L9 -o {there}.png",
        "render coup --fault frozen -o {there}.png",
        "render coup --cards 0 --size 1920x1080 -o {there}/nowhere/x.png",
    ],
)
def test_what_is_wrong_is_one_line(coyote: Coyote, tmp_path: Path, line: str) -> None:
    said = coyote(line.format(there=tmp_path / "x"))
    assert said.code in {1, 2}
    assert said.err.count("\n") == 1
    assert not list(tmp_path.glob("x*"))


def test_bench_of_the_twin(coyote: Coyote) -> None:
    told = json.loads(coyote("bench twin --frames 1 --json").out)
    assert {row["size"] for row in told["frames"]} == {"2028x1520", "1920x1080"}
    assert all(row["median"] > 0 for row in told["frames"])
