"""The box on the shelf: a match is begun with the counts of the deck that was taught."""

import os
from pathlib import Path

import msgspec
import pytest

from firmware.cli.play import PlayArguments, request_from
from firmware.storage.boxes import taught_counts, with_box_counts
from firmware.storage.places import decks_directory
from referee.games.coyote import COYOTE
from referee.games.ogallala import OGALLALA
from referee.games.ogallala.deck import COUNTS
from vision.teaching.taught_decks import DECK, DeckFile


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    return tmp_path


def teach(faces: dict[str, int]) -> None:
    """Leave a deck as if it had been taught."""
    folder = decks_directory(os.environ) / "ogallala"
    folder.mkdir(parents=True)
    (folder / DECK).write_bytes(msgspec.json.encode(DeckFile("ogallala", (63.0, 88.0), faces)))


def test_nothing_was_taught(home: Path) -> None:
    assert home.exists()
    assert taught_counts("ogallala") is None
    assert with_box_counts(OGALLALA, OGALLALA.house()) == OGALLALA.house()


def test_a_match_is_wished_for_with_the_box(home: Path) -> None:
    assert home.exists()
    teach({"keg": 4, "back": 0})
    house = with_box_counts(OGALLALA, OGALLALA.house())
    assert OGALLALA.deck(house).counts == {**COUNTS, "keg": 4}
    assert request_from(OGALLALA, PlayArguments(None, None, (), fresh=False)).house == house
    assert with_box_counts(COYOTE, COYOTE.house()) == COYOTE.house()


def test_a_box_that_was_agreed_stands(home: Path) -> None:
    assert home.exists()
    teach({"keg": 4})
    agreed = ",".join(map(str, [3] * len(COUNTS)))
    wish = request_from(OGALLALA, PlayArguments(None, None, (f"box={agreed}",), fresh=False))
    assert set(OGALLALA.deck(wish.house).counts.values()) == {3}


def test_a_deck_that_can_t_be_read_says_nothing(home: Path) -> None:
    teach({"keg": 4})
    next(home.rglob(DECK)).write_text("{")
    assert with_box_counts(OGALLALA, OGALLALA.house()) == OGALLALA.house()
