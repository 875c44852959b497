"""What the display shows of the dial: no two things of a menu look alike, and nothing says its contrary."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.board.senses.menus import menu, push_dial
from firmware.board.voices.dialled import dial_sentence, dial_signs, dial_words, pointed_seat, signs
from firmware.board.voices.segments import SEGMENTS, strokes, write_signs
from firmware.board.voices.short import WIDTH, common_words, short_names
from firmware.board_events import DialMoved, DialState, Path, Pick
from firmware.core.notices import Notice
from firmware.core.notices import sentence_for as notice_told
from firmware.language.catalogues import language
from referee.contract import Choice, Game, Option
from referee.games.coup import COUP
from referee.match import Match, Setup, begin
from referee.telling import Listener
from tests.firmware.board.senses.matches import NAMES, after, bidden, call_moments
from tests.referee.tables import after_any, outer_tables
from tests.referee.tables import new_match as any_match

LANGUAGES = ("en", "fr")


def listener_of(match: Match, code: str = "en") -> Listener:
    return Listener(match.setup.game.words, match.setup.names, language(code))


def dial_move(match: Match, *path: Pick) -> DialMoved:
    return DialMoved(DialState(path[:-1], path[-1]), menu(match, path[:-1]))


def check(match: Match, path: Path = ()) -> None:
    """See that all things of a menu look different and are told, and so in the menus behind it."""
    found = menu(match, path)
    for code in LANGUAGES:
        listener = listener_of(match, code)
        texts = [signs(match, listener, found, pick) for pick in found.picks]
        assert all(len(text) == WIDTH and set(text) <= SEGMENTS.keys() for text in texts), texts
        assert all(text.strip() for text in texts)
        assert len({strokes(text) for text in texts}) == len(texts), texts
        assert all(
            dial_sentence(match, listener, DialMoved(DialState(path, pick), found)) for pick in found.picks
        )
    for pick in found.picks:
        heard = push_dial(match, DialState(path, pick))
        if isinstance(heard, DialState) and pick.step != "card":
            check(match, heard.path)


@outer_tables
def test_everything_on_a_menu_looks_different(game: Game, rules: str, seats: int) -> None:
    rng = Random(f"{rules} {seats}")
    match = any_match(game, rules, seats)
    for _moment in range(15):
        if not match.asks:
            break
        check(match)
        match = after_any(match, rng)


def coup() -> Match:
    match = begin(Setup(COUP, COUP.settings["rule text"], NAMES))
    assert isinstance(match, Match)
    return after(match, ("opener", Option("opens", seat=0), None))


@pytest.mark.parametrize(
    ("code", "texts"),
    [("en", ["InCo", "ForE", "tAX ", "CAPt", "EXCh"]), ("fr", ["rEvE", "AIdE", "tAXE", "CAPI", "AMbA"])],
)
def test_the_actions_of_coup(code: str, texts: list[str]) -> None:
    match = coup()
    found = menu(match)
    assert [signs(match, listener_of(match, code), found, pick) for pick in found.picks] == texts


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


def test_in_a_window_it_is_told_who_speaks() -> None:
    match = after(coup(), ("action", Option("steal", seat=2), 0))
    who = Pick("who", 2)
    block = menu(match, (who,)).picks[1]
    face = menu(match, (who, block)).picks[1]
    listener = listener_of(match)
    assert dial_signs(match, listener, dial_move(match, who)) == "S  3"
    assert dial_sentence(match, listener, dial_move(match, who)) == "Chloé"
    assert dial_signs(match, listener, dial_move(match, who, block)) == "bLoC"
    assert dial_signs(match, listener, dial_move(match, who, block, face)) == "CAPt"
    assert dial_sentence(match, listener, dial_move(match, who, block, face)) == "Chloé: I block as the Captain"
    assert pointed_seat(dial_move(match, who)) == pointed_seat(dial_move(match, who, block, face)) == 2


def test_numbers_and_number_cards_are_set_to_the_right() -> None:
    match = bidden(20)
    listener = listener_of(match)
    assert dial_signs(match, listener, dial_move(match, Pick("number", 1, "announce", 25))) == "  25"
    call, _verdict = call_moments()
    cards = {signs(call, listener, menu(call), pick) for pick in menu(call).picks}
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


def test_a_sentence_that_denies_is_not_cut_to_what_it_denies() -> None:
    names = short_names((("concede", "I don't show it"), ("prove", "I show the card")))
    assert names["concede"] == "ConC"


@given(st.dictionaries(st.text(min_size=1, max_size=12), st.text(max_size=30), max_size=40))
def test_any_sentences_get_names_that_look_different(named: dict[str, str]) -> None:
    names = short_names(tuple(named.items()))
    assert names.keys() == named.keys()
    assert len({strokes(name) for name in names.values()}) == len(names)
    assert all(len(name) == WIDTH and name.strip() for name in names.values())


@given(st.text())
def test_any_text_can_be_written(text: str) -> None:
    assert set(write_signs(text)) <= SEGMENTS.keys()


def test_what_sentences_have_in_common() -> None:
    assert common_words(["Ana begins", "Bo begins"]) == "… begins"
    assert common_words(["one more card for Bo"]) == "one more card for Bo"
    assert common_words(["yes", "no"]) == "yes"


def test_a_terminal_reads_what_the_display_shows() -> None:
    match = coup()
    listener = listener_of(match)
    tax = dial_move(match, menu(match).picks[2])
    assert notice_told(Notice("dialled", dial_words(match, listener, tax)), listener) == (
        "On the display: [tAX ] as the Duke: 3 coins of tax"
    )
