"""Any profile on any build shorts nothing, for any presses; impossible presses are detected."""

from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.board.board import ALL_MILLIAMPS, PIN_MILLIAMPS, Board, keys
from hardware.board.checks import milliamps
from hardware.board.uses import fitting_boards, heard_keys, known_pins, uses, wrong_presses
from tests.hardware.board.boards import buildable_board
from tests.hardware.board.own_boards import BOARDS
from tests.hardware.board.slips import all_slips, driven_pins, slip

ROOT = Path(__file__).parents[3]
AGREES = 0.05  # tolerance for rounding, in mA


def test_no_pair_of_our_profiles_shorts_a_pin() -> None:
    slips = tuple(all_slips(BOARDS))
    assert [(each.run_as, each.built_as) for each in slips] == list(product(BOARDS, BOARDS))
    for each in slips:
        assert {pin.gpio for pin in each.pins} == driven_pins(BOARDS[each.run_as])
        assert all(pin.most <= PIN_MILLIAMPS for pin in each.pins)
        assert sum(pin.gives for pin in each.pins) <= ALL_MILLIAMPS
    # the guide states the worst case
    most = max(pin.most for each in slips for pin in each.pins)
    together = max(each.together for each in slips)
    guide = " ".join((ROOT / "hardware" / "board" / "README.md").read_text(encoding="utf-8").split())
    assert f"board: {most:.1f} mA at most, and {together:.1f} mA all together." in guide


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_both_checks_accept_a_matching_board(board: Board) -> None:
    gives = {pin.gpio: pin.gives for pin in slip(board, board)}
    for use in uses(board):
        if drawn := milliamps(board, use.what):
            assert gives[use.gpio] == pytest.approx(drawn, abs=AGREES)


@given(st.integers(0, 2**32), st.sampled_from(sorted(BOARDS)))
def test_no_pair_of_buildable_boards_shorts_a_pin(seed: int, ours: str) -> None:
    rng = Random(seed)
    boards = (buildable_board(rng), buildable_board(rng), BOARDS[ours])
    for running, built in product(boards, repeat=2):
        assert all(pin.most <= PIN_MILLIAMPS for pin in slip(running, built))


# impossible presses


def test_buzzer_short_is_detected() -> None:
    """Seat 6's button of `six` is on GPIO12, where `full` has its buzzer."""
    (wrong,) = wrong_presses(BOARDS["full"], {12})
    assert wrong.use is not None
    assert (wrong.gpio, wrong.use.what, wrong.use.is_output) == (12, "buzzer", True)
    assert fitting_boards(BOARDS, {12}) == ("six", "digits")
    (unknown,) = wrong_presses(Board(seats=1, call=(17,)), {4})
    assert (unknown.gpio, unknown.use) == (4, None)
    assert set(known_pins(BOARDS)) == {use.gpio for board in BOARDS.values() for use in uses(board)}


@given(st.sampled_from(sorted(BOARDS)), st.data())
def test_board_fits_its_own_presses(name: str, data: st.DataObject) -> None:
    board = BOARDS[name]
    pressed = data.draw(st.sets(st.sampled_from(sorted(keys(board).values()))))
    assert wrong_presses(board, pressed) == ()
    assert name in fitting_boards(BOARDS, pressed)
    assert {key for key, is_heard in heard_keys(board, pressed).items() if is_heard} == {
        key for key, gpio in keys(board).items() if gpio in pressed
    }
    for one in (use.gpio for use in uses(board) if use.is_output):
        assert [wrong.gpio for wrong in wrong_presses(board, {*pressed, one})] == [one]
