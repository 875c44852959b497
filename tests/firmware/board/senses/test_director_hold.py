"""The button of a seat that isn't asked, held for five seconds and let go, asks for the director."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.board.senses.off_hold import HELD
from firmware.board.senses.presses import LONG, STUCK
from firmware.board_events import DirectorHeld, Edge
from hardware.board.board import Key
from referee.match import Match
from tests.firmware.board.senses.matches import bidden, call_moments, new_match, open_round
from tests.firmware.board.senses.test_hands import Table

MOMENTS = (new_match(), open_round(), bidden(20), call_moments()[0])


def _hold(table: Table, key: Key, seconds: float) -> list[DirectorHeld]:
    """Hold a button for so long, and give who has asked for the director."""
    table.feed(Edge(key, table.now, is_down=True))
    table.rest(seconds)
    table.feed(Edge(key, table.now, is_down=False))
    table.rest(1)
    return [event for event in table.events if isinstance(event, DirectorHeld)]


def _asked(match: Match) -> set[int]:
    return {seat for ask in match.asks for seat in ask.seats}


def _idle(match: Match) -> int:
    return min(set(range(len(match.setup.names))) - _asked(match))


def test_who_is_not_asked_and_holds_the_button_asks_for_the_director() -> None:
    match = bidden(20)
    table = Table(match)
    assert [held.seat for held in _hold(table, Key("call", _idle(match)), HELD + 1)] == [_idle(match)]
    assert table.all_answers() == []
    assert table.match is match


@pytest.mark.parametrize("seconds", [0.1, LONG, HELD - 0.1, STUCK + 1])
def test_a_shorter_press_and_a_stuck_wire_ask_for_nobody(seconds: float) -> None:
    match = bidden(20)
    assert _hold(Table(match), Key("call", _idle(match)), seconds) == []


@given(st.sampled_from(MOMENTS), st.floats(HELD, STUCK - 0.1))
def test_where_a_seat_is_asked_its_button_answers_and_calls_nobody(match: Match, seconds: float) -> None:
    for seat in sorted(_asked(match)):
        assert _hold(Table(match), Key("call", seat), seconds) == []


def test_what_was_down_at_the_start_is_held_by_nobody() -> None:
    match = bidden(20)
    table, key = Table(match), Key("call", _idle(match))
    table.hands.hold([key], table.now)
    table.rest(HELD + 1)
    table.feed(Edge(key, table.now, is_down=False))
    table.rest(1)
    assert not any(isinstance(event, DirectorHeld) for event in table.events)
