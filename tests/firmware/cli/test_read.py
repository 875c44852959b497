"""`coyote cards read`: photographs of our own cards, and files that aren't photographs."""

import json
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from firmware.cli.read import name_text
from firmware.state_folder import DECKS, state_directory
from hardware.twin.rendering.lens import Pixels
from hardware.twin.rendering.renderer import faces_of, render
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneCard, SceneTable
from tests.firmware.conftest import Coyote
from tests.hardware.twin.layouts import LAYOUTS
from tests.hardware.twin.levels import L0, WIDE, random_scene
from tests.tiers import slow
from vision.sightings import RunnerUp, Sighting
from vision.teaching.taught_decks import DECK

FACES = ("duke", "captain")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    file = tmp_path / "table.png"
    file.write_bytes(photographed())
    return file


@cache
def photographed() -> bytes:
    scene = random_scene(L0, LAYOUTS["separate"], FACES, 6, resolution=WIDE)
    smaller = cv2.resize(render(scene, faces_of("coup")), (1280, 720), interpolation=cv2.INTER_AREA)
    return cv2.imencode(".png", smaller)[1].tobytes()


@slow("a deck is prepared, and a photograph read twice")
def test_cards_are_read_and_drawn_and_other_files_rejected(coyote: Coyote, table: Path, tmp_path: Path) -> None:
    shown = tmp_path / "shown" / "today"
    (tmp_path / "text.jpg").write_bytes(b"hello")
    result = coyote(f"cards read {table} {tmp_path / 'text.jpg'} {tmp_path} --deck coup --annotate {shown}")
    assert result.code == 1
    assert result.out.startswith(f"{table}: 2 cards\n")
    assert {line.strip() for line in result.out.splitlines()[1:]} == set(FACES)
    assert [file.name for file in shown.iterdir()] == ["table.jpg"]
    assert cv2.imread(str(shown / "table.jpg")).shape == (720, 1280, 3)
    unread, folder = result.err.splitlines()
    assert "text.jpg" in unread
    assert f"{tmp_path}/*" in folder
    result = coyote(f"cards read {table} --deck coup --json")
    report = json.loads(result.out)
    assert (result.code, result.err, report["problems"]) == (0, "", [])
    assert {card["face"] for card in report["cards"]} == set(FACES)
    assert all(len(card["outline"]) == 4 and card["sure"] for card in report["cards"])


@pytest.mark.parametrize(
    ("chance", "expected"),
    [
        (0.939, "duke, likely: 93\N{NARROW NO-BREAK SPACE}%"),
        (0.749, "unsure: duke 0.80, captain 0.30"),
        (None, "unsure: duke 0.80, captain 0.30"),
    ],
)
def test_likely_card_is_printed_with_its_probability(chance: float | None, expected: str) -> None:
    guesses = RunnerUp("duke", 0.8), RunnerUp("captain", 0.3)
    for face in (None, "duke"):
        card = Sighting(face, False, 0.8, guesses, ((0, 0), (1, 0), (1, 1), (0, 1)), "up", 1.0, chance=chance)
        assert name_text(card) == expected


def test_card_over_another_decks_card_is_reported(coyote: Coyote, tmp_path: Path) -> None:
    def face_of_either_deck(name: str) -> Pixels:
        deck, _slash, face = name.rpartition("/")
        return faces_of(deck or "coup")(face)

    cards = SceneCard("coyote-gigamic/20", -14.0, -30.0, 30.0), SceneCard("duke", 10.0, 10.0, height=0.6)
    scene = Scene(SceneCamera(resolution=(1280, 960), focal=984.0), SceneTable(plates=()), cards=cards)
    cv2.imwrite(str(tmp_path / "two.png"), render(scene, face_of_either_deck))
    lines = coyote(f"cards read {tmp_path / 'two.png'} --deck coup").out.splitlines()
    assert lines[1] == "  duke; under or beside it are more cards that I can't read: spread them, please"


@slow("decks are prepared as for a table's eyes, and two of them are compared")
def test_cards_resembling_another_deck_are_reported(
    coyote: Coyote, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # trying all decks would take long
    few = ("broken", "coup")
    monkeypatch.setattr("firmware.services.photographs.deck_names", lambda: few)
    (state_directory() / DECKS / "broken").mkdir(parents=True)
    (state_directory() / DECKS / "broken" / DECK).write_text("{")
    lines = coyote(f"cards read {table} --deck coyote-kidult").out.splitlines()
    assert lines[0] == f"{table}: 0 cards"
    assert lines[-1] == "  these look like cards of coup, not of coyote-kidult: read them with --deck coup"


def test_untried_decks_are_listed(coyote: Coyote, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "firmware.services.photographs.deck_names", lambda: ("coyote-gigamic", "coup", "piquet")
    )
    monkeypatch.setattr("firmware.cli.read.QUICK_DECKS", 1)
    lines = coyote(f"cards read {table} --deck coyote-kidult").out.splitlines()
    assert lines[-1] == "  if they belong to another deck, name it: --deck coup, piquet"


def test_drawing_never_overwrites_picture_or_folder(coyote: Coyote, table: Path, tmp_path: Path) -> None:
    (tmp_path / "shown.jpg").write_bytes(table.read_bytes())
    (tmp_path / "link.jpg").symlink_to(tmp_path / "shown.jpg")
    (tmp_path / "notes").write_bytes(b"mine")
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir() if file.is_file()}
    for annotate, pictures in (
        ("/table.png", ("table.png",)),
        ("", ("shown.jpg",)),
        ("/link.jpg", ("shown.jpg",)),
        ("/drawing.jpg", ("table.png", "table.png")),
        ("/notes", ("table.png",)),
        ("/drawing.pdf", ("table.png",)),
    ):
        named = " ".join(str(tmp_path / name) for name in pictures)
        result = coyote(f"cards read {named} --deck coup --annotate {tmp_path}{annotate}")
        assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir() if file.is_file()} == before


def test_pictures_with_same_name_are_drawn_separately(coyote: Coyote, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one/t.png", "two/T.png", "two/t-2.png")]
    for file in files:
        file.parent.mkdir(exist_ok=True)
        cv2.imwrite(str(file), np.zeros((80, 120, 3), np.uint8))
    named = " ".join(map(str, files))
    assert coyote(f"cards read {named} --deck coup --annotate {tmp_path / 'shown'}").code == 0
    assert {file.name for file in (tmp_path / "shown").iterdir()} == {"t.jpg", "T-2.jpg", "t-2-2.jpg"}


def test_file_that_is_not_a_photograph(coyote: Coyote, tmp_path: Path) -> None:
    for name, content in (("empty.jpg", b""), ("text.jpg", b"hello"), ("half.png", b"\x89PNG\r\n\x1a\n123")):
        (tmp_path / name).write_bytes(content)
    Image.new("RGB", (40, 30)).save(tmp_path / "scan.gif")
    Image.new("1", (12168, 9120)).save(tmp_path / "huge.png")
    Image.new("RGB", (400, 300)).save(tmp_path / "dark.png")
    files = [tmp_path / f for f in ("empty.jpg", "text.jpg", "half.png", "missing.jpg", "scan.gif", "huge.png")]
    result = coyote(f"cards read {' '.join(map(str, files))} {tmp_path / 'dark.png'} --deck coup")
    assert result.code in {1, 2}
    assert "too dark" in result.out
    for line, file in zip(result.err.splitlines(), files, strict=True):
        assert line.startswith(f"coyote: {file}: ")
    assert "as JPEG or PNG" in result.err
    assert "more than 60 million pixels" in result.err
