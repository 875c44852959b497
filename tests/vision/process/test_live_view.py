"""What is shown live of a table: open parts alone, on the twin's pixels, and nothing that is held up."""

from collections.abc import Callable
from functools import cache
from itertools import product

import cv2
import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from firmware.storage.found_table import filmed_parts, mat_zones, parting_of, seat_zones
from hardware.twin.rendering.scene import SceneCamera, SceneCard
from referee.contract import Game, TableLayout
from referee.games.catalogue import GAMES
from tests.given import Clock, present
from tests.tiers import tiered
from tests.vision.process.live import DUKE, TABLE, found_table, render_scene, with_cards
from tests.webui.room import match_of
from vision.pictures import unpack_picture
from vision.process.live_view import LIVE, LiveView, OpenView, open_view, show_open_parts
from vision.process.messages import EyesSettings, FilmedParts, FilmParts, settings_after
from vision.process.on_frame import EyesState
from vision.process.watching import begin_unread_watch
from vision.table.calibration import Calibration, calibrate
from vision.table.zones import Zones
from vision.troubles import Problem

FOCAL = 924.0
ASIDE = SceneCamera((0.0, 330.0, 700.0), tilt=-22.0, resolution=(1200, 900), focal=FOCAL, noise=0.0, jpeg=0)
"""A camera that hangs over the near players and looks across the table."""
CAMERAS = {"above": TABLE.camera, "aside": ASIDE}
ZONES: dict[str, Callable[[Game], Zones]] = {
    "bare": lambda game: seat_zones(parting_of(match_of(game)), 800.0, 530.0),
    "mat": lambda game: mat_zones(parting_of(match_of(game)).parts),
}


def picture_of(camera: SceneCamera, *cards: SceneCard) -> NDArray[np.uint8]:
    return render_scene(replace(TABLE, camera=camera, cards=cards)).picture


@cache
def table_under(camera: SceneCamera) -> Calibration:
    return present(calibrate(picture_of(camera)))


def view_of(camera: SceneCamera, game: Game, zones: Zones) -> OpenView | None:
    parts = present(filmed_parts(match_of(game), zones))
    return open_view(table_under(camera), zones, parts, FOCAL)


def held_cards(zones: Zones) -> list[SceneCard]:
    """Hold a card over all places of the table that are no open ones: flat, tilted, low and high."""
    shared, cards = [np.array(zones[name], np.float32) for name in zones if " " not in name], []
    heights = ((0.3, 0.0), (60.0, 50.0), (200.0, 60.0))
    for x, y in product(range(-420, 421, 60), range(-300, 301, 60)):
        away = max(cv2.pointPolygonTest(part, (float(x), float(y)), True) for part in shared)
        # a card reaches half its diagonal around its middle
        if away < -60:
            cards += [SceneCard("duke", x, y, 20.0, height=up, lift=lift) for up, lift in heights]
    return cards


@pytest.mark.parametrize("camera", CAMERAS.values(), ids=CAMERAS)
@pytest.mark.parametrize("game", tiered(("coyote",), tuple(GAMES)))
@pytest.mark.parametrize("zones_of", ZONES.values(), ids=ZONES)
def test_no_pixel_depends_on_what_lies_or_is_held_at_a_players_place(
    camera: SceneCamera, game: str, zones_of: Callable[[Game], Zones]
) -> None:
    zones = zones_of(GAMES[game])
    view, ways = view_of(camera, GAMES[game], zones), held_cards(zones)
    chosen = np.random.default_rng(len(game)).choice(len(ways), tiered(1, 6), replace=False)
    for number in chosen:
        assert tells_nothing(view, camera, ways[number]), ways[number]


def tells_nothing(view: OpenView | None, camera: SceneCamera, card: SceneCard) -> bool:
    """Tell whether a picture has the very same pixels, whichever face or back a card shows."""
    if view is None:
        return True
    faces = ("duke", *tiered((), ("captain", "contessa")), None)
    seen = [show_open_parts(view, picture_of(camera, replace(card, face=face))) for face in faces]
    return all(np.array_equal(seen[0], other) for other in seen[1:])


