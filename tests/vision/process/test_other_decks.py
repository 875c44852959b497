"""Cards of another deck: only clearly more names make it another one, and nobody is asked where names are."""

from functools import partial

import pytest

from vision.process.other_decks import are_strangers, likely_deck, strangers_among
from vision.sightings import Outline, Reading, Sighting, UnexplainedThing


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
        # where nothing was read there may be cards all the same
        (Reading(()), {"two": named(0, 1)}, "two"),
        # more than are named, and not the same ones
        (Reading((card("x", 0),), (thing(1), thing(2))), {"one": named(0, 1)}, None),
        (Reading((card("x", 0),), (thing(1), thing(2))), {"two": named(1, 2)}, "two"),
        (Reading((card("x", 0), card("y", 1)), (thing(2),)), {"one": named(2, 3, 4)}, None),
        (Reading((card(None, 0, down=True),)), {"one": named(0)}, None),
    ],
)
def test_the_deck_by_which_most_strangers_are_named_is_told(
    seen: Reading, others: dict[str, Reading], other: str | None
) -> None:
    readings = [(name, partial(lambda reading: reading, reading)) for name, reading in others.items()]
    assert likely_deck(seen, readings) == other


def test_no_other_deck_is_read_where_cards_are_named() -> None:
    assert not are_strangers(named(0))
    assert likely_deck(named(0), [("one", lambda: pytest.fail("it was read"))]) is None


def test_several_strangers_are_worth_a_look_and_a_coin_is_none() -> None:
    assert strangers_among(TWO) == (0, 2)
    assert strangers_among(Reading((card(None, 0), card("x", 3)), (thing(1),))) == (1, 2)
    assert strangers_among(Reading((), (thing(0),))) is None
    assert strangers_among(Reading((), (thing(0), thing(1, 0.3), thing(2, 2.0)))) is None
    assert strangers_among(Reading((card("x", 3), card("y", 4)), (thing(0), thing(1)))) is None
