"""What was stated is sorted into classes, none is lost, and what held is counted."""

from hypothesis import given
from hypothesis import strategies as st

from firmware.benches.reliability import Stated, all_reliability, best_face, reliability, reliability_lines
from vision.sightings import RunnerUp, Sighting

STATED = st.lists(st.builds(Stated, st.floats(0, 1), st.booleans()))
OUTLINE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


@given(STATED)
def test_every_name_is_in_one_class(stated: list[Stated]) -> None:
    rows = list(reliability("coup", stated))
    assert sum(row.names for row in rows) == len(stated)
    assert sum(row.right for row in rows) == sum(each.right for each in stated)
    assert all(0 <= row.right <= row.names for row in rows)


def test_what_was_stated_stands_beside_what_held() -> None:
    rows = all_reliability({"coup": [Stated(0.992, True), Stated(0.993, False), Stated(0.7, True)]})
    assert [(row.least, row.names, row.right) for row in rows] == [(0.5, 1, 1), (0.99, 2, 1)]
    assert "99.25%" in "\n".join(reliability_lines(rows))


def test_a_probability_is_of_the_name_that_was_told_or_else_of_the_best_guess() -> None:
    told = Sighting("8", True, 0.9, (RunnerUp("9", 0.5),), OUTLINE, "up", 1.0)
    unsure = Sighting(None, False, 0.9, (RunnerUp("9", 0.9), RunnerUp("8", 0.5)), OUTLINE, "up", 1.0)
    assert best_face(told) == "8"
    assert best_face(unsure) == "9"
    assert best_face(Sighting(None, True, 0.9, (), OUTLINE, "down", 1.0)) is None
