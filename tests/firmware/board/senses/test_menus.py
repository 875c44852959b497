"""Everything that may be said can be said with dial and push, and a long push goes back."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.board.senses.menus import (
    asked_since,
    can_be_said,
    is_whole,
    menu,
    push_dial,
    step_back,
    turn_dial,
)
from firmware.board_events import DialState, Menu, Path, Pick
from hardware.twin.player import any_answer
from referee.contract import CENTRE, TABLE, Answer, Ask, Choice, Done, Number, Option, Show, Value
from referee.contract.cards import Deck
from referee.games.coup import COUP
from referee.legal import refusal
from referee.match import Match, Setup, TakeBack, begin, enter, hear
from tests.firmware.board.senses.matches import after, bidden, new_match
from tests.given import allowed, present
from tests.referee.tables import NAMES

SMALL = Deck("small", {"a": 2, "b": 1, "c": 1})


def match_asking(*asks: Ask) -> Match:
    """Make a match that asks something else than Coyote ever would."""
    match = new_match()
    return replace(match, position=replace(match.position, asks=asks))


def reached(match: Match, path: Path = ()) -> Iterator[object]:
    """Give all that pushes say from a menu on; each long push must go back."""
    for pick in menu(match, path).picks:
        dial = DialState(path, pick)
        heard = present(push_dial(match, dial))
        if isinstance(heard, Answer):
            assert refusal(match.asks, heard) is None
            yield heard.value
        else:
            assert step_back(heard) == dial
            yield from reached(match, heard.path)


def coup(*answers: tuple[str, Value, int | None], seats: int = 4) -> Match:
    match = allowed(begin(Setup(COUP, COUP.rules.settings["rule text"], NAMES[:seats])))
    return after(match, ("opener", Option("opens", seat=0), None), *answers)


def words(found: Menu) -> list[str]:
    return [pick.options[0].word for pick in found.picks]


def test_in_a_window_one_says_first_who_speaks() -> None:
    match = coup(("action", Option("steal", seat=2), 0))
    assert [(pick.step, pick.seat) for pick in menu(match).picks] == [("who", seat) for seat in (1, 3, 2, 0)]
    who = Pick("who", 2)
    assert words(menu(match, (who,))) == ["challenge", "block", "pass"]
    block = menu(match, (who,)).picks[1]
    faces = menu(match, (who, block)).picks
    assert [pick.options[0].face for pick in faces] == ["ambassador", "captain"]
    assert push_dial(match, DialState((who, block), faces[1])) == Answer(
        match.number, "challenge-or-block", Option("block", face="captain"), 2, "dial"
    )


@pytest.mark.parametrize(
    ("match", "turns", "wanted"),
    [
        (coup(), (1, 10, 5, -10, -1, -1), ["income", "foreign-aid", "tax", "foreign-aid", "income", "income"]),
        # numbers lie clockwise, and below the least what else may be said
        (bidden(20), (1, 5, -99, -1, -1, 1, 1), [21, 26, 21, "coyote", "coyote", 21, 22]),
    ],
)
def test_the_dial_stops_at_both_ends_and_goes_one_by_one(
    match: Match, turns: tuple[int, ...], wanted: list[int | str]
) -> None:
    dial, seen = DialState(), list[object]()
    for steps in turns:
        dial = turn_dial(match, dial, steps)
        assert dial.at is not None
        seen.append(dial.at.value or dial.at.options[0].word)
    assert seen == wanted


def test_options_may_differ_in_everything() -> None:
    options = (
        Option("put", face="a", cell=(4, 1)),
        Option("put", face="a", cell=(9, 0)),
        Option("put", seat=2, face="b", cell=(9, 0)),
        Option("insert", face="a", cell=(6, 1)),
        Option("discard"),
    )
    match = match_asking(Choice("place", (0,), options))
    assert words(menu(match)) == ["put", "insert", "discard"]
    assert set(reached(match)) == set(options)


def test_one_word_alone_is_no_step_and_done_is_on_the_dial_too() -> None:
    match = match_asking(Choice("suit", (1,), tuple(Option("name", face=face) for face in "abc")))
    assert [pick.step for pick in menu(match).picks] == ["face"] * 3
    match = match_asking(Done("shuffled", (2,)))
    (pick,) = menu(match).picks
    assert push_dial(match, DialState((), pick)) == Answer(match.number, "shuffled", None, 2, "dial")


def test_cards_that_must_be_there_keep_their_places() -> None:
    ask = Show("card", (0,), 1, CENTRE, SMALL, {"a": 2, "b": 0, "c": 1}, barred={"c": "no"})
    assert [pick.value for pick in menu(match_asking(ask)).picks] == ["a"]
    match = match_asking(Show("reveal", TABLE, 3, CENTRE, SMALL, SMALL.counts, must=("c",)))
    first = menu(match).picks
    assert [pick.value for pick in first] == ["a", "b", "c"]
    assert [pick.value for pick in menu(match, first[:2]).picks] == ["c"]
    assert not is_whole(match, first[:2])
    assert push_dial(match, DialState(first[:2], first[2])) == Answer(
        match.number, "reveal", ("a", "b", "c"), None, "dial"
    )


def test_a_number_that_may_not_be_said_any_more_is_let_go_of() -> None:
    match = match_asking(Number("announce", (0,), 5, 9, (7,)))
    said = {
        number: can_be_said(match, DialState((), Pick("number", 0, "announce", number)))
        for number in (4, 5, 7, 9, 10, None)
    }
    assert said == {4: False, 5: True, 7: False, 9: True, 10: False, None: False}


def test_another_seat_may_be_asked_for_a_number() -> None:
    match = match_asking(Choice("react", (1, 2), (Option("pass"),), window=3), Number("bid", (0,), 5, 9))
    heard = push_dial(match, DialState((), Pick("who", 0)))
    assert isinstance(heard, DialState)
    assert push_dial(match, heard) == Answer(match.number, "bid", 5, 0, "dial")


def test_a_window_stands_through_its_answers_but_not_through_a_take_back() -> None:
    opened = coup(("action", Option("tax"), 0))
    passed = after(opened, ("challenge", Option("pass"), 1))
    assert asked_since(passed) is opened
    taken = allowed(enter(passed, TakeBack(passed.number, 1)))
    assert asked_since(taken) is taken
    assert asked_since(coup()).asks[0].key == "action"


@given(st.integers(0, 10**6), st.lists(st.sampled_from([-10, -1, 1, 2, 5, "push", "back"]), max_size=60))
def test_whatever_hands_do_they_say_only_what_is_legal(seed: int, moves: list[int | str]) -> None:
    rng = Random(seed)
    match = rng.choice([bidden(20), coup(), coup(("action", Option("steal", seat=2), 0))])
    dial = DialState()
    for move in moves:
        if isinstance(move, int):
            dial = turn_dial(match, dial, move)
        elif move == "back":
            dial = step_back(dial)
        else:
            heard = push_dial(match, dial)
            if isinstance(heard, Answer):
                match, dial = _hear(match, heard), DialState()
            dial = heard if isinstance(heard, DialState) else dial
        if not match.asks:
            return
        assert can_be_said(match, dial)
        if rng.random() < 0.1:
            match, dial = _hear(match, any_answer(match.asks, match.number, rng)), DialState()


def _hear(match: Match, answer: Answer) -> Match:
    return allowed(hear(match, answer))
