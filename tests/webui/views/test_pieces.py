"""Parts of pages as values: controls and their input, sentences, plates, highlights, grids."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.language.catalogues import language
from firmware.services.looks import Looks
from firmware.services.photographs import ReadCard
from referee.answers_view import Chooser, answers_view
from referee.cells import count_cell, face_at
from referee.coaching import AnalysisView, DecisionView, SeatView
from referee.contract import CENTRE, Answer, Choice, Game, Kind, Mood, Option, Show, Span
from referee.film import Film, film_of
from referee.games.catalogue import GAMES
from referee.games.coyote.state import KIDULT
from referee.games.ogallala import OGALLALA
from referee.legal import refusal
from referee.match import Match, moments, standing_answers
from referee.moment_view import CountView, view_of
from referee.sentences import Listener, face_name
from referee.showing import moods_of
from tests.referee.games.coup.script import table
from tests.referee.tables import after_any, every_table, new_match, random_moments
from tests.webui.fakes import read_card
from tests.webui.matches import REVEAL, SHOWN, call_coyote, open_round, play_match, reveal_cards
from tests.webui.room import match_of, room_with
from vision.sightings import RunnerUp
from webui.pages.film.sharing import EveningMoment, moments_of_evening
from webui.pages.players.playing_on import MIDDLE, offered_seat
from webui.pages.twin.room import around_number, useful_numbers
from webui.server.drawn_pages import overlay_at
from webui.views.alternatives import MAX_OFFERS, alternatives, by_misread_card
from webui.views.controls import CARDS, Button, Control, asks_of, control_of, controls_of, value_of
from webui.views.film_step import LEFT, REEL_EDGE, REEL_WIDTH, cloth_of_board, reading_text, reel_of
from webui.views.grids import grids_of
from webui.views.looks import LookBook
from webui.views.overlay_view import CRIES
from webui.views.plates import plates_of
from webui.views.seat_view import pile_of


@pytest.mark.parametrize("text", ["", "{", "[]", '{"word":1}', '{"word":"x","more":1}', "[" * 5000, "\ud800"])
def test_rejects_unknown_option(text: str) -> None:
    with pytest.raises(ValueError, match="no answer"):
        value_of(Choice("turn", (0,), (Option("coyote"),)), {"option": text})


@pytest.mark.parametrize("count", ["x", "-1", str(CARDS + 1), "9" * 30])
def test_rejects_invalid_count(count: str) -> None:
    ask = Show("reveal", (), 2, CENTRE, KIDULT, KIDULT.counts)
    with pytest.raises(ValueError, match=r"no number|too many cards"):
        value_of(ask, {"card-20": count})
    assert value_of(ask, {"card-20": "1", "card-5": "", "card-?": "1", "other": "7"}) == ("20", "?")


def test_few_allowed_numbers_are_offered() -> None:
    buttons = tuple(Button(str(number), str(number)) for number in (16, 17, 19, 20, 21, 25))
    for most, offered in ((28, (16, 17, 20, 25)), (900, (16, 17, 20, 25, 30))):
        control = Control("say", "number", buttons=buttons, least=16, most=most)
        assert useful_numbers(control) == offered


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
def test_sentence_is_split_at_its_number(text: str, number: int | None, parts: tuple[str, str, str]) -> None:
    assert around_number(text, number, ("Seat 1", "Seat 2")) == parts


@pytest.mark.parametrize("game", GAMES)
def test_timeline_marks_are_not_clipped(game: str) -> None:
    film = film_of(play_match(GAMES[game]))
    for number in (0, film.last):
        reel = reel_of(film, number)
        for x in (*reel["rulings"], *reel["put_right"], *reel["turns"], reel["head"]):
            assert LEFT + REEL_EDGE <= x <= LEFT + REEL_WIDTH - REEL_EDGE


def test_options_of_a_word_are_told_apart_by_their_players() -> None:
    told = view_of(open_round(match_of(GAMES["coup"])), language("en"), 0)
    (control,) = controls_of(told, 0, told.grids)
    steals = [(button.short, button.group) for button in control.buttons if button.word == "steal"]
    assert steals == [("Bo", "steal"), ("Chloé <b>", "steal")]


@pytest.mark.parametrize("seats", [2, 6])
def test_option_with_a_target_shows_its_claim(seats: int) -> None:
    told = view_of(table("3:2", *["1:2"] * (seats - 1)).match, ENGLISH, 0)
    (control,) = controls_of(told, 0, told.grids)
    for word, face, name in (("assassinate", "assassin", "Assassin"), ("steal", "captain", "Captain")):
        (row,) = (row for row in control.rows if row.head.word == word)
        assert row.head.face == face
        assert name in row.head.effect
        # several players have a button each, with a name instead of the card
        assert {button.face for button in row.buttons} == ({""} if seats > 2 else set())


MATCH = reveal_cards(match_of())
STEP = standing_answers(MATCH)[-1]
FACES = sorted(STEP.before.asks[0].deck.counts)  # type: ignore[union-attr]


@given(
    st.lists(
        st.builds(
            read_card,
            st.none() | st.sampled_from(FACES),
            sure=st.booleans(),
            up=st.booleans(),
            score=st.floats(0, 1),
            guesses=st.lists(st.builds(RunnerUp, st.sampled_from([*FACES, "back", "?!"]), st.floats(0, 1))).map(
                tuple
            ),
        ),
        max_size=8,
    )
)
def test_offered_corrections_are_legal_and_unique(cards: list[ReadCard]) -> None:
    offers = alternatives(MATCH.setup.game, STEP, cards)
    assert all(len(of_card) <= MAX_OFFERS for of_card in by_misread_card(offers).values())
    assert len({(each.wrong, each.right) for each in offers}) == len(offers)
    for each in offers:
        assert sum(one != other for one, other in zip(SHOWN, each.cards, strict=True)) == 1
        answer = Answer(REVEAL, "reveal", each.cards, None, "camera")
        assert refusal(STEP.before.asks, answer) is None
    assert [each.score for each in offers] == sorted((each.score for each in offers), reverse=True)


LOOKS = LookBook(Looks())


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_overlay_shows_the_most_important_callout(game: Game) -> None:
    rng, played = Random(game.name), list(moments(play_match(game, ("Ana", "Bo", "Chloé", "Dan"))))
    for match in (played[0], *rng.sample(played, min(len(played), 60))):
        cry = overlay_at(match, language("en"), LOOKS.look_of(match)).cry
        greatest = [mood for mood in CRIES if mood in moods_of(match)]
        wanted = Mood.WIN if match.outcome is not None else greatest[0] if greatest else None
        assert (cry and cry.mood) == wanted


def test_only_doubted_and_next_seats_are_marked() -> None:
    called, begun = call_coyote(match_of()), open_round(match_of())
    assert overlay_at(called, language("en"), LOOKS.look_of(called)).called == {0}
    plates = plates_of(view_of(begun, language("en")), LOOKS.look_of(begun))
    assert [plate.note for plate in plates] == ["", "next", ""]


def test_surest_and_least_sure_cards_are_named() -> None:
    seen = (read_card("20", score=0.9), read_card("10", score=0.6), read_card(None))
    text = reading_text(seen, view_of(MATCH, language("en")))
    assert all(part in text for part in ("cards read: 2", "90 %", "60 % (10)"))


def test_plate_shows_lost_cards() -> None:
    match = play_match(GAMES["coup"], seed=1)
    for plate in plates_of(view_of(match, language("en")), LOOKS.look_of(match)):
        lost = [face for each in plate.has for face, _text in each.faces]
        assert sorted(lost) == sorted(match.state.lost[plate.seat])


ENGLISH = language("en")
CHOICE, SWING, END = "The costliest choice", "The lead changes", "Close to the end"


def films_of(*matches: Match) -> dict[int, Film]:
    return {number: film_of(match) for number, match in enumerate(matches, 1)}


def found_in(
    films: dict[int, Film], analyses: Mapping[int, AnalysisView] | None = None
) -> dict[str, EveningMoment]:
    found = moments_of_evening(tuple(films.items()), ENGLISH, analyses or {})
    assert len({(each.match, each.at) for each in found}) == len(found)
    assert all(each.told and each.time for each in found)
    return {each.kind: each for each in found}


def test_costliest_choice_replaces_the_lead_highlight() -> None:
    films = films_of(play_match(GAMES["coyote"]), play_match(GAMES["coyote"], seed=1))
    swing, end = (found_in(films)[kind] for kind in (SWING, END))
    assert end.at == films[end.match].last
    (turn,) = (turn for turn in films[swing.match].turns if turn.number == swing.at)
    names = films[swing.match].match.setup.names
    assert swing.told.startswith(f"{names[turn.seat]} takes the lead from {names[turn.before]}")
    costly = DecisionView(4, Kind.CHANCE, 0.5, ("Bo said 9.", "It would have held.", "No more."))
    cheap, points = replace(costly, moment=2, loss=0.1), replace(costly, moment=3, kind=Kind.POINTS, loss=9.0)
    known = {2: AnalysisView(0, (SeatView("Bo", (cheap, costly, points), (4,)),))}
    found = found_in(films, known)
    assert SWING not in found
    assert (found[CHOICE].match, found[CHOICE].at) == (2, films[2].moments[5].match.number)
    assert found[CHOICE].told == "Bo said 9. It would have held."
    none_costly = {2: AnalysisView(0, (SeatView("Bo", (points,), ()),))}
    assert CHOICE not in found_in(films, none_costly)
    # only finished matches have highlights
    assert found_in(films_of(play_match(GAMES["coyote"], moments=9))) == {}


def test_moment_view_is_cached_by_language_seat_and_name_length() -> None:
    match, english, french = match_of(GAMES["coup"]), language("en"), language("fr")
    view = view_of(match, english, 0)
    assert view_of(match, english, 0) is view
    # no name is long: there is nothing to shorten
    assert view.short is view
    others = [view_of(match, english, 1), view_of(match, english), view_of(match, french, 0)]
    assert len({id(each) for each in (view, *others)}) == 4
    assert view_of(after_any(match, Random(1)), english, 0) is not view


# grids: every option has one button, on its cell


def grid_moments(game: Game, rules: str, seats: int, most: int = 40) -> Iterator[Match]:
    match, rng = new_match(game, rules, seats), Random(f"grids {rules} {seats}")
    while match.asks and match.number < most:
        yield match
        match = after_any(match, rng)


@every_table
def test_every_option_has_one_button(game: Game, rules: str, seats: int) -> None:
    listener = Listener(game.words, tuple(f"P{seat}" for seat in range(seats)), language("en"))
    for match in grid_moments(game, rules, seats):
        for seat in range(seats):
            grids = grids_of(match, seat)
            for ask in asks_of(match.asks, seat):
                chooser = Chooser(listener, game, match.state, seat, grids)
                control = control_of(answers_view(chooser, ask), grids, seat)
                squares = [
                    (sheet.seat, line.number, square)
                    for sheet in control.sheets
                    for line in sheet.lines
                    for square in line.squares
                ]
                marks = [
                    (owner, row, square.column, mark) for owner, row, square in squares for mark in square.marks
                ]
                for owner, row, column, mark in marks:
                    option = msgspec.json.decode(mark.value, type=Option)
                    grid = next(grid for grid in grids if grid.seat == owner)
                    assert option.cell is not None
                    assert count_cell(grid, option.cell) == (column - 1, row - 1)
                    assert option.seat in (None, owner)
                    assert mark.label
                    assert mark.text in mark.label
                    x, y = option.cell
                    near = (
                        [face_at(grid, (x + step, y)) for step in (-1, 1)] if not face_at(grid, (x, y)) else []
                    )
                    assert all(face_name(listener, face) in mark.label for face in near if face)
                if isinstance(ask, Choice):
                    values = [button.value for button in control.buttons] + [mark.value for *_at, mark in marks]
                    said = [value_of(ask, {"option": value}) for value in values]
                    assert len(said) == len(ask.options)
                    assert set(said) == set(ask.options)


def test_seat_compares_a_row_with_the_record(tmp_path: Path) -> None:
    *_earlier, match = random_moments(match_of(OGALLALA, 2), Random(4), 41)
    room = room_with(match, tmp_path)
    phone = room.browser().sit(0)
    assert 'href="/audit"' in phone.get("/seat").text
    grid = next(grid for grid in grids_of(room.client.match, 0) if grid.rows)
    name = f"{grid.seat}-{grid.first[0]}-{grid.first[1]}-{len(grid.rows[0])}"
    assert name in phone.get("/audit").text
    assert phone.send("/audit", "/audit/begin", span=name).status_code == 200
    assert room.client.summary.auditing == Span(grid.seat, grid.first, len(grid.rows[0]))
    assert "Comparing" in phone.get("/audit").text
    # nobody has laid the row's cards in the middle
    assert "The record has more here for Ana" in phone.send("/audit", "/audit/compare").text
    phone.send("/audit", "/audit/end")
    assert room.client.summary.auditing is None
    assert phone.post("/audit/compare").status_code == 403
    assert phone.send("/audit", "/audit/begin", span="7-7-7-7").status_code == 409
    assert room.browser().get("/audit").status_code == 303
    assert room.client.count("compare_audit") == 1


def test_second_card_row_is_drawn_behind_the_first() -> None:
    match = play_match(GAMES["coup-d-etat"], ("Ana", "Bo", "Chloé", "Dan"), moments=12)
    cloth = cloth_of_board(view_of(match, language("en")))
    # one card is in the middle; all others are Ana's
    heights = [int(card.place.split()[1].strip(")")) for card in cloth.cards[1:]]
    assert heights == sorted(heights)
    assert heights[0] < heights[-1] < int(str(cloth.names[0]["y"]))


def test_seats_run_clockwise_from_the_upper_left() -> None:
    chairs: Any = offered_seat(("Ana", "Bo", "Chloé", "Dan"), 0, frozenset())["chairs"]
    corners = [(chair.x > MIDDLE, chair.y > MIDDLE) for chair in chairs]
    assert corners == [(False, False), (True, False), (True, True), (False, True)]


@pytest.mark.parametrize(("coins", "is_drawn"), [(10, True), (11, False)])
def test_up_to_ten_coins_are_drawn_one_by_one(coins: int, is_drawn: bool) -> None:
    view = view_of(match_of(GAMES["coup"]), language("en"))
    rich = replace(view.players[0], counts=(CountView("coins", coins, ""),))
    assert (pile_of(replace(view.board, goals={"coins": 7}), rich) is not None) is is_drawn
