"""A table found by cards of a deck that nobody has taught."""

import numpy as np
import pytest

from hardware.twin.rendering.renderer import faces_of, render
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneCard, SceneLight, SceneTable
from tests.given import present
from tests.hardware.twin.levels import aim_camera
from vision.pictures import Picture
from vision.process.free_cards import fit_free_cards
from vision.table.calibration import to_table
from vision.table.plane import Reals

CARD = (63.0, 88.0)
LAID = (
    SceneCard("8", -130.0, -80.0, 5.0),
    SceneCard("-5", 110.0, -90.0, 92.0),
    SceneCard("20", -100.0, 90.0, 178.0),
    SceneCard("3", 120.0, 80.0, 12.0),
)


def seen(degrees: float, *cards: SceneCard) -> Picture:
    """Take a picture of a table without markers, from above or from its side."""
    slant = np.radians(degrees)
    where = (0.0, 754.0 * float(np.sin(slant)), 754.0 * float(np.cos(slant)))
    camera = aim_camera(
        SceneCamera(at=where, tilt=degrees, focal=1040.0, resolution=(1280, 960), k1=0.02), 0.0, 0.0
    )
    table = SceneTable("wood", plates=(), width=1800.0, depth=1600.0)
    return render(Scene(camera, table, SceneLight(), cards), faces_of("coyote-gigamic"))


def distances(places: Reals) -> Reals:
    return np.asarray(np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1)))


@pytest.mark.parametrize("degrees", [0.0, 35.0])
def test_four_cards_of_any_deck_give_the_table(degrees: float) -> None:
    found = present(fit_free_cards(seen(degrees, *LAID), CARD, None))
    middles = np.array([to_table(found.table, np.array(each)).mean(axis=0) for each in found.outlines])
    laid = np.array([(each.x, each.y) for each in LAID])
    # in any order and frame, the distances are the same
    assert np.sort(distances(middles).ravel()) == pytest.approx(np.sort(distances(laid).ravel()), abs=2.0)


def test_three_cards_give_no_table() -> None:
    assert fit_free_cards(seen(0.0, *LAID[:3]), CARD, None) is None
