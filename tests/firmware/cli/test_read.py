"""`coyote read`: photographs of our own cards, and everything that is no photograph."""

import json
import os
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from firmware.storage.eyes_settings import deck_names
from firmware.storage.places import decks_directory
from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.faces import faces_of
from hardware.twin.rendering.lens import Pixels
from hardware.twin.rendering.renderer import render
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneCard, SceneTable
from tests.firmware.conftest import Coyote
from vision.teaching.taught_decks import DECK


@pytest.fixture
def table(coyote: Coyote, tmp_path: Path) -> tuple[Path, set[str]]:
    """Render a table of five cards, and say which."""
    picture, truth = tmp_path / "table.png", tmp_path / "table.json"
    line = f"render coyote-gigamic --cards 5 --seed 6 --size 1920x1080 -o {picture} --truth {truth}"
    assert coyote(line).code == 0
    cards = json.loads(truth.read_text(encoding="utf-8"))["cards"]
    return picture, {card["face"] for card in cards}


def test_cards_are_read(coyote: Coyote, table: tuple[Path, set[str]], tmp_path: Path) -> None:
    picture, faces = table
    shown = tmp_path / "shown.jpg"
    said = coyote(f"read {picture} --deck coyote-gigamic --annotate {shown}")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(f"{picture}: 5 cards\n")
    assert {line.strip() for line in said.out.splitlines()[1:]} == faces
    assert cv2.imread(str(shown)).shape == (1080, 1920, 3)


def test_a_card_that_lies_on_one_of_another_deck_is_said_to_cover_more(coyote: Coyote, tmp_path: Path) -> None:
    cards = SceneCard("coyote-gigamic/20", -14.0, -30.0, 30.0), SceneCard("duke", 10.0, 10.0, height=0.6)
    for name, lying in (("two", cards), ("one", cards[1:])):
        scene = Scene(SceneCamera(resolution=(1600, 1200), focal=1230.0), SceneTable(plates=()), cards=lying)
        cv2.imwrite(str(tmp_path / f"{name}.png"), render(scene, _face_of_either_deck).picture)
    said = coyote(f"read {tmp_path / 'two.png'} {tmp_path / 'one.png'} --deck coup").out.splitlines()
    assert said[1] == "  duke; more lies under or beside it than I can read: spread it, please"
    assert said[-1] == "  duke"


def _face_of_either_deck(name: str) -> Pixels:
    deck, _slash, face = name.rpartition("/")
    return faces_of(deck or "coup")(face)


def test_json_is_one_object_a_picture(coyote: Coyote, table: tuple[Path, set[str]]) -> None:
    picture, faces = table
    lines = coyote(f"read {picture} {picture} --deck coyote-gigamic --json").out.splitlines()
    assert len(lines) == 2
    told = json.loads(lines[0])
    assert {"picture", "cards", "ms"} <= set(told)
    assert {card["face"] for card in told["cards"]} == faces
    for card in told["cards"]:
        assert {"face", "sure", "score", "runners_up", "outline", "facing", "visible"} <= set(card)
        assert len(card["outline"]) == 4
    assert json.loads(lines[1])["cards"] == told["cards"]


def test_a_folder_for_drawings_is_made(coyote: Coyote, table: tuple[Path, set[str]], tmp_path: Path) -> None:
    shown = tmp_path / "shown" / "today"
    assert coyote(f"read {table[0]} --deck coyote-gigamic --annotate {shown}").code == 0
    assert [file.name for file in shown.iterdir()] == ["table.jpg"]


