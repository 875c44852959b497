"""Cards looked at in one call are told as each is by itself; what isn't clear is left to a closer look."""

from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision.reading.test_glancing import deck_of, lay
from tests.vision.sets.drawn_decks import playing_cards
from vision.reading.clear_cards import glance_at_all
from vision.reading.explaining import Seeing, explain_places, pool_of
from vision.reading.identifying import compare_card
from vision.reading.templates import Picture
from vision.reading.views import Pose, outline_of, pyramid
from vision.sightings import Outline

KNOWN = ("7c", "Jd", "Kd", "10h")
FACES = ("Jd", "7c", "10h")


def pose_at(column: int, turn: float = 0.03) -> Pose:
    """Pose a card in one of the columns of the table."""
    c, s = np.cos(turn), np.sin(turn)
    return np.array([(150.0 * c, -210 * s, 130 + 200 * column), (150 * s, 210 * c, 150), (0, 0, 1)])


@cache
def table_of(faces: tuple[str, ...]) -> Picture:
    """Lay cards side by side on a green table."""
    table = np.full((300, 60 + 200 * len(faces), 3), (60, 80, 50), np.uint8)
    for column, name in enumerate(faces):
        lay(playing_cards().face(name), pose_at(column), table)
    return table


def row_of(name: str) -> int:
    return 2 * KNOWN.index(name)


def apart(one: Outline, other: Outline) -> float:
    return float(np.abs(np.subtract(one, other)).max())


@pytest.mark.parametrize("shift", [(0, 0), (3, -2), (-4, 3)])
def test_cards_looked_at_together_are_told_as_each_by_itself(shift: tuple[int, int]) -> None:
    levels, deck = pyramid(table_of(FACES)), deck_of(KNOWN)
    off = np.array([(1, 0, shift[0]), (0, 1, shift[1]), (0, 0, 1.0)])
    poses = [off @ pose_at(column) for column in range(len(FACES))]
    together = glance_at_all(levels, poses, [row_of(name) for name in FACES], deck)
    for name, pose, card in zip(FACES, poses, together, strict=True):
        alone = compare_card(levels, pose, row_of(name), deck, plane=True)
        assert alone is not None
        assert card is not None
        assert (card.row, card.at_a_glance) == (alone.row, alone.at_a_glance) == (row_of(name), True)
        assert [row for row, _near in card.rivals] == [row for row, _near in alone.rivals]
        assert apart(outline_of(card.pose), outline_of(alone.pose)) < 0.2
        figures = ("score", "fit", "misfit", "margin", "index", "strange", "visible")
        for figure in figures:
            assert getattr(card, figure) == pytest.approx(getattr(alone, figure), abs=0.01), figure
        assert card.patchy == pytest.approx(alone.patchy, rel=0.1)


def test_a_stranger_among_clear_cards_is_left_to_a_closer_look() -> None:
    faces = ("Jd", "Qd", "7c")
    levels, deck = pyramid(table_of(faces)), deck_of(KNOWN)
    cards = glance_at_all(
        levels, [pose_at(column) for column in range(3)], [row_of(each) for each in ("Jd", "Kd", "7c")], deck
    )
    assert [None if card is None else card.row for card in cards] == [row_of("Jd"), None, row_of("7c")]


def test_glare_keeps_a_card_from_being_told_with_the_others() -> None:
    picture = table_of(FACES).copy()
    x, y = np.rint(pose_at(1)[:2, 2]).astype(int)
    cv2.circle(picture, (int(x) + 20, int(y) - 30), 30, (255, 255, 255), cv2.FILLED)
    cards = glance_at_all(
        pyramid(picture), [pose_at(column) for column in range(3)], [row_of(name) for name in FACES],
        deck_of(KNOWN),
    )  # fmt: skip
    assert [card is not None for card in cards] == [True, False, True]


def test_what_is_clear_at_a_glance_lies_on_top_of_what_is_not() -> None:
    table = np.full((460, 460, 3), (60, 80, 50), np.uint8)
    poses = [np.array([(150.0, 0, x), (0, 210, y), (0, 0, 1)]) for x, y in ((140, 150), (274, 290))]
    for name, pose in zip(("7c", "Jd"), poses, strict=True):
        lay(playing_cards().face(name), pose, table)
    levels, deck = pyramid(table), deck_of(KNOWN)
    together = glance_at_all(levels, poses, [row_of("7c"), row_of("Jd")], deck)
    assert [card is not None for card in together] == [False, True]
    seeing = Seeing(levels[0].shape[:2], levels, deck, None, plane=True)
    first, second = explain_places(seeing, pool_of(seeing, poses), ())
    assert [deck.names[deck.faces[card.row]] for card in (first, second)] == ["Jd", "7c"]
    assert first.at_a_glance
    assert not second.at_a_glance
    assert second.visible < 0.99
