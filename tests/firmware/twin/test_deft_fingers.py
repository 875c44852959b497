"""Input by people at the simulated table."""

from firmware.board_events import DialState
from hardware.board.board import Key
from referee.contract import Answer, Option
from tests.firmware.board.inputs.matches import bidden, open_round
from tests.firmware.twin.deft_fingers import can_dial, dial_act, press_for


def test_call_is_pressed_and_number_is_dialled() -> None:
    match, said = open_round(), bidden(5)
    number = Answer(match.number, match.asks[0].key, 5, 0)
    assert press_for(match, number, 6) is None
    assert can_dial(match, number)
    assert dial_act(match, DialState(), number) == 5
    assert press_for(said, Answer(said.number, "turn", Option("coyote"), 1), 6) == (Key("call", 1), "short")
