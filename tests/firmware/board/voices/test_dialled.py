"""What the display shows of the dial: no two things of a menu look alike, and nothing says its contrary."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.board.senses.menus import menu
from firmware.board.voices.dialled import (
    WIDTH,
    common_words,
    dial_sentence,
    dial_signs,
    pointed_seat,
    short_names,
    signs,
)
from firmware.board.voices.segments import SEGMENTS, strokes, write_signs
from firmware.board_events import DialMoved, DialState, Pick
from firmware.language.catalogues import language
from referee.contract import Choice, Option
from referee.games.coup import COUP
from referee.match import Match, Setup, begin
from referee.telling import Listener
from tests.firmware.board.senses.matches import NAMES, after, bidden, call_moments


def listener_of(match: Match, code: str = "en") -> Listener:
    return Listener(match.setup.game.words, match.setup.names, language(code))


def dial_move(match: Match, *path: Pick) -> DialMoved:
    return DialMoved(DialState(path[:-1], path[-1]), menu(match, path[:-1]))


def coup() -> Match:
    match = begin(Setup(COUP, COUP.rules.settings["rule text"], NAMES))
    assert isinstance(match, Match)
    return after(match, ("opener", Option("opens", seat=0), None))


def test_a_word_is_told_without_its_target_and_then_with_it() -> None:
    match = coup()
    steal = menu(match).picks[3]
    aim = menu(match, (steal,)).picks[1]
    listener = listener_of(match)
    assert dial_sentence(match, listener, dial_move(match, steal)) == "as the Captain: 2 coins from …"
    assert dial_sentence(match, listener, dial_move(match, steal, aim)) == "as the Captain: 2 coins from Chloé"
    assert dial_signs(match, listener, dial_move(match, steal, aim)) == "S  3"
    assert dial_signs(match, listener_of(match, "fr"), dial_move(match, steal, aim)) == "P  3"
    assert [pointed_seat(dial_move(match, steal)), pointed_seat(dial_move(match, steal, aim))] == [None, 2]


def test_numbers_and_number_cards_are_set_to_the_right() -> None:
    match = bidden(20)
    assert dial_signs(match, listener_of(match), dial_move(match, Pick("number", 1, "announce", 25))) == "  25"
    call, _verdict = call_moments()
    cards = {signs(call, listener_of(call), menu(call), pick) for pick in menu(call).picks}
    assert {"  20", " -10", "nIGh", "LEAd"} <= cards


def test_a_word_gives_way_to_a_card_of_the_same_menu() -> None:
    match = coup()
    words = menu(match).picks
    steal, captain = words[3], Pick("card", 0, "prove", "captain")
    beside = replace(menu(match), picks=(*words, captain))
    listener = listener_of(match)
    assert signs(match, listener, menu(match), steal) == signs(match, listener, beside, captain) == "CAPt"
    assert signs(match, listener, beside, steal) != "CAPt"


def test_cells_are_counted_from_one() -> None:
    match = coup()
    options = tuple(Option("income", cell=cell) for cell in ((0, 0), (13, 2)))
    match = replace(match, position=replace(match.position, asks=(Choice("action", (0,), options),)))
    found = menu(match)
    assert [signs(match, listener_of(match), found, pick) for pick in found.picks] == [" 1 1", "14 3"]


def test_names_of_sentences_and_what_they_have_in_common() -> None:
    # one that denies isn't cut to what it denies
    assert short_names((("concede", "I don't show it"), ("prove", "I show the card")))["concede"] == "ConC"
    # a name tells more than a short word or a small one
    assert short_names((("x-y", "I claim Tax now"), ("z-w", "you stop")))["x-y"] == "tAX "
    assert common_words(["Ana begins", "Bo begins"]) == "… begins"
    assert common_words(["one more card for Bo"]) == "one more card for Bo"
    assert common_words(["yes", "no"]) == "yes"


@given(st.dictionaries(st.text(min_size=1, max_size=12), st.text(max_size=30), max_size=40))
def test_any_sentences_get_names_that_look_different(named: dict[str, str]) -> None:
    names = short_names(tuple(named.items()))
    assert names.keys() == named.keys()
    assert len({strokes(name) for name in names.values()}) == len(names)
    assert all(len(name) == WIDTH and name.strip() for name in names.values())


@given(st.text())
def test_any_text_can_be_written(text: str) -> None:
    assert set(write_signs(text)) <= SEGMENTS.keys()


def test_only_signs_that_seven_strokes_cannot_tell_apart_look_alike() -> None:
    alike: dict[int, str] = {}
    for sign, shape in SEGMENTS.items():
        alike[shape] = alike.get(shape, "") + sign
    assert sorted(signs for signs in alike.values() if len(signs) > 1) == ["2Z", "5S"]
