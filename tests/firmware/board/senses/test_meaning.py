"""What a press means at each moment of a match, and that it always means something that may be said."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.board.senses.meaning import (
    answers,
    has_rivals,
    openings,
    press_meaning,
    wanted_gestures,
)
from firmware.board.senses.menus import push_dial, turn_number
from firmware.board.senses.presses import Gesture, Press
from firmware.board_events import VoidPress
from hardware.board.board import Key
from hardware.twin.player import any_answer
from referee.contract import Answer, Ask, Choice, Done, Number, Option, Value
from referee.games.coup import COUP
from referee.games.coyote.house import House
from referee.match import Match, hear
from tests.firmware.board.senses.matches import bidden, call_moments, new_match, open_round
from tests.firmware.playing import any_match

CHALLENGE, BLOCK, PASS = Option("challenge"), Option("block", face="contessa"), Option("pass")
PUSH = Key("push")


def press(key: Key, gesture: Gesture = "short") -> Press:
    return Press(key, gesture, 5.0)


def seat(number: int) -> Key:
    return Key("call", number)


def match_asking(*asks: Ask) -> Match:
    """Make a match that asks something else than Coyote ever would, with the gestures of Coup."""
    match = new_match()
    setup = replace(match.setup, game=replace(match.setup.game, gestures=COUP.gestures))
    return replace(match, setup=setup, position=replace(match.position, asks=asks))


def press_value(match: Match, key: Key, gesture: Gesture = "short") -> Value | str:
    """Give what a press says, or why it means nothing."""
    answer = press_meaning(match, press(key, gesture))
    return answer.why if isinstance(answer, VoidPress) else answer.value


def test_the_first_to_press_opens() -> None:
    assert press_value(new_match(), seat(2)) == Option("opens", seat=2)
    assert has_rivals(new_match(), Answer(0, "opener", Option("opens", seat=2), 2))


def test_only_the_seat_in_turn_calls() -> None:
    match = bidden(20)
    answer = press_meaning(match, press(seat(1)))
    assert answer == Answer(match.number, "turn", Option("coyote"), 1, "button")
    assert press_value(match, seat(0)) == press_value(match, seat(2)) == "not-you"
    assert not has_rivals(match, Answer(match.number, "turn", Option("coyote"), 1))


def test_before_the_first_number_there_is_nothing_to_call() -> None:
    assert press_value(open_round(), seat(0)) == "other-sense"


def test_anybody_may_call_where_the_house_says_so() -> None:
    match = bidden(20, house=House(anyone_may_contest=True))
    assert press_meaning(match, press(seat(3))) == Answer(
        match.number, "contest", Option("coyote"), 3, "button"
    )
    assert press_value(match, seat(0)) == "not-you"
    assert has_rivals(match, Answer(match.number, "turn", Option("coyote"), 1))


def test_while_cards_are_shown_no_press_means_anything() -> None:
    call, _verdict = call_moments()
    assert press_value(call, seat(1)) == "other-sense"
    assert press_value(call, PUSH) == "turn-first"


def test_when_it_is_over_every_press_is_told_so() -> None:
    assert press_value(match_asking(), seat(1)) == press_value(match_asking(), PUSH) == "over"


def test_in_a_window_challenge_block_and_pass_are_short_long_and_double() -> None:
    match = match_asking(Choice("react", (1, 2), (CHALLENGE, BLOCK, PASS), window=17))
    assert wanted_gestures(match, seat(1)) == {"short", "long", "double"}
    assert press_value(match, seat(1)) == CHALLENGE
    assert press_value(match, seat(1), "long") == BLOCK
    assert press_value(match, seat(1), "double") == press_value(match, Key("second", 1)) == PASS
    assert press_value(match, seat(0)) == "not-you"


def test_a_gesture_keeps_its_meaning_when_another_option_is_missing() -> None:
    match = match_asking(Choice("react", (1,), (BLOCK, PASS)))
    assert press_value(match, seat(1)) == "other-sense"
    assert press_value(match, seat(1), "long") == BLOCK


def test_what_a_press_cannot_name_is_for_the_dial_or_a_phone() -> None:
    options = (CHALLENGE, BLOCK, Option("block", face="duke"), PASS)
    match = match_asking(Choice("react", (1, 2), options, window=3))
    assert press_value(match, seat(1), "long") == "other-sense"
    dial = openings(match, seat(1))["long"]
    assert push_dial(match, dial) == Answer(match.number, "react", BLOCK, 1, "dial")
    assert openings(match, seat(0)) == openings(match, Key("second", 1)) == openings(match, PUSH) == {}
    aimed = tuple(Option("raid", seat=other) for other in (0, 2))
    assert press_value(match_asking(Choice("action", (1,), aimed)), seat(1)) == "other-sense"


def test_done_is_a_press_of_the_seat_that_is_asked() -> None:
    match = match_asking(Done("shuffled", (2,)))
    assert press_meaning(match, press(seat(2))) == Answer(match.number, "shuffled", None, 2, "button")
    assert press_value(match, seat(1)) == "not-you"


def test_a_button_of_the_table_speaks_for_the_only_one_who_is_asked() -> None:
    match = bidden(20)
    assert press_meaning(match, press(Key("call"))) == Answer(
        match.number, "turn", Option("coyote"), 1, "button"
    )
    window = match_asking(Choice("react", (1, 2), (CHALLENGE, PASS), window=17))
    assert press_value(window, Key("call")) == "not-you"
    alone = match_asking(Choice("react", (1,), (CHALLENGE, PASS), window=17))
    assert press_value(alone, Key("second")) == PASS


@pytest.mark.parametrize("seed", range(30))
def test_what_a_press_means_may_be_said(seed: int) -> None:
    rng = Random(seed)
    match = any_match(rng)
    while match.asks and match.number < 150:
        for key in [PUSH, Key("call"), *map(seat, range(6)), *(Key("second", place) for place in range(6))]:
            for answer in answers(match, key).values():
                assert isinstance(hear(match, answer), Match)
        heard = hear(match, any_answer(match.asks, match.number, rng))
        assert isinstance(heard, Match)
        match = heard


@given(
    st.integers(1, 50),
    st.integers(0, 9),
    st.sets(st.integers(1, 60), max_size=5),
    st.lists(st.integers(-12, 12).filter(bool), min_size=1, max_size=30),
)
def test_the_dial_never_leaves_what_may_be_said(
    least: int, room: int, barred: set[int], turned: list[int]
) -> None:
    ask = Number("announce", (0,), least, least + room + len(barred), tuple(sorted(barred)))
    number = None
    for steps in turned:
        number = turn_number(ask, number, steps)
        assert ask.least <= number <= ask.most
        assert number not in ask.barred


def test_the_dial_starts_at_the_least_and_goes_on_from_there() -> None:
    (ask,) = (ask for ask in bidden(20).asks if isinstance(ask, Number))
    assert [turn_number(ask, None, way) for way in (1, -5)] == [21, 21]
    assert [turn_number(ask, 21, steps) for steps in (1, 10, -1, -99)] == [22, 31, 21, 21]


def test_what_is_barred_is_skipped_both_ways() -> None:
    ask = Number("announce", (0,), 5, 9, (5, 7))
    assert [
        turn_number(ask, None, 1),
        turn_number(ask, 6, 1),
        turn_number(ask, 8, -1),
        turn_number(ask, 6, -1),
    ] == [6, 8, 6, 6]
