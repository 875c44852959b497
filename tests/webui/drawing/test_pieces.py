"""Pieces of pages, as values: controls and what comes back by them, numbers, shares, a film's time line."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.language.catalogues import language
from firmware.parts.evidence import Guess, ReadCard
from firmware.parts.looks import Looks
from referee.contract import CENTRE, Answer, Choice, Game, Mood, Number, Option, Show
from referee.film import film_of
from referee.games.catalogue import GAMES
from referee.games.coyote.state import KIDULT
from referee.games.coyote.words import WORDS
from referee.legal import refusal
from referee.match import Match, moments, standing_answers
from referee.showing import moods_of
from referee.telling import Listener, listener_at
from tests.webui.coyote_round import REVEAL, SHOWN, reveal_cards
from tests.webui.matches import play_match
from tests.webui.room import match_of
from webui.drawing.alternatives import MOST, alternatives, by_misread_card, guess_shares
from webui.drawing.controls import CARDS, Button, Control, Misread, control_of, value_of
from webui.drawing.looks import LookBook
from webui.drawing.overlay_view import CRIES, OverlayView, overlay_of
from webui.drawing.plates import plates_of
from webui.drawing.reel import EDGE, LEFT, WIDTH, reel_of
from webui.drawing.score_board import score_of
from webui.pages.twin.room import around_number, useful_numbers

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


@pytest.mark.parametrize("text", ["", "{", "[]", '{"word":1}', '{"word":"x","more":1}', "[" * 5000, "\ud800"])
def test_what_is_no_option_is_not_understood(text: str) -> None:
    assert value_of(Choice("turn", (0,), (Option("coyote"),)), {"option": text}) == Misread()


@pytest.mark.parametrize("count", ["x", "-1", str(CARDS + 1), "9" * 30])
def test_what_is_no_count_is_not_understood(count: str) -> None:
    ask = Show("reveal", (), 2, CENTRE, KIDULT, KIDULT.counts)
    assert value_of(ask, {"card-20": count}) == Misread()
    assert value_of(ask, {"card-20": "1", "card-5": "", "card-?": "1", "other": "7"}) == ("20", "?")


def test_few_numbers_are_offered_none_of_them_barred() -> None:
    buttons = tuple(Button(str(number), str(number)) for number in (16, 17, 19, 20, 21, 25))
    control = Control("say", "number", buttons=buttons, least=16, most=28)
    assert useful_numbers(control) == (16, 17, 20, 25)
    assert useful_numbers(Control("say", "number", buttons=buttons, least=16, most=900)) == (16, 17, 20, 25, 30)


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


def test_what_is_left_goes_to_the_others_as_well_as_they_fit() -> None:
    guesses = (Guess("10", 0.5), Guess("15", 0.25))
    read = ReadCard("20", True, True, True, 0.75, guesses)
    assert [each.percent for each in guess_shares(read)] == [12, 6]
    unread = ReadCard(None, False, True, True, 0.5, guesses)
    assert [each.percent for each in guess_shares(unread)] == [50, 25]


@pytest.mark.parametrize("game", GAMES)
def test_no_mark_of_a_films_time_line_is_cut_off(game: str) -> None:
    film = film_of(play_match(GAMES[game]))
    for number in (0, film.last):
        reel = reel_of(film, number)
        for x in (*reel.rulings, *reel.put_right, *reel.turns, reel.head):
            assert LEFT + EDGE <= x <= LEFT + WIDTH - EDGE


STEP = standing_answers(reveal_cards(match_of()))[-1]
FACES = sorted(STEP.before.asks[0].deck.counts)  # type: ignore[union-attr]


@given(
    st.lists(
        st.builds(
            ReadCard,
            st.none() | st.sampled_from(FACES),
            st.booleans(),
            st.booleans(),
            st.booleans(),
            st.floats(0, 1),
            st.lists(st.builds(Guess, st.sampled_from([*FACES, "back", "?!"]), st.floats(0, 1))).map(tuple),
        ),
        max_size=8,
    )
)
def test_every_offer_is_legal_differs_in_one_card_and_comes_once(cards: list[ReadCard]) -> None:
    offers = alternatives(STEP, cards)
    assert all(len(of_card) <= MOST for of_card in by_misread_card(offers).values())
    assert len({(each.wrong, each.right) for each in offers}) == len(offers)
    for each in offers:
        assert sum(one != other for one, other in zip(SHOWN, each.cards, strict=True)) == 1
        answer = Answer(REVEAL, "reveal", each.cards, None, "camera")
        assert refusal(STEP.before.asks, answer) is None
    assert [each.score for each in offers] == sorted((each.score for each in offers), reverse=True)


LOOKS = LookBook(Looks())


def overlay_at(match: Match) -> OverlayView:
    return overlay_of(match, listener_at(match.setup, language("en")), LOOKS.look_of(match))


def some_moments(game: Game) -> Iterator[Match]:
    """Give moments of a match, the end among them."""
    rng, played = Random(game.name), list(moments(play_match(game, ("Ana", "Bo", "Chloé", "Dan"))))
    yield from (played[0], *rng.sample(played, min(len(played), 60)))


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_the_overlay_cries_the_greatest_of_what_has_happened(game: Game) -> None:
    for match in some_moments(game):
        cry, greatest = overlay_at(match).cry, [mood for mood in CRIES if mood in moods_of(match)]
        wanted = Mood.WIN if match.outcome is not None else greatest[0] if greatest else None
        assert (cry and cry.mood) == wanted


def test_only_where_the_camera_sees_a_part_the_record_says_what_to_do() -> None:
    matches = [play_match(game, moments=3) for game in GAMES.values()]
    scores = [(match, score_of(match, None, listener_at(match.setup, language("en")))) for match in matches]
    told = {match.setup.game.name for match, score in scores if score.as_recorded}
    assert told == {game.name for game in GAMES.values() if game.table.turns is not None}


def test_a_plate_shows_the_cards_that_its_own_seat_has_lost() -> None:
    match = play_match(GAMES["coup"], seed=1)
    game, listener = match.setup.game, listener_at(match.setup, language("en"))
    board = game.shown.board(game.shown.view(match.state, None))
    for plate in plates_of(match, board, (), listener, LOOKS.look_of(match)):
        lost = [face for each in plate.has for face, _text in each.faces]
        assert sorted(lost) == sorted(match.state.lost[plate.seat])


def test_a_plate_is_tied_to_a_seat_only_by_a_fact_that_names_a_seat() -> None:
    """A hand of three cards was drawn as the sign of the third clan once."""
    tied = set[str]()
    for seed in range(6):
        match = play_match(GAMES["plenty-coups"], ("Ana", "Bo", "Chloé", "Dan"), seed=seed, moments=60)
        game, listener = match.setup.game, listener_at(match.setup, language("en"))
        for moment in moments(match):
            board = game.shown.board(game.shown.view(moment.state, None))
            for plate in plates_of(moment, board, (), listener, LOOKS.look_of(moment)):
                tied |= {tie.key for tie in plate.ties if tie.value}
    assert {"ally", "raid"} <= tied <= {"ally", "raid", "raid-without-feat", "proposal", "played-by"}
