"""Reports while a deck is taught: each is sent once, and again if it was missed."""

import cv2
import numpy as np
from msgspec.structs import replace

from hardware.twin.rendering.scene import Hand
from tests.vision.process.live import CAPTAIN, DUKE, TABLE, render_scene, with_cards
from vision.process.messages import (
    Attend,
    EmptyTableUnknown,
    EyesMessage,
    EyesSettings,
    FrameTaken,
    HandInPicture,
    Rest,
    TakeAsEmpty,
    TakeFrame,
    TeachingReport,
    UseTable,
    Wake,
)
from vision.process.on_frame import EyesState, holds_light, look_at_picture, obey_order, open_eyes
from vision.process.watching import ARM, PATIENCE, STILL_FRAMES
from vision.table.calibration import calibrate
from vision.table.camera import WARM
from vision.teaching.lessons import EmptyTable, LoneCard, SeveralThings


def show_picture(
    eyes: EyesState, picture: np.ndarray, frames: int = STILL_FRAMES + 2
) -> tuple[EyesState, list[EyesMessage]]:
    heard: list[EyesMessage] = []
    for _number in range(frames):
        eyes, news = look_at_picture(eyes, picture)
        heard += [each for each in news if isinstance(each, TeachingReport | FrameTaken)]
    return eyes, heard


def attentive_eyes() -> EyesState:
    """Open eyes that know the empty table."""
    eyes, _news = open_eyes(EyesSettings("x", resting=True))
    eyes, _news = obey_order(eyes, Attend(0, None))
    eyes, _news = obey_order(eyes, TakeAsEmpty(1))
    return show_picture(eyes, with_cards().picture)[0]


def kinds_of(heard: list[EyesMessage]) -> list[type]:
    return [type(each.what) for each in heard if isinstance(each, TeachingReport)]


def test_without_an_empty_table_there_is_nothing_to_tell() -> None:
    eyes, _news = open_eyes(EyesSettings("x", resting=True))
    eyes, news = obey_order(eyes, Attend(7, None))
    assert [(each.number, type(each.what)) for each in news if isinstance(each, TeachingReport)] == [
        (8, EmptyTableUnknown)
    ]
    assert show_picture(eyes, with_cards(DUKE).picture)[1] == []
    assert obey_order(eyes, Attend(8, None))[1] == ()
    eyes, _news = obey_order(eyes, TakeAsEmpty(8))
    eyes, heard = show_picture(eyes, with_cards().picture)
    assert [(each.number, type(each.what)) for each in heard if isinstance(each, TeachingReport)] == [
        (9, EmptyTable)
    ]


def test_each_thing_is_reported_once_and_again_if_it_was_missed() -> None:
    eyes = attentive_eyes()
    eyes, heard = show_picture(eyes, with_cards(DUKE).picture, 30)
    assert kinds_of(heard) == [LoneCard]
    (told,) = heard
    assert isinstance(told, TeachingReport)
    assert obey_order(eyes, Attend(told.number, 0.7))[1] == ()
    eyes, again = obey_order(eyes, Attend(told.number - 1, 0.7))
    assert again == (told,)
    eyes, heard = show_picture(eyes, with_cards(DUKE, CAPTAIN).picture, 30)
    assert kinds_of(heard) == [SeveralThings]
    eyes, heard = show_picture(eyes, with_cards().picture, 30)
    assert kinds_of(heard) == [EmptyTable]


def test_an_arm_that_rests_in_the_picture_is_told() -> None:
    hand = render_scene(replace(TABLE, cards=(), hands=(Hand(0.0, 0.0, 90.0),))).picture
    _eyes, heard = show_picture(attentive_eyes(), hand, ARM + PATIENCE)
    assert kinds_of(heard) == [HandInPicture]


def test_a_table_that_never_rests_is_taken_as_it_is() -> None:
    eyes, _news = open_eyes(EyesSettings("x", resting=True))
    eyes, _news = obey_order(eyes, TakeAsEmpty(0))
    rng, heard = np.random.default_rng(1), list[EyesMessage]()
    for _number in range(PATIENCE + 5):
        picture = with_cards().picture.copy()
        picture[:200, :200] = rng.integers(0, 255)
        eyes, some = show_picture(eyes, picture, 1)
        heard += some
    assert kinds_of(heard)[0] is EmptyTable


def test_eyes_that_wake_attend_no_more() -> None:
    eyes, _news = obey_order(attentive_eyes(), Wake())
    assert eyes.attention is None
    eyes, _news = obey_order(eyes, Rest())
    assert show_picture(eyes, with_cards(DUKE).picture)[1] == []


def test_a_dark_table_is_told() -> None:
    eyes, _news = open_eyes(EyesSettings("x", resting=True))
    eyes, _news = obey_order(eyes, TakeAsEmpty(0))
    dark = (with_cards().picture // 8).astype(np.uint8)
    _eyes, heard = show_picture(eyes, dark)
    (told,) = heard
    assert isinstance(told, TeachingReport)
    assert [problem.key for problem in told.wrong] == ["too dark"]


def test_a_whole_picture_comes_once_the_light_is_measured() -> None:
    table = calibrate(with_cards().picture)
    eyes, _news = open_eyes(EyesSettings("x", table=table))
    assert holds_light(eyes)
    eyes, _news = obey_order(eyes, TakeFrame())
    assert not holds_light(eyes)
    eyes, heard = show_picture(eyes, with_cards().picture, WARM)
    assert heard == []
    eyes, heard = show_picture(eyes, with_cards().picture, 3)
    (taken,) = heard
    assert isinstance(taken, FrameTaken)
    shown = cv2.imdecode(np.frombuffer(taken.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert shown.shape == with_cards().picture.shape
    assert np.abs(shown.astype(int) - with_cards().picture).mean() < 3
    assert holds_light(eyes)


def test_a_table_that_was_told_leaves_no_trouble_of_the_one_before() -> None:
    eyes, _news = open_eyes(EyesSettings("x"))
    hidden = with_cards().picture.copy()
    hidden[:450, :600] = hidden[450, 600]
    for _number in range(WARM + 2):
        eyes, _news = look_at_picture(eyes, hidden)
    assert eyes.wrong["table"]
    table = calibrate(with_cards().picture)
    assert table is not None
    eyes, news = obey_order(eyes, UseTable(replace(table, markers={})))
    assert [type(each).__name__ for each in news][:1] == ["TroubleEnded"]
    assert not eyes.wrong["table"]


def test_a_table_is_taken_as_empty_in_the_last_of_so_many_still_pictures() -> None:
    eyes, _news = open_eyes(EyesSettings("x", resting=True))
    eyes, _news = obey_order(eyes, Attend(0, None))
    eyes, _news = obey_order(eyes, TakeAsEmpty(1))
    bare = with_cards().picture
    eyes, heard = show_picture(eyes, bare, STILL_FRAMES)
    assert kinds_of(heard) == []
    assert kinds_of(show_picture(eyes, bare, 1)[1]) == [EmptyTable]
