"""Framing a camera: from any start, following the moves brings the table into view."""

from itertools import product
from math import cos, radians

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from hardware.twin.rendering.lens import Pixels
from hardware.twin.rendering.renderer import faces_of, render
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneTable, plates
from tests.given import present
from tests.tiers import tiered
from vision.table.calibration import CARD_WIDTH, LET_PASS, calibrate, scale
from vision.table.framing import (
    MOST_TILT,
    _is_seen_well,
    explain_missing,
    find_pose,
    frame_picture,
    lens_for,
    moves_to,
    project,
    sight_problems,
)
from vision.table.optics import (
    AIM,
    CAMERAS,
    focal_length,
    heights,
    highest,
    largest_apart,
    made_smaller,
    optics_of,
    plates_span,
    seen_from,
)
from vision.table.plane import Reals
from vision.table.plates import SIDE, Millimetres, plate_places
from vision.table.thrift import SMALL
from vision.table.values import NEEDED, Move, Optics, Pose
from vision.troubles import Problem

MOST_MOVES = 7  # there are six things that hands can change
FITTING = 0.9  # plates are laid a little nearer than a camera could just see them


def apart_for(optics: Optics) -> Millimetres:
    """Return the printed distances, or smaller ones if the camera sees less."""
    most = largest_apart(optics, SHAPE)
    share = min(1.0, FITTING * most[0] / SHAPE[0])
    return SHAPE[0] * share, SHAPE[1] * share


def seen_codes(
    pose: Pose, lens: Optics, apart: Millimetres, *, hidden: tuple[int, ...] = ()
) -> dict[int, Reals]:
    """Return the corners of all codes completely in the picture."""
    square, middles = plate_places((SIDE, SIDE)), plate_places(apart)
    codes = {number: project(pose, lens, square + middle) for number, middle in enumerate(middles)}
    return {
        number: corners
        for number, corners in codes.items()
        if number not in hidden and (corners > 0).all() and (corners < np.array(lens.mode)).all()
    }


CHANGES = (
    ("height", ("lower", "raise"), 10.0),
    ("right", ("right", "left"), 10.0),
    ("down", ("down", "up"), 10.0),
    ("tilt_right", ("look right", "look left"), 1.0),
    ("tilt_down", ("look down", "look up"), 1.0),
    ("turn", ("turn right", "turn left"), 1.0),
)
"""For each field of a pose: the moves that decrease and increase it, and their step."""


def after(pose: Pose, move: Move) -> Pose:
    """Apply a move, rounded to whole centimetres or degrees."""
    what, (less, _more), step = next(each for each in CHANGES if move.way in each[1])
    amount = max(1, round(move.amount / step)) * step
    return replace(pose, **{what: getattr(pose, what) + (-amount if move.way == less else amount)})


POSES = st.builds(
    Pose,
    height=st.floats(0.7, 1.3),
    right=st.floats(-150, 150),
    down=st.floats(-120, 120),
    turn=st.floats(-20, 20) | st.floats(165, 195),
    tilt_right=st.floats(-12, 12),
    tilt_down=st.floats(-12, 12),
)


@given(st.sampled_from(sorted(CAMERAS)), POSES)
def test_finds_camera_pose_from_markers(name: str, pose: Pose) -> None:
    lens = CAMERAS[name]
    apart = apart_for(lens)
    pose = replace(pose, height=pose.height * highest(lens))
    codes = seen_codes(pose, lens, apart)
    assume(len(codes) >= 3)
    pose_found, measured = find_pose(codes, lens, SHAPE)
    found = present(pose_found)
    assert found.height == pytest.approx(pose.height, rel=0.01)
    assert (found.right, found.down) == pytest.approx((pose.right, pose.down), abs=15)
    assert (found.tilt_right, found.tilt_down) == pytest.approx((pose.tilt_right, pose.tilt_down), abs=0.6)
    assert cos(radians(found.turn - pose.turn)) > cos(radians(0.6))
    assert measured == pytest.approx(apart, rel=0.01)


