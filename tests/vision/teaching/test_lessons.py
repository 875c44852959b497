"""Teaching card by card: what lies on the table, and the prompts that follow."""

from functools import cache

import cv2
import numpy as np
import pytest

from hardware.twin.rendering.lens import Pixels
from hardware.twin.rendering.renderer import faces_of, render
from hardware.twin.rendering.scene import Hand, Scene, SceneCamera, SceneCard, SceneLight, SceneTable, Surface
from tests.tiers import tiered
from tests.vision.foreign.sheets import kept_deck
from vision.card_cuts import CutCard, LoneCard
from vision.teaching.lessons import (
    PLACEMENTS,
    Course,
    CourseEvent,
    CoursePrompt,
    NameFace,
    TeachFace,
    advance_course,
    begin_course,
    find_disagreements,
    look_at_table,
    turn_like_first,
)
from vision.teaching.likeness import distance
from vision.teaching.taught_decks import Shot, card_size_for
from vision.troubles import Problem

CAMERA = SceneCamera(resolution=(1352, 1014), focal=1040.0, tilt=2.0)
SHAPE = 63 / 88


def picture_of(
    *cards: SceneCard, surface: Surface = "felt", hands: tuple[Hand, ...] = (), time: float = 0.0
) -> Pixels:
    return render(
        Scene(CAMERA, SceneTable(surface, plates=()), SceneLight(), cards, hands, time=time), faces_of("coup")
    )


@cache
def ground(surface: Surface) -> np.ndarray:
    return picture_of(surface=surface, time=1.0)


@cache
def flat(face: str) -> np.ndarray:
    return cv2.resize(faces_of("coup")(face), (252, 352), interpolation=cv2.INTER_AREA)


def lay_card(face: str, x: float = 100.0, *, half_turned: bool = False, across: bool = False) -> LoneCard:
    """Make the event of a lone card at a place."""
    picture = flat(face)
    wide, high = (176, 126) if across else (126, 176)
    corners = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], float) + np.array((x, 50))
    shown = np.ascontiguousarray(picture[::-1, ::-1]) if half_turned else picture
    return LoneCard(shown, corners=corners, shape=SHAPE)


def take_events(course: Course, *events: CourseEvent) -> tuple[Course, list[str]]:
    """Take events one after the other."""
    keys: list[str] = []
    for event in events:
        course, says = advance_course(course, event)
        keys += [say.key for say in says]
    return course, keys


# the course


def test_asks_for_faces_of_known_deck() -> None:
    course, says = begin_course(("duke", "captain"))
    assert says == (CoursePrompt("lay", "duke"),)
    course, keys = take_events(
        course, lay_card("duke"), lay_card("duke", 300), lay_card("duke", 500, half_turned=True), "empty"
    )
    assert keys == ["got it", "got it", "taught", "lay"]
    assert (course.face, course.wanted) == ("captain", ("captain",))
    first, _second, third = course.taught["duke"]
    assert distance(first.picture, third.picture) < 0.01
    course, keys = take_events(
        course, *(lay_card("captain", 100 + 200 * place) for place in range(PLACEMENTS)), "empty"
    )
    assert keys[-1] == "done"
    assert list(course.taught) == ["duke", "captain"]


def test_reports_other_and_multiple_cards() -> None:
    course, _says = begin_course(("duke", "captain"))
    course, keys = take_events(
        course,
        "several",
        "unclear",
        lay_card("duke", across=True),
        lay_card("duke"),
        lay_card("captain", 400),
        "several",
    )
    assert keys == ["several", "unclear", "upright", "got it", "another card", "several"]
    assert len(course.shown) == 1


def test_names_unknown_deck_card_by_card() -> None:
    course, says = begin_course(())
    assert says == (CoursePrompt("lay any"),)
    course, keys = take_events(
        course, lay_card("duke"), NameFace("boss"), lay_card("duke", 300), lay_card("duke", 500), "empty"
    )
    assert keys == ["name it", "got it", "got it", "taught", "lay any"]
    assert list(course.taught) == ["boss"]


def test_skipped_face_can_be_taught_later() -> None:
    course, _says = begin_course(("duke", "captain"))
    course, keys = take_events(course, "skip")
    assert (keys, course.face) == (["lay"], "captain")
    course, keys = take_events(
        course, lay_card("captain"), TeachFace("duke"), lay_card("captain", 300), "empty"
    )
    assert keys == ["got it", "take away", "lay"]
    assert (course.face, course.wanted) == ("duke", ("duke", "captain"))
    assert course.taught == {}
    course, keys = take_events(course, lay_card("duke"), lay_card("duke", 300), "end")
    assert (keys[-1], course.phase) == ("done", "done")
    assert [len(pictures) for pictures in course.taught.values()] == [2]


