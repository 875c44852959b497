"""Coup beside another engine, coupml, by like for like work: legal options, a choice at random, its effect."""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from random import Random
from time import process_time
from typing import Any

from msgspec import Struct

from hardware.twin.player import play_on
from referee.contract import Game, Refusal
from referee.match import Setup, begin

NAMES = ("Ana", "Bo", "Chloé", "Dan", "Eve", "Fay")
SLICES = 5
"""The two take turns, so that a busy machine is busy for both."""


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
        ours += _per_second(lambda seats: _play_ours(game, seats, rng), seconds / SLICES)
        theirs += _per_second(lambda seats: _play_theirs(engine, seats, chance), seconds / SLICES)
    return Rival(round(ours / SLICES), round(theirs / SLICES), round(ours / theirs, 2))


def _per_second(play: Callable[[int], int], seconds: float) -> float:
    """Play for a while, and count the decisions in a second."""
    decisions = matches = 0
    start = process_time()
    while (spent := process_time() - start) < seconds or not matches:
        decisions += play(2 + matches % (len(NAMES) - 1))
        matches += 1
    return decisions / spent


def _play_ours(game: Game, seats: int, rng: Random) -> int:
    match = begin(Setup(game, game.rules.settings["rule text"], NAMES[:seats]))
    return 0 if isinstance(match, Refusal) else play_on(match, rng).number


def _play_theirs(engine: Any, seats: int, chance: Chance) -> int:
    match, decisions = engine.Coup(seats, chance), 0
    match.init_game()
    while not match.is_game_over():
        options = match.get_legal_actions()
        match.play_action(options[int(chance.random() * len(options))])
        decisions += 1
    return decisions
