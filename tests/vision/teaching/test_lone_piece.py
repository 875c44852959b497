"""Pieces of a box, taught from photographs: cut out, and found again on a table."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from hardware.twin.rendering.renderer import faces_of, render
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneTable, piece_card
from vision.reading.pieces import piece_kind, read_pieces
from vision.reading.views import surroundings
from vision.teaching.lone_piece import pieces_in_folder
from vision.teaching.taught_decks import DeckTroubleError

NEAR = Scene(
    SceneCamera(at=(0.0, 0.0, 250.0), resolution=(900, 700), focal=1500.0, noise=2.0),
    SceneTable("felt", plates=()),
)
FAR = Scene(SceneCamera(resolution=(1200, 900), focal=924.0, noise=2.0), SceneTable("wood", plates=()))


def photograph(side: int, angle: float = 0.0, *more: tuple[float, float]) -> np.ndarray:
    """Take a photograph of a coin, and of others beside it."""
    coins = [piece_card("coins", side, 24.0, x, y, angle) for x, y in ((3.0, -5.0), *more)]
    return render(replace(NEAR, cards=tuple(coins)), faces_of("coup")).picture


def test_what_was_photographed_is_found_on_the_table(tmp_path: Path) -> None:
    for side in range(2):
        cv2.imwrite(str(tmp_path / f"side{side}.jpg"), photograph(side, 30.0 + 100 * side))
    pieces, wrong = pieces_in_folder(tmp_path, 24.0)
    assert wrong == ()
    assert len(pieces) == 2
    lying = tuple(
        piece_card("coins", at % 2, 24.0, 70.0 * at - 210, 40.0 * (at % 3), 77.0 * at) for at in range(7)
    )
    frame = render(replace(FAR, cards=lying), faces_of("coup"))
    seen = read_pieces(frame.picture, (piece_kind("coins", 24.0, pieces),), surroundings(frame.plane))
    assert len(seen.pieces) == 7
    assert seen.doubts == ()


def test_pictures_that_cannot_teach_are_named(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "bare.png"), render(NEAR, faces_of("coup")).picture)
    cv2.imwrite(str(tmp_path / "two.png"), photograph(0, 0.0, (40.0, 20.0)))
    disc = np.full((400, 400, 3), (60, 110, 40), np.uint8)
    cv2.circle(disc, (200, 200), 90, (90, 150, 200), -1)
    cv2.imwrite(str(tmp_path / "even.png"), disc)
    cv2.imwrite(
        str(tmp_path / "square.png"), cv2.rectangle(disc.copy() * 0 + 90, (100, 100), (300, 300), (0, 0, 0), -1)
    )
    (tmp_path / "text.jpg").write_text("no picture")
    pieces, wrong = pieces_in_folder(tmp_path, 24.0)
    assert pieces == ()
    assert {Path(str(each.values["file"])).name: each.key for each in wrong} == {
        "bare.png": "no piece",
        "even.png": "plain piece",
        "square.png": "no piece",
        "text.jpg": "no picture",
        "two.png": "no piece",
    }


def test_a_folder_without_pictures_is_told(tmp_path: Path) -> None:
    with pytest.raises(DeckTroubleError, match="no pictures"):
        pieces_in_folder(tmp_path, 24.0)
    with pytest.raises(DeckTroubleError, match="no folder"):
        pieces_in_folder(tmp_path / "gone", 24.0)
