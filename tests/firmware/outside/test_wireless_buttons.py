"""Buttons that come by the broker: what they say, what the table hears of it, and what is no press."""

from collections.abc import Callable

import pytest

from firmware.board.senses.hands import Hands
from firmware.board_events import BoardAnswers, Edge
from firmware.outside.wireless_buttons import GESTURES, REST, WirelessButtons, wireless_keys
from firmware.storage.wired_board import NO_BOARD
from hardware.board.board import Key, our_boards
from referee.contract import Answer, Option
from tests.firmware.board.senses.matches import bidden

SEATS = 3


class _Air:
    """A clock that a test moves on, and what was to be done later."""

    def __init__(self) -> None:
        self.now = 100.0
        self.edges: list[Edge] = []
        self._plans: list[tuple[float, Callable[[], None]]] = []
        self.buttons = WirelessButtons(SEATS, self.edges.append, lambda: self.now, self._later)

    def _later(self, seconds: float, what: Callable[[], None]) -> None:
        self._plans.append((self.now + seconds, what))

    def pass_time(self, seconds: float) -> None:
        """Let time pass, and be done what is due."""
        end = self.now + seconds
        for at, what in sorted(self._plans, key=lambda plan: plan[0]):
            if at <= end:
                self.now = max(self.now, at)
                what()
        self._plans = [plan for plan in self._plans if plan[0] > end]
        self.now = end

    @property
    def turns(self) -> list[tuple[int | None, bool]]:
        """Give the seat of each edge, and whether it went down."""
        return [(edge.wire.seat, edge.is_down) for edge in self.edges]


def answers(air: _Air, board: str | None) -> list[Answer]:
    """Let the table's hands hear what came, and time pass after it."""
    match = bidden(5, seats=SEATS)
    hands = Hands(NO_BOARD if board is None else our_boards()[board], wireless_keys(SEATS))
    air.pass_time(2.0)
    events = [event for edge in air.edges for event in hands.feed(edge, match)]
    events += hands.look(air.now + 1.0, match)
    return [answer for event in events if isinstance(event, BoardAnswers) for answer in event.answers]


@pytest.mark.parametrize("board", [None, "six"])
@pytest.mark.parametrize("word", ["press", "SHORT", "single", "on"])
def test_a_press_that_comes_by_air_answers_for_its_seat(word: str, board: str | None) -> None:
    air = _Air()
    air.buttons.hear(1, word.encode())
    air.pass_time(0.1)
    air.buttons.hear(1, b"off")
    (answer,) = answers(air, board)
    assert (answer.seat, answer.value) == (1, Option("coyote"))


@pytest.mark.parametrize(("word", "changes"), [("press", 2), ("long", 2), ("double", 4)])
def test_a_word_is_played_as_fingers_do(word: str, changes: int) -> None:
    air = _Air()
    air.buttons.hear(0, word.encode())
    air.pass_time(2.0)
    assert air.turns == [(0, place % 2 == 0) for place in range(changes)]
    times = [edge.at - air.edges[0].at for edge in air.edges]
    assert times == pytest.approx(GESTURES[word])


@pytest.mark.parametrize("told", [b"", b"banana", b"press" * 9, b"\xff\xfe", b"{}", b"\x00on"])
def test_what_is_not_understood_is_no_press(told: bytes) -> None:
    air = _Air()
    air.buttons.hear(0, told)
    for seat in (-1, SEATS, 999):
        air.buttons.hear(seat, b"press")
    air.pass_time(2.0)
    assert air.edges == []


def test_a_storm_of_messages_is_heard_as_slowly_as_a_finger_could_press() -> None:
    air = _Air()
    for number in range(1000):
        air.buttons.hear(0, b"on" if number % 2 else b"off")
        air.buttons.hear(1, b"press")
        air.pass_time(0.001)
    heard = [edge for edge in air.edges if edge.wire == Key("call", 0)]
    assert len(heard) <= 1.0 / REST + 1
    assert len([edge for edge in air.edges if edge.wire == Key("call", 1)]) <= 2 * (
        1.0 / GESTURES["press"][-1] + 1
    )