@given(st.sampled_from(sorted(CAMERAS)), POSES)
def test_following_the_moves_frames_the_table(name: str, pose: Pose) -> None:
    lens = CAMERAS[name]
    apart = apart_for(lens)
    pose = replace(pose, height=pose.height * highest(lens))
    # by a plate or two a tilt is hardly told from a shift: the camera is shifted, and back once more are seen
    first = len(seen_codes(pose, lens, apart))
    for _step in range(MOST_MOVES if first > 2 else 2 * MOST_MOVES):
        codes = seen_codes(pose, lens, apart)
        assume(codes)
        found, measured = find_pose(codes, lens, apart)
        moves = moves_to(present(found), lens, measured)
        if not moves:
            break
        pose = after(pose, moves[0])
    assert len(seen_codes(pose, lens, apart)) == 4
    low, high = present(heights(lens, apart))
    assert low - 10 < pose.height < high + 10
    assert max(abs(pose.tilt_right), abs(pose.tilt_down)) < 2


def test_distant_plates_should_move_closer() -> None:
    lens = CAMERAS["imx296"]
    high = focal_length(lens) * CARD_WIDTH / NEEDED
    pose = Pose(high * 1.1, 0, 0)
    found, apart = find_pose(seen_codes(pose, lens, (800, 500)), lens, SHAPE)
    (move,) = moves_to(present(found), lens, apart)
    assert move.way == "closer"
    assert apart[0] - move.amount == pytest.approx(largest_apart(lens, apart)[0], abs=2)


@pytest.mark.parametrize("hidden", [(0,), (2, 3), (0, 2), (0, 1, 3)])
def test_hidden_plates_keep_the_table_size(hidden: tuple[int, ...]) -> None:
    lens = CAMERAS["imx708"]
    pose = Pose(960, 30, -20, 4, 3, 0)
    found, apart = find_pose(seen_codes(pose, lens, SHAPE, hidden=hidden), lens, SHAPE)
    assert apart == pytest.approx(SHAPE, rel=0.01)
    # a single code hardly tells how the lens is tilted
    near = 10 if len(hidden) < 3 else 80
    assert (present(found).right, present(found).down) == pytest.approx((30, -20), abs=near)
    assert present(found).height == pytest.approx(960, rel=0.05)


def test_no_moves_without_a_visible_plate() -> None:
    seen = frame_picture(np.full((1296, 2304, 3), 90, np.uint8), CAMERAS["imx708"])
    assert (seen.seen, seen.pose, seen.moves, seen.light) == ((), None, (), None)


def test_unknown_lens_gets_usual_optics() -> None:
    assert lens_for(None, (1280, 720)).mode == (1280, 720)
    # another size of picture sees the same field
    assert focal_length(lens_for(CAMERAS["usb 1080p"], (960, 540))) == focal_length(CAMERAS["usb 1080p"]) / 2


@pytest.mark.parametrize(
    ("height", "down", "tilt", "hidden", "is_well"),
    [
        (0.97, 0, 0, (), True),
        (0.97, 0, 0, (2,), False),
        # cards are too small, a plate reaches out of the picture, the lens looks aside
        (1.2, 0, 0, (), False),
        (0.92, 30, 0, (), False),
        (1.0, 0, MOST_TILT - 0.1, (), True),
        (1.0, 0, MOST_TILT + 0.1, (), False),
    ],
)
def test_good_view_needs_plates_card_size_and_level_camera(
    height: float, down: float, tilt: float, hidden: tuple[int, ...], is_well: bool
) -> None:
    lens = CAMERAS["imx708"]
    pose = Pose(highest(lens) * height, 0, down, 0, tilt)
    codes = seen_codes(pose, lens, SHAPE, hidden=hidden)
    assert len(codes) == 4 - len(hidden)
    assert _is_seen_well(pose, codes, lens, SHAPE) is is_well


def explained(name: str, pose: Pose, *, covered: tuple[int, ...] = ()) -> tuple[Problem, ...]:
    """Explain a picture with covered markers; others may be outside."""
    lens = CAMERAS[name]
    codes = seen_codes(pose, lens, SHAPE, hidden=covered)
    wrong = tuple(Problem("marker hidden", {"marker": each}) for each in range(4) if each not in codes)
    return explain_missing(wrong, codes, lens, SHAPE)


def test_reports_covered_marker_beside_low_camera() -> None:
    covered = Problem("marker hidden", {"marker": 1})
    assert explained("imx708", Pose(754, 0, 30)) == (Problem("too low", {"cm": 18}),)
    assert explained("imx708", Pose(800, 0, 30), covered=(1,)) == (Problem("too low", {"cm": 13}), covered)
    assert explained("imx708", Pose(950, 0, 0), covered=(1,)) == (covered,)


