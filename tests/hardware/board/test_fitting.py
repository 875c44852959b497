"""A press that can't be on the named board is seen, before anything is driven."""

from hypothesis import given
from hypothesis import strategies as st

from hardware.board.board import Board, keys, our_boards
from hardware.board.fitting import fitting_boards, heard_keys, known_pins, wrong_presses
from hardware.board.uses import uses

BOARDS = our_boards()


def test_the_slip_that_shorted_the_buzzer_is_seen() -> None:
    """Seat 6's button of `six` is on GPIO12, where `full` has its buzzer."""
    (wrong,) = wrong_presses(BOARDS["full"], {12})
    assert wrong.use is not None
    assert (wrong.gpio, wrong.use.what, wrong.use.is_output) == (12, "buzzer", True)
    assert fitting_boards(BOARDS, {12}) == ("six", "ring")


@given(st.sampled_from(sorted(BOARDS)), st.data())
def test_a_board_fits_its_own_presses_and_no_output(name: str, data: st.DataObject) -> None:
    board = BOARDS[name]
    pressed = data.draw(st.sets(st.sampled_from(sorted(keys(board).values()))))
    assert wrong_presses(board, pressed) == ()
    assert name in fitting_boards(BOARDS, pressed)
    assert {key for key, is_heard in heard_keys(board, pressed).items() if is_heard} == {
        key for key, gpio in keys(board).items() if gpio in pressed
    }
    driven = [use.gpio for use in uses(board) if use.is_output]
    one = data.draw(st.sampled_from(driven))
    assert [wrong.gpio for wrong in wrong_presses(board, {*pressed, one})] == [one]


def test_a_press_that_a_board_has_nothing_for_is_wrong_too() -> None:
    (wrong,) = wrong_presses(Board(seats=1, call=(17,)), {4})
    assert (wrong.gpio, wrong.use) == (4, None)


def test_each_pin_of_each_board_is_known() -> None:
    known = set(known_pins(BOARDS))
    assert all(use.gpio in known for board in BOARDS.values() for use in uses(board))