def test_cards_of_another_deck_are_said_to_look_like_it(
    coyote: Coyote, table: tuple[Path, set[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    # all decks would take long
    few = ("broken", "ogallala", "coyote-gigamic")
    monkeypatch.setattr("firmware.storage.other_decks.deck_names", lambda: few)
    (decks_directory(os.environ) / "broken").mkdir(parents=True)
    (decks_directory(os.environ) / "broken" / DECK).write_text("{")
    said = coyote(f"read {table[0]} --deck coup").out.splitlines()
    assert said[0] == f"{table[0]}: 0 cards"
    assert said[-1] == "  these look like coyote-gigamic, not coup: read them with --deck coyote-gigamic"


def test_cards_of_another_deck_are_told_without_markers_and_where_none_was_even_seen(
    coyote: Coyote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.storage.other_decks.deck_names", lambda: ("coyote-gigamic",))
    picture = tmp_path / "two.jpg"
    cards = tuple(SceneCard(f"coyote-gigamic/{face}", x, 0.0) for face, x in (("20", -80.0), ("15", 70.0)))
    scene = Scene(SceneCamera(resolution=(1600, 1200), focal=1230.0), SceneTable(plates=()), cards=cards)
    cv2.imwrite(str(picture), render(scene, _face_of_either_deck).picture)
    said = coyote(f"read {picture} --deck coup").out.splitlines()
    assert said[-1] == "  these look like coyote-gigamic, not coup: read them with --deck coyote-gigamic"


@pytest.mark.usefixtures("coyote")
def test_decks_that_were_taught_are_named_first() -> None:
    folder = decks_directory(os.environ) / "ours"
    folder.mkdir(parents=True)
    assert "ours" not in deck_names()
    (folder / DECK).touch()
    assert deck_names() == ("ours", *PRINTED)


def test_the_table_alone_has_no_cards(coyote: Coyote, tmp_path: Path) -> None:
    picture = tmp_path / "table.jpg"
    coyote(f"render coup --cards 0 --size 1920x1080 -o {picture}")
    assert coyote(f"read {picture} --deck coup").out == f"{picture}: 0 cards\n"


@pytest.mark.parametrize(
    ("annotate", "pictures"),
    [
        ("{there}/table.png", "{table}"),
        ("{there}", "{there}/shown.jpg"),
        ("{there}/link.jpg", "{there}/shown.jpg"),
        ("{there}/drawing.jpg", "{table} {table}"),
        ("{there}/notes", "{table} {table}"),
        ("{there}/notes", "{table}"),
        ("{there}/drawing.pdf", "{table}"),
    ],
)
def test_a_drawing_never_takes_the_place_of_a_picture_or_of_a_folder(
    coyote: Coyote, table: tuple[Path, set[str]], tmp_path: Path, annotate: str, pictures: str
) -> None:
    (tmp_path / "shown.jpg").write_bytes(table[0].read_bytes())
    (tmp_path / "link.jpg").symlink_to(tmp_path / "shown.jpg")
    (tmp_path / "notes").write_bytes(b"mine")
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir() if file.is_file()}
    named = {"table": table[0], "there": tmp_path}
    said = coyote(
        f"read {pictures.format(**named)} --deck coyote-gigamic --annotate {annotate.format(**named)}"
    )
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir() if file.is_file()} == before


def test_pictures_of_one_name_are_drawn_apart(
    coyote: Coyote, table: tuple[Path, set[str]], tmp_path: Path
) -> None:
    files = [tmp_path / name for name in ("one/t.png", "two/T.png", "two/t-2.png")]
    for file in files:
        file.parent.mkdir(exist_ok=True)
        cv2.imwrite(str(file), np.zeros((80, 120, 3), np.uint8))
    named = " ".join(map(str, files))
    assert coyote(f"read {named} --deck coyote-gigamic --annotate {tmp_path / 'shown'}").code == 0
    assert {file.name for file in (tmp_path / "shown").iterdir()} == {"t.jpg", "T-2.jpg", "t-2-2.jpg"}
    assert table[0].exists()


def test_what_is_no_photograph(coyote: Coyote, tmp_path: Path) -> None:
    for name, content in (("empty.jpg", b""), ("text.jpg", b"hello"), ("half.png", b"\x89PNG\r\n\x1a\n123")):
        (tmp_path / name).write_bytes(content)
    for name in ("empty.jpg", "text.jpg", "half.png", "missing.jpg"):
        said = coyote(f"read {tmp_path / name} --deck coup")
        assert said.code in {1, 2}
        assert said.err.count("\n") == 1
        assert said.err.startswith(f"coyote: {tmp_path / name}: ")


def test_the_others_are_read_where_one_picture_can_not_be(
    coyote: Coyote, table: tuple[Path, set[str]], tmp_path: Path
) -> None:
    (tmp_path / "text.jpg").write_bytes(b"hello")
    said = coyote(f"read {table[0]} {tmp_path / 'text.jpg'} {tmp_path} {table[0]} --deck coyote-gigamic --json")
    assert said.code == 1
    assert [len(json.loads(line)["cards"]) for line in said.out.splitlines()] == [5, 5]
    unread, folder = said.err.splitlines()
    assert "text.jpg" in unread
    assert f"{tmp_path}/*" in folder


def test_why_a_file_is_no_picture_is_told(coyote: Coyote, tmp_path: Path) -> None:
    for kind in ("TIFF", "GIF"):
        Image.new("RGB", (40, 30)).save(tmp_path / f"scan.{kind.lower()}")
        assert "as JPEG or PNG" in coyote(f"read {tmp_path / f'scan.{kind.lower()}'} --deck coup").err
    Image.new("1", (12168, 9120)).save(tmp_path / "huge.png")
    assert "more than 60 million pixels" in coyote(f"read {tmp_path / 'huge.png'} --deck coup").err


@pytest.mark.parametrize(
    ("shape", "grey", "told"),
    [
        ((3, 5, 3), 0, "5x3 pixels, too few"),
        ((1, 1, 3), 200, "1x1 pixels, too few"),
        ((300, 400, 3), 0, "too dark"),
        ((300, 400, 3), 255, "too bright"),
        ((300, 400, 3), 128, "one colour all over"),
    ],
)
def test_why_a_picture_shows_nothing_is_told(
    coyote: Coyote, tmp_path: Path, shape: tuple[int, ...], grey: int, told: str
) -> None:
    picture = tmp_path / "nothing.png"
    cv2.imwrite(str(picture), np.full(shape, grey, np.uint8))
    said = coyote(f"read {picture} --deck coup")
    assert (said.code, said.err) == (0, "")
    head, why = said.out.splitlines()
    assert head == f"{picture}: 0 cards"
    assert told in why


def test_a_picture_out_of_focus_is_told_to_be(
    coyote: Coyote, table: tuple[Path, set[str]], tmp_path: Path
) -> None:
    picture = tmp_path / "blurred.png"
    cv2.imwrite(str(picture), cv2.GaussianBlur(cv2.imread(str(table[0])), (0, 0), 7.0))
    assert "out of focus" in coyote(f"read {picture} --deck coyote-gigamic").out.splitlines()[1]
    told = json.loads(coyote(f"read {picture} --deck coyote-gigamic --json").out)
    assert [problem["problem"] for problem in told["problems"]] == ["out of focus"]
    assert json.loads(coyote(f"read {table[0]} --deck coyote-gigamic --json").out)["problems"] == []


def test_a_deck_that_is_not_there(coyote: Coyote, tmp_path: Path) -> None:
    said = coyote(f"read {tmp_path / 'x.jpg'} --deck tarot")
    assert said.code == 2
    assert "there is no deck tarot" in said.err
