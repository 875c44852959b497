"""How fast the rules are."""

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time

import click
from msgspec import Struct

from hardware.twin.player import any_answer, play_on
from referee.contract import Game, Refusal
from referee.contract.cards import expand_counts
from referee.games.catalogue import GAMES
from referee.games.coyote.house import EDITIONS
from referee.games.coyote.odds import odds
from referee.match import Setup, begin, moments
from tests.bench.coupml import Rival, compare_with_coupml
from tests.bench.measured import json_option, milliseconds, print_figures

NAMES = ("Ana", "Bo", "Chloé", "Dan", "Eve", "Fay")
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
@click.option(
    "--seconds",
    default=2.0,
    show_default=True,
    type=click.FloatRange(0.05, 600),
    help="How long each is played.",
)
@click.option("--seed", default=1, show_default=True, help="Where chance starts.")
@json_option
def referee(seconds: float, seed: int, *, as_json: bool) -> None:
    """Measure the referee."""
    rows = [_throughput(game, rules, seconds, seed) for game in GAMES.values() for rules in game.rules.settings]
    chores = [*_import_times(), *(_odds_time(edition, seed) for edition in EDITIONS)]
    rival = compare_with_coupml(GAMES["coup"], seconds, seed)
    figures = {"throughput": rows, "chores": chores, "coupml": rival}
    print_figures("referee", figures, _table(rows, chores, rival), as_json=as_json)


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


def _table(rows: Iterable[Throughput], chores: Iterable[Chore], rival: Rival | None) -> Iterable[str]:
    heads = ("matches/s", "answers/s", "hear µs", "asks µs", "player µs", "ratio")
    yield f"{'game':12} {'rules':24} {' '.join(f'{head:>10}' for head in heads)}"
    for row in rows:
        speeds = f"{row.matches_per_second:>10,} {row.answers_per_second:>10,}"
        parts = f"{row.hear:>10} {row.asks:>10} {row.player:>10} {row.ratio:>10}"
        yield f"{row.game:12} {row.rules:24} {speeds} {parts}"
    yield "answers/s: processor time of the rules alone, without the random player's"
    yield "ratio: answers, to sorts of 36 words in the same run"
    yield ""
    if rival is None:
        yield "Coup against coupml: not measured, because coupml isn't installed here"
    else:
        yield f"Coup against coupml: {rival.ours:,} to {rival.theirs:,} decisions/s, {rival.ratio} times"
    for chore in chores:
        yield f"{chore.what}: {chore.milliseconds} ms"