@pytest.mark.parametrize(("camera", "y"), [(TABLE.camera, 0.0), (ASIDE, -100.0)], ids=CAMERAS)
def test_what_lies_in_an_open_part_is_seen(camera: SceneCamera, y: float) -> None:
    # from aside, what near players hold up would hide the near half
    view = present(view_of(camera, GAMES["coyote"], ZONES["bare"](GAMES["coyote"])))
    lying = replace(DUKE, x=0.0, y=y)
    bare, now = (show_open_parts(view, picture_of(camera, *cards)) for cards in ((), (lying,)))
    changed = (np.abs(now.astype(int) - bare) > 60).any(axis=2)
    assert changed.sum() > 0.25 * 63 * 88 * view.scale**2


def test_a_pile_that_is_drawn_from_in_the_middle_is_masked() -> None:
    view = view_of(TABLE.camera, GAMES["coup"], ZONES["bare"](GAMES["coup"]))
    for up in (0.3, 100.0):
        assert tells_nothing(view, TABLE.camera, SceneCard("duke", -60.0, 0.0, 0.0, height=up))
    assert not tells_nothing(view, TABLE.camera, SceneCard("duke", -190.0, 0.0))


def test_nothing_is_shown_of_parts_that_are_not_there_or_of_a_camera_among_the_cards() -> None:
    zones, table = ZONES["bare"](GAMES["coyote"]), table_under(TABLE.camera)
    assert open_view(table, zones, FilmedParts(("nowhere",)), FOCAL) is None
    assert open_view(table, zones, FilmedParts(()), FOCAL) is None
    # a lens so near that hands are above it
    assert open_view(table, zones, FilmedParts(("centre",)), 200.0) is None


PARTS = FilmedParts(("centre", "proof", "discard"))
RATE = 15
Change = Callable[[EyesState], EyesState]


class Looking:
    """Eyes that look at the duke, with a clock of their own."""

    def __init__(self) -> None:
        picture = with_cards(DUKE).picture
        zones = seat_zones(TableLayout(4), 800.0, 530.0)
        known = EyesSettings("live:none", table=found_table(), zones=zones, filmed=PARTS)
        self.eyes = EyesState(known, watch=begin_unread_watch(picture), picture=picture)
        self.clock = Clock()
        self.view = LiveView(self.clock)

    def pictures(self, seconds: float, change: Change = lambda eyes: eyes) -> list[bytes]:
        """Let time go by, with a change meanwhile; give what who looks on was given."""
        given, eyes = list[bytes](), change(self.eyes)
        for _picture in range(round(seconds * RATE)):
            self.clock.seconds += 1 / RATE
            given += [each.jpeg for each in self.view.go_on(eyes)]
        return given


def with_settings(**settings: object) -> Change:
    return lambda eyes: replace(eyes, settings=replace(eyes.settings, **settings))


HIDDEN = tuple(Problem("marker hidden", {"marker": number}) for number in range(3))


@pytest.mark.parametrize(
    "change",
    [
        with_settings(filmed=None),
        with_settings(table=None),
        lambda eyes: replace(eyes, settings=settings_after(eyes.settings, FilmParts(None))),
        lambda eyes: replace(eyes, wrong={"table": (Problem("nudged"),)}),
        lambda eyes: replace(eyes, wrong={"table": HIDDEN}),
        lambda eyes: replace(eyes, watch=None),
        lambda eyes: replace(eyes, watch=None, picture=None),
    ],
    ids=["off", "no table", "another match", "nudged", "hidden", "resting", "no camera"],
)
def test_where_nothing_may_be_shown_the_last_picture_is_withdrawn_at_once(change: Change) -> None:
    looking = Looking()
    assert looking.pictures(1)
    assert looking.pictures(2, change) == [b""]
    assert looking.pictures(1)[0]


def test_other_parts_are_shown_without_a_pause() -> None:
    looking = Looking()
    assert looking.pictures(1 / RATE)
    assert looking.pictures(1 / RATE) == []
    [other] = looking.pictures(1 / RATE, with_settings(filmed=FilmedParts(("centre",))))
    assert other


def test_a_few_pictures_a_second_are_given() -> None:
    given = Looking().pictures(5)
    assert 5 * LIVE * 0.7 <= len(given) <= 5 * LIVE + 1
    assert present(unpack_picture(given[-1])).shape[1] == 640
