"""Rendered frames: their pixels match the stated truth."""

from functools import cache

import cv2
import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from hardware.twin.rendering.lens import Pixels, on_table, project
from hardware.twin.rendering.renderer import render
from hardware.twin.rendering.scene import Glare, Hand, Scene, SceneCamera, SceneCard, SceneLight, SceneTable
from tests.hardware.twin.layouts import lay_mixed
from tests.hardware.twin.levels import L1, LEVELS, Level, random_scene
from tests.hardware.twin.truth import CardTruth, Frame, frame_of
from tests.tiers import tiered

SMALL = (768, 576)
FLAT = {
    "red": (20, 20, 220),
    "green": (20, 220, 20),
    "blue": (220, 20, 20),
    "yellow": (20, 220, 220),
    "violet": (220, 20, 220),
    "back": (220, 220, 20),
}
# a perfect lens and sensor over an evenly lit black table
PERFECT = SceneCamera(
    at=(0, 0, 754), focal=591, resolution=SMALL, defocus=0, noise=0, sharpening=0, fringe=0, vignette=0, jpeg=0
)
EVEN = SceneLight(lamp=(0, 0, 5000), daylight=1.0, day_colour=(1, 1, 1), day_fall=0)
BLACK = SceneTable("felt", (0, 0, 0), plates=())
PLAIN = Scene(PERFECT, BLACK, EVEN)


@cache
def colour_card(name: str) -> Pixels:
    return np.full((44, 32, 3), FLAT[name.rpartition("/")[2]], np.uint8)


@cache
def print_card(name: str) -> Pixels:
    card = np.full((352, 252, 3), (236, 240, 240), np.uint8)
    if name == "back":
        card[16:-16, 16:-16] = (120, 50, 40)
        return card
    cv2.putText(card, name, (14, 50), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (20, 20, 160), 3)
    cv2.circle(card, (126, 176), 60, (30, 30, 30), -1)
    card[-60:, -90:] = card[:60, :90][::-1, ::-1]
    return card


ASKEW = replace(PERFECT, at=(20.0, -30.0, 760.0), tilt=3.0, roll=-2.5, pan=4.0, k1=-0.08, k2=0.02)


def mask_of(frame: Frame, name: str) -> NDArray[np.bool_]:
    strong = np.array(FLAT[name]) > 100
    return np.asarray(((frame.picture > 140) == strong).all(axis=2))


def paper(truth: CardTruth) -> float:
    outline = np.array(truth.outline, np.float32)
    whole = float(cv2.contourArea(outline))
    width, height = truth.laid.size
    return whole * (1 - (4 - np.pi) * 9 / (width * height))


def scene_with(*cards: SceneCard, camera: SceneCamera = PERFECT, hands: tuple[Hand, ...] = ()) -> Scene:
    return replace(PLAIN, camera=camera, cards=cards, hands=hands)


def brightness(picture: Pixels, x: float, y: float) -> float:
    (across, down) = project(PERFECT, np.array([[x, y, 0.0]]))[0].round().astype(int)
    return float(picture[down - 6 : down + 6, across - 6 : across + 6].mean())


@pytest.mark.parametrize("level", tiered([L1], [*LEVELS.values()]))
def test_rendering_is_deterministic(level: Level) -> None:
    scene = random_scene(level, lay_mixed, ("1", "2", "3", "4", "5"), 3)
    scene = replace(scene, hands=(Hand(100, 150),), camera=replace(scene.camera, resolution=SMALL, focal=591))
    first = frame_of(scene, print_card)
    assert first.picture.tobytes() == render(scene, print_card).tobytes()
    assert first.picture.tobytes() != render(replace(scene, seed=4), print_card).tobytes()


def test_odd_sizes_render_like_even_ones() -> None:
    width, height = 401, 301
    light = SceneLight(glares=(Glare(0, 0),), flicker=0.02)
    odd = replace(scene_with(SceneCard("red", 10, 20, 30)), light=light)
    frame = frame_of(
        replace(odd, camera=SceneCamera(resolution=(width, height), focal=300.0, noise=0.0)), print_card
    )
    assert frame.picture.shape == (height, width, 3)
    assert frame.truth[0].visible == pytest.approx(1, abs=0.01)
    wide = frame_of(replace(odd, camera=SceneCamera(resolution=(400, 300), focal=300.0, noise=0.0)), print_card)
    moved = np.array(frame.truth[0].outline) - np.array(wide.truth[0].outline)
    assert moved == pytest.approx(np.full((4, 2), 0.5))


@pytest.mark.parametrize("level", LEVELS.values(), ids=LEVELS)
def test_outlines_project_back_to_the_card(level: Level) -> None:
    scene = random_scene(level, lay_mixed, ("1", "2", "3", "4", "5"), 0, SceneTable("mat"))
    small = replace(scene, camera=replace(scene.camera, resolution=SMALL, focal=591))
    for truth in frame_of(small, print_card).truth:
        outline = back_by_opencv(small.camera, truth)
        sides = np.linalg.norm(outline - np.roll(outline, -1, axis=0), axis=1)
        assert np.abs(sides - (63, 88, 63, 88)).max() < 0.5
        assert np.abs(outline.mean(axis=0) - (truth.laid.x, truth.laid.y)).max() < 0.5


