"""ButtonInput from pin edges to answers: bounce, the dial, late loops and held buttons."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.board.inputs.button_input import ACCELERATION, DIAL_REST_DELAY, HOLD_SECONDS, ButtonInput
from firmware.board.inputs.presses import LONG_PRESS, REORDER_DELAY, STUCK_AFTER
from firmware.board_events import (
    BoardAnswers,
    BoardEvent,
    ButtonFreed,
    ButtonStuck,
    DialMoved,
    DialRested,
    DialState,
    DirectorHeld,
    Edge,
    OffHeld,
    Pick,
    PressUnderstood,
    VoidPress,
)
from hardware.board.board import Board, Key, wires
from referee.contract import Answer, Number, Option
from referee.games.coyote.state import House
from referee.match import Match, hear
from tests.firmware.board.inputs.matches import bidden, call_moments, new_match, open_round
from tests.firmware.board.inputs.waves import BACK, CLOCKWISE, press
from tests.hardware.board.own_boards import OWN_BOARDS

SIX, FULL = OWN_BOARDS["six"], OWN_BOARDS["full"]
CALL, SECOND = Key("call", 1), Key("second", 1)
Held = OffHeld | DirectorHeld


class Table:
    """A ButtonInput connected to a match; the edges' timestamps set the clock."""

    def __init__(self, match: Match, board: Board = SIX) -> None:
        self.match, self.button_input = match, ButtonInput(board)
        self.now, self.events = 100.0, list[BoardEvent]()
        self._rng = Random(1)

    def press(self, key: Key) -> None:
        for flip in press(self._rng, self.now, kind="even"):
            self.feed(Edge(key, flip.at, flip.is_down))
        self.rest(1)

    def hold(self, key: Key, seconds: float = 2 * LONG_PRESS) -> list[Held]:
        self.feed(Edge(key, self.now, is_down=True))
        self.rest(seconds)
        self.feed(Edge(key, self.now, is_down=False))
        self.rest(1)
        return [event for event in self.events if isinstance(event, Held)]

    def turn(self, clicks: int) -> None:
        for _click in range(abs(clicks)):
            for wire, is_high in CLOCKWISE if clicks > 0 else BACK:
                self.feed(Edge(Key(wire), self.now, not is_high))
                self.now += 0.001
            self.rest(2 * ACCELERATION[-1][0])

    def feed(self, edge: Edge) -> None:
        self.now = max(self.now, edge.at)
        self._take(self.button_input.feed(edge, self.match))

    def rest(self, seconds: float) -> None:
        until = self.now + seconds
        while (due := self.button_input.due()) is not None and due <= until:
            self._take(self.button_input.look(due, self.match))
        self.now = until

    def _take(self, events: list[BoardEvent]) -> None:
        self.events += events
        for event in events:
            for answer in event.answers if isinstance(event, BoardAnswers) else ():
                heard = hear(self.match, answer)
                self.match = heard if isinstance(heard, Match) else self.match

    def dialled_things(self) -> list[object]:
        """Return everything the dial showed in order: numbers, or seats."""
        picks = [event.dial.at for event in self.events if isinstance(event, DialMoved)]
        return [pick.number or pick.seat for pick in picks if pick is not None]

    def all_answers(self) -> list[Answer]:
        return [answer for event in self.events if isinstance(event, BoardAnswers) for answer in event.answers]


def test_only_asked_seat_answers_at_once_and_meaningless_press_is_reported() -> None:
    match = bidden(20)
    assert ButtonInput(SIX).feed(Edge(Key("call", 1), 5.0, is_down=True), match) == [
        PressUnderstood(Key("call", 1), 5.0),
        BoardAnswers((Answer(match.number, "turn", Option("coyote"), 1, "button"),)),
    ]
    events = ButtonInput(SIX).feed(Edge(Key("call", 3), 5.0, is_down=True), match)
    assert events == [VoidPress(Key("call", 3), 5.0, "not-you")]


@given(st.lists(st.tuples(st.floats(0, 1), st.sampled_from(list(wires(FULL))), st.booleans()), max_size=40))
def test_every_due_check_settles_something(moves: list[tuple[float, Key, bool]]) -> None:
    """Otherwise a loop that sleeps until something is due would spin."""
    button_input, match, now = ButtonInput(FULL), bidden(20, house=House(anyone_may_contest=True)), 100.0
    for gap, key, is_down in moves:
        while (due := button_input.due()) is not None and due <= now + gap:
            button_input.look(due, match)
            after = button_input.due()
            assert after is None or after > due
        now += gap
        button_input.feed(Edge(key, now, is_down), match)


def test_dial_resets_at_every_moment() -> None:
    table = Table(bidden(20))
    table.turn(3)
    assert table.dialled_things()[-1] == 23
    assert table.button_input.dial(bidden(20, 30)).at is None
    assert table.button_input.dial(bidden(20)).at is None, "another match, though it stands at the same number"


def test_late_loop_reads_dial_turns_before_push() -> None:
    match, button_input, at = bidden(20), ButtonInput(SIX), 100.0
    turned = [(wire, is_high) for _click in range(3) for wire, is_high in CLOCKWISE]
    edges = [Edge(Key(wire), at + 0.03 * place, not is_high) for place, (wire, is_high) in enumerate(turned)]
    at += 0.03 * len(turned)
    edges += [Edge(Key("push"), at, is_down=True), Edge(Key("push"), at + 0.1, is_down=False)]
    events = [event for edge in edges for event in button_input.feed(edge, match)] + button_input.look(
        at + 1, match
    )
    assert [event for event in events if isinstance(event, BoardAnswers)][-1] == BoardAnswers(
        (Answer(match.number, "announce", 23, 1, "dial"),)
    )


