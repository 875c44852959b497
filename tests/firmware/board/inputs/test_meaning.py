"""The meaning of a press at each moment of a match: always a legal answer."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.board.inputs import menus
from firmware.board.inputs.meaning import has_rivals, meaning_of, openings, void_press
from firmware.board.inputs.presses import Gesture, Press
from firmware.board_events import DialState, Menu, Path, Pick
from hardware.board.board import Key
from hardware.twin.player import any_answer
from referee.contract import CENTRE, TABLE, Answer, Ask, Choice, Done, Number, Option, Show, Value
from referee.contract.cards import Deck
from referee.games.coup import COUP
from referee.games.coyote.state import House
from referee.legal import refusal
from referee.match import Match, TakeBack, hear
from tests.firmware.board.inputs.matches import after, bidden, call_moments, coup, new_match, open_round
from tests.given import allowed, altered, present

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


def test_answers_beyond_presses_go_to_dial_or_phone() -> None:
    options = (CHALLENGE, BLOCK, Option("block", face="duke"), PASS)
    match = match_asking(Choice("react", (1, 2), options, window=3))
    assert press_value(match, seat(1), "long") == "other-sense"
    dial = openings(match, seat(1))["long"]
    assert menus.push_dial(match, dial) == Answer(match.number, "react", BLOCK, 1, "dial")
    assert openings(match, seat(0)) == openings(match, Key("second", 1)) == openings(match, PUSH) == {}


@given(
    st.integers(1, 50),
    st.integers(0, 9),
    st.sets(st.integers(1, 60), max_size=5),
    st.lists(st.integers(-12, 12).filter(bool), min_size=1, max_size=30),
)
def test_dial_only_offers_legal_answers(least: int, room: int, barred: set[int], turned: list[int]) -> None:
    ask = Number("announce", (0,), least, least + room + len(barred), tuple(sorted(barred)))
    number = None
    for steps in turned:
        number = menus.turn_number(ask, number, steps)
        assert ask.least <= number <= ask.most
        assert number not in ask.barred


def test_dial_starts_at_minimum_and_skips_barred_numbers() -> None:
    (ask,) = (ask for ask in bidden(20).asks if isinstance(ask, Number))
    assert [menus.turn_number(ask, None, way) for way in (1, -5)] == [21, 21]
    assert [menus.turn_number(ask, 21, steps) for steps in (1, 10, -1, -99)] == [22, 31, 21, 21]
    ask = Number("announce", (0,), 5, 9, (5, 7))
    moves = ((None, 1), (6, 1), (8, -1), (6, -1))
    assert [menus.turn_number(ask, number, way) for number, way in moves] == [6, 8, 6, 6]


# answers reachable by dial and push


SMALL = Deck("small", {"a": 2, "b": 1, "c": 1})


def reachable_answers(match: Match, path: Path = ()) -> Iterator[object]:
    """Return all answers that pushes reach from a menu; each long push must go back."""
    for pick in menus.menu(match, path).picks:
        dial = DialState(path, pick)
        heard = present(menus.push_dial(match, dial))
        if isinstance(heard, Answer):
            assert refusal(match.asks, heard) is None
            yield heard.value
        else:
            assert menus.step_back(heard) == dial
            yield from reachable_answers(match, heard.path)


def words(found: Menu) -> list[str]:
    return [pick.options[0].word for pick in found.picks]


def test_window_menu_asks_for_seat_first() -> None:
    match = coup(("action", Option("steal", seat=2), 0))
    assert [(pick.step, pick.seat) for pick in menus.menu(match).picks] == [
        ("who", seat) for seat in (1, 3, 2, 0)
    ]
    who = Pick("who", 2)
    assert words(menus.menu(match, (who,))) == ["challenge", "block", "pass"]
    block = menus.menu(match, (who,)).picks[1]
    faces = menus.menu(match, (who, block)).picks
    assert [pick.options[0].face for pick in faces] == ["ambassador", "captain"]
    assert menus.push_dial(match, DialState((who, block), faces[1])) == Answer(
        match.number, "challenge-or-block", Option("block", face="captain"), 2, "dial"
    )


@pytest.mark.parametrize(
    ("match", "turns", "wanted"),
    [
        (coup(), (1, 10, 5, -10, -1, -1), ["income", "foreign-aid", "tax", "foreign-aid", "income", "income"]),
        # numbers ascend clockwise; other answers come below the minimum
        (bidden(20), (1, 5, -99, -1, -1, 1, 1), [21, 26, 21, "coyote", "coyote", 21, 22]),
    ],
)
def test_dial_stops_at_both_ends_and_moves_one_by_one(
    match: Match, turns: tuple[int, ...], wanted: list[int | str]
) -> None:
    dial, seen = DialState(), list[object]()
    for steps in turns:
        dial = menus.turn_dial(match, dial, steps)
        assert dial.at is not None
        seen.append(dial.at.value or dial.at.options[0].word)
    assert seen == wanted


def test_options_may_differ_in_every_part() -> None:
    options = (
        Option("put", face="a", cell=(4, 1)),
        Option("put", face="a", cell=(9, 0)),
        Option("put", seat=2, face="b", cell=(9, 0)),
        Option("insert", face="a", cell=(6, 1)),
        Option("discard"),
    )
    match = match_asking(Choice("place", (0,), options))
    assert words(menus.menu(match)) == ["put", "insert", "discard"]
    assert set(reachable_answers(match)) == set(options)


def test_single_word_skips_its_menu_and_done_is_on_the_dial() -> None:
    match = match_asking(Choice("suit", (1,), tuple(Option("name", face=face) for face in "abc")))
    assert [pick.step for pick in menus.menu(match).picks] == ["face"] * 3
    match = match_asking(Done("shuffled", (2,)))
    (pick,) = menus.menu(match).picks
    assert menus.push_dial(match, DialState((), pick)) == Answer(match.number, "shuffled", None, 2, "dial")


def test_required_cards_keep_their_positions() -> None:
    ask = Show("card", (0,), 1, CENTRE, SMALL, {"a": 2, "b": 0, "c": 1}, barred={"c": "no"})
    assert [pick.value for pick in menus.menu(match_asking(ask)).picks] == ["a"]
    match = match_asking(Show("reveal", TABLE, 3, CENTRE, SMALL, SMALL.counts, must=("c",)))
    first = menus.menu(match).picks
    assert [pick.value for pick in first] == ["a", "b", "c"]
    assert [pick.value for pick in menus.menu(match, first[:2]).picks] == ["c"]
    assert not menus.is_whole(match, first[:2])
    assert menus.push_dial(match, DialState(first[:2], first[2])) == Answer(
        match.number, "reveal", ("a", "b", "c"), None, "dial"
    )


def test_number_is_dropped_once_illegal() -> None:
    match = match_asking(Number("announce", (0,), 5, 9, (7,)))
    said = {
        number: menus.can_be_said(match, DialState((), Pick("number", 0, "announce", number)))
        for number in (4, 5, 7, 9, 10, None)
    }
    assert said == {4: False, 5: True, 7: False, 9: True, 10: False, None: False}


def test_other_seat_can_be_asked_for_a_number() -> None:
    match = match_asking(Choice("react", (1, 2), (Option("pass"),), window=3), Number("bid", (0,), 5, 9))
    heard = menus.push_dial(match, DialState((), Pick("who", 0)))
    assert isinstance(heard, DialState)
    assert menus.push_dial(match, heard) == Answer(match.number, "bid", 5, 0, "dial")


def test_window_stays_through_answers_but_not_through_take_back() -> None:
    opened = coup(("action", Option("tax"), 0))
    passed = after(opened, ("challenge", Option("pass"), 1))
    assert menus.asked_since(passed) is opened
    taken = allowed(hear(passed, TakeBack(passed.number, 1)))
    assert menus.asked_since(taken) is taken
    assert menus.asked_since(coup()).asks[0].key == "action"


@given(st.integers(0, 10**6), st.lists(st.sampled_from([-10, -1, 1, 2, 5, "push", "back"]), max_size=60))
def test_random_input_gives_only_legal_answers(seed: int, moves: list[int | str]) -> None:
    rng = Random(seed)
    match = rng.choice([bidden(20), coup(), coup(("action", Option("steal", seat=2), 0))])
    dial = DialState()
    for move in moves:
        if isinstance(move, int):
            dial = menus.turn_dial(match, dial, move)
        elif move == "back":
            dial = menus.step_back(dial)
        else:
            heard = menus.push_dial(match, dial)
            if isinstance(heard, Answer):
                match, dial = hear_answers(match, heard), DialState()
            dial = heard if isinstance(heard, DialState) else dial
        if not match.asks:
            return
        assert menus.can_be_said(match, dial)
        if rng.random() < 0.1:
            match, dial = hear_answers(match, any_answer(match.asks, match.number, rng)), DialState()


def hear_answers(match: Match, answer: Answer) -> Match:
    return allowed(hear(match, answer))
