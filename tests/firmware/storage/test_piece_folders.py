"""Which pieces the eyes are told to count: taught ones before our own prints, none if the host says so."""

from pathlib import Path

import numpy as np
import pytest

from firmware.storage.configuration import CameraSettings, settings_of
from firmware.storage.piece_folders import taught_name, use_pieces
from firmware.storage.places import decks_directory
from referee.games.catalogue import GAMES
from referee.match import Match, Setup, begin
from vision.process.counting_pieces import load_pieces
from vision.teaching.taught_decks import TaughtDeck, save_deck


def match_of(game: str) -> Match:
    match = begin(Setup(GAMES[game], GAMES[game].house(), ("Ana", "Bo", "Cy"), begun="x"))
    assert isinstance(match, Match)
    return match


def test_our_own_pieces_are_drawn_and_can_be_counted(tmp_path: Path) -> None:
    (folder,) = use_pieces(match_of("coup"), tmp_path, CameraSettings()).folders
    (kind,) = load_pieces([folder]).kinds
    assert (kind.name, kind.radius) == ("coins", 12.0)
    assert use_pieces(match_of("plenty-coups"), tmp_path, CameraSettings()).folders[0].endswith("horses")
    assert use_pieces(match_of("coyote"), tmp_path, CameraSettings()).folders == ()


def test_taught_pieces_go_before_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    environ = {"STATE_DIRECTORY": str(tmp_path / "state")}
    home = decks_directory(environ) / taught_name("coup", "coins")
    brass = np.full((80, 80, 3), 90, np.uint8)
    save_deck(TaughtDeck("coup-coins", (21.0, 21.0), {"coins": 50}, {"coins": (brass,)}), home)
    assert use_pieces(match_of("coup"), tmp_path, CameraSettings()).folders == (str(home),)


def test_the_host_may_switch_it_off(tmp_path: Path) -> None:
    wished = settings_of("[camera]\npieces = false\n", "coyote.toml").camera
    assert use_pieces(match_of("coup"), tmp_path, wished).folders == ()
