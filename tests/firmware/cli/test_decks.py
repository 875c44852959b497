"""`coyote decks`: no look-alikes, and the pictures in the documents are those of today's cards and tables."""

import json
import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.cli import decks
from firmware.cli.decks import all_pictures
from firmware.storage.places import decks_directory
from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.faces import faces_of
from referee.games.catalogue import DECKS
from tests.firmware.conftest import Coyote
from vision.teaching.taught_decks import DECK, TaughtDeck, save_deck

PICTURES = Path(__file__).parents[3] / "docs" / "pictures"
ALIKE = 4.0
"""Grey levels, on average, by which two builds of OpenCV may draw and compress the same picture differently."""


def test_every_deck_is_printed() -> None:
    assert set(PRINTED) == set(DECKS)
    for name, printed in PRINTED.items():
        assert printed.counts == DECKS[name].counts


def test_pictures_of_the_documents_are_of_today() -> None:
    made = dict(all_pictures())
    kept = {path.name for path in PICTURES.iterdir()}
    assert set(made) <= kept, "coyote decks pictures docs/pictures"
    guide = (PICTURES.parent / "build.md").read_text(encoding="utf-8")
    assert [name for name in kept - set(made) if name not in guide] == []
    for name, content in made.items():
        before = cv2.imread(str(PICTURES / name)).astype(np.int16)
        new = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR).astype(np.int16)
        assert before.shape == new.shape, name
        assert np.abs(before - new).mean() < ALIKE, name


def test_pictures_are_written(coyote: Coyote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decks, "all_pictures", lambda: [("deck-coup.png", b"a picture")])
    assert coyote(f"decks pictures {tmp_path / 'new' / 'folder'}").code == 0
    assert (tmp_path / "new" / "folder" / "deck-coup.png").read_bytes() == b"a picture"
    (tmp_path / "file").write_text("")
    said = coyote(f"decks pictures {tmp_path / 'file' / 'below'}")
    assert said.code == 1
    assert said.err.count("\n") == 1


def test_check_tells_the_closest_pairs(coyote: Coyote) -> None:
    told = json.loads(coyote("decks check coup --json").out)
    assert {pair["deck"] for pair in told["pairs"]} == {"coup"}
    assert all(pair["distance"] >= told["limit"] for pair in told["pairs"])
    said = coyote("decks check coup")
    assert said.code == 0
    assert "limit" in said.out


def test_check_fails_when_cards_look_alike(coyote: Coyote, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decks, "LIMIT", 9.0)
    said = coyote("decks check coup")
    assert said.code == 1
    assert "TOO CLOSE" in said.out


def test_a_taught_deck_is_checked_by_its_name_and_by_its_folder(coyote: Coyote) -> None:
    home = decks_directory(os.environ) / "mine"
    duke, other = (cv2.resize(faces_of("coup")(face), (252, 352)) for face in ("duke", "captain"))
    counts = {"duke": 1, "twin": 1, "captain": 1}
    save_deck(
        TaughtDeck("mine", (63.0, 88.0), counts, {"duke": (duke,), "twin": (duke,), "captain": (other,)}), home
    )
    for name in ("mine", home):
        said = coyote(f"decks check {name}")
        assert (said.code, said.err) == (1, "")
        assert said.out.splitlines()[0].split()[-3:] == ["twin", "TOO", "CLOSE"]
    (home / DECK).write_text("{")
    assert coyote("decks check mine").err.count("\n") == 1


def test_check_of_a_deck_that_is_not_there(coyote: Coyote) -> None:
    said = coyote("decks check tarot")
    assert said.code == 2
    assert "there is no deck tarot" in said.err
    assert said.err.count("\n") == 1
