"""A sentence is worded for who reads it, with all sentences in it; a reason is told, or is the system's own."""

from firmware.language.catalogues import language
from firmware.language.sentences import HinderedError, Sentence, reason_of, say
from firmware.table.notices import button_name
from hardware.board.board import Key

ENGLISH, FRENCH = language("en"), language("fr")


def test_what_is_in_a_sentence_is_worded_with_it() -> None:
    what = Sentence("the buzzer")
    pressed = Sentence(
        "GPIO{gpio} was pressed: on this board that is {what}, and a press would short it.",
        {"gpio": 12, "what": what},
    )
    assert "12" in pressed.told(ENGLISH)
    assert "that is the buzzer," in pressed.told(ENGLISH)
    assert "le buzzer" in pressed.told(FRENCH)


def test_several_stand_in_a_row_and_begin_small_inside() -> None:
    names = tuple(Sentence(each.text, each.values, is_inside=True) for each in map(button_name, KEYS))
    said = say("Played without {names}. Phones can say and show it all.", names=names)
    assert said.told(ENGLISH).startswith("Played without the dial, the button of seat 3.")
    assert "le bouton de la place 3" in said.told(FRENCH)


KEYS = (Key("push"), Key("call", 2))


def test_a_reason_is_told_and_what_the_system_says_stays_as_it_is() -> None:
    error = HinderedError(say("That copy isn't there any more."))
    assert str(error) == "That copy isn't there any more."
    assert reason_of(error).told(FRENCH) != reason_of(error).told(ENGLISH)
    assert reason_of(OSError("odd {disk}")).told(FRENCH) == "odd {disk}"
