"""The live picture as the eyes give it: a few a second, of open parts; withdrawn once nothing may be shown."""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from hardware.twin.rendering.scene import SceneCamera, SceneCard
from tests.vision.process.live import DUKE
from tests.vision.process.test_clip_recorder import Clock, eyes_over
from tests.vision.process.test_clip_view import CAMERAS, HEIGHTS, picture_of, table_under
from vision.process.clip_recorder import LIVE, ClipRecorder
from vision.process.messages import EvidenceKept, FilmParts, LivePicture, settings_after
from vision.process.on_frame import EyesState
from vision.troubles import Problem

FACES = ("duke", "captain", "contessa", None)


def watched_live(folder: Path, *, clips: bool = False) -> EyesState:
    eyes = eyes_over(folder)
    return replace(eyes, settings=replace(eyes.settings, clips=clips, live=True))


def pictures_in(recorder: ClipRecorder, eyes: EyesState, clock: Clock, seconds: float) -> list[bytes]:
    """Let time go by, and collect what who looks on was given."""
    given = []
    for _picture in range(round(seconds * 15)):
        clock.seconds += 1 / 15
        eyes, news = recorder.go_on(eyes)
        given += [each.jpeg for each in news if isinstance(each, LivePicture)]
    return given


def test_a_few_pictures_a_second_are_given_and_nothing_is_remembered(tmp_path: Path) -> None:
    clock = Clock()
    recorder, eyes = ClipRecorder(clock), watched_live(tmp_path)
    given = pictures_in(recorder, eyes, clock, 10)
    assert 10 * LIVE * 0.7 <= len(given) <= 10 * LIVE + 1
    shown = cv2.imdecode(np.frombuffer(given[-1], np.uint8), cv2.IMREAD_COLOR)
    assert shown.shape[1] == 640
    assert not recorder.ring
    recorder.note_rulings((EvidenceKept("7", 3, "a file"),))
    pictures_in(recorder, eyes, clock, 5)
    recorder.wait()
    assert not list(tmp_path.iterdir())


def test_it_is_off_unless_it_is_wanted_and_clips_are_kept_beside_it(tmp_path: Path) -> None:
    clock = Clock()
    recorder = ClipRecorder(clock)
    assert not pictures_in(recorder, eyes_over(tmp_path), clock, 2)
    recorder = ClipRecorder(clock)
    assert pictures_in(recorder, watched_live(tmp_path, clips=True), clock, 2)
    assert recorder.ring


@pytest.mark.parametrize(
    "change",
    [
        lambda eyes: replace(eyes, settings=replace(eyes.settings, live=False)),
        lambda eyes: replace(eyes, settings=settings_after(eyes.settings, FilmParts(None))),
        lambda eyes: replace(eyes, settings=replace(eyes.settings, table=None)),
        lambda eyes: replace(eyes, wrong={"table": (Problem("nudged"),)}),
        lambda eyes: replace(eyes, watch=None, picture=None),
    ],
    ids=["off", "another match", "no table", "nudged", "no camera"],
)
def test_the_last_picture_is_withdrawn_at_once_and_told_once(
    tmp_path: Path, change: Callable[[EyesState], EyesState]
) -> None:
    clock = Clock()
    recorder, eyes = ClipRecorder(clock), watched_live(tmp_path)
    assert pictures_in(recorder, eyes, clock, 1)
    assert pictures_in(recorder, change(eyes), clock, 3) == [b""]
    assert pictures_in(recorder, eyes, clock, 1)[0]


@pytest.mark.parametrize("camera", CAMERAS.values(), ids=CAMERAS)
@pytest.mark.parametrize("place", [(0.0, 230.0), (-330.0, 0.0), (330.0, 60.0), (60.0, -250.0)])
def test_a_card_at_a_players_place_or_held_up_beside_the_middle_leaves_no_trace(
    tmp_path: Path, camera: SceneCamera, place: tuple[float, float]
) -> None:
    for height, lift in HEIGHTS:
        held = SceneCard("duke", *place, 20.0, height=height, lift=lift)
        seen = {shown_with(tmp_path, camera, replace(held, face=face)) for face in FACES}
        assert len(seen) == 1, (place, height)


def test_a_card_that_lies_open_in_the_middle_is_seen(tmp_path: Path) -> None:
    camera = CAMERAS["above"]
    seen = {shown_with(tmp_path, camera, replace(DUKE, x=0.0, y=0.0, face=face)) for face in FACES}
    assert len(seen) == len(FACES)


def shown_with(folder: Path, camera: SceneCamera, card: SceneCard) -> bytes:
    """Give what who looks on gets of a table with this card; the table was found before."""
    clock = Clock()
    picture = picture_of(camera, card)
    eyes = replace(table_of(folder, camera), picture=picture)
    return pictures_in(ClipRecorder(clock), eyes, clock, 1)[-1]


FOUND: dict[int, EyesState] = {}


def table_of(folder: Path, camera: SceneCamera) -> EyesState:
    """Give eyes that have found the table under a camera."""
    if id(camera) not in FOUND:
        eyes = watched_live(folder)
        settings = replace(eyes.settings, table=table_under(camera))
        FOUND[id(camera)] = replace(eyes, settings=settings)
    return FOUND[id(camera)]
