"""Teaching decks from pictures, and decks on the disk: whole, half-written, or malicious."""

import json
import shutil
import zlib
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.twin.rendering.renderer import faces_of, render
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneCard, SceneTable
from tests.tiers import tiered
from tests.vision.photographs import faces, photograph
from vision.teaching import taught_decks as teaching
from vision.teaching.folder_lessons import FolderLesson, teach_from
from vision.teaching.kept_cuts import CutCard
from vision.teaching.likeness import distance
from vision.teaching.picture_folders import DeckTroubleError, face_of
from vision.teaching.taught_decks import (
    MOST_PICTURES,
    TaughtDeck,
    bare_deck,
    is_safe_name,
    load_deck,
    save_deck,
    save_face,
)

FACES = ("7h", "Qs", "coup")
CAMERA = SceneCamera(resolution=(1352, 1014), focal=1040.0)


def print_of(face: str) -> np.ndarray:
    return np.asarray(cv2.resize(faces()(face), (252, 352), interpolation=cv2.INTER_AREA))


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Photograph some cards twice each: on wood and on felt."""
    folder = tmp_path_factory.mktemp("pictures")
    for number, face in enumerate(FACES):
        wood, felt = photograph(face, number, "wood").picture, photograph(face, number + 50, "felt").picture
        cv2.imwrite(str(folder / f"{face}.jpg"), wood)
        cv2.imwrite(str(folder / f"{face}__2.jpg"), felt)
    (folder / "counts.csv").write_text("face,count\n7h,999\nQs;0\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def lesson(pictures: Path) -> FolderLesson:
    return teach_from(pictures, "my deck")


@cache
def small_deck() -> TaughtDeck:
    shown = {face: (print_of(face),) for face in ("7h", "Qs")}
    return bare_deck("small", (63.0, 88.0), {"7h": 3, "Qs": 1}, shown)


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    save_deck(small_deck(), tmp_path / "deck")
    return tmp_path / "deck"


def trouble(folder: Path) -> str:
    with pytest.raises(DeckTroubleError) as raised:
        load_deck(folder)
    assert "file" in raised.value.problem.values
    return raised.value.problem.key


# learning


def test_file_names_are_face_names() -> None:
    names = {"20.jpg": "20", "max0__2.jpg": "max0", "-5.b.png": "-5", "red_1__x.png": "red_1", "?.png": "?"}
    assert {file: face_of(file) for file in names} == names
    assert all(is_safe_name(face) for face in names.values())
    for bad in ("", ".", "..", "a/b", "a\\b", ".hidden", "a\nb", "x" * 61, " a", "c:d"):
        assert not is_safe_name(bad), bad


def test_learns_every_face_upright(lesson: FolderLesson) -> None:
    assert lesson.missed_faces == ()
    assert set(lesson.taught.faces) == set(FACES)
    assert lesson.taught.card == (63.0, 88.0)
    assert lesson.taught.counts == {"7h": 999, "Qs": 0, "coup": 1}
    for face, shots in lesson.taught.faces.items():
        assert len(shots) == 2
        for shot in shots:
            assert shot.shape == (352, 252, 3)
            assert distance(shot, print_of(face)) < 0.25
            assert distance(shot, print_of(face)) < distance(shot, print_of(face)[::-1, ::-1].copy())


def test_names_pictures_without_card(pictures: Path, tmp_path: Path) -> None:
    for file in pictures.glob("*__2.jpg"):
        shutil.copy(file, tmp_path / file.name)
    (tmp_path / "Ah.jpg").write_bytes(b"no picture")
    (tmp_path / ".hidden.jpg").write_bytes(b"")
    cv2.imwrite(str(tmp_path / "As.png"), np.zeros((30, 20, 3), np.uint8))
    cv2.imwrite(str(tmp_path / "Ks.png"), np.full((600, 900, 3), 90, np.uint8))
    cv2.imwrite(str(tmp_path / "__2.png"), np.full((600, 900, 3), 90, np.uint8))
    learnt = teach_from(tmp_path)
    problems = {shot.file: shot.problem.key for shot in learnt.shots if shot.problem is not None}
    assert problems == {
        "Ah.jpg": "no picture", "As.png": "too small", "Ks.png": "no card", "__2.png": "bad face name"
    }  # fmt: skip
    assert set(learnt.missed_faces) == {"", "Ah", "As", "Ks"}
    assert learnt.taught.name == tmp_path.name
    assert set(learnt.taught.faces) == set(FACES)


@pytest.mark.parametrize("way", [1, -1])
def test_picture_under_wrong_face_is_excluded(tmp_path: Path, way: int) -> None:
    """Cards lie either way up: one that is turned like the first of its face is the same one still."""
    named = {"7h.png": "7h", "7h__2.png": "Qs", "Qs.png": "Qs", "Kd.png": "Kd"}
    for file, face in named.items():
        turn = way if file == "7h__2.png" else 1
        cv2.imwrite(str(tmp_path / file), print_of(face)[::turn, ::turn])
    checked = teach_from(tmp_path)
    assert [shot.file for shot in checked.shots if shot.problem is not None] == ["7h__2.png"]
    assert {face: len(some) for face, some in checked.taught.faces.items()} == {"7h": 1, "Qs": 1, "Kd": 1}


@pytest.mark.parametrize(
    ("file", "content", "key"),
    [
        ("counts.json", '{"7h": "many"}', "bad count"),
        ("counts.json", "[1]", "bad counts"),
        ("counts.json", "{", "bad counts"),
        ("counts.csv", "7h,-1", "bad count"),
        ("counts.json", '{"7h": 1000}', "bad count"),
        ("counts.csv", "a,b\nc,d", "bad count"),
    ],
)
def test_reports_bad_counts(tmp_path: Path, file: str, content: str, key: str) -> None:
    cv2.imwrite(str(tmp_path / "7h.png"), print_of("7h"))
    (tmp_path / file).write_text(content, encoding="utf-8")
    with pytest.raises(DeckTroubleError, match=rf"{key} \("):
        teach_from(tmp_path)


def test_reports_folders_without_pictures(tmp_path: Path) -> None:
    for folder, key in ((tmp_path, "no pictures"), (tmp_path / "nowhere", "no folder")):
        with pytest.raises(DeckTroubleError, match=key):
            teach_from(folder)


# decks on the disk


def test_saved_deck_loads_unchanged(deck: Path, tmp_path: Path) -> None:
    shutil.copytree(deck, tmp_path / "copy")
    for folder in (deck, tmp_path / "copy"):
        back = load_deck(folder)
        assert (back.name, back.card, back.counts) == ("small", (63.0, 88.0), {"7h": 3, "Qs": 1})
        assert (back.faces["7h"][0] == print_of("7h")).all()


def test_replaces_one_face_atomically(deck: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # a swap that was cut short loses nothing
    (deck / "7h").rename(deck / ".7h.old")
    (deck / ".7h.new").mkdir()
    assert (load_deck(deck).faces["7h"][0] == print_of("7h")).all()
    save_face(deck, "7h", [CutCard(print_of("Kd"))] * 2)
    back = load_deck(deck)
    assert [len(back.faces[face]) for face in ("7h", "Qs")] == [2, 1]
    for face, shown in (("7h", "Kd"), ("Qs", "Qs")):
        assert (back.faces[face][0] == print_of(shown)).all()
    assert sorted(path.name for path in deck.iterdir()) == ["7h", "Qs", "deck.json"]

    def full(_file: Path, _content: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(teaching, "write_whole", full)
    with pytest.raises(OSError, match="No space"):
        save_face(deck, "7h", [CutCard(print_of("7h"))])
    assert (load_deck(deck).faces["7h"][0] == print_of("Kd")).all()


def describe_deck(**changes: object) -> str:
    return json.dumps({"name": "x", "card": [63, 88], "faces": {"7h": 1, "Qs": 1}} | changes)


@pytest.mark.parametrize(
    ("content", "key"),
    [
        ("not json", "bad deck file"),
        ("[]", "bad deck file"),
        (describe_deck(card=[0, 88]), "bad deck file"),
        (describe_deck(card="63x88"), "bad deck file"),
        (describe_deck(faces={}), "bad deck file"),
        (describe_deck(faces={"7h": -1}), "bad deck file"),
        (describe_deck(faces={"7h": "1"}), "bad deck file"),
        (describe_deck(run="rm -rf /"), "bad deck file"),
        (describe_deck(faces={"../../etc": 1}), "bad face name"),
        (describe_deck(faces={"/etc": 1}), "bad face name"),
        (describe_deck(faces={"..": 1}), "bad face name"),
        (describe_deck(faces={"Ah": 1}), "no picture of face"),
        (describe_deck(faces={str(i): 1 for i in range(500)}), "bad deck file"),
        (" " * 1_100_000, "too large"),
    ],
)
def test_rejects_bad_descriptions(deck: Path, content: str, key: str) -> None:
    (deck / "deck.json").write_text(content, encoding="utf-8")
    assert trouble(deck) == key


def test_reports_missing_deck(tmp_path: Path) -> None:
    assert trouble(tmp_path / "nowhere") == "no deck"
    (tmp_path / "deck.json").mkdir()
    assert trouble(tmp_path) == "no deck"


def bomb(width: int, height: int) -> bytes:
    """Make a PNG that claims to be very large."""
    head = b"IHDR" + width.to_bytes(4) + height.to_bytes(4) + b"\x08\x02\0\0\0"
    return b"\x89PNG\r\n\x1a\n" + (13).to_bytes(4) + head + zlib.crc32(head).to_bytes(4) + bytes(64)


JPEG = cv2.imencode(".jpg", np.zeros((40, 40, 3), np.uint8))[1].tobytes()


@pytest.mark.parametrize(
    ("content", "key"),
    [
        (b"", "no picture"),
        (b"GIF89a", "no picture"),
        (JPEG, "no picture"),
        (bomb(60000, 60000), "too large"),
        (bomb(200, 280), "no picture"),
        (cv2.imencode(".png", np.zeros((10, 10, 3), np.uint8))[1].tobytes(), "odd picture"),
        (cv2.imencode(".png", np.zeros((1201, 100, 3), np.uint8))[1].tobytes(), "odd picture"),
        (bytes(9_000_000), "too large"),
    ],
    ids=["empty", "gif", "jpeg", "bomb", "cut off", "tiny", "long", "heavy"],
)
@pytest.mark.filterwarnings("ignore")
def test_rejects_bad_pictures(deck: Path, content: bytes, key: str) -> None:
    (deck / "7h" / "1.png").write_bytes(content)
    assert trouble(deck) == key


def test_rejects_pictures_elsewhere(deck: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes((deck / "Qs" / "1.png").read_bytes())
    (deck / "7h" / "1.png").unlink()
    (deck / "7h" / "1.png").symlink_to(tmp_path / "secret.png")
    assert trouble(deck) == "outside"


def test_reads_only_as_many_pictures_as_are_taught(deck: Path) -> None:
    for number in range(30):
        shutil.copy(deck / "Qs" / "1.png", deck / "Qs" / f"{number + 2}.png")
    assert len(load_deck(deck).faces["Qs"]) == MOST_PICTURES


def test_huge_jpeg_is_not_decoded(tmp_path: Path) -> None:
    at = JPEG.index(b"\xff\xc0")
    (tmp_path / "7h.jpg").write_bytes(JPEG[: at + 5] + b"\xff\xf0\xff\xf0" + JPEG[at + 9 :])
    (shot,) = teach_from(tmp_path).shots
    assert shot.problem is not None
    assert shot.problem.key == "too large"


@pytest.mark.parametrize("face", tiered(("contessa",), ("contessa", "captain")))
def test_orientation_does_not_change_taught_card(tmp_path: Path, face: str) -> None:
    for placement, angle in enumerate((20.0, 110.0, 200.0)):
        scene = Scene(CAMERA, SceneTable("felt", plates=()), cards=(SceneCard(face, -120.0, 60.0, angle),))
        cv2.imwrite(str(tmp_path / f"{face}__{placement}.png"), render(scene, faces_of("coup")))
    pictures = teach_from(tmp_path, card=(63.0, 88.0)).taught.faces[face]
    first, *others = (cv2.resize(each, (63, 88), interpolation=cv2.INTER_AREA).astype(int) for each in pictures)
    assert all(np.abs(each - first).mean() < 8 for each in others)
