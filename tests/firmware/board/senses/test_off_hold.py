"""The dial held for five seconds, and let go, switches the computer off; no ask is ever answered by it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.board.senses.hands import Hands
from firmware.board.senses.off_hold import HELD
from firmware.board.senses.presses import LONG, STUCK
from firmware.board_events import ButtonStuck, Edge, OffHeld
from hardware.board.board import Key
from referee.match import Match
from tests.firmware.board.senses.matches import bidden, call_moments, new_match, open_round
from tests.firmware.board.senses.test_hands import SIX, Table

PUSH = Key("push")
MOMENTS = (new_match(), open_round(), bidden(20), call_moments()[0])


def _hold(table: Table, seconds: float) -> list[OffHeld]:
    """Hold the dial down for so long, and give what was heard of it."""
    table.feed(Edge(PUSH, table.now, is_down=True))
    table.rest(seconds)
    table.feed(Edge(PUSH, table.now, is_down=False))
    table.rest(1)
    return [event for event in table.events if isinstance(event, OffHeld)]


def test_who_holds_the_dial_is_told_and_letting_go_is_what_counts() -> None:
    table = Table(bidden(20))
    assert _hold(table, HELD + 1) == [OffHeld(105.0), OffHeld(106.0, is_let_go=True)]


@pytest.mark.parametrize("seconds", [0.1, LONG, HELD - 0.1])
def test_a_shorter_push_switches_nothing_off(seconds: float) -> None:
    assert _hold(Table(bidden(20)), seconds) == []


def test_a_wire_that_touches_ground_is_stuck_and_switches_nothing_off() -> None:
    table = Table(bidden(20))
    assert _hold(table, STUCK + 1) == [OffHeld(105.0)]
    assert any(isinstance(event, ButtonStuck) for event in table.events)


def test_what_was_down_at_the_start_is_not_held_by_anybody() -> None:
    table = Table(bidden(20))
    table.hands.hold([PUSH], table.now)
    table.rest(HELD + 1)
    table.feed(Edge(PUSH, table.now, is_down=False))
    table.rest(1)
    assert not any(isinstance(event, OffHeld) for event in table.events)


def test_who_let_go_before_being_told_has_not_meant_it() -> None:
    match, hands = bidden(20), Hands(SIX)
    hands.feed(Edge(PUSH, 100.0, is_down=True), match)
    hands.feed(Edge(PUSH, 106.0, is_down=False), match)
    # a loop that was late hears of both at once
    assert not any(isinstance(event, OffHeld) and event.is_let_go for event in hands.look(107.0, match))


@given(st.sampled_from(MOMENTS), st.integers(-3, 9), st.floats(LONG + 0.1, STUCK + 5))
def test_nothing_is_answered_whatever_is_on_the_dial(match: Match, clicks: int, seconds: float) -> None:
    table = Table(match)
    table.turn(clicks)
    _hold(table, seconds)
    assert table.all_answers() == []
    assert table.match is match


def test_another_seat_may_answer_meanwhile() -> None:
    table = Table(bidden(20))
    table.feed(Edge(PUSH, table.now, is_down=True))
    table.rest(HELD + 0.5)
    table.press(Key("call", 1))
    table.feed(Edge(PUSH, table.now, is_down=False))
    table.rest(1)
    assert [answer.seat for answer in table.all_answers()] == [1]
