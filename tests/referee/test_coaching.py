"""What is said of decisions, in every game: in words, the same each time, and only once a match is over."""

from itertools import pairwise
from random import Random

import pytest

from firmware.language.catalogues import language
from hardware.twin.playouts import BotLaboratory
from referee.coaching import LEAST_LOSS, TURNING_POINTS, analyse, line_of, tell_judgement, turning_points
from referee.contract import Game, Judgement, Kind
from referee.contract.coaching import no_judgements
from referee.games.catalogue import GAMES
from referee.games.coup.coaching import deal_hidden
from referee.match import standing_answers
from referee.telling import Listener
from tests.referee.laboratories import StillLaboratory, match_by_bots
from tests.referee.tables import new_match

JUDGED = [game for game in GAMES.values() if game.coach is not no_judgements]
every_game = pytest.mark.parametrize("game", JUDGED, ids=[game.name for game in JUDGED])


def rules_of(game: Game) -> str:
    """Name the first setting of a game."""
    return next(iter(game.settings))


@every_game
def test_all_that_is_judged_can_be_told(game: Game) -> None:
    match = match_by_bots(game.name, rules_of(game), 4)
    listeners = [Listener(game.words, match.setup.names, language(spoken)) for spoken in ("en", "fr")]
    by_seat = analyse(match, StillLaboratory())
    decided = {step.heard_at: step.answer for step in standing_answers(match)}
    assert any(each.judgements for each in by_seat)
    for each in by_seat:
        for judgement in each.judgements:
            assert all(all(tell_judgement(listener, judgement)) for listener in listeners)
            assert decided[judgement.moment].value == judgement.chosen
            assert decided[judgement.moment].seat in (each.seat, None)
            assert judgement.loss >= 0


@every_game
def test_a_match_that_goes_on_is_not_analysed(game: Game) -> None:
    match = new_match(game, rules_of(game), 4)
    with pytest.raises(ValueError, match="once it is over"):
        analyse(match, StillLaboratory())


def test_the_line_of_a_match_joins_up() -> None:
    line = line_of(match_by_bots("coyote", "kidult", 3))
    assert all(one.after is two.state for one, two in pairwise(line))


def judged(moment: int, loss: float) -> Judgement:
    """Make a judgement with some loss."""
    return Judgement(moment, 0, None, Kind.CHANCE, 0.5, (), best=0.5 + loss)


def test_turning_points_are_the_costliest_and_of_equal_ones_the_first() -> None:
    every = [judged(1, 0.1), judged(2, 0.3), judged(3, 0.1), judged(4, 0.1), judged(5, 0.2)]
    assert [each.moment for each in turning_points(every)] == [2, 5, 1]
    assert len(turning_points(every)) == TURNING_POINTS
    assert turning_points([judged(1, LEAST_LOSS / 2), judged(2, 0.0)]) == ()


@pytest.mark.parametrize(("loss", "is_told"), [(0.004, False), (0.005, True), (0.006, True)])
def test_half_a_percent_is_the_least_that_a_turning_point_gives_away(loss: float, is_told: bool) -> None:
    lost = Judgement(1, 0, None, Kind.CHANCE, 0.0, (), best=loss)
    assert turning_points([lost]) == ((lost,) if is_told else ())


def test_the_same_seed_says_the_same_and_another_one_only_other_estimates() -> None:
    match = match_by_bots("coup", "rule text", 3)
    once, twice = (analyse(match, BotLaboratory(match.setup, 7)) for _time in range(2))
    assert once == twice
    other = analyse(match, BotLaboratory(match.setup, 8))
    assert once != other
    exact = [[each.remarks[0] for each in seat.judgements] for seat in once]
    assert exact == [[each.remarks[0] for each in seat.judgements] for seat in other]


def test_a_laboratory_plays_on_to_the_end_and_shares_one_win() -> None:
    match = match_by_bots("coup", "rule text", 2)
    heard = next(heard for heard in line_of(match) if heard.answer.ask == "action")
    places = deal_hidden(heard.state, 0, (), {}, 1.0, Random(1))
    for players in ("plain", "random"):
        laboratory = BotLaboratory(match.setup, 1)
        shares = [laboratory.play(heard.state, places, heard.answer, players, 0.5) for _time in range(2)]
        assert shares[0] == shares[1]
        assert sum(shares[0]) == 1
        assert laboratory.answers > 0


@every_game
@pytest.mark.parametrize("answers", [0, 1, 2])
def test_a_match_of_few_answers_can_be_judged(game: Game, answers: int) -> None:
    line = line_of(match_by_bots(game.name, rules_of(game), 4))
    assert len(list(game.coach(line[:answers], StillLaboratory()))) <= answers
