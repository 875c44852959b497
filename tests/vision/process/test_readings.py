"""Evaluation of readings: other decks' cards, cards over others, and crops."""

from functools import partial

import numpy as np
import pytest
from msgspec.structs import replace

from firmware.start.games import hand_in_games
from hardware.twin.rendering.scene import CARD
from tests.given import present
from tests.hardware.twin.truth import Frame
from tests.tiers import slow, tiered
from tests.vision import rendered_tables as vision
from vision.process.covered_cards import mark_more_below
from vision.process.parts import crop_to_cards
from vision.process.places import are_strangers, likely_deck, strangers_among
from vision.sightings import Outline, Reading, Sighting, UnexplainedThing
from vision.table.plane import as_outline

# cards of another deck


def square(place: int) -> Outline:
    left = 100.0 * place
    return (left, 0.0), (left + 63, 0.0), (left + 63, 88.0), (left, 88.0)


def card(face: str | None, place: int, *, down: bool = False) -> Sighting:
    is_sure = face is not None or down
    return Sighting(face, is_sure, 0.9, (), square(place), "down" if down else "up", 1.0)


def thing(place: int, area: float = 1.0) -> UnexplainedThing:
    return UnexplainedThing(square(place), area)


def named(*places: int) -> Reading:
    return Reading(tuple(card("a", place) for place in places))


TWO = Reading((), (thing(0), thing(1)))


@pytest.mark.parametrize(
    ("seen", "others", "other"),
    [
        (TWO, {"one": named(0), "two": named(0, 1)}, "two"),
        (TWO, {"one": named(0)}, None),
        (TWO, {"two": named(0, 1), "also": named(0, 1)}, "two"),
        (Reading((card(None, 0),)), {"one": named(0)}, "one"),
        (Reading((card(None, 0),)), {"none": Reading(())}, None),
        # an empty reading may still hide cards
        (Reading(()), {"two": named(0, 1)}, "two"),
        # more strangers than named cards, at other places
        (Reading((card("x", 0),), (thing(1), thing(2))), {"one": named(0, 1)}, None),
        (Reading((card("x", 0),), (thing(1), thing(2))), {"two": named(1, 2)}, "two"),
        (Reading((card("x", 0), card("y", 1)), (thing(2),)), {"one": named(2, 3, 4)}, None),
        (Reading((card(None, 0, down=True),)), {"one": named(0)}, None),
    ],
)
def test_suggests_deck_that_names_most_strangers(
    seen: Reading, others: dict[str, Reading], other: str | None
) -> None:
    readings = [(name, partial(lambda reading: reading, reading)) for name, reading in others.items()]
    assert likely_deck(seen, readings) == other


def test_named_cards_need_no_other_deck() -> None:
    assert not are_strangers(named(0))
    assert likely_deck(named(0), [("one", lambda: pytest.fail("it was read"))]) is None


def test_counts_strangers_but_not_small_objects() -> None:
    assert strangers_among(TWO) == (0, 2)
    assert strangers_among(Reading((card(None, 0), card("x", 3)), (thing(1),))) == (1, 2)
    assert strangers_among(Reading((), (thing(0),))) is None
    assert strangers_among(Reading((), (thing(0), thing(1, 0.3), thing(2, 2.0)))) is None
    assert strangers_among(Reading((card("x", 3), card("y", 4)), (thing(0), thing(1)))) is None


DECK, SEEDS = "coup", tiered((44,), (44, 59))
hand_in_games()


def sightings_of(frame: Frame) -> tuple[Sighting, ...]:
    """Return perfect sightings of all cards."""
    return tuple(
        Sighting(each.face, True, 1.0, (), as_outline(np.array(each.outline)), each.facing, each.visible)
        for each in frame.truth
    )


@slow("whole readings of a table, as a match has them")
@pytest.mark.usefixtures("small_tables")
@pytest.mark.parametrize(
    ("layout", "level"),
    tiered(
        [("touching", "L2")],
        [("separate", "L2"), ("touching", "L0"), ("overlapping", "L1"), ("fan", "L2"), ("touching", "L2")],
    ),
)
def test_marks_no_card_if_all_were_read(layout: str, level: str) -> None:
    for seed in SEEDS:
        frame, table = vision.lay_cards(DECK, layout, level, seed)
        seen = Reading(sightings_of(frame))
        # with the empty table, with its plane alone, and with neither
        for around in (table, replace(table, lines=None), None):
            marked = mark_more_below(seen, frame.picture, CARD, around)
            assert not any(card.more_below for card in marked.cards)


@pytest.mark.usefixtures("small_tables")
@pytest.mark.parametrize("level", tiered(("L2",), ("L0", "L1", "L2")))
def test_marks_sure_top_card_of_unread_fan(level: str) -> None:
    for seed in SEEDS:
        frame, table = vision.lay_cards(DECK, "fan", level, seed, cards=4)
        last = sightings_of(frame)[-1]
        marked = mark_more_below(Reading((last,)), frame.picture, CARD, table)
        assert marked.cards == (replace(last, more_below=True),)
        for other in (Reading((replace(last, face=None, sure=False),)), Reading(())):
            assert mark_more_below(other, frame.picture, CARD, table) == other


NEAR: Outline = ((100.0, 200.0), (140.0, 200.0), (140.0, 260.0), (100.0, 260.0))
FAR: Outline = ((200.0, 220.0), (240.0, 220.0), (240.0, 280.0), (200.0, 280.0))


def card_at(outline: Outline) -> Sighting:
    return Sighting("20", True, 0.9, (), outline, "up", 1.0)


def thing_at(left: float, top: float) -> UnexplainedThing:
    return UnexplainedThing(((left, top), (left + 10, top), (left, top + 10)), 0.1)


def test_crops_to_the_cards() -> None:
    # each pixel encodes its position
    down, across = np.indices((400, 640))
    picture = np.stack([across % 256, down % 256, across // 256 * 16 + down // 256], axis=-1).astype(np.uint8)
    reading = Reading((card_at(NEAR), card_at(FAR)), (thing_at(150, 210), thing_at(10, 10), thing_at(250, 200)))
    cut = present(crop_to_cards(picture, reading))
    # a margin of a quarter of 60 pixels
    assert (cut[0] == picture[185:295, 85:255]).all()
    assert cut[0].base is None
    assert [card.outline[0] for card in cut[1].cards] == [(15.0, 15.0), (115.0, 35.0)]
    assert [thing.outline[0] for thing in cut[1].unexplained] == [(65.0, 25.0)]

    edge: Outline = ((-5.0, 350.0), (40.0, 350.0), (40.0, 420.0), (-5.0, 420.0))
    assert present(crop_to_cards(picture, Reading((card_at(edge),))))[0].shape[:2] == (400 - 332, 58)
    for cards in ((), (card_at(((9e3, 0), (9e3 + 1, 0), (9e3 + 1, 1), (9e3, 1))),)):
        assert crop_to_cards(picture, Reading(cards, (thing_at(10, 10),))) is None
