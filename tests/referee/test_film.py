"""A film has every moment of a match as it happened, and what could have happened is never a record."""

from random import Random

import msgspec
import pytest

from referee.contract import Answer, Game, Refusal
from referee.film import film_of, first_moments, is_put_right, play_branch
from referee.games.catalogue import GAMES
from referee.match import Correct, Match, TakeBack, correct, standing_answers, take_back
from referee.record import read_film, read_record, record_lines, what_if_lines
from referee.summaries import rounds_of
from tests.referee.tables import after_any, new_match

MOMENTS = 260


def played_with_mistakes(game: Game, seed: int) -> Match:
    """Play on with take-backs and corrections now and then."""
    rng, match = Random(f"{game.name} {seed}"), new_match(game, next(iter(game.settings)), min(4, 4))
    while match.asks and match.number < MOMENTS:
        match = after_any(match, rng)
        if rng.random() < 0.08:
            after = take_back(match, TakeBack(match.number, rng.randrange(4)))
            match = after if isinstance(after, Match) else match
        if rng.random() < 0.04:
            step = rng.choice(standing_answers(match)[-6:])
            fixed = correct(match, Correct(match.number, step.heard_at, step.answer.value))
            match = fixed if isinstance(fixed, Match) else match
    return match


@pytest.fixture(params=GAMES.values(), ids=GAMES)
def match(request: pytest.FixtureRequest) -> Match:
    return played_with_mistakes(request.param, 1)


def test_a_film_has_every_moment_in_order(match: Match) -> None:
    film = film_of(match)
    assert [moment.match.number for moment in film.moments] == list(range(match.number + 1))
    assert any(map(is_put_right, (moment.match for moment in film.moments)))
    steps = [(moment.round, moment.step) for moment in film.moments]
    assert len(set(steps)) == len(steps)
    assert film.last == match.number


def test_what_stands_is_told_from_what_was_taken_back(match: Match) -> None:
    standing = {step.heard_at for step in standing_answers(match)}
    for moment in film_of(match).moments:
        if isinstance(moment.match.entry, Answer):
            assert (moment.later == "undone") == (moment.match.number - 1 not in standing)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_rounds_are_those_of_the_statistics(game: Game) -> None:
    match = new_match(game, next(iter(game.settings)), 3)
    rng = Random(game.name)
    while match.asks and match.number < MOMENTS:
        match = after_any(match, rng)
    over = [each for each in rounds_of(match) if each.is_over]
    last = film_of(match).moments[-1].round
    assert last in {len(over), len(over) + 1}


def test_a_round_begins_again_when_what_ended_it_is_taken_back() -> None:
    for seed in range(40):
        match = new_match(GAMES["coyote"], "kidult", 3)
        rng = Random(seed)
        while match.asks and film_of(match).moments[-1].round < 2:
            match = after_any(match, rng)
        step = standing_answers(match)[-2]
        back = correct(match, Correct(match.number, step.heard_at))
        assert isinstance(back, Match)
        assert film_of(back).moments[-1].round == 1


def test_first_moments_are_where_rounds_begin(match: Match) -> None:
    film = film_of(match)
    for number, first in first_moments(film).items():
        assert film.moments[first].round == number


def test_a_corrected_answer_is_told_as_corrected() -> None:
    match = new_match(GAMES["coyote"], "kidult", 3)
    for answer in (Answer(0, "opener", match.asks[0].options[0]), Answer(1, "announce", 5, 0)):  # type: ignore[union-attr]
        after = play_branch(match, (answer,))
        assert isinstance(after, Match)
        match = after
    fixed = correct(match, Correct(2, 1, 7))
    assert isinstance(fixed, Match)
    assert [moment.later for moment in film_of(fixed).moments] == ["", "", "corrected", ""]


def test_what_could_have_happened_is_no_record(match: Match) -> None:
    lines = what_if_lines(match, 3)
    reading = read_record(lines)
    assert reading.match is None
    assert reading.fault is not None
    assert (reading.fault.line, reading.fault.key, reading.fault.about) == (1, "what-if", "3")
    looked_at = read_film(lines)
    assert looked_at.what_if == 3
    assert looked_at.fault is None
    assert looked_at.match is not None
    assert record_lines(looked_at.match) == record_lines(match)


def test_a_record_is_a_film_that_was_played(match: Match) -> None:
    reading = read_film(record_lines(match))
    assert reading.what_if is None
    assert reading.match is not None
    assert read_film([]).match is None
    assert read_film(["{", "x"]).fault == read_record(["{", "x"]).fault


def test_a_branch_leaves_the_match_as_it_was(match: Match) -> None:
    before = record_lines(match)
    start = film_of(match).moments[4].match
    branch = after_any(start, Random(9))
    assert isinstance(branch.entry, Answer)
    assert isinstance(play_branch(start, (branch.entry,)), Match)
    assert isinstance(play_branch(start, (msgspec.structs.replace(branch.entry, ask="nothing"),)), Refusal)
    assert record_lines(match) == before
