"""Teaching card by card: what is seen on the table, and what is said to it."""

from functools import cache

import cv2
import numpy as np
import pytest

from hardware.twin.rendering.faces import faces_of
from hardware.twin.rendering.renderer import Frame, render
from hardware.twin.rendering.scene import Camera, Hand, Laid, Light, Scene, Surface, Table
from vision.teaching.lessons import (
    PLACEMENTS,
    Again,
    Back,
    Course,
    Empty,
    Enough,
    Event,
    Named,
    One,
    Say,
    Several,
    Skip,
    Unclear,
    as_first,
    begun,
    card_of,
    disagreeing,
    seen_on,
    step,
)
from vision.teaching.likeness import distance
from vision.teaching.taught_decks import Shot

CAMERA = Camera(resolution=(1352, 1014), focal=1040.0, tilt=2.0)
SHAPE = 63 / 88


def frame(*cards: Laid, surface: Surface = "felt", hands: tuple[Hand, ...] = (), time: float = 0.0) -> Frame:
    return render(Scene(CAMERA, Table(surface, plates=()), Light(), cards, hands, time=time), faces_of("coup"))


@cache
def ground(surface: Surface) -> np.ndarray:
    return frame(surface=surface, time=1.0).picture


@cache
def flat(face: str) -> np.ndarray:
    return cv2.resize(faces_of("coup")(face), (252, 352), interpolation=cv2.INTER_AREA)


def laid(face: str, x: float = 100.0, *, half_turned: bool = False, across: bool = False) -> One:
    """See a card lie somewhere."""
    picture = flat(face)
    wide, high = (176, 126) if across else (126, 176)
    corners = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], float) + np.array((x, 50))
    return One(np.ascontiguousarray(picture[::-1, ::-1]) if half_turned else picture, corners, SHAPE)


def said(course: Course, *events: Event) -> tuple[Course, list[str]]:
    """Take events one after the other."""
    keys: list[str] = []
    for event in events:
        course, says = step(course, event)
        keys += [say.key for say in says]
    return course, keys


# the course


def test_a_known_deck_is_asked_for_face_by_face() -> None:
    course, says = begun(("duke", "captain"))
    assert says == (Say("lay", "duke"),)
    course, keys = said(course, laid("duke"), laid("duke", 300), laid("duke", 500, half_turned=True), Empty())
    assert keys == ["got it", "got it", "taught", "lay"]
    assert (course.face, course.wanted) == ("captain", ("captain",))
    first, _second, third = course.taught["duke"]
    assert distance(first, third) < 0.01
    course, keys = said(course, *(laid("captain", 100 + 200 * place) for place in range(PLACEMENTS)), Empty())
    assert keys[-1] == "done"
    assert list(course.taught) == ["duke", "captain"]


def test_a_card_that_was_not_moved_is_not_taken_again() -> None:
    course, _says = begun(("duke",))
    course, keys = said(course, laid("duke"), laid("duke", 101), laid("duke", 103))
    assert keys == ["got it"]
    assert len(course.shown) == 1


def test_another_card_two_cards_and_cards_across_are_told() -> None:
    course, _says = begun(("duke", "captain"))
    course, keys = said(
        course, Several(), Unclear(), laid("duke", across=True), laid("duke"), laid("captain", 400), Several()
    )
    assert keys == ["several", "unclear", "upright", "got it", "another card", "several"]
    assert len(course.shown) == 1


def test_an_unknown_deck_is_named_card_by_card() -> None:
    course, says = begun(())
    assert says == (Say("lay any"),)
    course, keys = said(course, laid("duke"), Named("boss"), laid("duke", 300), laid("duke", 500), Empty())
    assert keys == ["name it", "got it", "got it", "taught", "lay any"]
    assert list(course.taught) == ["boss"]


def test_what_was_shown_is_kept_when_it_is_enough() -> None:
    course, _says = begun(("duke", "captain"))
    course, keys = said(course, laid("duke"), laid("duke", 300), Enough())
    assert keys[-1] == "done"
    assert [len(pictures) for pictures in course.taught.values()] == [2]
    assert course.phase == "done"


