"""What the eyes start from: decks as folders, the table where it was left."""

import os
import pickle
from pathlib import Path

import msgspec
import pytest

from firmware.storage import memory
from firmware.storage.configuration import CameraSettings
from firmware.storage.eyes_settings import BACK, deck_folder, load_calibration, settings
from firmware.storage.memory import chosen_thrift
from firmware.storage.places import decks_directory, table_path
from firmware.storage.table_zones import mat_zones
from hardware.decks.catalogue import PRINTED
from vision.table.calibration import Calibration
from vision.table.thrift import PLENTY, SMALL, Thrift
from vision.teaching.taught_decks import DeckTroubleError, load_deck, save_deck


@pytest.fixture(autouse=True)
def _state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))


def test_our_own_decks_become_folders_and_taught_ones_are_theirs(tmp_path: Path) -> None:
    folder = deck_folder("coup", tmp_path)
    drawn = load_deck(folder)
    assert set(drawn.faces) == {*PRINTED["coup"].faces, BACK}
    assert drawn.counts["duke"] == PRINTED["coup"].counts["duke"]
    save_deck(drawn, decks_directory(os.environ) / "coup")
    assert deck_folder("coup", tmp_path) == decks_directory(os.environ) / "coup"
    with pytest.raises(KeyError):
        deck_folder("bridge", tmp_path)


def test_a_taught_deck_that_cannot_be_looked_at_is_still_the_taught_one(tmp_path: Path) -> None:
    # a link to itself: it can't be followed, whatever the rights
    decks = decks_directory(os.environ)
    decks.parent.mkdir(parents=True)
    decks.symlink_to(decks)
    assert deck_folder("coup", tmp_path) == decks / "coup"
    with pytest.raises(DeckTroubleError):
        load_deck(decks / "coup")


def test_settings_fit_through_a_pipe_that_is_not_emptied(tmp_path: Path) -> None:
    file = table_path(os.environ)
    file.parent.mkdir(parents=True)
    plane = ((2.0, 0.0, 1000.0), (0.0, 2.0, 700.0), (0.0, 0.0, 1.0))
    table = Calibration(plane, (2028, 1520), (1.0, 1.0, 1.0), 0.9, {})
    file.write_bytes(msgspec.json.encode(table))
    among = {face: 4 for deck in PRINTED.values() for face in deck.faces}
    start = settings("pi", tmp_path, among, mat_zones(), CameraSettings(small=True))
    assert start.thrift == SMALL
    assert start.table == table
    assert start.empty == str(file.with_suffix(".png"))
    assert len(pickle.dumps(start)) < 30_000


@pytest.mark.parametrize(
    ("total", "configured", "chosen"),
    [
        (430_000_000, None, SMALL),
        (930_000_000, None, PLENTY),
        (430_000_000, False, PLENTY),
        (8_000_000_000, True, SMALL),
    ],
)
def test_pictures_are_smaller_where_memory_is_scarce_unless_that_was_said(
    monkeypatch: pytest.MonkeyPatch, total: int, configured: bool | None, chosen: Thrift
) -> None:
    monkeypatch.setattr(memory, "total_memory", lambda: total)
    assert chosen_thrift(configured) == chosen


def test_a_table_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    assert load_calibration(tmp_path / "nowhere.json") is None
    (tmp_path / "table.json").write_text("{", encoding="utf-8")
    assert load_calibration(tmp_path / "table.json") is None
    lines = ((0.0, 0.0, 0.0), (1.0, 0.0, 5.0), (2.0, 0.0, 10.0))
    for plane in (lines[:1] * 3, lines, ((1e200, 0.0, 0.0), (0.0, 1e200, 0.0), (0.0, 0.0, 1.0))):
        table = Calibration(plane, (2028, 1520), (1.0, 1.0, 1.0), 0.9, {})  # type: ignore[arg-type]
        (tmp_path / "table.json").write_bytes(msgspec.json.encode(table))
        assert load_calibration(tmp_path / "table.json") is None