# what lies on the table


@pytest.mark.parametrize("surface", tiered(("felt", "light"), ("felt", "wood", "light", "mat")))
def test_sees_one_card_on_any_table(surface: Surface) -> None:
    assert look_at_table(ground(surface), picture_of(surface=surface)) == "empty"
    for card, light in ((SceneCard("duke", -150.0, 60.0, 7.0), 0), (SceneCard("duke", 180.0, -90.0, 190.0), 9)):
        picture = np.clip(picture_of(card, surface=surface).astype(int) + light, 0, 255).astype(np.uint8)
        seen = look_at_table(ground(surface), picture)
        assert isinstance(seen, LoneCard)
        assert seen.shape == pytest.approx(SHAPE)
        assert card_size_for(seen.shape) == (63.0, 88.0)
        assert turn_like_first(flat("duke"), seen.picture) is not None
        assert turn_like_first(flat("captain"), seen.picture) is None


def test_two_cards_and_hand_are_no_card() -> None:
    apart = picture_of(SceneCard("duke", -150.0, 0.0), SceneCard("captain", 100.0, 30.0))
    beside = picture_of(SceneCard("duke", -150.0, 0.0), SceneCard("captain", -86.0, 2.0, 1.0))
    assert look_at_table(ground("felt"), apart, SHAPE) == "several"
    course, _says = begin_course(("duke",))
    seen = look_at_table(ground("felt"), beside, SHAPE)
    assert seen is not None
    # side by side they have a card's shape, across
    assert take_events(course, seen)[1] == ["upright"]
    arm = picture_of(SceneCard("duke", -150.0, 0.0), hands=(Hand(120.0, 60.0),))
    assert look_at_table(ground("felt"), arm, SHAPE) is None


# pictures that disagree


def test_doubts_one_of_two_odd_pictures() -> None:
    shots = [Shot(f"duke__{like}.png", "duke", CutCard(flat(like))) for like in ("duke", "captain")]
    assert [problem.key for problem in find_disagreements(shots).values()] == ["disagrees"]


@pytest.mark.parametrize("order", [1, -1])
def test_prefers_sharper_picture(order: int) -> None:
    soft = CutCard(np.asarray(cv2.GaussianBlur(flat("duke"), (0, 0), 25), np.uint8))
    files = ("duke.png", "duke__2.png")[::order]
    shots = [Shot(file, "duke", card) for file, card in zip(files, (soft, CutCard(flat("duke"))), strict=True)]
    assert find_disagreements(shots[::order]) == {
        files[0]: Problem("disagrees", {"file": files[0], "other": files[1]})
    }


def test_other_colour_is_another_face() -> None:
    deck = kept_deck("coloured")
    shown = {name: cv2.resize(deck.face(name), (252, 352)) for name in ("red-7", "blue-7")}
    laid = ("red-7", "blue-7", "red-7")
    shots = [Shot(f"red-7__{i}.png", "red-7", CutCard(shown[name])) for i, name in enumerate(laid)]
    wrong = find_disagreements([*shots, Shot("blue-7.png", "blue-7", CutCard(shown["blue-7"]))])
    assert {file: problem.key for file, problem in wrong.items()} == {"red-7__1.png": "another face"}


def test_going_back_undoes_step_by_step() -> None:
    course, _says = begin_course(("duke", "captain"))
    for x in (0.0, 100.0, 200.0):
        course, _says = advance_course(course, lay_card("duke", x))
    course, _says = advance_course(course, "empty")
    for x in (0.0, 100.0):
        course, _says = advance_course(course, lay_card("captain", x))
    course, says = advance_course(course, "back")
    assert (says, len(course.shown)) == ((CoursePrompt("got it", "captain", 1),), 1)
    course, says = advance_course(course, "back")
    assert says == (CoursePrompt("take away", "captain"),)
    course, says = advance_course(course, "empty")
    assert says == (CoursePrompt("lay", "captain"),)
    course, says = advance_course(course, "back")
    assert says == (CoursePrompt("lay", "duke"),)
    assert "captain" in course.wanted
    first, _says = begin_course(("duke",))
    assert advance_course(first, "back") == (first, ())
