"""`coyote teach-pieces`: what it learns, and what it tells of pictures that show no piece."""

from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner

from firmware.cli.teach_pieces import known_pieces, teach_pieces
from firmware.storage.places import decks_directory
from tests.vision.teaching.test_lone_piece import photograph
from vision.teaching.taught_decks import load_deck


def test_pieces_are_learnt_from_photographs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    shots = tmp_path / "shots"
    shots.mkdir()
    for side in range(2):
        cv2.imwrite(str(shots / f"{side}.png"), photograph(side))
    (shots / "odd.jpg").write_text("odd")
    done = CliRunner().invoke(teach_pieces, ["coup-coins", "--from", str(shots), "--across", "23"])
    assert done.exit_code == 0, done.output
    assert "odd.jpg" in done.output
    taught = load_deck(decks_directory({"STATE_DIRECTORY": str(tmp_path / "state")}) / "coup-coins")
    assert (taught.card, taught.counts) == ((23.0, 23.0), {"coins": 50})
    assert len(taught.faces["coins"]) == 2


def test_a_wrong_name_or_an_empty_folder_gets_one_line(tmp_path: Path) -> None:
    done = CliRunner().invoke(teach_pieces, ["coins", "--from", str(tmp_path), "--across", "23"])
    assert done.exit_code == 2
    assert "coup-coins" in done.output
    done = CliRunner().invoke(teach_pieces, ["coup-coins", "--from", str(tmp_path), "--across", "23"])
    assert done.exit_code == 1
    assert done.output.count("\n") == 1


def test_every_kind_has_a_name_of_its_own() -> None:
    assert {*known_pieces()} >= {"coup-coins", "plenty-coups-horses"}
