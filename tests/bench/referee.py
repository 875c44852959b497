"""How fast the rules are."""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from itertools import cycle
from random import Random
from time import process_time
from typing import Any

import numpy as np
from msgspec import Struct

from hardware.twin.player import any_answer, play_on
from referee.contract import Game
from referee.games.catalogue import GAMES
from referee.match import moments
from tests.bench.measured import Measured, amount, bench
from tests.referee.tables import new_match

SEATS = 6
"""Players of a match, at most."""
SLICES = 5
"""Two engines take turns, so that a busy machine is busy for both."""


class Throughput(Struct, frozen=True):
    """How fast the answers of random matches are ruled on; the random player's time is told apart."""

    game: str
    rules: str
    matches: int
    answers: int
    seconds: float
    """Processor time of the rules alone."""
    matches_per_second: int
    answers_per_second: int
    hear: float
    """Microseconds that one answer takes to be heard: its legality, the next state, the rulings."""
    asks: float
    """Microseconds that it takes to say what is asked next."""
    player: float
    """Microseconds that the random player takes for an answer; they don't count for the figures above."""
    ratio: float
    """Answers a second, over sorts a second of a list of 36 words: the same machine, the same run."""


@bench("Random matches to the end, one process: answers for each sort of 36 words in the same run.")
@amount("seconds", 2.0, "How long each is played.", 0.05, 600)
def referee(seconds: float, seed: int) -> Measured:
    rows = [_throughput(game, rules, seconds, seed) for game in GAMES.values() for rules in game.rules.settings]
    rival = compare_with_coupml(GAMES["coup"], seconds, seed)
    figures = {"throughput": rows, "coupml": rival}
    told = (
        "per second: processor time of the rules alone; ratio: answers, to sorts of 36 words in the same run",
        *(["Coup against coupml: not measured, because coupml isn't installed here"] if rival is None else []),
    )
    ratios = {f"{row.game}, {row.rules}": f"{row.ratio} answers" for row in rows}
    beside = {"coup, for each decision of coupml's": f"{rival.ratio} decisions"} if rival else {}
    return Measured("referee", figures, ratios | beside, told)


def _throughput(game: Game, rules: str, seconds: float, seed: int) -> Throughput:
    """Play random matches for a while, with two players, three, ... in turn."""
    rng, seats = Random(seed), cycle(game.rules.seats(game.rules.settings[rules]))
    few = (count for count in seats if count <= SEATS)
    sorts, spent = _sorts_per_second(rng), np.zeros(4)
    matches = 0
    while spent[1] < seconds:
        spent += _match_times(game, rules, next(few), rng)
        matches += 1
    answers, played, player, asks = spent.tolist()
    alone = max(played - player, 1e-9)
    per_second = round(answers / alone)
    each = [round(max(0.0, 1e6 * share / answers), 2) for share in (alone - asks, asks, player)]
    told = (round(alone, 2), round(matches / alone), per_second, *each, round(per_second / sorts, 3))
    return Throughput(game.name, rules, matches, round(answers), *told)


def _match_times(game: Game, rules: str, seats: int, rng: Random) -> tuple[float, ...]:
    """Play to the end, then let the player answer each moment again, and ask each again: answers, and times."""
    began = process_time()
    match = play_on(new_match(game, rules, seats), rng)
    played = process_time()
    line = [moment for moment in moments(match) if moment.asks]
    listed = process_time()
    for moment in line:
        any_answer(moment.asks, moment.number, rng)
    answered = process_time()
    for moment in line:
        game.rules.asks(moment.state)
    return match.number, played - began, answered - listed, process_time() - answered


def _sorts_per_second(rng: Random) -> float:
    """Measure a yardstick: how often a second this Python sorts 36 shuffled words."""
    words = [f"{rng.random():.6f}" for _word in range(36)]
    start = process_time()
    for _time in range(20_000):
        sorted(words)
    return 20_000 / (process_time() - start)


# Coup beside another engine, by like for like work: legal options, a choice at random, its effect


class Rival(Struct, frozen=True):
    """Decisions a second of processor time: the referee's, coupml's, and how many times as many those are."""

    ours: int
    theirs: int
    ratio: float


class Chance(Random):
    """What coupml draws by: it shuffles, and chooses a place in a list."""

    def choice(self, places: Any) -> Any:
        """Choose a place below a number."""
        return int(self.random() * places)


def compare_with_coupml(game: Game, seconds: float, seed: int) -> Rival | None:
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
    return Rival(round(ours / SLICES), round(theirs / SLICES), round(ours / theirs, 2))


def _per_second(play: Callable[[int], int], seconds: float) -> float:
    """Play for a while, and count the decisions in a second."""
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
