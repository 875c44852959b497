"""What clips show of a table: open parts alone, on the twin's pixels; nothing that is held up beside them."""

import cv2
import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from firmware.storage.filmed_parts import filmed_parts
from firmware.storage.found_table import parting_of
from firmware.storage.table_zones import mat_zones, seat_zones
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneCard
from referee.contract import Game
from referee.games.catalogue import GAMES
from tests.vision.process.live import DUKE, TABLE, render_scene
from tests.webui.room import match_of
from vision.process.clip_view import ClipView, FilmedParts, clip_view, lens_place, show_clip_part
from vision.table.calibration import Calibration, calibrate
from vision.table.zones import Zones

FOCAL = 924.0
ASIDE = SceneCamera((0.0, 330.0, 700.0), tilt=-22.0, resolution=(1200, 900), focal=FOCAL, noise=0.0, jpeg=0)
"""A camera that hangs over the near players and looks across the table."""
CAMERAS = {"above": TABLE.camera, "aside": ASIDE}
ZONES = {
    "bare": lambda game: seat_zones(parting_of(match_of(game)), 800.0, 530.0),
    "mat": lambda game: mat_zones(parting_of(match_of(game)).parts),
}


def bare_scene(camera: SceneCamera) -> Scene:
    return replace(TABLE, camera=camera, cards=())


def picture_of(camera: SceneCamera, *cards: SceneCard) -> NDArray[np.uint8]:
    return render_scene(replace(bare_scene(camera), cards=cards)).picture


def table_under(camera: SceneCamera) -> Calibration:
    table = calibrate(picture_of(camera))
    assert table is not None
    return table


def view_of(camera: SceneCamera, game: Game, zones: Zones) -> ClipView | None:
    parts = filmed_parts(match_of(game), zones, is_wanted=True)
    assert parts is not None
    return clip_view(table_under(camera), zones, parts, FOCAL)


def held_cards(zones: Zones, shared: tuple[str, ...]) -> list[SceneCard]:
    """Hold a card over all places of the table that are no open ones: flat, tilted, low and high."""
    opened = [np.array(zones[name], np.float32) for name in shared]
    cards = []
    for x in range(-420, 421, 60):
        for y in range(-300, 301, 60):
            away = max(cv2.pointPolygonTest(part, (float(x), float(y)), True) for part in opened)
            # a card reaches half its diagonal around its middle
            if away < -60:
                cards += [SceneCard("duke", x, y, 20.0, height=up, lift=lift) for up, lift in HEIGHTS]
    return cards


HEIGHTS = ((0.3, 0.0), (60.0, 50.0), (200.0, 60.0))


@pytest.mark.parametrize("camera", CAMERAS.values(), ids=CAMERAS)
@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
@pytest.mark.parametrize("zones_of", ZONES.values(), ids=ZONES)
def test_no_pixel_depends_on_what_lies_or_is_held_at_a_players_place(
    camera: SceneCamera, game: Game, zones_of: object
) -> None:
    zones = zones_of(game)  # type: ignore[operator]
    view = view_of(camera, game, zones)
    if view is None:
        return
    shared = tuple(name for name in zones if " " not in name)
    ways = held_cards(zones, shared)
    # a few at a time: a picture that shows many shows each of them
    rng = np.random.default_rng(len(game.name))
    chosen = [ways[number] for number in rng.choice(len(ways), 4, replace=False)]
    for card in chosen:
        assert tells_nothing(view, camera, card), card


def tells_nothing(view: ClipView, camera: SceneCamera, card: SceneCard) -> bool:
    """Tell whether a clip has the very same pixels, whichever face or back a card shows."""
    faces = (card.face, "captain", "contessa", None)
    seen = [show_clip_part(view, picture_of(camera, replace(card, face=face))) for face in faces]
    return all(np.array_equal(seen[0], other) for other in seen[1:])


@pytest.mark.parametrize(("camera", "y"), [(TABLE.camera, 0.0), (ASIDE, -100.0)], ids=CAMERAS)
def test_what_lies_in_an_open_part_is_seen(camera: SceneCamera, y: float) -> None:
    # from aside, what near players hold up would hide the near half
    view = view_of(camera, GAMES["coyote"], ZONES["bare"](GAMES["coyote"]))
    assert view is not None
    lying = replace(DUKE, x=0.0, y=y)
    bare, now = (show_clip_part(view, picture_of(camera, *cards)) for cards in ((), (lying,)))
    changed = (np.abs(now.astype(int) - bare) > 60).any(axis=2)
    assert changed.sum() > 0.25 * 63 * 88 * view.scale**2


def test_a_pile_that_is_drawn_from_in_the_middle_is_masked() -> None:
    zones = ZONES["bare"](GAMES["coup"])
    view = view_of(TABLE.camera, GAMES["coup"], zones)
    assert view is not None
    for up in (0.3, 50.0, 100.0):
        assert tells_nothing(view, TABLE.camera, SceneCard("duke", -60.0, 0.0, 0.0, height=up))
    assert not tells_nothing(view, TABLE.camera, SceneCard("duke", -190.0, 0.0))


def test_masked_pixels_are_all_alike() -> None:
    for game in GAMES.values():
        view = view_of(TABLE.camera, game, ZONES["bare"](game))
        assert view is not None
        noisy = np.random.default_rng(1).integers(0, 256, (900, 1200, 3), np.uint8)
        masked = show_clip_part(view, noisy)[~view.shown]
        assert len({tuple(pixel) for pixel in masked.tolist()}) <= 1


def test_the_lens_is_where_the_twins_camera_is() -> None:
    for camera in CAMERAS.values():
        place = lens_place(table_under(camera), FOCAL)
        assert place == pytest.approx(camera.at, abs=12)


def test_nothing_is_shown_of_parts_that_are_not_there_or_of_a_camera_among_the_cards() -> None:
    zones, table = ZONES["bare"](GAMES["coyote"]), table_under(TABLE.camera)
    assert clip_view(table, zones, FilmedParts(("nowhere",)), FOCAL) is None
    assert clip_view(table, zones, FilmedParts(()), FOCAL) is None
    # a lens so near that hands are above it
    assert clip_view(table, zones, FilmedParts(("centre",)), 200.0) is None


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_games_open_shared_places_alone(game: Game) -> None:
    zones = ZONES["bare"](game)
    match = match_of(game)
    assert filmed_parts(match, zones, is_wanted=False) is None
    parts = filmed_parts(match, zones, is_wanted=True)
    assert parts is not None
    assert {*parts.open, *parts.closed} == {name for name in zones if " " not in name}
    assert not {*parts.open} & {*parts.closed}
