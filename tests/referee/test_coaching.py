"""Analysis of decisions: costliest first, reproducible, and only after the match."""

from random import Random

import pytest

from firmware.language.catalogues import language
from hardware.twin.playouts import BotLaboratory
from referee.coaching import TURNING_POINTS, analyse, judgement_texts, line_of, turning_points
from referee.contract import Game, Judgement, Kind
from referee.contract.coaching import no_judgements
from referee.games.catalogue import GAMES
from referee.games.coup import COUP
from referee.games.coup.coaching import deal_hidden
from tests.referee.laboratories import MOST_WORDS, StillLaboratory, count_words, match_by_bots
from tests.referee.tables import new_match
from tests.tiers import slow

JUDGED = [game for game in GAMES.values() if game.play.coach is not no_judgements]
every_game = pytest.mark.parametrize("game", JUDGED, ids=[game.name for game in JUDGED])


def test_running_match_is_not_analysed() -> None:
    with pytest.raises(ValueError, match="once it is over"):
        analyse(new_match(COUP, "rule text", 4), StillLaboratory())


def judged(moment: int, loss: float) -> Judgement:
    return Judgement(moment, 0, None, Kind.CHANCE, 0.5, (), best=0.5 + loss)


def test_turning_points_are_costliest_then_earliest() -> None:
    every = [judged(1, 0.1), judged(2, 0.3), judged(3, 0.1), judged(4, 0.1), judged(5, 0.2)]
    assert [each.moment for each in turning_points(every)] == [2, 5, 1]
    assert len(turning_points(every)) == TURNING_POINTS
    least = [Judgement(1, 0, None, Kind.CHANCE, 0.0, (), best=loss) for loss in (0.004, 0.005, 0.006)]
    assert turning_points(least) == (least[2], least[1])


@slow("a laboratory plays on from each decision of a match, three times")
def test_analysis_is_reproducible_by_seed() -> None:
    match = match_by_bots("coup", "rule text", 2)
    once, twice = (analyse(match, BotLaboratory(match.setup, 7)) for _time in range(2))
    assert once == twice
    other = analyse(match, BotLaboratory(match.setup, 8))
    exact = [[each.remarks[0] for each in seat.judgements] for seat in once]
    assert exact == [[each.remarks[0] for each in seat.judgements] for seat in other]


def test_laboratory_is_reproducible_by_seed() -> None:
    match = match_by_bots("coup", "rule text", 2)
    heard = next(heard for heard in line_of(match) if heard.answer.ask == "action")
    places = deal_hidden(heard.state, 0, {}, {}, 1.0, Random(1))
    laboratory = BotLaboratory(match.setup, 1)
    one, two, other = (
        laboratory.play_until(heard.state, places, heard.answer, lambda _state: False, seed)
        for seed in (0.5, 0.5, 0.6)
    )
    assert one == two != other
    assert laboratory.answers > 0


@every_game
def test_advice_is_short_in_both_languages(game: Game) -> None:
    """What was done, what was better, by how much and how surely takes at most 20 words."""
    match = match_by_bots(game.name, next(iter(game.rules.settings)), 4)
    judgements = game.play.coach(line_of(match), StillLaboratory())
    assert judgements
    for each in judgements:
        for code in ("en", "fr"):
            assert count_words(judgement_texts(match, each, language(code))) <= MOST_WORDS


@every_game
def test_short_matches_can_be_judged(game: Game) -> None:
    line = line_of(match_by_bots(game.name, next(iter(game.rules.settings)), 4))
    for answers in range(3):
        assert len(list(game.play.coach(line[:answers], StillLaboratory()))) <= answers
