"""Which board a start drives."""

from pathlib import Path

import click
import pytest

from firmware.board.voices import spi
from firmware.start.board_at_start import board_at_start, named_board, probed_pins, simulated_board
from firmware.storage.configuration import BoardSettings
from firmware.storage.wired_board import NO_BOARD, NONE, WiredBoard
from hardware.board.board import our_boards

BOARDS = our_boards()
CONFIGURED = BoardSettings(profile="six")


@pytest.mark.parametrize(
    ("typed", "settings", "wired", "named"),
    [
        (None, BoardSettings(), WiredBoard(), WiredBoard()),
        (None, CONFIGURED, WiredBoard(), WiredBoard("six", "confirmed")),
        ("minimal", CONFIGURED, WiredBoard("full", "confirmed"), WiredBoard("minimal", "confirmed")),
        (None, CONFIGURED, WiredBoard("full", "confirmed"), WiredBoard("full", "confirmed")),
        (None, CONFIGURED, WiredBoard("full", "trial"), WiredBoard("full", "trial")),
    ],
)
def test_who_has_said_it_last_and_nearest_is_right(
    typed: str | None, settings: BoardSettings, wired: WiredBoard, named: WiredBoard
) -> None:
    assert named_board(typed, settings, wired) == named


@pytest.mark.parametrize("wired", [WiredBoard(), WiredBoard("full", "trial")])
def test_before_it_is_certain_nothing_is_driven_and_that_is_told(wired: WiredBoard) -> None:
    begun = board_at_start(wired, BoardSettings())
    assert begun.board == NO_BOARD
    assert "Buttons and lamps sleep" in begun.told


def test_what_was_assumed_is_driven_and_told_until_it_is_confirmed() -> None:
    begun = board_at_start(WiredBoard("full", "assumed"), BoardSettings())
    assert begun.board == BOARDS["full"]
    assert "it runs as full" in begun.told
    assert board_at_start(WiredBoard("full", "confirmed"), BoardSettings()).told == ""


def test_no_board_is_a_choice_too() -> None:
    begun = board_at_start(WiredBoard(NONE, "confirmed"), BoardSettings())
    assert (begun.board, begun.told) == (NO_BOARD, "")


def test_a_board_that_is_gone_is_told_and_with_defaults_none_is_driven(tmp_path: Path) -> None:
    gone = BoardSettings(file=str(tmp_path / "gone.toml"))
    with pytest.raises(click.ClickException):
        board_at_start(WiredBoard("own", "confirmed"), gone)
    begun = board_at_start(WiredBoard("own", "confirmed"), gone, with_defaults=True)
    assert begun.board == NO_BOARD
    assert "no pin is driven" in begun.told


def test_a_twin_simulates_a_board_without_being_asked() -> None:
    assert simulated_board(None, BoardSettings()).board == BOARDS["full"]
    assert simulated_board("six", BoardSettings()).board == BOARDS["six"]


def test_pins_of_spi_are_left_alone_where_it_is_switched_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spi, "DEVICES", tmp_path)
    assert set(range(7, 12)) <= set(probed_pins(BOARDS))
    (tmp_path / "spidev0.0").touch()
    assert set(probed_pins(BOARDS)) == set(range(2, 28)) - set(range(7, 12))
