"""Speed of the rules."""

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from itertools import cycle
from random import Random
from statistics import median
from time import process_time
from typing import Any

import numpy as np

from hardware.twin.player import any_answer, play_on
from referee.contract import Game
from referee.games.catalogue import GAMES
from referee.match import Match, moments
from tests.bench.measured import Measured, amount, bench
from tests.referee.tables import new_match

SEATS = 6  # maximum players of a match
SLICES = 10
"""Number of turns of Coup and coupml, so that a busy machine slows both down."""
Times = tuple[float, float, float]
"""Answers of a match, the time they took, and the random player's share of it."""


@bench("Random matches to the end, one process: answers for each sort of 36 words in the same run.")
@amount("seconds", 2.0, "How long each is played.", 0.05, 600)
def referee(seconds: float, seed: int) -> Measured:
    ratios = {
        f"{game.name}, {rules}": f"{_answers_for_a_sort(game, rules, seconds, seed)} answers"
        for game in GAMES.values()
        for rules in game.rules.settings
    }
    if "coup" not in GAMES:
        return Measured(ratios)
    if find_spec("coupml") is None:
        return Measured(ratios, ("coup against coupml: not measured, because coupml isn't installed",))
    answers = compare_with_coupml(GAMES["coup"], seconds, seed)
    return Measured(ratios | {"coup, rule text, for each answer of coupml": f"{answers} answers"})


def _answers_for_a_sort(game: Game, rules: str, seconds: float, seed: int) -> float:
    rng = Random(seed)
    return round(_answers_per_second(_matches(game, rules, rng), seconds) / _sorts_per_second(rng), 3)


def _answers_per_second(matches: Iterator[Times], seconds: float) -> float:
    """Play matches for a while; the random player's time isn't counted."""
    spent = np.zeros(3)
    while spent[1] < seconds:
        spent += next(matches)
    answers, played, player = spent.tolist()
    return float(answers / max(played - player, 1e-9))


def _matches(game: Game, rules: str, rng: Random) -> Iterator[Times]:
    """Play matches with 2, 3, ... players in turn."""
    for seats in cycle(game.rules.seats(game.rules.settings[rules])):
        if seats <= SEATS:
            yield _match_times(new_match(game, rules, seats), rng)


def _match_times(match: Match, rng: Random) -> Times:
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


# Coup beside another engine: legal answers, a random one, its effect


class Chance(Random):
    """Random numbers for coupml, which chooses an index."""

    def choice(self, count: Any) -> Any:
        return int(self.random() * count)


def compare_with_coupml(game: Game, seconds: float, seed: int) -> float:
    """Return the answers by our rules for each one by coupml."""
    engine, chance = import_module("coupml"), Chance(seed)
    ours = _matches(game, "rule text", Random(seed))
    theirs = (_coupml_times(engine.Coup(seats, chance), chance) for seats in cycle(range(2, SEATS + 1)))
    part = seconds / SLICES
    ratios = [_answers_per_second(ours, part) / _answers_per_second(theirs, part) for _slice in range(SLICES)]
    return round(median(ratios), 2)


def _coupml_times(match: Any, chance: Chance) -> Times:
    """Play to the end, then choose each answer again to time the player; return answers and times."""
    began, choices = process_time(), list[list[str]]()
    match.init_game()
    while not match.is_game_over():
        choices.append(match.get_legal_actions())
        match.play_action(choices[-1][chance.choice(len(choices[-1]))])
    played = process_time() - began
    began = process_time()
    for options in choices:
        options[chance.choice(len(options))]
    return len(choices), played, process_time() - began
