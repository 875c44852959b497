"""What every game shows of itself: whole questions, a board that leaves nothing out, moods and gestures."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from firmware.language.catalogues import language
from referee.contract import Choice, Game
from referee.games.catalogue import GAMES
from referee.match import Match, Step
from referee.recording import Recorder
from referee.showing import board_of, question_at, question_with, questions_of, situation_of
from referee.telling import Listener, tell_card_row, tell_fact, tell_questions, tell_situation
from tests.referee.tables import after_any, new_match, outer_tables

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))


def moments_of_play(game: Game, rules: str, seats: int, matches: int = 2) -> Iterator[Match]:
    """Play matches at random, and give each moment."""
    for number in range(matches):
        rng, match = Random(f"{rules} {seats} {number}"), new_match(game, rules, seats)
        while match.outcome is None:
            yield match
            match = after_any(match, rng)
        yield match


def listeners(match: Match) -> tuple[Listener, ...]:
    """Give a listener for each language."""
    setup = match.setup
    return tuple(Listener(setup.game.words, setup.names, language(code)) for code in ("en", "fr"))


@outer_tables
def test_every_moment_can_be_told(game: Game, rules: str, seats: int) -> None:
    for match in moments_of_play(game, rules, seats):
        situation, board = situation_of(match), board_of(match)
        for listener in listeners(match):
            assert situation is None or tell_situation(listener, situation).strip()
            assert all(told.strip() for told in tell_questions(listener, questions_of(match)))
            assert all(tell_fact(listener, fact).label for fact in board.facts)
            assert all(tell_card_row(listener, row) for row in board.cards)


@outer_tables
def test_nothing_stands_twice_on_a_board(game: Game, rules: str, seats: int) -> None:
    for match in moments_of_play(game, rules, seats, matches=1):
        board = board_of(match)
        assert max(Counter((row.key, row.seat) for row in board.cards).values(), default=1) == 1
        facts = Counter((fact.key, fact.seat, tuple(fact.values.items())) for fact in board.facts)
        assert max(facts.values(), default=1) == 1
        assert sum(fact.weight == "key" for fact in board.facts) <= 2


@every_game
def test_every_field_of_a_view_is_shown_or_excused(game: Game) -> None:
    recorder, excused = Recorder(), set(game.excused)
    for rules, house in game.settings.items():
        seats = game.seats(house)
        for match in moments_of_play(game, rules, seats[len(seats) // 2]):
            seen = recorder.wrap(game.view(match.state, None))
            game.situation(seen)
            game.board(seen)
    missing = {field for field in recorder.there - recorder.read if not _is_excused(field, excused)}
    assert not missing, f"put these on the board of {game.name}, or excuse them with a reason: {missing}"
    assert all(game.excused.values()), "an excuse needs a reason"


def _is_excused(field: tuple[str, str], excused: set[str]) -> bool:
    kind, name = field
    return f"{kind}.{name}" in excused or (kind == "View" and name in excused)


@every_game
def test_an_excuse_is_of_something_that_is_there(game: Game) -> None:
    recorder = Recorder()
    for rules, house in game.settings.items():
        for match in moments_of_play(game, rules, game.seats(house)[0], matches=1):
            recorder.wrap(game.view(match.state, None))
    there = {name for kind, name in recorder.there if kind == "View"} | {".".join(f) for f in recorder.there}
    assert set(game.excused) <= there


@every_game
def test_cues_are_of_rulings_that_have_words(game: Game) -> None:
    assert game.cues, f"{game.name} has no ruling with a mood: see referee/contract/cues.py"
    assert set(game.cues) <= set(game.words.rulings)


@outer_tables
def test_cues_name_a_value_of_their_ruling(game: Game, rules: str, seats: int) -> None:
    for match in moments_of_play(game, rules, seats):
        for ruling in match.rulings:
            cue = game.cues.get(ruling.key)
            assert cue is None or not cue.seat or cue.seat in ruling.values, ruling


@outer_tables
def test_a_press_says_one_thing(game: Game, rules: str, seats: int) -> None:
    for match in moments_of_play(game, rules, seats):
        for seat in range(seats):
            asks = [ask for ask in match.asks if isinstance(ask, Choice) and seat in ask.seats]
            words = {option.word for ask in asks for option in ask.options}
            gestures = Counter(game.gestures[word] for word in words if word in game.gestures)
            assert max(gestures.values(), default=1) == 1, (match.asks, gestures)


@outer_tables
def test_an_ask_is_part_of_one_question_that_is_found_by_it(game: Game, rules: str, seats: int) -> None:
    match = new_match(game, rules, seats)
    for ask in match.asks:
        assert ask.key in question_with(questions_of(match), ask.key).asks
    after = after_any(match, Random(1))
    assert isinstance(after.position, Step)
    assert after.position.answer.ask in question_at(after, after.position).asks
