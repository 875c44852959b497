"""Speed of the rules."""

from itertools import cycle
from random import Random
from time import process_time

import numpy as np

from hardware.twin.player import any_answer, play_on
from referee.contract import Game
from referee.games.catalogue import GAMES
from referee.match import Match, moments
from tests.bench.measured import Measured, amount, bench
from tests.referee.tables import new_match

SEATS = 6  # maximum players of a match


@bench("Random matches to the end, one process: answers for each sort of 36 words in the same run.")
@amount("seconds", 2.0, "How long each is played.", 0.05, 600)
def referee(seconds: float, seed: int) -> Measured:
    return Measured(
        {
            f"{game.name}, {rules}": f"{_answers_for_a_sort(game, rules, seconds, seed)} answers"
            for game in GAMES.values()
            for rules in game.rules.settings
        }
    )


def _answers_for_a_sort(game: Game, rules: str, seconds: float, seed: int) -> float:
    """Play for a while with 2, 3, ... players in turn; the random player's time isn't counted."""
    rng, seats = Random(seed), cycle(game.rules.seats(game.rules.settings[rules]))
    few = (count for count in seats if count <= SEATS)
    sorts, spent = _sorts_per_second(rng), np.zeros(3)
    while spent[1] < seconds:
        spent += _match_times(new_match(game, rules, next(few)), rng)
    answers, played, player = spent.tolist()
    return round(answers / max(played - player, 1e-9) / sorts, 3)


def _match_times(match: Match, rng: Random) -> tuple[float, ...]:
    """Play to the end, then answer each moment again to time the player; return answers and times."""
    began = process_time()
    match = play_on(match, rng)
    played = process_time() - began
    line = [moment for moment in moments(match) if moment.asks]
    began = process_time()
    for moment in line:
        any_answer(moment.asks, moment.number, rng)
    return match.number, played, process_time() - began


def _sorts_per_second(rng: Random) -> float:
    words = [f"{rng.random():.6f}" for _word in range(36)]
    start = process_time()
    for _time in range(20_000):
        sorted(words)
    return 20_000 / (process_time() - start)
