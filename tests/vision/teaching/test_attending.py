"""Reports while a deck is taught: each is sent once, and again if it was missed."""

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
from msgspec.structs import replace

from hardware.twin.rendering.scene import Hand
from tests.vision.process.live import CAPTAIN, DUKE, TABLE, found_table, render_scene, show_picture, with_cards
from vision.card_cuts import LoneCard
from vision.process import messages
from vision.process.on_frame import EyesState, holds_light, obey_order, open_eyes
from vision.process.watching import ARM, RESTLESS_FRAMES, STILL_FRAMES
from vision.table.camera import WARM

ONCE = STILL_FRAMES + 2
Told = list[messages.TeachingReport | messages.FrameTaken]


def show(eyes: EyesState, picture: np.ndarray, frames: int = ONCE) -> tuple[EyesState, Told]:
    """Show a picture for some frames; give what is told of teaching."""
    eyes, news = show_picture(eyes, picture, frames)
    return eyes, [each for each in news if isinstance(each, messages.TeachingReport | messages.FrameTaken)]


def open_resting(*orders: messages.EyesOrder) -> EyesState:
    """Open eyes, and give them orders."""
    eyes, _news = open_eyes(messages.EyesSettings("x", resting=True))
    for order in orders:
        eyes, _news = obey_order(eyes, order)
    return eyes


@cache
def attentive_eyes() -> EyesState:
    """Open eyes that know the empty table."""
    return show(open_resting(messages.Attend(0, None), messages.TakeAsEmpty(1)), with_cards().picture)[0]


def kinds_of(heard: Sequence[messages.EyesMessage]) -> list[tuple[int, object]]:
    return [(each.number, each.what) for each in heard if isinstance(each, messages.TeachingReport)]


def test_reports_nothing_without_empty_table() -> None:
    eyes, news = obey_order(open_resting(), messages.Attend(7, None))
    assert kinds_of(news) == [(8, "")]
    assert show(eyes, with_cards(DUKE).picture)[1] == []
    assert obey_order(eyes, messages.Attend(8, None))[1] == ()
    eyes, _news = obey_order(eyes, messages.TakeAsEmpty(8))
    # it is taken in the last of so many still pictures
    eyes, heard = show(eyes, with_cards().picture, STILL_FRAMES)
    assert heard == []
    assert kinds_of(show(eyes, with_cards().picture, 1)[1]) == [(9, "empty")]


def test_reports_each_object_once() -> None:
    eyes, heard = show(attentive_eyes(), with_cards(DUKE).picture, 30)
    (told,) = heard
    assert isinstance(told, messages.TeachingReport)
    assert isinstance(told.what, LoneCard)
    assert obey_order(eyes, messages.Attend(told.number, 0.7))[1] == ()
    eyes, again = obey_order(eyes, messages.Attend(told.number - 1, 0.7))
    assert again == (told,)
    for cards, kind in (((DUKE, CAPTAIN), "several"), ((), "empty")):
        eyes, heard = show(eyes, with_cards(*cards).picture, 30)
        assert [each for _number, each in kinds_of(heard)] == [kind]
    for order in (messages.Wake(), messages.Rest()):
        eyes, _news = obey_order(eyes, order)
        assert eyes.attention is None
    assert show(eyes, with_cards(DUKE).picture)[1] == []


def test_reports_resting_arm() -> None:
    hand = render_scene(replace(TABLE, cards=(), hands=(Hand(0.0, 0.0, 90.0),))).picture
    _eyes, heard = show(attentive_eyes(), hand, ARM + RESTLESS_FRAMES)
    assert [kind for _number, kind in kinds_of(heard)] == ["reaching"]


def test_accepts_restless_table_and_reports_dark_one() -> None:
    eyes, rng, heard = open_resting(messages.TakeAsEmpty(0)), np.random.default_rng(1), Told()
    for _number in range(RESTLESS_FRAMES + 5):
        picture = with_cards().picture // 8
        picture[:200, :200] = rng.integers(0, 255)
        eyes, some = show(eyes, picture.astype(np.uint8), 1)
        heard += some
    assert isinstance(heard[0], messages.TeachingReport)
    assert heard[0].what == "empty"
    assert [problem.key for problem in heard[0].wrong] == ["too dark"]


def test_whole_picture_follows_light_measurement() -> None:
    eyes, _news = open_eyes(messages.EyesSettings("x", table=found_table()))
    assert holds_light(eyes)
    eyes, _news = obey_order(eyes, messages.TakeFrame())
    assert not holds_light(eyes)
    eyes, heard = show(eyes, with_cards().picture, WARM)
    assert heard == []
    eyes, (taken,) = show(eyes, with_cards().picture, 3)
    assert isinstance(taken, messages.FrameTaken)
    shown = cv2.imdecode(np.frombuffer(taken.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert np.abs(shown.astype(int) - with_cards().picture).mean() < 5
    assert holds_light(eyes)


def test_new_table_clears_old_trouble() -> None:
    hidden = with_cards().picture.copy()
    hidden[:450, :600] = hidden[450, 600]
    eyes, _news = show_picture(open_eyes(messages.EyesSettings("x"))[0], hidden, WARM + 2)
    assert eyes.wrong["table"]
    eyes, news = obey_order(eyes, messages.UseTable(replace(found_table(), markers={})))
    assert isinstance(news[0], messages.TroubleEnded)
    assert not eyes.wrong["table"]
