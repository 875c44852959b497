"""`coyote cards teach` and `coyote table calibrate`, as typed."""

import json
import re
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import get_args

import cv2
import msgspec
import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray
from PIL import Image
from pillow_heif import register_heif_opener

from firmware.cli.output import counter
from firmware.cli.plain_stream import PlainStream
from firmware.cli.teach import trial_warnings
from firmware.language.speaking import problem_text
from firmware.state_folder import DECKS, FOUND_TABLE, configuration_path, state_directory
from firmware.storage.found_table import load_layout
from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.renderer import faces_of, render
from tests.firmware.conftest import Coyote
from tests.firmware.services import finding_client
from tests.hardware.twin.layouts import LAYOUTS
from tests.hardware.twin.levels import L0, random_scene
from tests.tiers import slow
from tests.vision.photographs import smaller
from vision.pictures import load_picture
from vision.table.calibration import to_table
from vision.table.framing import tell_move
from vision.table.plane import UNIT_SQUARE
from vision.table.values import Calibration, Move, Way
from vision.teaching.kept_cuts import CutCard, cut_card
from vision.teaching.taught_decks import TaughtDeck, load_deck, save_deck
from vision.teaching.tried_decks import Doubt

register_heif_opener()
SCENE = smaller(random_scene(L0, LAYOUTS["separate"], (), 1), (1800, 1350))


def save_scans(folder: Path, deck: str, *faces: str) -> Path:
    folder.mkdir()
    for face in faces:
        picture = cv2.resize(faces_of(deck)(face), (252, 352), interpolation=cv2.INTER_AREA)
        cv2.imwrite(str(folder / f"{face}.png"), picture)
    return folder


@pytest.fixture
def scans(tmp_path: Path) -> Path:
    folder = save_scans(tmp_path / "scans", "piquet", "7h", "Qs")
    (folder / "counts.json").write_text('{"7h": 4, "Kd": 2}', encoding="utf-8")
    return folder


