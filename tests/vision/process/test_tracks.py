"""What was read is carried to where a card was moved, and only there; a clear look settles an earlier doubt."""

import pytest
from msgspec.structs import replace

from vision.process.tracks import carry_names, settles
from vision.sightings import RunnerUp, Sighting


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


def test_a_doubt_is_settled_by_what_was_held_possible() -> None:
    assert settles(MAYBE_8, card("8"))
    assert settles(MAYBE_8, card("9"))
    assert not settles(MAYBE_8, card("3"))
    assert not settles(MAYBE_8, MAYBE_8)
    assert not settles(card("8"), card("8"))
    assert not settles(MAYBE_8, replace(card("8"), facing="down"))
