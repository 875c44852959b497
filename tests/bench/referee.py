"""How fast the rules are."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import click
from msgspec import Struct

from hardware.twin.player import any_answer, play_on
from referee.contract import Game, Refusal
from referee.contract.cards import expand_counts
from referee.games.catalogue import GAMES
from referee.games.coyote.coaching import odds
from referee.games.coyote.state import EDITIONS
from referee.match import Setup, begin, moments
from tests.bench.measured import amount, json_option, milliseconds, print_figures, seed_option

NAMES = ("Ana", "Bo", "Chloé", "Dan", "Eve", "Fay")
SLICES = 5
"""Two engines take turns, so that a busy machine is busy for both."""
IMPORTS = 5
"""How often each import is timed."""


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


class Spent(Struct):
    """Processor time spent on matches: all of it, and what of it the random player and the asks took."""

    matches: int = 0
    answers: int = 0
    played: float = 0.0
    player: float = 0.0
    asks: float = 0.0


class Chore(Struct, frozen=True):
    """How long something takes at most, in milliseconds."""

    what: str
    milliseconds: float


@click.command(help="Random matches to the end, one process: matches and answers a second, game by game.")
@amount("seconds", 2.0, "How long each is played.", 0.05, 600)
@seed_option()
@json_option
def referee(seconds: float, seed: int, *, as_json: bool) -> None:
    rows = [_throughput(game, rules, seconds, seed) for game in GAMES.values() for rules in game.rules.settings]
    chores = [*_import_times(), *(_odds_time(edition, seed) for edition in EDITIONS)]
    rival = compare_with_coupml(GAMES["coup"], seconds, seed)
    figures = {"throughput": rows, "chores": chores, "coupml": rival}
    told = [
        "per second: processor time of the rules alone; ratio: answers, to sorts of 36 words in the same run"
    ]
    told += ["Coup against coupml: not measured, because coupml isn't installed here"] if rival is None else []
    print_figures("referee", figures, *told, as_json=as_json)


def _throughput(game: Game, rules: str, seconds: float, seed: int) -> Throughput:
    """Play random matches for a while, with two players, three, ... in turn."""
    rng, setups, spent = Random(seed), _setups(game, rules), Spent()
    sorts = _sorts_per_second(rng)
    while spent.played < seconds:
        _add_match(spent, setups[spent.matches % len(setups)], rng)
    alone = max(spent.played - spent.player, 1e-9)
    per_second = round(spent.answers / alone)
    return Throughput(
        game.name,
        rules,
        spent.matches,
        spent.answers,
        round(alone, 2),
        round(spent.matches / alone),
        per_second,
        _microseconds(alone - spent.asks, spent.answers),
        _microseconds(spent.asks, spent.answers),
        _microseconds(spent.player, spent.answers),
        round(per_second / sorts, 3),
    )


def _setups(game: Game, rules: str) -> list[Setup]:
    house = game.rules.settings[rules]
    return [Setup(game, house, NAMES[:seats]) for seats in game.rules.seats(house) if seats <= len(NAMES)]


def _add_match(spent: Spent, setup: Setup, rng: Random) -> None:
    """Play a match to its end; then let the player answer each of its moments, and ask each again."""
    start = process_time()
    match = begin(setup)
    if isinstance(match, Refusal):
        raise click.ClickException(f"{setup.game.name}: {match.reason}")
    match = play_on(match, rng)
    played = process_time()
    line = [moment for moment in moments(match) if moment.asks]
    listed = process_time()
    for moment in line:
        any_answer(moment.asks, moment.number, rng)
    answered = process_time()
    for moment in line:
        setup.game.rules.asks(moment.state)
    spent.asks += process_time() - answered
    spent.player += answered - listed
    spent.played += played - start
    spent.answers += match.number
    spent.matches += 1


def _microseconds(seconds: float, count: int) -> float:
    return round(max(0.0, 1e6 * seconds / count), 2)


def _sorts_per_second(rng: Random) -> float:
    """Measure a yardstick: how often a second this Python sorts 36 shuffled words."""
    words = [f"{rng.random():.6f}" for _word in range(36)]
    start = process_time()
    for _time in range(20_000):
        sorted(words)
    return 20_000 / (process_time() - start)


def _odds_time(edition: str, seed: int) -> Chore:
    """Find the odds of many rounds of six, each as a player sees it; and with no card seen at all."""
    rng, house = Random(seed), GAMES["coyote"].rules.settings[edition]
    seen = [rng.sample(expand_counts(EDITIONS[edition].deck.counts), 5) for _round in range(200)]
    rounds = [partial(odds, house, 1, cards, ()) for cards in seen] + [partial(odds, house, 6, (), ())] * 5
    slowest = max(map(milliseconds, rounds))
    return Chore(f"odds of a round of six, {edition}: slowest of {len(rounds)}", round(slowest, 1))


def _import_times() -> Iterator[Chore]:
    """Import the referee with all its games, then with one, anew; take off what an empty Python needs."""
    packages = [game.rules.hear.__module__.rpartition(".")[0] for game in GAMES.values()]
    with TemporaryDirectory() as compiled:
        empty = _python_time("pass", compiled)
        for what, names in (("all games", packages), ("Coyote alone", ["referee.games.coyote"])):
            spent = _python_time(f"import referee.record, {', '.join(names)}", compiled) - empty
            yield Chore(f"import of the referee with {what}, median of {IMPORTS}", round(spent, 1))


def _python_time(program: str, compiled: str) -> float:
    """Time a program whose modules are compiled, as they are after the first start of a table."""
    _run_python(program, compiled)
    return median(_run_python(program, compiled) for _time in range(IMPORTS))


def _run_python(program: str, compiled: str) -> float:
    """Run a program anew, and give its processor time in milliseconds; what is compiled is kept in a folder."""
    kept = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": compiled}
    timed = f"{program}; import time; print(time.process_time())"
    done = subprocess.run(
        [sys.executable, "-c", timed], check=True, env=os.environ | kept, capture_output=True, text=True
    )
    return 1000 * float(done.stdout)


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
