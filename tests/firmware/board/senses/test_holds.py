"""Held for five seconds and let go: the dial switches the computer off, an idle seat's button asks for help."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.board.senses.hands import HELD_DOWN, Hands
from firmware.board.senses.presses import LONG, STUCK
from firmware.board_events import ButtonStuck, DirectorHeld, Edge, OffHeld
from hardware.board.board import Key
from referee.match import Match
from tests.firmware.board.senses.matches import bidden, call_moments, new_match, open_round
from tests.firmware.board.senses.test_hands import SIX, Table

PUSH, IDLE = Key("push"), Key("call", 0)
MOMENTS = (new_match(), open_round(), bidden(20), call_moments()[0])
Held = OffHeld | DirectorHeld
both = pytest.mark.parametrize("key", [PUSH, IDLE], ids=["dial", "button"])


def hold(table: Table, key: Key, seconds: float) -> list[Held]:
    table.feed(Edge(key, table.now, is_down=True))
    table.rest(seconds)
    table.feed(Edge(key, table.now, is_down=False))
    table.rest(1)
    return [event for event in table.events if isinstance(event, Held)]


def test_who_holds_the_dial_is_told_and_letting_go_is_what_counts() -> None:
    assert hold(Table(bidden(20)), PUSH, HELD_DOWN + 1) == [OffHeld(105.0), OffHeld(106.0, is_let_go=True)]


def test_who_is_not_asked_and_holds_the_button_asks_for_the_director() -> None:
    table = Table(bidden(20))
    assert [isinstance(held, DirectorHeld) and held.seat for held in hold(table, IDLE, HELD_DOWN + 1)] == [0]
    assert table.all_answers() == []


@both
@pytest.mark.parametrize("seconds", [0.1, LONG, HELD_DOWN - 0.1])
def test_a_shorter_press_is_no_hold(key: Key, seconds: float) -> None:
    assert hold(Table(bidden(20)), key, seconds) == []


@both
def test_a_wire_that_touches_ground_is_stuck_and_does_nothing(key: Key) -> None:
    table = Table(bidden(20))
    assert hold(table, key, STUCK + 1) == ([OffHeld(105.0)] if key == PUSH else [])
    assert any(isinstance(event, ButtonStuck) for event in table.events)


@both
def test_what_was_down_at_the_start_is_held_by_nobody(key: Key) -> None:
    table = Table(bidden(20))
    table.hands.hold([key], table.now)
    table.rest(HELD_DOWN + 1)
    table.feed(Edge(key, table.now, is_down=False))
    table.rest(1)
    assert not any(isinstance(event, Held) for event in table.events)


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
    hold(table, PUSH, seconds)
    assert table.all_answers() == []
    assert table.match is match


@given(st.sampled_from(MOMENTS), st.floats(HELD_DOWN, STUCK - 0.1))
def test_where_a_seat_is_asked_its_button_answers_and_calls_nobody(match: Match, seconds: float) -> None:
    for seat in sorted({seat for ask in match.asks for seat in ask.seats}):
        assert hold(Table(match), Key("call", seat), seconds) == []


def test_another_seat_may_answer_meanwhile() -> None:
    table = Table(bidden(20))
    table.feed(Edge(PUSH, table.now, is_down=True))
    table.rest(HELD_DOWN + 0.5)
    table.press(Key("call", 1))
    table.feed(Edge(PUSH, table.now, is_down=False))
    table.rest(1)
    assert [answer.seat for answer in table.all_answers()] == [1]