def test_a_face_can_be_left_out_and_taught_again() -> None:
    course, _says = begun(("duke", "captain"))
    course, keys = said(course, Skip())
    assert (keys, course.face) == (["lay"], "captain")
    course, keys = said(course, laid("captain"), Again("duke"), laid("captain", 300), Empty())
    assert keys == ["got it", "take away", "lay"]
    assert (course.face, course.wanted) == ("duke", ("duke", "captain"))
    assert course.taught == {}


# what lies on the table


@pytest.mark.parametrize("surface", ["felt", "wood", "light", "mat"])
def test_one_card_is_seen_on_every_table(surface: Surface) -> None:
    assert isinstance(seen_on(ground(surface), frame(surface=surface).picture), Empty)
    for card in (Laid("duke", -150.0, 60.0, 7.0), Laid("duke", 180.0, -90.0, 190.0)):
        seen = seen_on(ground(surface), frame(card, surface=surface).picture)
        assert isinstance(seen, One)
        assert seen.shape == pytest.approx(SHAPE)
        same = as_first(flat("duke"), seen.picture)
        assert same is not None
        assert as_first(flat("captain"), seen.picture) is None


def test_two_cards_and_a_hand_are_no_card() -> None:
    apart = frame(Laid("duke", -150.0, 0.0), Laid("captain", 100.0, 30.0))
    beside = frame(Laid("duke", -150.0, 0.0), Laid("captain", -86.0, 2.0, 1.0))
    assert isinstance(seen_on(ground("felt"), apart.picture, SHAPE), Several)
    course, _says = begun(("duke",))
    seen = seen_on(ground("felt"), beside.picture, SHAPE)
    assert seen is not None
    # side by side they have a card's shape, across
    assert said(course, seen)[1] == ["upright"]
    arm = frame(Laid("duke", -150.0, 0.0), hands=(Hand(120.0, 60.0),))
    assert seen_on(ground("felt"), arm.picture, SHAPE) is None


def test_the_light_may_change() -> None:
    picture = frame(Laid("duke", -150.0, 60.0, 7.0)).picture
    brighter = np.clip(picture.astype(int) + 9, 0, 255).astype(np.uint8)
    assert isinstance(seen_on(ground("felt"), brighter), One)


# pictures that disagree


def shot(name: str, face: str, like: str) -> Shot:
    """Take a picture a little askew."""
    rng = np.random.default_rng(len(name))
    picture = np.roll(flat(like), int(rng.integers(3)), axis=1).astype(int) + rng.integers(-6, 7, (352, 252, 3))
    return Shot(name, face, np.clip(picture, 0, 255).astype(np.uint8))


def test_a_picture_of_another_card_is_found() -> None:
    shots = [
        shot("duke__1.png", "duke", "duke"),
        shot("duke__22.png", "duke", "captain"),
        shot("duke__333.png", "duke", "duke"),
        shot("captain.png", "captain", "captain"),
    ]
    wrong = disagreeing(shots)
    assert list(wrong) == ["duke__22.png"]
    assert (wrong["duke__22.png"].key, wrong["duke__22.png"].values["other"]) == ("another face", "captain")
    assert disagreeing([each for each in shots if "22" not in each.file]) == {}
    assert disagreeing(shots[:2])["duke__22.png"].key == "disagrees"


def test_cards_have_a_size() -> None:
    assert card_of(63 / 88) == (63.0, 88.0)
    assert card_of(0.5) == (44.0, 88.0)


def test_going_back_forgets_a_placement_then_the_face_and_then_the_face_before() -> None:
    course, _says = begun(("duke", "captain"))
    for x in (0.0, 100.0, 200.0):
        course, _says = step(course, laid("duke", x))
    course, _says = step(course, Empty())
    for x in (0.0, 100.0):
        course, _says = step(course, laid("captain", x))
    course, says = step(course, Back())
    assert (says, len(course.shown)) == ((Say("got it", "captain", 1),), 1)
    course, says = step(course, Back())
    assert says == (Say("take away", "captain"),)
    course, says = step(course, Empty())
    assert says == (Say("lay", "captain"),)
    course, says = step(course, Back())
    assert says == (Say("lay", "duke"),)
    assert "captain" in course.wanted


def test_there_is_nothing_before_the_first_face() -> None:
    course, _says = begun(("duke",))
    assert step(course, Back()) == (course, ())
