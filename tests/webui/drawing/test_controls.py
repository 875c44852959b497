"""Asks as a phone shows them, and what comes back."""

import pytest

from firmware.language.catalogues import language
from referee.contract import CENTRE, Choice, Deadline, Done, Number, Option, Show
from referee.games.coup.words import WORDS as COUP
from referee.games.coyote.deck import KIDULT
from referee.games.coyote.words import WORDS
from referee.telling import Listener
from webui.drawing.controls import CARDS, Misread, control_of, value_of

LISTENER = Listener(WORDS, ("Ana", "Bo"), language("en"))


def test_quick_numbers_leave_out_what_is_barred_and_stay_in_range() -> None:
    control = control_of(Number("announce", (0,), 3, 9, barred=(4, 5)), LISTENER)
    assert ([button.value for button in control.buttons], control.preset) == (["3", "7"], 3)
    many = control_of(Number("announce", (0,), 16, 9999, barred=(16,)), LISTENER)
    assert ([button.value for button in many.buttons], many.preset) == (["17", "18", "20", "25"], 17)


def test_cards_that_are_known_are_counted_already_and_those_that_cannot_be_are_left_out() -> None:
    among = {"20": 0, "15": 2, "10": 3}
    control = control_of(Show("reveal", (), 2, CENTRE, KIDULT, among, ("15",)), LISTENER)
    assert [(pile.text, pile.least, pile.most) for pile in control.piles] == [("15", 1, 2), ("10", 0, 2)]


def test_done_is_one_button() -> None:
    ask = Done("exchange", (0,))
    control = control_of(ask, Listener(COUP, ("Ana", "Bo"), language("en")))
    assert (control.kind, control.buttons) == ("done", ())
    assert value_of(ask, {"number": "3"}) is None


def test_the_option_that_the_clock_would_choose_says_so() -> None:
    options = (Option("pass"), Option("challenge"))
    listener = Listener(COUP, ("Ana", "Bo"), language("en"))
    ask = Choice("challenge", (0,), options, deadline=Deadline(10.0, options[0]))
    assert [button.is_by_clock for button in control_of(ask, listener).buttons] == [True, False]
    without = control_of(Choice("challenge", (0,), options), listener)
    assert not any(button.is_by_clock for button in without.buttons)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"word":1}', '{"word":"x","more":1}', "[" * 5000, "\ud800"])
def test_what_is_no_option_is_not_understood(text: str) -> None:
    assert value_of(Choice("turn", (0,), (Option("coyote"),)), {"option": text}) == Misread()


@pytest.mark.parametrize("count", ["x", "-1", str(CARDS + 1), "9" * 30])
def test_what_is_no_count_is_not_understood(count: str) -> None:
    ask = Show("reveal", (), 2, CENTRE, KIDULT, KIDULT.counts)
    assert value_of(ask, {"card-20": count}) == Misread()
    assert value_of(ask, {"card-20": "1", "card-5": "", "card-?": "1", "other": "7"}) == ("20", "?")
