"""The meaning of a press at each moment of a match: always a legal answer."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.board.inputs import menus
from firmware.board.inputs.meaning import has_rivals, meaning_of, void_press
from firmware.board.inputs.presses import Gesture, Press
from firmware.board_events import DialState, Pick
from hardware.board.board import Key
from referee.contract import TABLE, Answer, Ask, Choice, Done, Number, Option, Value
from referee.games.coup import COUP
from referee.games.coyote.state import House
from referee.legal import refusal
from referee.match import Match
from tests.firmware.board.inputs.matches import bidden, call_moments, coup, new_match, open_round
from tests.given import altered
from tests.referee.tables import random_moments

CHALLENGE, BLOCK, PASS = Option("challenge"), Option("block", face="contessa"), Option("pass")
PUSH = Key("push")


def seat(number: int) -> Key:
    return Key("call", number)


def match_asking(*asks: Ask) -> Match:
    match = new_match()
    setup = replace(match.setup, game=altered(match.setup.game, gestures=COUP.feel.gestures))
    return replace(match, setup=setup, position=replace(match.position, asks=asks))


def press_value(match: Match, key: Key, gesture: Gesture = "short") -> Value | str:
    answer = meaning_of(match, key).answers.get(gesture)
    if answer is None:
        return void_press(match, Press(key, gesture, 5.0)).why
    assert (answer.moment, answer.sense) == (match.number, "button")
    assert key.seat in {None, answer.seat}
    return answer.value


COYOTE, ANYONE_MAY_CONTEST = Option("coyote"), bidden(20, house=House(anyone_may_contest=True))
TARGETED_ACTION = Choice("action", (1,), tuple(Option("raid", seat=other) for other in (0, 2)))
WINDOW = match_asking(Choice("react", (1, 2), (CHALLENGE, BLOCK, PASS), window=17))
SINGLE_SEAT_WINDOW = match_asking(Choice("react", (1,), (CHALLENGE, PASS), window=17))


@pytest.mark.parametrize(
    ("match", "presses"),
    [
        (new_match(), {(seat(2), "short"): Option("opens", seat=2)}),
        (
            bidden(20),
            {(seat(1), "short"): COYOTE, (seat(0), "short"): "not-you", (seat(2), "short"): "not-you"},
        ),
        # a table button answers for the only asked seat
        (bidden(20), {(Key("call"), "short"): COYOTE}),
        (WINDOW, {(Key("call"), "short"): "not-you"}),
        (SINGLE_SEAT_WINDOW, {(Key("second"), "short"): PASS}),
        # before the first number there is nothing to call; while cards are shown a press means nothing
        (open_round(), {(seat(0), "short"): "other-sense"}),
        (call_moments()[0], {(seat(1), "short"): "other-sense", (PUSH, "short"): "turn-first"}),
        (match_asking(), {(seat(1), "short"): "over", (PUSH, "short"): "over"}),
        (ANYONE_MAY_CONTEST, {(seat(3), "short"): COYOTE, (seat(0), "short"): "not-you"}),
        (
            WINDOW,
            {
                (seat(1), "short"): CHALLENGE,
                (seat(1), "long"): BLOCK,
                (seat(1), "double"): PASS,
                (Key("second", 1), "short"): PASS,
                (seat(0), "short"): "not-you",
            },
        ),
        # a gesture keeps its meaning when another option is missing
        (
            match_asking(Choice("react", (1,), (BLOCK, PASS))),
            {(seat(1), "short"): "other-sense", (seat(1), "long"): BLOCK},
        ),
        (match_asking(TARGETED_ACTION), {(seat(1), "short"): "other-sense"}),
        (match_asking(Done("shuffled", (2,))), {(seat(2), "short"): None, (seat(1), "short"): "not-you"}),
    ],
)
def test_press_meaning(match: Match, presses: dict[tuple[Key, Gesture], Value | str]) -> None:
    assert {press: press_value(match, *press) for press in presses} == presses


def test_rivals_and_wanted_gestures() -> None:
    opens = Answer(0, "opener", Option("opens", seat=2), 2)
    assert has_rivals(new_match(), opens)
    for match, rivals in ((bidden(20), False), (ANYONE_MAY_CONTEST, True)):
        assert has_rivals(match, Answer(match.number, "turn", COYOTE, 1)) is rivals
    assert meaning_of(WINDOW, seat(1)).wanted == {"short", "long", "double"}


def test_gesture_with_several_options_needs_a_phone() -> None:
    options = (CHALLENGE, BLOCK, Option("block", face="duke"), PASS)
    match = match_asking(Choice("react", (1, 2), options, window=3))
    assert press_value(match, seat(1), "long") == "phone-only"
    assert "long" in meaning_of(match, seat(1)).wanted, "a long press isn't a short one"
    assert [press_value(match, seat(1), gesture) for gesture in ("short", "double")] == [CHALLENGE, PASS]
    assert press_value(match, seat(0), "long") == "not-you"


def test_dial_starts_at_minimum_and_skips_barred_numbers() -> None:
    (ask,) = (ask for ask in bidden(20).asks if isinstance(ask, Number))
    assert [menus.turn_number(ask, None, way) for way in (1, -5)] == [21, 21]
    assert [menus.turn_number(ask, 21, steps) for steps in (1, 10, -1, -99)] == [22, 31, 21, 21]
    ask = Number("announce", (0,), 5, 9, (5, 7))
    moves = ((None, 1), (6, 1), (8, -1), (6, -1))
    assert [menus.turn_number(ask, number, way) for number, way in moves] == [6, 8, 6, 6]


# answers reachable by dial and push


def items(match: Match, seat: int | None = None) -> list[tuple[str, int | None]]:
    return [(pick.step, pick.seat) for pick in menus.menu(match, seat).picks]


def test_dial_stops_at_both_ends_and_moves_one_by_one() -> None:
    match = match_asking(Number("bid", (0,), 5, 9), Done("stops", (0,)))
    dial, seen = DialState(), list[object]()
    for steps in (1, 10, 1, -99, -1, -1, 1, 1):
        dial = menus.turn_dial(match, dial, steps)
        assert dial.at is not None
        seen.append(dial.at.number or dial.at.step)
    # numbers ascend clockwise; other answers come below the minimum
    assert seen == [5, 9, 9, 5, "done", "done", 5, 6]


def test_dial_passes_no_seat_however_fast_the_turn() -> None:
    match, dial, seen = match_asking(Done("lays", (0, 1, 2))), DialState(), list[int | None]()
    for steps in (1, 5, 1, 1, -9, -1, -1):
        dial = menus.turn_dial(match, dial, steps)
        assert dial.at is not None
        seen.append(dial.at.seat)
    assert seen == [0, 1, 2, 2, 1, 0, 0]


def test_several_asked_seats_are_chosen_first_and_a_long_push_goes_back() -> None:
    match = match_asking(Done("lays", (0, 2)), Choice("react", (1,), (PASS,)), Number("bid", (2,), 5, 9))
    assert items(match) == [("who", 0), ("who", 2)]
    assert items(match, 2) == [("done", 2)]
    who = DialState(None, Pick("who", 2))
    chosen = menus.push_dial(match, who)
    assert chosen == DialState(2, Pick("number", 2, "bid", 5))
    assert menus.push_dial(match, chosen) == Answer(match.number, "bid", 5, 2, "dial")
    assert menus.step_back(chosen) == who
    assert menus.step_back(who) == who


def test_only_asked_seat_and_table_are_done_at_once() -> None:
    for seats, answered in (((2,), 2), (TABLE, None)):
        match = match_asking(Done("shuffled", seats))
        dial = menus.turn_dial(match, DialState(), 1)
        assert menus.push_dial(match, dial) == Answer(match.number, "shuffled", None, answered, "dial")


ASKED_NUMBER = match_asking(Number("bid", (0,), 5, 9, (7,)))
ASKED_TWICE = match_asking(Done("lays", (0, 2)), Number("bid", (1,), 5, 9))


@given(
    st.sampled_from([*random_moments(new_match(), Random(1), 60), coup(), ASKED_NUMBER, ASKED_TWICE]),
    st.lists(st.sampled_from([-10, -1, 1, 2, 5, "push", "back"]), max_size=60),
)
def test_random_input_gives_only_legal_answers(match: Match, moves: list[int | str]) -> None:
    dial = DialState()
    for move in moves:
        if isinstance(move, int):
            dial = menus.turn_dial(match, dial, move)
        elif move == "back":
            dial = menus.step_back(dial)
        else:
            heard = menus.push_dial(match, dial)
            assert not isinstance(heard, Answer) or refusal(match.asks, heard) is None
            dial = heard if isinstance(heard, DialState) else DialState()
