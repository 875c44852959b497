"""The simulated table's room: who sits where, what is offered, what decides."""

import msgspec
import pytest

from firmware.language.catalogues import language
from referee.contract import Answer, Option
from referee.games.catalogue import GAMES
from referee.games.coyote import COYOTE
from referee.games.coyote.house import House
from referee.match import Match, Setup, begin, hear
from referee.showing import board_of, situation_of
from referee.telling import Listener
from tests.webui.matches import play_match
from webui.doors.simulated_table import Chair, LaidCardView, LampView, TableView
from webui.drawing.controls import Button, Control
from webui.drawing.score_board import score_of
from webui.drawing.twin_room import (
    around_number,
    box_around,
    clockwise,
    decisive_of,
    number_told,
    option_faces,
    room_of,
    sides_of,
    useful_numbers,
)

NAMES = ("Ana", "Bo", "Chloé", "Dédé", "Eve")


def counted_match() -> Match:
    """Play a round of Coyote up to its count."""
    match = begin(Setup(COYOTE, House(), NAMES, begun="2026-12-24"))
    assert isinstance(match, Match)
    for ask, value, seat in (
        ("opener", Option("opens", seat=0), None),
        ("announce", 30, 0),
        ("turn", Option("coyote"), 1),
        ("reveal", ("1", "2", "3", "4", "5"), None),
    ):
        heard = hear(match, Answer(match.number, ask, value, seat))
        assert isinstance(heard, Match)
        match = heard
    return match


@pytest.fixture
def listener() -> Listener:
    return Listener(COYOTE.words, NAMES, language("en"))


def table_of(*laid: LaidCardView) -> TableView:
    return TableView(
        deck="coyote-kidult",
        chairs=tuple(Chair((0.0, 0.0)) for _name in NAMES),
        laid=laid,
        pile=30,
        draw=None,
        discard=0,
        top=None,
        zone=((0.0, 0.0), (300.0, 200.0)),
        zone_seat=None,
        has_dial=True,
        has_button=False,
        wrong=(),
    )


def test_the_others_sit_clockwise_and_the_viewer_nearest(listener: Listener) -> None:
    match = counted_match()
    score = score_of(match, 3, listener)
    room = room_of(match, score, table_of(), LampView(("green",), None, None), 3)
    assert [(seat.seat, seat.side) for seat in room.others] == [
        (4, "left"),
        (0, "top"),
        (1, "top"),
        (2, "right"),
    ]
    assert room.mine is not None
    assert (room.mine.seat, room.mine.lamp, room.others[1].lamp) == (3, "", "green")
    assert room.others[0].player is not None
    assert room.others[0].player.name == "Eve"


def test_a_spectator_sees_all_seats() -> None:
    assert clockwise(3, None) == (0, 1, 2)
    assert sides_of(2) == ("top", "top")
    assert sides_of(3) == ("left", "top", "right")


def test_cards_before_a_seat_are_not_in_the_middle(listener: Listener) -> None:
    match = counted_match()
    before, between = (
        LaidCardView(1, "3", 0.0, 250.0, 0.0, before=3),
        LaidCardView(2, "4", 40.0, 0.0, 0.0),
    )
    room = room_of(match, score_of(match, 0, listener), table_of(before, between), LampView((), None, None), 0)
    assert room.middle == (between,)
    assert [seat.laid for seat in room.others] == [(), (), (before,), ()]


def test_the_middle_shows_all_cards_there_and_no_less_than_three_side_by_side() -> None:
    near, far = LaidCardView(1, "3", -150.0, 0.0, 0.0), LaidCardView(2, "4", 150.0, 0.0, 0.0)
    assert box_around((near, far), ()) == "-204 -64 408 128"
    assert box_around((), ((-20.0, -20.0), (20.0, 20.0))) == "-105 -64 210 128"
    assert box_around((), ()) == "-105 -64 210 128"


def test_after_a_reveal_what_counts_stands_in_its_order_with_the_total(listener: Listener) -> None:
    match = counted_match()
    decisive = decisive_of(match, board_of(match, 0), listener)
    (row,) = decisive.rows
    assert sorted(card.face for card in row.cards) == ["1", "2", "3", "4", "5"]
    assert row.cards[-1].note.endswith("= 15")
    assert decisive.headline is not None
    assert decisive.headline.figure == "15"
    assert decisive.verdicts[-1].startswith("Ana takes a mark")
    assert [card.face for card in decisive.read] == ["1", "2", "3", "4", "5"]


def test_few_numbers_are_offered_none_of_them_barred() -> None:
    buttons = tuple(Button(str(number), str(number)) for number in (16, 17, 19, 20, 21, 25))
    control = Control("say", "number", buttons=buttons, least=16, most=28)
    assert useful_numbers(control) == (16, 17, 20, 25)
    assert useful_numbers(Control("say", "number", buttons=buttons, least=16, most=900)) == (16, 17, 20, 25, 30)


def test_an_option_about_a_card_shows_it() -> None:
    about, plain = (
        msgspec.json.encode(option).decode() for option in (Option("as", face="duke"), Option("no"))
    )
    control = Control("as", "choice", buttons=(Button(about, "as the Duke"), Button(plain, "no")))
    assert option_faces(control) == {about: "duke"}


@pytest.mark.parametrize(
    ("text", "number", "parts"),
    [
        ("Ana says 15.", 15, ("Ana says ", "15", ".")),
        ("Ana says 150.", 15, ("Ana says 150.", "", "")),
        ("Nothing was said.", None, ("Nothing was said.", "", "")),
        ("Seat 2 says 2.", 2, ("Seat 2 says ", "2", ".")),
        ("Seat 2 claims the Duke.", 2, ("Seat 2 claims the Duke.", "", "")),
    ],
)
def test_a_sentence_is_divided_at_the_number_it_is_about(
    text: str, number: int | None, parts: tuple[str, str, str]
) -> None:
    assert around_number(text, number, ("Seat 1", "Seat 2")) == parts


def test_only_a_number_that_the_situation_is_about_is_set_large() -> None:
    coup = play_match(GAMES["coup"], moments=1)
    assert board_of(coup).number == 2
    assert number_told(situation_of(coup), board_of(coup)) is None
    begun = begin(Setup(COYOTE, House(), NAMES, begun="2026-12-24"))
    assert isinstance(begun, Match)
    opened = hear(begun, Answer(begun.number, "opener", Option("opens", seat=0), None))
    assert isinstance(opened, Match)
    said = hear(opened, Answer(opened.number, "announce", 30, 0))
    assert isinstance(said, Match)
    assert number_told(situation_of(said), board_of(said)) == 30
