"""`coyote teach` and `coyote calibrate`, as typed."""

import json
import os
import re
from base64 import b64decode
from pathlib import Path
from string import Formatter
from typing import get_args

import cv2
import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from firmware.language.troubles import WORDS, problem_text
from firmware.storage.places import configuration_path, decks_directory, table_path
from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.faces import faces_of
from hardware.twin.rendering.layouts import LAYOUTS
from hardware.twin.rendering.levels import L0, random_scene
from hardware.twin.rendering.renderer import render
from tests.firmware.conftest import Coyote
from vision.table.calibration import Calibration, to_table
from vision.table.empty_table import load_empty_table
from vision.table.framing import Move, Way, tell_move
from vision.teaching.taught_decks import load_deck
from vision.troubles import Problem


@pytest.fixture
def scans(tmp_path: Path) -> Path:
    folder = tmp_path / "scans"
    folder.mkdir()
    for face in ("7h", "Qs"):
        picture = cv2.resize(faces_of("piquet")(face), (252, 352), interpolation=cv2.INTER_AREA)
        cv2.imwrite(str(folder / f"{face}.png"), picture)
    (folder / "counts.json").write_text('{"7h": 4}', encoding="utf-8")
    return folder


def test_a_deck_is_taught_where_decks_live(
    coyote: Coyote, scans: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    told = coyote(f"teach mine --from {scans}")
    assert told.code == 0
    assert told.out.splitlines()[0].split() == ["7h", "1", "picture,", "4", "in", "the", "deck"]
    home = decks_directory({"STATE_DIRECTORY": str(tmp_path / "state")}) / "mine"
    assert load_deck(home).counts == {"7h": 4, "Qs": 1}


def test_a_taught_deck_is_looked_at_as_it_was_cut_out(coyote: Coyote, scans: Path, tmp_path: Path) -> None:
    (scans / "Qs.png").rename(scans / "Queen & Jack__2.png")
    told = coyote(f"teach mine --from {scans} --into '{tmp_path / 'my deck'}'")
    assert f"coyote decks show '{tmp_path / 'my deck'}' -o deck.html" in told.out
    page = tmp_path / "deck.html"
    assert coyote(f"decks show '{tmp_path / 'my deck'}' -o {page}").code == 0
    drawn = page.read_text(encoding="utf-8")
    assert "Queen &amp; Jack × 1" in drawn
    packed = re.findall(r'src="data:image/jpeg;base64,([^"]*)"', drawn)
    taught = load_deck(tmp_path / "my deck").faces
    assert len(packed) == sum(map(len, taught.values())) == 2
    shown = cv2.imdecode(np.frombuffer(b64decode(packed[0]), np.uint8), cv2.IMREAD_COLOR)
    whole = cv2.resize(taught["7h"][0], shown.shape[1::-1], interpolation=cv2.INTER_AREA)
    assert np.abs(shown.astype(np.float32) - whole).mean() < 4


def test_only_a_taught_deck_is_looked_at(
    coyote: Coyote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    told = coyote(f"decks show coup -o {tmp_path / 'coup.html'}")
    assert told.code == 2
    assert "coup wasn't taught" in told.err
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "deck.json").write_text("{")
    told = coyote(f"decks show {broken} -o {tmp_path / 'broken.html'}")
    assert (told.code, told.err.count("\n")) == (1, 1)
    assert "deck.json" in told.err
    assert not list(tmp_path.glob("*.html"))


def test_a_face_taught_again_keeps_its_count(coyote: Coyote, scans: Path, tmp_path: Path) -> None:
    assert coyote(f"teach mine --from {scans} --into {tmp_path / 'deck'}").code == 0
    for file in ("Qs.png", "counts.json"):
        (scans / file).unlink()
    told = json.loads(coyote(f"teach mine --from {scans} --into {tmp_path / 'deck'} --json").out)
    assert told["faces"] == {"7h": {"pictures": 1, "count": 4}}
    assert load_deck(tmp_path / "deck").counts == {"7h": 4, "Qs": 1}


def test_a_folder_of_which_no_picture_can_be_taught(coyote: Coyote, tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "7h.png").write_bytes(b"")
    told = coyote(f"teach mine --from {tmp_path / 'pictures'}")
    assert (told.code, told.err) == (1, "")
    assert "7h               NOT TAUGHT" in told.out
    assert not (decks_directory(os.environ) / "mine").exists()


def coup_scans(folder: Path, *faces: str) -> Path:
    """Keep scans of our own cards of Coup."""
    folder.mkdir()
    for face in faces:
        picture = cv2.resize(faces_of("coup")(face), (252, 352), interpolation=cv2.INTER_AREA)
        cv2.imwrite(str(folder / f"{face}.png"), picture)
    return folder


@pytest.mark.parametrize("faces", [("7h", *PRINTED["coup"].counts), ("duke",)])
def test_a_printed_deck_gives_its_name_to_none_but_the_whole_same_deck(
    coyote: Coyote, tmp_path: Path, faces: tuple[str, ...]
) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    for face in faces:
        (folder / f"{face}.png").write_bytes(b"")
    told = coyote(f"teach coup --from {folder}")
    assert (told.code, told.out, told.err.count("\n")) == (2, "", 1)
    assert "choose another name" in told.err
    assert not (decks_directory(os.environ) / "coup").exists()
    (folder / "duke.png").unlink(missing_ok=True)
    told = coyote(f"teach coup --from {folder} --into {tmp_path / 'aside'}")
    assert "choose another name" not in told.err


def test_a_box_of_a_printed_deck_takes_its_place_and_says_so(coyote: Coyote, tmp_path: Path) -> None:
    folder = coup_scans(tmp_path / "pictures", *PRINTED["coup"].counts)
    told = coyote(f"teach coup --from {folder}")
    assert told.code == 0
    assert "coup is read by these pictures now" in told.out
    for file in folder.glob("[!d]*"):
        file.unlink()
    assert coyote(f"teach coup --from {folder}").code == 0


def test_a_face_that_is_only_counted_is_named(coyote: Coyote, scans: Path) -> None:
    (scans / "counts.json").write_text('{"7h": 4, "Kd": 2}', encoding="utf-8")
    told = coyote(f"teach mine --from {scans}")
    assert told.code == 0
    assert "counted, but without a picture: Kd" in told.out.splitlines()
    told = json.loads(coyote(f"teach mine --from {scans} --json").out)
    assert told["counted_only"] == ["Kd"]


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("counts.json", '{"7h": "many"}', "many can't be how many there are of 7h"),
        ("counts.json", '{"7h": [1]}', "[1] can't be how many there are of 7h"),
        ("counts.json", "[4, 1]", 'write them as {"7h": 4, "Qs": 1}'),
        ("counts.csv", "7h,4\nQs,-1\n", "-1 can't be how many there are of Qs"),
    ],
)
def test_wrong_counts_are_told_in_plain_words(
    coyote: Coyote, scans: Path, name: str, content: str, told: str
) -> None:
    (scans / "counts.json").unlink()
    (scans / name).write_text(content, encoding="utf-8")
    said = coyote(f"teach mine --from {scans}")
    assert (said.code, said.err.count("\n")) == (1, 1)
    assert told in said.err
    assert "xpected" not in said.err


