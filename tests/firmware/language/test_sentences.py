"""Translation of sentences with nested sentences, and of error reasons."""

import pytest
from msgspec.structs import replace

from firmware.language import speaking
from firmware.language.catalogues import language
from firmware.language.lamps import lamp_checks, lamp_name
from firmware.language.speaking import Sentence, reason_of, say
from firmware.language.words import WORDS
from firmware.table.notices import button_name
from hardware.board.board import Board, Key, LampDrivers, Register
from hardware.board.lamps import Lamp
from referee.contract.words import phrase
from tests.hardware.board.own_boards import BOARDS
from vision.troubles import TroubleError
from webui.views.words import page_text

ENGLISH, FRENCH = language("en"), language("fr")


def test_several_sentences_are_joined_and_lower_cased_inside() -> None:
    keys = (Key("push"), Key("call", 2))
    names = tuple(Sentence(each.text, each.values, is_inside=True) for each in map(button_name, keys))
    said = say("Not in use: {names}. Phones can replace them.", names=names)
    assert said.told(ENGLISH).startswith("Not in use: the dial, the button of seat 3.")
    assert "le bouton de la place 3" in said.told(FRENCH)


def test_sentences_and_pages_name_commands_as_they_are_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    pin = "At its terminal, coyote table pin shows the PIN."
    assert page_text(FRENCH, phrase(pin)) == "Dans son terminal, coyote table pin montre le PIN."
    monkeypatch.setattr(speaking, "PROGRAM", "./run")
    assert page_text(FRENCH, phrase(pin)) == "Dans son terminal, ./run table pin montre le PIN."
    hint = Sentence(WORDS["browser only"], {"camera": "phone"})
    assert hint.told(ENGLISH).endswith("the table runs: ./run run --camera phone")


def test_reason_is_translated_but_system_error_is_not() -> None:
    error = TroubleError("copy gone")
    assert reason_of(error).told(ENGLISH) == "This copy no longer exists."
    assert reason_of(error).told(FRENCH) != reason_of(error).told(ENGLISH)
    assert reason_of(OSError("odd {disk}")).told(FRENCH) == "odd {disk}"


# lamps that stay dark


SIX = BOARDS["six"]
ARCADE = replace(
    SIX, lamps=LampDrivers(green=(27, 9, 6, 23, 8, 16), red=(22, 11, 13, 24, 7, 20), volts=5, milliamps=35)
)
REGISTER_ARCADE = replace(BOARDS["full"], lamps=Register(13, 19, 26, chips=2, volts=12))


@pytest.mark.parametrize(
    ("board", "lamp", "name", "words"),
    [
        (SIX, Lamp("red", 1), "The red lamp of seat 2", ("GPIO11, pin 23", "470 Ω")),
        (SIX, Lamp("attention"), "The table's lamp", ("GPIO15, pin 10", "330 Ω")),
        (BOARDS["full"], Lamp("red", 3), "The red lamp of seat 4", ("leg 7 of 74HC595 no. 1", "470 Ω")),
        # the longest leg of a two-colour LED is its cathode
        (
            BOARDS["fab"],
            Lamp("red", 0),
            "The red lamp of seat 1",
            ("the middle one of a two-colour LED, goes to GND",),
        ),
        (
            ARCADE,
            Lamp("green", 4),
            "The green lamp of seat 5",
            ("5 V between LAMP+ and GND", "GPIO8, pin 24", "ULN2803 no. 2", "into leg 1, out of leg 18"),
        ),
        (
            REGISTER_ARCADE,
            Lamp("red", 4),
            "The red lamp of seat 5",
            ("12 V between LAMP+", "leg 1 of 74HC595 no. 2", "ULN2803 no. 2", "into leg 8, out of leg 11"),
        ),
    ],
)
def test_hints_for_dark_lamps(board: Board, lamp: Lamp, name: str, words: tuple[str, ...]) -> None:
    told = " ".join(map(str, lamp_checks(board, lamp)))
    assert str(lamp_name(lamp)) == name
    assert [word for word in words if word not in told] == []
