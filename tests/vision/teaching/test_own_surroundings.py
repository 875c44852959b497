"""Folders whose pictures have different surroundings: each card is cut by its own, or its edge is doubtful."""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.random import default_rng

from tests.given import present
from tests.tiers import slow, tiered
from tests.vision.sets.drawn_decks import playing_cards
from vision.pictures import Picture
from vision.table.plane import UNIT_SQUARE, Reals, map_points
from vision.teaching.folder_lessons import teach_from
from vision.teaching.kept_cuts import GroundKind
from vision.teaching.taught_decks import load_deck, save_deck

SIZE = (252, 352)
CUTS: tuple[str, ...] = ("tight", "rimmed", "whole")
KINDS: dict[str, GroundKind] = {"tight": "nothing", "rimmed": "ground", "whole": "table"}
FACES = tuple(
    f"{rank}{suit}"
    for rank, suit in zip(
        ("A", "5", "8", "K", "4", "J", "9", "Q", "2", "10", "7", "3"), "shdc" * 3, strict=True
    )
)


def card(face: str) -> Picture:
    return np.asarray(cv2.resize(playing_cards().face(face), SIZE, interpolation=cv2.INTER_AREA), np.uint8)


def wood(seed: int, shape: tuple[int, int]) -> Reals:
    rng = default_rng(seed)
    rows = cv2.GaussianBlur(rng.normal(0, 25, (shape[0], 1)), (1, 9), 0)
    return np.asarray(np.array((60, 90, 130)) + (rows + rng.normal(0, 6, shape))[..., None], np.float64)


def laid(face: str, cut: str, seed: int) -> tuple[Picture, Reals]:
    """Photograph a card on wood, with as much around it as named; return its corners, too."""
    rng = default_rng(seed)
    across, down = {"tight": SIZE, "rimmed": (282, 382), "whole": (800, 600)}[cut]
    turn = float(rng.uniform(4, 20)) if cut == "whole" else 0.0
    matrix = cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), turn, 1.0)
    matrix[:, 2] += np.array([(across - SIZE[0]) / 2, (down - SIZE[1]) / 2])
    if cut == "rimmed":  # hands crop unevenly
        matrix[:, 2] += rng.uniform(-4, 4, 2)
    share = cv2.warpAffine(np.ones((*SIZE[::-1], 3), np.float32), matrix, (across, down))
    shown = cv2.warpAffine(card(face), matrix, (across, down))
    if cut == "tight":
        share, shown = np.ones_like(share), card(face)
    seen = shown * share + wood(seed, (down, across)) * (1 - share) + rng.normal(0, 1.5, shown.shape)
    corners = map_points(np.vstack((matrix, (0, 0, 1))), UNIT_SQUARE * SIZE)
    return np.asarray(np.clip(seen, 0, 255), np.uint8), corners


def photograph_all(folder: Path, cut_of: Callable[[int], str]) -> dict[str, tuple[str, Reals]]:
    """Write a picture of each face. Returns each one's cut and corners."""
    truth = dict[str, tuple[str, Reals]]()
    for number, face in enumerate(FACES):
        picture, corners = laid(face, cut_of(number), number)
        cv2.imwrite(str(folder / f"{face}.png"), picture)
        truth[face] = cut_of(number), corners
    return truth


def off(found: Reals, truth: Reals) -> float:
    """Measure the worst corner's error as a share of the card's width."""
    return float(np.linalg.norm(found + 0.5 - truth, axis=1).max() / np.linalg.norm(truth[1] - truth[0]))


MIXES = {
    "a third of each": lambda number: CUTS[number % 3],
    "tight among rimmed": lambda number: "tight" if number % 4 == 1 else "rimmed",
    "rimmed among tight": lambda number: "rimmed" if number % 4 == 1 else "tight",
    "whole among rimmed": lambda number: "whole" if number % 4 == 1 else "rimmed",
    "tight among whole": lambda number: "tight" if number % 4 == 1 else "whole",
}


@slow("twelve pictures are cut out together")
@pytest.mark.parametrize("mix", tiered(("tight among rimmed",), tuple(MIXES)))
def test_each_picture_is_cut_by_its_own_surroundings(tmp_path: Path, mix: str) -> None:
    truth = photograph_all(tmp_path, MIXES[mix])
    lesson = teach_from(tmp_path)
    for shot in lesson.shots:
        cut, corners = truth[shot.face]
        kept = present(present(shot.card).wide).cut
        assert off(present(shot.corners), corners) < 0.03, (shot.face, cut)
        assert (kept.kind, kept.is_sure) == (KINDS[cut], True), shot.face
    assert lesson.unsure_edges == {}


def test_card_without_visible_edge_is_doubtful(tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    photograph_all(folder, lambda _number: "rimmed")
    picture, _corners = laid("5h", "rimmed", 1)
    # something of the paper's colour lies beside the card on three sides
    picture[:, :40], picture[:, -40:], picture[:40] = 236, 236, 236
    cv2.imwrite(str(folder / "5h.png"), picture)
    lesson = teach_from(folder)
    assert "5h.png" in lesson.unsure_edges
    save_deck(lesson.taught, tmp_path / "deck")
    assert load_deck(tmp_path / "deck").doubtful == {"5h"}