def test_what_could_not_be_taught_is_named(coyote: Coyote, scans: Path, tmp_path: Path) -> None:
    (scans / "Ah.jpg").write_bytes(b"no picture")
    cv2.imwrite(str(scans / "7d.png"), cv2.imread(str(scans / "7h.png")))
    said_ = coyote(f"teach mine --from {scans} --into {tmp_path / 'deck'}")
    assert said_.code == 1
    assert "Ah               NOT TAUGHT" in said_.out
    assert "Ah.jpg: no picture that can be read" in said_.out
    assert "7d and 7h look alike" in said_.out
    (scans / "Qs.png").unlink()
    told = json.loads(coyote(f"teach mine --from {scans} --into {tmp_path / 'another'} --json").out)
    assert told["not_taught"] == ["Ah"]
    assert told["unreadable"][0]["problem"] == "no picture"
    assert told["look_alikes"][0]["first"] == "7d"


@pytest.mark.parametrize(
    "line",
    [
        "teach mine --from {there}/nowhere",
        "teach mine --from {there}/empty",
        "teach ../mine --from {there}/scans",
        "teach mine --from {there}/scans --into {there}/file/x",
        "teach mine --from {there}/scans --card huge",
        "teach mine --from {there}/scans --card 2x9000",
        "teach mine",
        "teach mine --from {there}/scans --face 12",
        "teach mine --from {there}/scans --like piquet",
        "teach mine --camera pi --json",
        "calibrate",
        "calibrate {there}/nowhere.png",
        "calibrate {there}/file",
        "calibrate {there}/x.png --camera pi",
        "calibrate --camera webcam",
        "calibrate {there}/scans/7h.png --apart far",
        "calibrate {there}/scans/7h.png --taps 1,1 90,1 90,90 1,90",
        "calibrate {there}/scans/7h.png --taps 1,1 90,1 90,90 --apart 800x600",
        "calibrate {there}/scans/7h.png --taps 1,1 90,1 90,90 left --apart 800x600",
        "calibrate {there}/scans/7h.png --taps 1,1 1,90 90,90 90,1 --apart 800x600",
        "calibrate {there}/scans/7h.png --taps 1,1 900,1 900,900 1,900 --apart 800x600",
    ],
)
def test_what_is_wrong_is_one_line(coyote: Coyote, scans: Path, tmp_path: Path, line: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("", encoding="utf-8")
    told = coyote(line.format(there=scans.parent))
    assert told.code in {1, 2}
    assert told.err.count("\n") == 1


def test_calibrate_tells_the_table(coyote: Coyote, tmp_path: Path) -> None:
    picture, kept = tmp_path / "table.png", tmp_path / "table.json"
    scene = random_scene(L0, LAYOUTS["separate"], ("duke",), 1)
    cv2.imwrite(str(picture), render(scene, faces_of("coup")).picture)
    told = coyote(f"calibrate {picture} --apart 844x556 -o {kept}")
    assert told.code == 0
    assert "px are a millimetre" in told.out
    assert kept.exists()
    again = json.loads(coyote(f"calibrate --camera file:{picture} --apart 844x556 --json").out)
    assert again["problems"] == []
    assert again["calibration"] == json.loads(kept.read_bytes())
    assert set(again["calibration"]) == set(Calibration.__struct_fields__)
    assert coyote(f"calibrate {picture} -o {tmp_path / 'nowhere' / 'x'}").code == 1


def test_a_calibration_is_kept_where_it_is_looked_for_with_the_empty_table(
    coyote: Coyote, tmp_path: Path
) -> None:
    picture, kept = tmp_path / "table.png", table_path(os.environ)
    scene = random_scene(L0, LAYOUTS["separate"], (), 1)
    cv2.imwrite(str(picture), render(scene, faces_of("coup")).picture)
    assert coyote(f"calibrate {picture} --empty").code == 0
    table = msgspec.json.decode(kept.read_bytes(), type=Calibration)
    assert len(table.markers) == 4
    assert load_empty_table(kept.with_suffix(".png")) is not None
    taps = [shape[0] for shape in table.markers.values()]
    typed = " ".join(f"{x:.1f},{y:.1f}" for x, y in taps)
    assert coyote(f"calibrate {picture} --taps {typed} --apart 844x556").code == 0
    tapped = msgspec.json.decode(kept.read_bytes(), type=Calibration)
    assert tapped.markers == {}
    there = to_table(tapped, np.array(taps))
    assert np.abs(np.abs(there) - (422, 278)).max() < 0.1


@pytest.mark.parametrize("apart", ["84x55", "84.4x55.6", "556x844", "844x656", "744x556", "8440x5560"])
def test_distances_that_the_markers_rule_out_are_refused(coyote: Coyote, tmp_path: Path, apart: str) -> None:
    picture, kept = tmp_path / "table.png", table_path(os.environ)
    cv2.imwrite(str(picture), render(random_scene(L0, LAYOUTS["separate"], (), 1), faces_of("coup")).picture)
    assert coyote(f"calibrate {picture} --apart 850x550").code == 0
    before = kept.read_bytes()
    told = coyote(f"calibrate {picture} --apart {apart}")
    assert (told.code, told.out, told.err.count("\n")) == (2, "", 1)
    assert f"{apart} can't be: by their size the markers are about 840x554 mm apart" in told.err
    assert kept.read_bytes() == before


def test_calibrate_says_what_is_wrong(coyote: Coyote, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "black.png"), np.zeros((300, 400, 3), np.uint8))
    told = coyote(f"calibrate {tmp_path / 'black.png'}")
    assert told.code == 1
    assert "too dark" in told.out