def back_by_opencv(camera: SceneCamera, truth: CardTruth) -> NDArray[np.float64]:
    width, height = camera.resolution
    x, y = (width - 1) / 2 + camera.off_centre[0], (height - 1) / 2 + camera.off_centre[1]
    inside = np.array([[camera.focal, 0, x], [0, camera.focal, y], [0, 0, 1]])
    bent = np.array(truth.outline)[:, None]
    lens = np.array([camera.k1, camera.k2, 0.0, 0.0])
    straight = cv2.undistortPoints(bent, inside, lens, R=np.eye(3), P=inside)
    raised = plane_at(camera, truth.laid.height)
    return np.asarray(cv2.perspectiveTransform(straight, np.linalg.inv(raised)))[:, 0].astype(np.float64)


def plane_at(camera: SceneCamera, height: float) -> NDArray[np.float64]:
    straight = replace(camera, k1=0.0, k2=0.0)
    spots = np.array([(-300, -200), (300, -200), (300, 200), (-300, 200)], np.float32)
    seen = project(straight, np.column_stack((spots, np.full(4, height))))
    return np.asarray(cv2.getPerspectiveTransform(spots, seen.astype(np.float32)), np.float64)


def test_pixel_and_table_mappings_are_inverse() -> None:
    frame = frame_of(scene_with(camera=ASKEW), colour_card)
    assert frame.picture.shape == (SMALL[1], SMALL[0], 3)
    assert np.allclose(frame.plane / frame.plane[2, 2], plane_at(ASKEW, 0.0), atol=1e-2)
    spots = np.random.default_rng(1).uniform(-300, 300, (50, 2))
    seen = project(ASKEW, np.column_stack((spots, np.full(50, 12.0))))
    assert np.abs(on_table(ASKEW, seen, 12.0) - spots).max() < 1e-3


@pytest.mark.parametrize(
    "card", [SceneCard("red", 150, 90, 33), SceneCard("red", -200, -80, 200, 25.0, 8.0, 5.0)]
)
def test_card_is_drawn_inside_its_outline(card: SceneCard) -> None:
    frame = frame_of(scene_with(card, camera=ASKEW), colour_card)
    outline = np.array(frame.truth[0].outline, np.float32)
    drawn = np.argwhere(mask_of(frame, "red"))[:, ::-1].astype(np.float32)
    box = cv2.minAreaRect(drawn)
    assert np.abs(np.array(box[0]) - cv2.minAreaRect(outline)[0]).max() < 1.5
    if not card.bend:
        assert abs(len(drawn) / paper(frame.truth[0]) - 1) < 0.03
        assert min(cv2.pointPolygonTest(outline, tuple(map(float, p)), True) for p in drawn) > -1


HEAP = (
    SceneCard("red", -40, 0, 20),
    SceneCard("green", 0, 20, 80, 0.6),
    SceneCard("blue", 30, -30, 200, 0.9),
    SceneCard("yellow", -60, 40, 310, 1.2),
    SceneCard("violet", 525, 100, 45),
)


@pytest.mark.parametrize(
    ("camera", "hands"), [(PERFECT, ()), (ASKEW, (Hand(10, 60, 20, skin=(0, 0, 0), sleeve=(0, 0, 0)),))]
)
def test_visible_share_matches_the_pixels(camera: SceneCamera, hands: tuple[Hand, ...]) -> None:
    frame = frame_of(scene_with(*HEAP, camera=camera, hands=hands), colour_card)
    for truth in frame.truth:
        assert truth.face is not None
        counted = mask_of(frame, truth.face).sum() / paper(truth)
        assert truth.visible == pytest.approx(counted, abs=0.03)
    assert (frame.truth[4].visible < 0.9) == (camera == PERFECT)


def test_face_down_card_shows_its_back() -> None:
    asked: list[str] = []

    def faces(name: str) -> NDArray[np.uint8]:
        asked.append(name)
        return colour_card(name)

    frame = frame_of(scene_with(SceneCard(None, 0, 0), SceneCard(None, 200, 0, deck="coup")), faces)
    assert asked == ["back", "coup/back"]
    assert mask_of(frame, "back").sum() == pytest.approx(sum(map(paper, frame.truth)), rel=0.03)
    assert {(t.face, t.facing) for t in frame.truth} == {(None, "down")}


def test_hand_covers_cards_and_casts_a_shadow() -> None:
    grey = replace(BLACK, colour=(150.0, 150.0, 150.0))
    lamp = SceneLight(lamp=(-900, 0, 900), daylight=0.2)
    scene = replace(PLAIN, table=grey, light=lamp, cards=(SceneCard("red", 0, 0),))
    empty, reached = (
        frame_of(replace(scene, hands=h), colour_card) for h in ((), (Hand(0, 20, left=True, height=40),))
    )
    assert reached.truth[0].visible < 0.5 < empty.truth[0].visible
    dark, lit = reached.picture, empty.picture
    assert brightness(dark, 70, 60) < 0.85 * brightness(lit, 70, 60)
    assert brightness(dark, -250, -250) == pytest.approx(brightness(lit, -250, -250), abs=2)
