"""Presses come out in the order of their stamps, whatever the order in which they came in."""

from hypothesis import given
from hypothesis import strategies as st

from firmware.board.senses.order import HELD, TIE, Waiting, due, hold_back, take_ready


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, HELD * 0.9)), max_size=20))
def test_lateness_below_the_hold_back_changes_no_order(stamped: list[tuple[float, float]]) -> None:
    waiting, heard = Waiting[float](), list[float]()
    for at, late in sorted(stamped, key=sum):
        waiting, groups = take_ready(waiting, at + late)
        heard += [stamp for group in groups for stamp in group]
        waiting = hold_back(waiting, at, at)
    waiting, groups = take_ready(waiting, 3)
    heard += [stamp for group in groups for stamp in group]
    assert heard == sorted(at for at, _late in stamped)
    assert waiting == Waiting()


def test_what_is_held_back_is_due_then() -> None:
    waiting = hold_back(Waiting[str](), 5.0, "Ana")
    assert due(waiting) == 5.0 + HELD
    assert take_ready(waiting, 5.0 + HELD - 0.001) == (waiting, [])
    assert take_ready(waiting, 5.0 + HELD) == (Waiting(), [("Ana",)])
    assert take_ready(waiting, 5.0, held=0) == (Waiting(), [("Ana",)])


def test_presses_that_stamps_cannot_tell_apart_are_told_together() -> None:
    waiting = hold_back(hold_back(hold_back(Waiting[str](), 5.0002, "Chloé"), 5.00005, "Bo"), 5.0, "Ana")
    assert take_ready(waiting, 6)[1] == [("Ana", "Bo"), ("Chloé",)]
    assert TIE < 0.0002


def test_no_press_overtakes_one_that_is_still_open() -> None:
    waiting = hold_back(Waiting[str](), 5.1, "Bo")
    assert take_ready(waiting, 6, open_since=5.0) == (waiting, [])
    assert take_ready(waiting, 6, open_since=5.2) == (Waiting(), [("Bo",)])


def test_a_press_waits_for_one_that_is_open_and_that_no_stamp_tells_apart_from_it() -> None:
    waiting = hold_back(Waiting[str](), 5.0, "Ana")
    assert take_ready(waiting, 6, open_since=5.00005) == (waiting, [])
    both = hold_back(waiting, 5.00005, "Bo")
    assert take_ready(both, 6) == (Waiting(), [("Ana", "Bo")])