def test_calibrate_looks_through_the_tables_camera_and_says_how_to_move_it(
    coyote: Coyote, tmp_path: Path
) -> None:
    picture = tmp_path / "table.png"
    scene = random_scene(L0, LAYOUTS["separate"], (), 1)
    high = replace(scene, camera=replace(scene.camera, at=(0.0, 0.0, 1100.0), tilt=0.0, roll=0.0))
    cv2.imwrite(str(picture), render(high, faces_of("coup")).picture)
    file = configuration_path(os.environ)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f'[camera]\nname = "file:{picture}"\n', encoding="utf-8")
    told = coyote("calibrate")
    assert told.code == 1
    assert "the camera is too far away" in told.out
    assert "Lower the camera by" in told.out


def test_every_way_to_move_a_camera_has_words() -> None:
    for way in get_args(Way):
        told = problem_text(tell_move(Move(way, 30.0, 1.0)))
        assert ("3 cm" in told) != ("30°" in told), told


def test_every_problem_has_words() -> None:
    for key, words in WORDS.items():
        values = {name: 1.0 for _text, name, _spec, _how in Formatter().parse(words) if name}
        assert "{" not in problem_text(Problem(key, values))
        assert problem_text(Problem(key, values)) != key
    assert problem_text(Problem("news")) == "news"
    assert problem_text(Problem("too far", {"pixels": 60.0, "needed": 110.0})).startswith(
        "the camera is too far away: cards would be 60 px wide, 110 are needed"
    )
