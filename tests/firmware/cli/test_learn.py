"""`coyote cards learn`: photographs of drawn cards, and a person or a program that names them."""

import json
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.cli import learn
from firmware.state_folder import DECKS, state_directory
from hardware.twin.rendering.renderer import faces_of
from tests.firmware.conftest import Coyote
from vision.pictures import Picture
from vision.teaching.taught_decks import load_deck

WIDE, HIGH = 126, 176


@cache
def card(face: str) -> Picture:
    drawn = np.asarray(faces_of("piquet")(face), np.uint8)
    return np.asarray(cv2.resize(drawn, (WIDE, HIGH), interpolation=cv2.INTER_AREA), np.uint8)


def photograph(file: Path, faces: Sequence[str], seed: int = 0) -> Path:
    """Lay cards on green cloth, each a little askew, and photograph them from above."""
    rng = np.random.default_rng(seed)
    table = np.full((300, 60 + 190 * len(faces), 3), (70, 90, 40), np.uint8)
    for place, face in enumerate(faces):
        middle = 110 + 190 * place + rng.uniform(-8, 8), 150 + rng.uniform(-12, 12)
        turn = cv2.getRotationMatrix2D((WIDE / 2, HIGH / 2), float(rng.uniform(-12, 12)), 1.0)
        turn[:, 2] += np.array(middle) - (WIDE / 2, HIGH / 2)
        size = table.shape[1::-1]
        mask = cv2.warpAffine(np.full((HIGH, WIDE), 255, np.uint8), turn, size) > 127
        table[mask] = cv2.warpAffine(card(face), turn, size, borderMode=cv2.BORDER_REPLICATE)[mask]
    noisy = table + rng.normal(0, 1.5, table.shape)
    cv2.imwrite(str(file), np.clip(noisy, 0, 255).astype(np.uint8))
    return file


@pytest.fixture
def two(tmp_path: Path) -> str:
    """Two pictures: the first has a card twice, and the second one repeats another."""
    first = photograph(tmp_path / "1.png", ["7h", "Qs", "7h"])
    return f"{first} {photograph(tmp_path / '2.png', ['As', 'Qs'], 1)}"


def lines_of(out: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in out.splitlines()]


def test_each_card_is_asked_for_once_and_stored_before_the_next_question(
    coyote: Coyote, two: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored, ask = list[set[str]](), learn.ask

    def look_and_ask(question: learn.Question, *, as_json: bool) -> str | None:
        folder = state_directory() / DECKS / "mine"
        stored.append(set(load_deck(folder).faces) if folder.exists() else set())
        return ask(question, as_json=as_json)

    monkeypatch.setattr(learn, "ask", look_and_ask)
    result = coyote(f"cards learn mine {two} --json", typed="7h\nQs\nAs\n")
    assert stored == [set(), {"7h"}, {"7h", "Qs"}]
    told = lines_of(result.out)
    asked = [each["ask"] for each in told if "ask" in each]
    assert result.code == 0
    assert len(asked) == 3
    assert [list(each) for each in asked] == [["picture", "outline", "crop", "among"]] * 3
    assert all(len(each["outline"]) == 4 and each["among"] == [] for each in asked)
    first, second = (each for each in told if "picture" in each)
    assert {each["face"] for each in first["cards"]} == {"7h", "Qs"}
    (known,) = (each for each in second["cards"] if each["face"] != "As")
    assert "Qs" in (known["face"], known["runners_up"][0]["face"])


def test_end_of_input_leaves_the_rest_to_a_later_call(coyote: Coyote, two: str) -> None:
    folder = state_directory() / DECKS / "mine"
    for typed, faces in (("7h\n", {"7h"}), ("Qs\nAs\n", {"7h", "Qs", "As"})):
        result = coyote(f"cards learn mine {two} --json", typed=typed)
        assert (result.code, sum("ask" in each for each in lines_of(result.out))) == (0, 2)
        assert set(load_deck(folder).faces) == faces


def test_an_impossible_name_is_refused_and_asked_for_again(coyote: Coyote, tmp_path: Path) -> None:
    picture = photograph(tmp_path / "1.png", ["7h"])
    told = lines_of(coyote(f"cards learn ours {picture} --json", typed="../up\n7h\n").out)
    assert "../up" in told[1]["refused"]
    (names := tmp_path / "names.txt").write_text("7h\nQs,2\n", encoding="utf-8")
    result = coyote(f"cards learn mine {picture} --faces {names} --json", typed="8h\n7h\n")
    ask, refused, again, told = lines_of(result.out)
    assert ask["ask"]["among"] == ["7h", "Qs"]
    assert "8h" in refused["refused"]
    assert again == ask
    assert [each["face"] for each in told["cards"]] == ["7h"]
    assert load_deck(state_directory() / DECKS / "mine").counts == {"7h": 1}


def test_an_unnamed_card_is_asked_for_again_in_the_next_picture_only(coyote: Coyote, tmp_path: Path) -> None:
    pictures = [photograph(tmp_path / f"{seed}.png", ["7h"], seed) for seed in (1, 2)]
    result = coyote(f"cards learn mine {pictures[0]} {pictures[1]} --json", typed="\n7h\n")
    kinds = [next(iter(each)) for each in lines_of(result.out)]
    assert kinds == ["ask", "picture", "ask", "picture"]
    # the picture that nobody could name is learnt with the name of the same card
    assert len(load_deck(state_directory() / DECKS / "mine").faces["7h"]) == 2


def test_at_a_terminal_the_file_of_the_card_is_shown(coyote: Coyote, tmp_path: Path) -> None:
    picture = photograph(tmp_path / "1.png", ["7h"])
    result = coyote(f"cards learn mine {picture} --like piquet", typed="what\n7h\n")
    assert result.code == 0
    assert ".png" in result.out
    assert "what isn't a card of this deck" in result.out
    assert f"{picture}: 1 card" in result.out
    assert "1 of 34 faces are learnt" in result.out


def test_an_unnamed_card_is_listed_as_unknown(coyote: Coyote, tmp_path: Path) -> None:
    picture = photograph(tmp_path / "1.png", ["7h"])
    result = coyote(f"cards learn mine {picture}", typed="\n")
    assert result.out.endswith(f"{picture}: 1 card\n  unknown\nfaces learnt so far: 0\n")


def test_other_pictures_are_read_if_one_cannot_be(coyote: Coyote, tmp_path: Path) -> None:
    (broken := tmp_path / "no.png").write_text("no picture", encoding="utf-8")
    picture = photograph(tmp_path / "1.png", ["7h"])
    (empty := tmp_path / "empty").mkdir()
    os.mkfifo(tmp_path / "pipe")
    wrong = f"{broken} {empty} {tmp_path / 'none.png'} {tmp_path / 'pipe'} /dev/zero"
    result = coyote(f"cards learn mine {wrong} {picture} --json", typed="7h\n")
    assert result.code == 1
    assert len(result.err.splitlines()) == 5
    assert "empty is a folder" in result.err
    assert [each["picture"] for each in lines_of(result.out) if "picture" in each] == [str(picture)]
