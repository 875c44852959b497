"""What a press means at each moment of a match, and that it always means something that may be said."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.board.senses.meaning import answers, has_rivals, meaning_of, openings, void_press
from firmware.board.senses.menus import push_dial, turn_number
from firmware.board.senses.presses import Gesture, Press
from hardware.board.board import Key
from hardware.twin.player import any_answer
from referee.contract import Answer, Ask, Choice, Done, Number, Option, Value
from referee.games.coup import COUP
from referee.games.coyote.state import House
from referee.match import Match, hear
from tests.altered_games import altered
from tests.firmware.board.senses.matches import bidden, call_moments, new_match, open_round
from tests.firmware.playing import any_match
from tests.given import allowed
from tests.tiers import tiered

CHALLENGE, BLOCK, PASS = Option("challenge"), Option("block", face="contessa"), Option("pass")
PUSH = Key("push")


def seat(number: int) -> Key:
    return Key("call", number)


def match_asking(*asks: Ask) -> Match:
    """Make a match that asks something else than Coyote ever would, with the gestures of Coup."""
    match = new_match()
    setup = replace(match.setup, game=altered(match.setup.game, gestures=COUP.feel.gestures))
    return replace(match, setup=setup, position=replace(match.position, asks=asks))


def press_value(match: Match, key: Key, gesture: Gesture = "short") -> Value | str:
    """Give what a press says, or why it means nothing."""
    answer = meaning_of(match, key).answers.get(gesture)
    if answer is None:
        return void_press(match, Press(key, gesture, 5.0)).why
    assert (answer.moment, answer.sense) == (match.number, "button")
    assert key.seat in {None, answer.seat}
    return answer.value


COYOTE, ANYONE = Option("coyote"), bidden(20, house=House(anyone_may_contest=True))
AIMED = Choice("action", (1,), tuple(Option("raid", seat=other) for other in (0, 2)))
WINDOW = match_asking(Choice("react", (1, 2), (CHALLENGE, BLOCK, PASS), window=17))
ALONE = match_asking(Choice("react", (1,), (CHALLENGE, PASS), window=17))


@pytest.mark.parametrize(
    ("match", "presses"),
    [
        (new_match(), {(seat(2), "short"): Option("opens", seat=2)}),
        (
            bidden(20),
            {(seat(1), "short"): COYOTE, (seat(0), "short"): "not-you", (seat(2), "short"): "not-you"},
        ),
        # a button of the table speaks for the only one who is asked
        (bidden(20), {(Key("call"), "short"): COYOTE}),
        (WINDOW, {(Key("call"), "short"): "not-you"}),
        (ALONE, {(Key("second"), "short"): PASS}),
        # before the first number there is nothing to call; while cards are shown no press means anything
        (open_round(), {(seat(0), "short"): "other-sense"}),
        (call_moments()[0], {(seat(1), "short"): "other-sense", (PUSH, "short"): "turn-first"}),
        (match_asking(), {(seat(1), "short"): "over", (PUSH, "short"): "over"}),
        (ANYONE, {(seat(3), "short"): COYOTE, (seat(0), "short"): "not-you"}),
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
        (match_asking(AIMED), {(seat(1), "short"): "other-sense"}),
        (match_asking(Done("shuffled", (2,))), {(seat(2), "short"): None, (seat(1), "short"): "not-you"}),
    ],
)
def test_what_a_press_means(match: Match, presses: dict[tuple[Key, Gesture], Value | str]) -> None:
    assert {press: press_value(match, *press) for press in presses} == presses


def test_who_has_rivals_and_which_gestures_are_wanted() -> None:
    opens = Answer(0, "opener", Option("opens", seat=2), 2)
    assert has_rivals(new_match(), opens)
    for match, rivals in ((bidden(20), False), (ANYONE, True)):
        assert has_rivals(match, Answer(match.number, "turn", COYOTE, 1)) is rivals
    assert meaning_of(WINDOW, seat(1)).wanted == {"short", "long", "double"}


def test_what_a_press_cannot_name_is_for_the_dial_or_a_phone() -> None:
    options = (CHALLENGE, BLOCK, Option("block", face="duke"), PASS)
    match = match_asking(Choice("react", (1, 2), options, window=3))
    assert press_value(match, seat(1), "long") == "other-sense"
    dial = openings(match, seat(1))["long"]
    assert push_dial(match, dial) == Answer(match.number, "react", BLOCK, 1, "dial")
    assert openings(match, seat(0)) == openings(match, Key("second", 1)) == openings(match, PUSH) == {}


@pytest.mark.parametrize("seed", range(tiered(4, 30)))
def test_what_a_press_means_may_be_said(seed: int) -> None:
    rng = Random(seed)
    match = any_match(rng)
    while match.asks and match.number < 150:
        for key in [PUSH, Key("call"), *map(seat, range(6)), *(Key("second", place) for place in range(6))]:
            for answer in answers(match, key).values():
                assert isinstance(hear(match, answer), Match)
        match = allowed(hear(match, any_answer(match.asks, match.number, rng)))


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


def test_the_dial_starts_at_the_least_goes_on_from_there_and_skips_what_is_barred() -> None:
    (ask,) = (ask for ask in bidden(20).asks if isinstance(ask, Number))
    assert [turn_number(ask, None, way) for way in (1, -5)] == [21, 21]
    assert [turn_number(ask, 21, steps) for steps in (1, 10, -1, -99)] == [22, 31, 21, 21]
    ask = Number("announce", (0,), 5, 9, (5, 7))
    moves = ((None, 1), (6, 1), (8, -1), (6, -1))
    assert [turn_number(ask, number, way) for number, way in moves] == [6, 8, 6, 6]
