"""Two looks at the same cards: one settles what the other leaves open; where they differ, none is believed."""

from functools import cache

import numpy as np
import pytest
from msgspec.structs import replace

from hardware.twin.rendering.faces import faces_of
from hardware.twin.rendering.renderer import Frame, render
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneCard, SceneTable, plates
from vision.process.two_looks import OnTable, bring_into_picture, fuse_looks
from vision.sightings import Outline, RunnerUp, SecondLook, Sighting

SIZE = (1000, 800)


def square(x: float, y: float = 300.0) -> Outline:
    return (x, y), (x + 63, y), (x + 63, y + 88), (x, y + 88)


def look(face: str | None, x: float = 100.0, *guesses: tuple[str, float], down: bool = False) -> Sighting:
    others = tuple(RunnerUp(*guess) for guess in guesses)
    return Sighting(face, face is not None or down, 0.9, others, square(x), "down" if down else "up", 1.0)


EITHER, OTHER, BLANK = look(None, 100.0, ("8", 0.8), ("9", 0.7)), look(None, 100.0, ("5", 0.8)), look(None)


@pytest.mark.parametrize(
    ("first", "second", "face", "part"),
    [
        (look("8"), look("8", 104.0), "8", "agreed"),
        (look("8"), look("9"), None, "disputed"),
        (look("8"), look(None, down=True), None, "disputed"),
        (EITHER, look("9"), "9", "settled"),
        (BLANK, look("9"), "9", "settled"),
        # what could well be something else, and not that, denies it
        (OTHER, look("9"), None, "disputed"),
        (look("9"), EITHER, "9", "none"),
        (look("9"), OTHER, None, "disputed"),
        (look("9"), look("8", 300.0), "9", "none"),
        (EITHER, look("9", 300.0), None, "none"),
    ],
)
def test_a_name_needs_both_looks_or_one_that_the_other_does_not_deny(
    first: Sighting, second: Sighting, face: str | None, part: SecondLook
) -> None:
    fused = fuse_looks([first], [second], SIZE)[0]
    assert (fused.card.face, fused.card.sure, fused.part) == (face, face is not None, part)
    assert fused.card.outline == first.outline


def test_a_dispute_offers_both_names_first() -> None:
    (fused,) = fuse_looks([look("8", 100.0, ("3", 0.2))], [look("9", 100.0, ("8", 0.4))], SIZE)
    assert [each.face for each in fused.card.runners_up] == ["8", "9", "3"]


def test_of_two_doubts_only_what_both_hold_possible_is_left_and_none_is_a_name() -> None:
    second = look(None, 100.0, ("9", 0.8), ("5", 0.6))
    (fused,) = fuse_looks([EITHER], [second], SIZE)
    assert [each.face for each in fused.card.runners_up] == ["9"]
    assert not fused.card.sure
    assert fuse_looks([EITHER], [OTHER], SIZE)[0].card == EITHER


@pytest.mark.parametrize(
    ("second", "is_added"),
    [
        (look("9", 300.0), True),
        (look(None, 300.0), False),
        # partly outside, or over another card
        (look("9", 960.0), False),
        (look("9", 135.0), False),
    ],
)
def test_only_a_whole_sure_card_that_lies_apart_is_added(second: Sighting, is_added: bool) -> None:
    fused = fuse_looks([look("8")], [second], SIZE)
    assert [each.part for each in fused] == (["none", "added"] if is_added else ["none"])


def test_looks_are_paired_one_to_one() -> None:
    fused = fuse_looks([look("8"), look("8", 112.0)], [look("8", 110.0)], SIZE)
    assert [each.part for each in fused] == ["none", "agreed"]


# where the table's cards lie in a phone's picture

CARDS = tuple(
    SceneCard(face, *where)
    for face, *where in (
        ("duke", -60.0, 20.0, 8.0),
        ("captain", 70.0, -30.0, 200.0),
        ("contessa", 30.0, 70.0, 90.0),
    )
)


@cache
def phone_picture(*, with_markers: bool) -> Frame:
    """Photograph the table by hand, from the side and turned."""
    camera = SceneCamera((0.0, 0.0, 640.0), 4.0, 6.0, 25.0, focal=1100.0, resolution=(1600, 1200), noise=1.0)
    table = SceneTable(plates=plates(170.0, 110.0) if with_markers else ())
    return render(Scene(camera, table, cards=CARDS), faces_of("coup"))


def on_table(card: SceneCard, wide: float = 63.0, high: float = 88.0) -> OnTable:
    """Tell where a card lies on the table, as the table's own camera would."""
    turn = np.radians(card.angle)
    spin = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
    corners = np.array([(-wide, -high), (wide, -high), (wide, high), (-wide, high)]) / 2 @ spin
    a, b, c, d = ((float(x + card.x), float(y + card.y)) for x, y in corners)
    return Sighting(card.face, True, 0.9, (), square(0), "up", 1.0), (a, b, c, d)


def seen_by_phone(frame: Frame, *faces: str, turned: int = 0) -> list[Sighting]:
    """Name some cards in a picture; the corners may begin at either end."""
    outlines = {card.face: np.roll(np.array(card.outline), turned, axis=0).tolist() for card in frame.truth}
    return [replace(look(face), outline=tuple(map(tuple, outlines[face]))) for face in faces]


@pytest.mark.parametrize("turned", [0, 2])
@pytest.mark.parametrize(("with_markers", "shared"), [(True, ()), (False, ("duke", "captain"))])
def test_cards_of_the_table_are_found_in_a_phones_picture(
    with_markers: bool, shared: tuple[str, ...], turned: int
) -> None:
    frame = phone_picture(with_markers=with_markers)
    seen = seen_by_phone(frame, *shared, turned=turned)
    brought = bring_into_picture([on_table(card) for card in CARDS], frame.picture, seen)
    assert [card.face for card in brought] == ["duke", "captain", "contessa"]
    for card, truth in zip(brought, frame.truth, strict=True):
        assert np.abs(np.mean(card.outline, axis=0) - np.mean(truth.outline, axis=0)).max() < 12


def test_where_pictures_cannot_be_laid_on_each_other_nothing_is_brought() -> None:
    frame = phone_picture(with_markers=False)
    placed = [on_table(card) for card in CARDS]
    for shared in ((), ("duke",)):
        assert bring_into_picture(placed, frame.picture, seen_by_phone(frame, *shared)) == ()
    both = seen_by_phone(frame, "duke", "captain")
    # one of them was moved since
    moved = [placed[0], on_table(replace(CARDS[1], x=-190.0, angle=90.0)), placed[2]]
    assert bring_into_picture(moved, frame.picture, both) == ()
    # a face that is there twice tells nothing
    twice = [*both, replace(both[1], face="duke")]
    assert bring_into_picture(placed, frame.picture, twice) == ()
