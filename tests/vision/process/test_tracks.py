"""What was read is carried to where a card was moved, and only there; a clear look settles an earlier doubt."""

import pytest
from msgspec.structs import replace

from vision.process.places import add_look, carry_names, confirms, follow_card, is_followed, settles
from vision.sightings import PROBABLE, RunnerUp, Sighting, UnexplainedThing, likely_face


def card(face: str | None, *guesses: tuple[str, float]) -> Sighting:
    box = ((0.0, 0.0), (63.0, 0.0), (63.0, 88.0), (0.0, 88.0))
    others = tuple(RunnerUp(*guess) for guess in guesses)
    return Sighting(face, face is not None, 0.9, others, box, "up", 1.0)


MAYBE_8 = card(None, ("8", 0.7), ("9", 0.6))


@pytest.mark.parametrize(
    ("gone", "new", "names"),
    [
        ([card("8")], [MAYBE_8], ["8"]),
        ([card("8"), card("3")], [MAYBE_8, card("3")], ["8", "3"]),
        # the best guess alone counts, and only if it is a likely one
        ([card("9")], [MAYBE_8], [None]),
        ([card("8")], [card(None, ("8", 0.4))], [None]),
        ([card("8")], [card(None)], [None]),
        # two could be it, or it may be either of two
        ([card("8")], [MAYBE_8, MAYBE_8], [None, None]),
        ([card("8"), card("8")], [MAYBE_8], [None]),
        ([card("8")], [MAYBE_8, card("8")], [None, "8"]),
        # what wasn't sure before tells nothing
        ([MAYBE_8], [MAYBE_8], [None]),
        ([], [MAYBE_8, card("3")], [None, "3"]),
    ],
)
def test_a_name_goes_with_the_card_that_most_likely_has_it(
    gone: list[Sighting], new: list[Sighting], names: list[str | None]
) -> None:
    carried = carry_names(gone, new)
    assert [each.face for each in carried] == names
    assert [each.sure for each in carried] == [name is not None for name in names]
    assert [each.outline for each in carried] == [each.outline for each in new]


def likely(face: str, chance: float) -> Sighting:
    return replace(card(None, (face, 0.8), ("1", 0.3)), chance=chance)


def test_only_what_is_probable_and_no_back_is_likely() -> None:
    assert likely_face(likely("8", PROBABLE)) == "8"
    back = replace(likely("8", 0.98), facing="down")
    for other in (likely("8", PROBABLE - 0.001), MAYBE_8, back, replace(card("8"), chance=0.999)):
        assert likely_face(other) is None


@pytest.mark.parametrize(
    ("was", "now", "is_separate", "name", "chance"),
    [
        # looks at a card that was moved add up; the same look again says nothing new
        (likely("8", 0.96), likely("8", 0.95), True, "8", 0.991),
        (likely("8", 0.91), likely("8", 0.91), True, None, 0.973),
        (likely("8", 0.973), likely("8", 0.91), True, "8", 0.991),
        (likely("8", 0.98), likely("8", 0.95), False, None, 0.98),
        # two names deny each other; what isn't likely adds nothing
        (likely("9", 0.98), likely("8", 0.95), True, None, None),
        (likely("8", 0.74), likely("8", 0.95), True, None, 0.95),
        (likely("8", 0.98), MAYBE_8, True, None, None),
    ],
)
def test_separate_looks_add_up_until_they_are_sure(
    was: Sighting, now: Sighting, is_separate: bool, name: str | None, chance: float | None
) -> None:
    added = add_look(was, now, is_separate=is_separate)
    assert (added.face, added.sure, added.chance) == (name, name is not None, chance)


def test_a_likely_card_that_was_moved_is_another_look_at_it() -> None:
    assert [each.face for each in carry_names([likely("8", 0.97)], [likely("8", 0.96)])] == ["8"]
    # one that was sure may have gone, too
    assert carry_names([likely("8", 0.97), card("8")], [likely("8", 0.96)])[0].face is None


def test_a_doubt_is_settled_by_what_was_held_possible() -> None:
    assert all(settles(MAYBE_8, card(face)) for face in "89")
    for now in (card("3"), MAYBE_8, replace(card("8"), facing="down")):
        assert not settles(MAYBE_8, now)
    assert not settles(card("8"), card("8"))


def thing(area: float = 1.0) -> UnexplainedThing:
    return UnexplainedThing(((200.0, 0.0), (263.0, 0.0), (263.0, 88.0), (200.0, 88.0)), area)


def test_a_card_is_followed_to_a_thing_that_came_as_it_went() -> None:
    gone = card("8", ("9", 0.3))
    followed = follow_card([gone], [card("3")], [thing()])
    assert followed is not None
    before, now = followed
    assert before is gone
    assert is_followed(now)
    assert not is_followed(gone)
    assert (now.face, now.sure, [each.face for each in now.runners_up]) == (None, False, ["8", "9"])
    assert sorted(now.outline) == sorted(thing().outline)


@pytest.mark.parametrize(
    ("gone", "new", "came"),
    [
        # no thing, or one of another size
        ([card("8")], [], []),
        ([card("8")], [], [thing(0.4)]),
        ([card("8")], [], [thing(2.5)]),
        # it may be either of two
        ([card("8"), card("9")], [], [thing()]),
        ([card("8")], [], [thing(), thing()]),
        ([card("8")], [MAYBE_8], [thing()]),
        # it was seen where it lies now, or never
        ([card("8")], [card("8")], [thing()]),
        ([MAYBE_8], [], [thing()]),
        ([], [], [thing()]),
    ],
)
def test_a_card_is_followed_only_where_it_can_be_no_other(
    gone: list[Sighting], new: list[Sighting], came: list[UnexplainedThing]
) -> None:
    assert follow_card(gone, new, came) is None


def test_a_look_confirms_what_was_followed_and_nothing_else() -> None:
    followed = replace(card(None, ("8", 0.9), ("9", 0.3)), visible=0.0)
    assert confirms(followed, MAYBE_8)
    assert not confirms(followed, card(None, ("9", 0.7), ("8", 0.6)))
    assert not confirms(followed, card(None, ("8", 0.4)))
    assert not confirms(followed, card("8"))
    assert not confirms(MAYBE_8, MAYBE_8)
