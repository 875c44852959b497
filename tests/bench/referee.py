"""How fast the rules are."""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from itertools import cycle
from random import Random
from time import process_time
from typing import Any

import numpy as np

from hardware.twin.player import any_answer, play_on
from referee.contract import Game
from referee.games.catalogue import GAMES
from referee.match import Match, moments
from tests.bench.measured import Measured, amount, bench
from tests.referee.tables import new_match

SEATS = 6  # players of a match, at most
SLICES = 5  # two engines take turns, so that a busy machine is busy for both


@bench("Random matches to the end, one process: answers for each sort of 36 words in the same run.")
@amount("seconds", 2.0, "How long each is played.", 0.05, 600)
def referee(seconds: float, seed: int) -> Measured:
    ratios = {
        f"{game.name}, {rules}": f"{_answers_for_a_sort(game, rules, seconds, seed)} answers"
        for game in GAMES.values()
        for rules in game.rules.settings
    }
    rival = compare_with_coupml(GAMES["coup"], seconds, seed)
    if rival is None:
        return Measured(ratios, ("Coup against coupml: not measured, because coupml isn't installed here",))
    return Measured(ratios | {"coup, for each decision of coupml's": f"{rival} decisions"})


def _answers_for_a_sort(game: Game, rules: str, seconds: float, seed: int) -> float:
    """Play for a while, with two players, three, ... in turn; the random player's time doesn't count."""
    rng, seats = Random(seed), cycle(game.rules.seats(game.rules.settings[rules]))
    few = (count for count in seats if count <= SEATS)
    sorts, spent = _sorts_per_second(rng), np.zeros(3)
    while spent[1] < seconds:
        spent += _match_times(new_match(game, rules, next(few)), rng)
    answers, played, player = spent.tolist()
    return round(answers / max(played - player, 1e-9) / sorts, 3)


def _match_times(match: Match, rng: Random) -> tuple[float, ...]:
    """Play to the end, then let the player answer each moment again: answers, and times."""
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


# Coup beside another engine, by like for like work: legal options, a choice at random, its effect


class Chance(Random):
    """What coupml draws by: it shuffles, and chooses a place in a list."""

    def choice(self, places: Any) -> Any:
        return int(self.random() * places)


def compare_with_coupml(game: Game, seconds: float, seed: int) -> float | None:
    """Let both play random matches, with two players to six in turn; None where coupml isn't installed."""
    if find_spec("coupml") is None:
        return None
    engine, rng, chance = import_module("coupml"), Random(seed), Chance(seed)
    ours = theirs = 0.0
    for _slice in range(SLICES):
        ours += _per_second(
            lambda seats: play_on(new_match(game, "rule text", seats), rng).number, seconds / SLICES
        )
        theirs += _per_second(lambda seats: _play_theirs(engine, seats, chance), seconds / SLICES)
    return round(ours / theirs, 2)


def _per_second(play: Callable[[int], int], seconds: float) -> float:
    decisions = matches = 0
    start = process_time()
    while (spent := process_time() - start) < seconds or not matches:
        decisions += play(2 + matches % (SEATS - 1))
        matches += 1
    return decisions / spent


def _play_theirs(engine: Any, seats: int, chance: Chance) -> int:
    match, decisions = engine.Coup(seats, chance), 0
    match.init_game()
    while not match.is_game_over():
        options = match.get_legal_actions()
        match.play_action(options[int(chance.random() * len(options))])
        decisions += 1
    return decisions