def test_suggests_height_without_markers_unless_dark() -> None:
    between = Problem("no marker", {"low": 92, "high": 101})
    assert explained("imx708", Pose(950, 0, 0), covered=(0, 1, 2, 3)) == (between,)
    stripes = np.repeat(np.arange(1296 * 2304) // 48 % 2 * 200, 3).astype(np.uint8).reshape(1296, 2304, 3)
    assert frame_picture(stripes, CAMERAS["imx708"]).wrong == (between,)
    assert [problem.key for problem in frame_picture(stripes, None).wrong] == ["marker hidden"] * 4
    dark, gone = Problem("too dark", {}), Problem("marker hidden", {"marker": 0})
    assert explain_missing((dark, gone), {}, CAMERAS["imx708"], SHAPE) == (dark,)


@pytest.mark.parametrize(
    ("name", "better"), [("usb 720p", "USB camera, 1920 x 1080"), ("imx296", "Camera Module 3")]
)
def test_unsuitable_camera_names_a_better_one(name: str, better: str) -> None:
    (told,) = explained(name, Pose(900, 0, 0), covered=(0, 1, 2, 3))
    assert (told.key, told.values["camera"]) == ("too coarse", better)
    (told,) = explain_missing((Problem("too far", {}),), {}, CAMERAS[name], (3000.0, 2000.0))
    assert told.key == "table too large"


SHAPE = (844.0, 556.0)  # how far apart the plates are, as our papers have it
TABLES = (600, 850, 1100)  # widths of tables, in millimetres
BORDER = 60  # millimetres between a plate's middle and the table's edge, on both sides together


def apart_on(width: float) -> Millimetres:
    across = width - BORDER
    return across, across * SHAPE[1] / SHAPE[0]


def picture_from(optics: Optics, apart: Millimetres, height: float) -> Pixels:
    across, down = plates_span(apart)
    table = SceneTable("wood", width=across + 400, depth=down + 400, plates=plates(apart[0] / 2, apart[1] / 2))
    taken = {"resolution": optics.mode, "k1": -0.03, "noise": 4.0, "defocus": 0.75}
    camera = SceneCamera(at=(0.0, 0.0, height), tilt=1.0, focal=focal_length(optics), **taken)
    return render(Scene(camera, table, seed=3), faces_of("coup"))


@pytest.mark.parametrize("name", CAMERAS)
def test_smaller_picture_has_the_same_heights(name: str) -> None:
    whole, small = CAMERAS[name], made_smaller(CAMERAS[name], SMALL.share)
    across, down = largest_apart(whole, SHAPE)
    apart = (0.95 * across, 0.95 * down)
    assert heights(small, apart) == pytest.approx(heights(whole, apart), rel=0.002)


@pytest.mark.parametrize(
    ("name", "width"), tiered([("imx708", 850), ("imx708_wide", 1100)], tuple(product(CAMERAS, TABLES)))
)
def test_each_camera_calibrates_from_its_heights(name: str, width: int) -> None:
    optics, apart = CAMERAS[name], apart_on(width)
    between = heights(optics, apart)
    if between is None:
        # from the greatest height at which cards are large enough, the plates aren't all in the picture
        seen, wanted = seen_from(optics, highest(optics)), plates_span(apart)
        assert seen[0] < wanted[0] * AIM or seen[1] < wanted[1] * AIM
        return
    for height in between:
        shown = picture_from(optics, apart, height)
        assert sight_problems(shown) == ()
        found = present(calibrate(shown, apart))
        assert found.residual < 0.5
        assert scale(found) * CARD_WIDTH >= NEEDED * LET_PASS


@given(st.sampled_from(sorted(CAMERAS)), st.floats(200, 3000), st.floats(0.4, 1.0))
def test_heights_exist_up_to_the_largest_table(name: str, across: float, shape: float) -> None:
    optics, apart = CAMERAS[name], (across, across * shape)
    largest = largest_apart(optics, apart)
    if abs(largest[0] - across) > 0.001:
        assert (heights(optics, apart) is not None) == (across < largest[0])


def test_recognises_sensor_with_and_without_filter() -> None:
    assert optics_of("imx708_wide_noir") == CAMERAS["imx708_wide"]
    assert optics_of("ov5647") is None