def test_dial_wires_may_arrive_out_of_order() -> None:
    table = Table(bidden(20))
    for place in (1, 0, 3, 2):
        wire, is_high = CLOCKWISE[place]
        table.feed(Edge(Key(wire), 100 + place / 1000, not is_high))
    table.rest(1)
    assert table.dialled_things() == [21]


def test_push_counts_after_a_turn_and_long_push_goes_back() -> None:
    match = bidden(20)
    asks = (Number("bid", (0, 1), 5, 9),)
    table = Table(replace(match, position=replace(match.position, asks=asks)))
    table.press(Key("push"))
    assert [event.why for event in table.events if isinstance(event, VoidPress)] == ["turn-first"]
    table.turn(2)
    table.press(Key("push"))
    table.turn(1)
    six = DialState(1, Pick("number", 1, "bid", 6))
    assert DialRested(six) not in table.events
    table.rest(2 * DIAL_REST_DELAY)
    assert DialRested(six) in table.events
    table.hold(Key("push"))
    assert table.button_input.dial(table.match) == DialState(None, Pick("who", 1))


def test_button_held_at_start_is_reported_but_answers_nothing() -> None:
    button_input, match = ButtonInput(SIX), new_match()
    button_input.hold([CALL], 5.0)
    assert button_input.look(6.0, match) == []
    assert button_input.look(5.0 + STUCK_AFTER, match) == [ButtonStuck(CALL, 5.0 + STUCK_AFTER)]
    events = button_input.feed(Edge(CALL, 20.0, is_down=False), match) + button_input.look(21.0, match)
    assert events == [ButtonFreed(CALL, 20.0)]
    assert [type(each) for each in button_input.feed(Edge(CALL, 30.0, is_down=True), match)] == [
        PressUnderstood
    ]


def test_press_is_pending_until_its_answer() -> None:
    button_input, match = ButtonInput(SIX), new_match()
    assert button_input.oldest_pending() is None
    button_input.feed(Edge(CALL, 5.0, is_down=True), match)
    assert button_input.oldest_pending() == 5.0
    said = button_input.look(5.0 + REORDER_DELAY, match)
    assert [type(each) for each in said] == [BoardAnswers]
    assert button_input.oldest_pending() is None


# held for five seconds, then released


PUSH, IDLE = Key("push"), Key("call", 0)
MOMENTS = (new_match(), open_round(), bidden(20), call_moments()[0])


@pytest.mark.parametrize(
    ("key", "seconds", "reported"),
    [
        (PUSH, HOLD_SECONDS - 0.1, []),
        (PUSH, HOLD_SECONDS + 1, [OffHeld(105.0), OffHeld(106.0, is_let_go=True)]),
        # the button of a seat that isn't asked
        (IDLE, HOLD_SECONDS - 0.1, []),
        (IDLE, HOLD_SECONDS + 1, [DirectorHeld(0, 106.0)]),
        # a wire that touches ground
        (PUSH, STUCK_AFTER + 1, [OffHeld(105.0)]),
        (IDLE, STUCK_AFTER + 1, []),
    ],
)
def test_held_button_is_reported_and_answers_nothing(key: Key, seconds: float, reported: list[Held]) -> None:
    table = Table(bidden(20))
    assert table.hold(key, seconds) == reported
    assert table.all_answers() == []
    assert any(isinstance(event, ButtonStuck) for event in table.events) == (seconds > STUCK_AFTER)


@pytest.mark.parametrize("key", [PUSH, IDLE])
def test_button_down_at_start_is_not_held_by_anyone(key: Key) -> None:
    table = Table(bidden(20))
    table.button_input.hold([key], table.now)
    table.rest(HOLD_SECONDS + 1)
    table.feed(Edge(key, table.now, is_down=False))
    table.rest(1)
    assert not any(isinstance(event, Held) for event in table.events)


def test_release_before_hold_is_reported_cancels_it() -> None:
    match, button_input = bidden(20), ButtonInput(SIX)
    button_input.feed(Edge(PUSH, 100.0, is_down=True), match)
    button_input.feed(Edge(PUSH, 106.0, is_down=False), match)
    # a late loop receives both events at once
    assert not any(isinstance(event, OffHeld) and event.is_let_go for event in button_input.look(107.0, match))


@given(st.sampled_from(MOMENTS), st.integers(-3, 9), st.floats(LONG_PRESS + 0.1, STUCK_AFTER + 5))
def test_unknown_dial_choice_answers_nothing(match: Match, clicks: int, seconds: float) -> None:
    table = Table(match)
    table.turn(clicks)
    table.hold(PUSH, seconds)
    assert table.all_answers() == []
    assert table.match is match


@given(st.sampled_from(MOMENTS), st.floats(HOLD_SECONDS, STUCK_AFTER - 0.1))
def test_button_of_asked_seat_answers_and_calls_nobody(match: Match, seconds: float) -> None:
    for seat in sorted({seat for ask in match.asks for seat in ask.seats}):
        assert Table(match).hold(Key("call", seat), seconds) == []