@pytest.fixture
def without_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip the trial of a taught deck: it takes half of the time, and these tests check other results."""
    monkeypatch.setattr("firmware.cli.teach.try_taught", lambda *_pictures: ())


@pytest.mark.usefixtures("without_trial")
def test_teaching_a_face_again_keeps_its_count(coyote: Coyote, scans: Path) -> None:
    result = coyote(f"cards teach mine --from {scans}")
    assert result.code == 0
    first, second, *_others = result.out.splitlines()
    assert first == "counted, but without a picture: Kd"
    assert second.split() == ["7h", "1", "picture,", "4", "in", "the", "deck"]
    home = state_directory() / DECKS / "mine"
    assert load_deck(home).counts == {"7h": 4, "Qs": 1}
    for file in ("Qs.png", "counts.json"):
        (scans / file).unlink()
    again = json.loads(coyote(f"cards teach mine --from {scans} --json").out)
    assert again["faces"] == {"7h": {"pictures": 1, "count": 4}}
    assert load_deck(home).counts == {"7h": 4, "Qs": 1}


@pytest.mark.usefixtures("without_trial")
def test_cut_edges_are_reported_and_can_be_given(coyote: Coyote, scans: Path) -> None:
    """Use two cards of 63 x 88 mm: first without a border, then with a black border of 7 mm."""
    assert "2 used completely: the cards have no surroundings" in coyote(f"cards teach mine --from {scans}").out
    for file in scans.glob("*.png"):
        rim = (28, 28, 28, 28)
        cv2.imwrite(
            str(file), cv2.copyMakeBorder(cv2.imread(str(file)), *rim, cv2.BORDER_CONSTANT, value=(20, 20, 20))
        )
    report = json.loads(coyote(f"cards teach mine --from {scans} --card 63x88 --margin 7 --json").out)
    assert report["cut"] == {"kind": "ground", "millimetres": 7.0}
    assert report["unsure_edges"] == []
    taught = load_deck(state_directory() / DECKS / "mine").faces["7h"][0]
    printed = cv2.resize(faces_of("piquet")("7h"), (252, 352), interpolation=cv2.INTER_AREA)
    assert np.abs(taught.astype(np.float32) - printed).mean() < 4
    assert coyote(f"cards teach mine --from {scans} --whole").code == 0
    taught = load_deck(state_directory() / DECKS / "mine").faces["7h"][0]
    assert taught[:10].mean() < 40
    for wrong in (f"--from {scans} --whole --margin 2", f"--from {scans} --rows --whole"):
        assert coyote(f"cards teach mine {wrong}").code == 2


@pytest.mark.usefixtures("without_trial")
def test_warns_about_an_unusual_shape_unless_given(coyote: Coyote, scans: Path) -> None:
    for file in scans.glob("*.png"):
        cv2.imwrite(str(file), cv2.imread(str(file))[:, 40:-40])
    assert "card size: 4" in coyote(f"cards teach other --from {scans}").out
    assert "taken for cards" not in coyote(f"cards teach other --from {scans} --card 43x88").out


def test_reports_progress_only_to_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    written = BytesIO()
    stream = TextIOWrapper(written)
    monkeypatch.setattr(sys, "stderr", PlainStream(stream))
    for is_terminal in (True, False):
        monkeypatch.setattr(stream, "isatty", lambda is_terminal=is_terminal: is_terminal)
        report = counter("{done} of {count}")
        report(1, 2)
        report(2, 2)
        assert written.getvalue() == b"\r\x1b[K1 of 2\r\x1b[K"


def test_shows_odd_cards_first_with_the_reason(coyote: Coyote, tmp_path: Path) -> None:
    """Use seven cards on dark ground; one is cut through the card itself."""
    faces = {f"{rank} & h": cv2.resize(faces_of("piquet")(f"{rank}h"), (252, 352)) for rank in "789JQKA"}
    cards = {face: (on_dark(picture, 24 if face == "J & h" else 0),) for face, picture in faces.items()}
    save_deck(TaughtDeck("odd", (63.0, 88.0), dict.fromkeys(cards, 1), cards), tmp_path / "odd")
    page = tmp_path / "deck.html"
    assert coyote(f"cards show {tmp_path / 'odd'} -o {page}").code == 0
    drawn = page.read_text(encoding="utf-8")
    assert "6 of 7 were cut out by their outlines on the table; look at this one." in drawn
    odd, right = drawn.split('<main class="odd">')[1].split("<main>")
    assert re.findall(r"<b>([^<]*)</b><small>([^<]*)<", odd) == [
        ("J &amp; h × 1", "A side of the line has no edge")
    ]
    names = re.findall(r"<b>([^<]*) × 1</b>", right)
    assert names == [face.replace("&", "&amp;") for face in faces if face != "J & h"]
    packed = re.findall(r'src="data:image/jpeg;base64,([^"]*)"', right)
    assert len(set(packed)) == len(names)


def on_dark(picture: NDArray[np.uint8], off: int) -> CutCard:
    """Place a card on dark ground and cut it out with its right side `off` pixels too far left."""
    rim = cv2.copyMakeBorder(picture, *(60, 60, 60, 60), cv2.BORDER_CONSTANT, value=(20, 20, 20))
    corners = UNIT_SQUARE * (252, 352) + 59.5 - np.array([(0, 0), (off, 0), (off, 0), (0, 0)])
    return cut_card(np.asarray(rim, np.uint8), corners, 63 / 88)


@pytest.mark.usefixtures("without_trial")
def test_leaves_out_a_tightly_cut_picture(coyote: Coyote, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    for face in ("7h", "8h", "Jh", "Ah"):
        card = cv2.resize(faces_of("piquet")(face), (252, 352), interpolation=cv2.INTER_AREA)
        on_paper = cv2.copyMakeBorder(card, *(40, 40, 40, 40), cv2.BORDER_CONSTANT, value=(60, 90, 120))
        seen = on_paper + rng.normal(0, 4, on_paper.shape)
        cv2.imwrite(str(tmp_path / f"{face}.png"), np.clip(seen, 0, 255).astype(np.uint8))
    tight, whole = tmp_path / "Jh.png", tmp_path / "Jh__2.png"
    tight.rename(whole)
    cv2.imwrite(str(whole), cv2.GaussianBlur(cv2.imread(str(whole)), (0, 0), 2.7))
    card = cv2.resize(faces_of("piquet")("Jh"), (252, 352), interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(tight), card[53:-53, 38:-38])
    result = coyote(f"cards teach mine --from {tmp_path}")
    assert result.code == 1
    first = result.out.splitlines()[0]
    assert first.startswith(f"{tight.name}: no background is visible around the card")
    assert f"unlike {whole.name}" in first
    assert "another" not in result.out
    assert len(load_deck(state_directory() / DECKS / "mine").faces["Jh"]) == 1


@pytest.mark.usefixtures("without_trial")
def test_only_the_whole_same_deck_replaces_a_printed_deck(coyote: Coyote, tmp_path: Path) -> None:
    for faces in (("7h", *PRINTED["coup"].counts), ("duke",)):
        wrong = tmp_path / faces[0]
        wrong.mkdir()
        for face in faces:
            (wrong / f"{face}.png").write_bytes(b"")
        result = coyote(f"cards teach coup --from {wrong}")
        assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
        assert "choose another name" in result.err
        assert not (state_directory() / DECKS / "coup").exists()
        result = coyote(f"cards teach coup --from {wrong} --into {tmp_path / 'aside'}")
        assert "choose another name" not in result.err
    folder = save_scans(tmp_path / "pictures", "coup", *PRINTED["coup"].counts)
    result = coyote(f"cards teach coup --from {folder}")
    assert result.code == 0
    assert "coup is now read by these pictures" in result.out
    assert load_deck(state_directory() / DECKS / "coup").counts == PRINTED["coup"].counts
    for file in folder.glob("[!d]*"):
        file.unlink()
    assert coyote(f"cards teach coup --from {folder}").code == 0
    missing = coyote(f"cards teach coup --from {folder} --into {tmp_path / 'new'}").out.splitlines()[0]
    assert missing.startswith("counted, but without a picture: assassin, ")


def test_warns_of_a_picture_read_as_another_face() -> None:
    mistaken = Doubt("queen", "ten", "near", -0.4, 2), Doubt("six", "nine", "near", 0.1)
    misread = (Doubt("six", other, "far", -0.9, is_untaught=True) for other in ("nine", "eight"))
    wrong, near, untaught = trial_warnings((*mistaken, *misread))
    assert "picture 2 of queen looks exactly like ten" in wrong
    assert "by 10 %" in near
    assert "(six as nine, six as eight)" in untaught


def test_lists_faces_that_could_not_be_taught(coyote: Coyote, scans: Path, tmp_path: Path) -> None:
    (scans / "Ah.HEIC").write_bytes(b"no picture")
    with Image.open(scans / "Qs.png") as picture:
        picture.save(scans / "Qs.heic", "HEIF")
    (scans / "Qs.png").unlink()
    cv2.imwrite(str(scans / "7d.png"), cv2.imread(str(scans / "7h.png")))
    result = coyote(f"cards teach mine --from {scans} --into {tmp_path / 'deck'} --json")
    report = json.loads(result.out)
    assert (result.code, set(report["faces"])) == (1, {"7h", "Qs", "7d"})
    assert (report["not_taught"], report["counted_only"]) == (["Ah"], ["Kd"])
    assert report["unreadable"][0]["problem"] == "no picture"
    assert {report["doubts"][0]["face"], report["doubts"][0]["other"]} == {"7d", "7h"}
    for name in ("7h.png", "Qs.heic", "7d.png"):
        (scans / name).unlink()
    result = coyote(f"cards teach mine --from {scans}")
    assert (result.code, result.err) == (1, "")
    assert "Ah               NOT TAUGHT" in result.out
    assert not (state_directory() / DECKS / "mine").exists()


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("picture") / "table.png"
    cv2.imwrite(str(file), render(SCENE, faces_of("coup")))
    return file


@slow("a rendered picture is calibrated three times")
def test_stores_a_calibration_and_the_empty_table(coyote: Coyote, picture: Path, tmp_path: Path) -> None:
    result = coyote(f"table calibrate {picture} --apart 844x556 -o {tmp_path / 'here.json'}")
    assert (result.code, "pixels per millimetre" in result.out) == (0, True)
    again = json.loads(coyote(f"table calibrate --camera file:{picture} --apart 844x556 --json").out)
    assert again == {"calibration": json.loads((tmp_path / "here.json").read_bytes()), "problems": []}
    kept = state_directory() / FOUND_TABLE
    assert coyote(f"table calibrate {picture} --empty").code == 0
    # the players' places rely on it, like on the page's calibration
    assert load_layout(kept).apart == pytest.approx((844, 556), rel=0.01)
    table = msgspec.json.decode(kept.read_bytes(), type=Calibration)
    assert len(table.markers) == 4
    assert load_picture(kept.with_suffix(".png")) is not None
    for apart in ("84x55", "744x556"):
        result = coyote(f"table calibrate {picture} --apart {apart}")
        assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
        assert f"{apart} isn't possible: by their size, the markers are about 840x554 mm apart" in result.err
    assert msgspec.json.decode(kept.read_bytes(), type=Calibration) == table


@slow("the cards of a rendered picture give the table")
def test_cards_replace_markers(coyote: Coyote, tmp_path: Path) -> None:
    picture, kept = tmp_path / "cards.png", state_directory() / FOUND_TABLE
    cv2.imwrite(str(picture), finding_client.picture())
    result = coyote(f"table calibrate {picture} --deck coup --seat-1 20,400")
    assert (result.code, "the cards fit within" in result.out) == (0, True)
    table = msgspec.json.decode(kept.read_bytes(), type=Calibration)
    assert table.markers == {}
    x, y = to_table(table, np.array([(20.0, 400.0)]))[0]
    assert abs(x) < 1 < y
    assert load_layout(kept).apart == (556, 844)
    assert load_picture(kept.with_suffix(".png")) is not None


@slow("the cards of a rendered picture give the table")
def test_cards_without_a_name_replace_markers_if_a_picture_shows_the_table_before(
    coyote: Coyote, tmp_path: Path
) -> None:
    picture, before, kept = tmp_path / "cards.png", tmp_path / "before.png", state_directory() / FOUND_TABLE
    cv2.imwrite(str(picture), finding_client.picture())
    cv2.imwrite(str(before), finding_client.picture(0))
    unknown = coyote(f"table calibrate {picture} --deck coyote-gigamic")
    assert unknown.code == 1
    assert "0 cards of this deck were found, 3 are needed" in unknown.out
    assert coyote(f"table calibrate {picture} --deck coyote-gigamic --before {before}").code == 0
    # the table as it was, not with the cards' places painted over
    assert load_picture(kept.with_suffix(".png")) is not None
    cv2.imwrite(str(before), finding_client.picture(0)[:700])
    small = coyote(f"table calibrate {picture} --deck coyote-gigamic --before {before}")
    assert (small.code, "must be a picture of the same size" in small.err) == (2, True)
    few = coyote(f"table calibrate {before} --deck coup")
    assert (few.code, "0 cards of this deck were found" in few.out) == (1, True)


def test_calibrates_with_the_configured_camera_and_reports_problems(coyote: Coyote, tmp_path: Path) -> None:
    picture, file = tmp_path / "table.png", configuration_path()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f'[camera]\nname = "file:{picture}"\n', encoding="utf-8")
    high = replace(SCENE, camera=replace(SCENE.camera, at=(0.0, 0.0, 1100.0), tilt=0.0, roll=0.0))
    cv2.imwrite(str(picture), render(high, faces_of("coup")))
    result = coyote("table calibrate")
    assert (result.code, "Lower the camera by" in result.out) == (1, True)


def test_every_camera_move_has_a_sentence() -> None:
    for way in get_args(Way):
        told = problem_text(tell_move(Move(way, 30.0, 1.0)))
        assert ("3 cm" in told) != ("30°" in told), told
