"""`coyote bench referee`: how fast the rules are."""

import subprocess
import sys
from collections.abc import Iterable
from functools import partial
from random import Random
from statistics import median
from time import process_time

import click
from msgspec import Struct

from firmware.benches.measured import json_option, milliseconds, print_figures
from firmware.language.speaking import _
from hardware.twin.player import play_on
from referee.contract import Game, Refusal
from referee.contract.cards import expand_counts
from referee.games.catalogue import GAMES
from referee.games.coyote.deck import DECKS
from referee.games.coyote.odds import odds
from referee.match import Setup, begin

NAMES = ("Ana", "Bo", "Chloé", "Dan", "Eve", "Fay")


class Throughput(Struct, frozen=True):
    """How fast random matches of a game are ruled on to their end."""

    game: str
    rules: str
    matches: int
    answers: int
    seconds: float
    matches_per_second: int
    answers_per_second: int
    ratio: float
    """Answers a second, over sorts a second of a list of 36 words: the same machine, the same run."""


class Chore(Struct, frozen=True):
    """How long something takes at most, in milliseconds."""

    what: str
    milliseconds: float


@click.command(help=_("Random matches to the end, one process: matches and answers a second, game by game."))
@click.option(
    "--seconds",
    default=2.0,
    show_default=True,
    type=click.FloatRange(0.05, 600),
    help=_("How long each is played."),
)
@click.option("--seed", default=1, show_default=True, help=_("Where chance starts."))
@json_option
def referee(seconds: float, seed: int, *, as_json: bool) -> None:
    """Measure the referee."""
    rows = [_throughput(game, rules, seconds, seed) for game in GAMES.values() for rules in game.settings]
    chores = [_import_time(), *(_odds_time(edition, seed) for edition in DECKS)]
    print_figures("referee", {"throughput": rows, "chores": chores}, _table(rows, chores), as_json=as_json)


def _throughput(game: Game, rules: str, seconds: float, seed: int) -> Throughput:
    """Play random matches for a while, with two players, three, ... in turn."""
    rng, house = Random(seed), game.settings[rules]
    setups = [Setup(game, house, NAMES[:seats]) for seats in game.seats(house) if seats <= len(NAMES)]
    matches = answers = 0
    sorts, start = _sorts_per_second(rng), process_time()
    while (spent := process_time() - start) < seconds:
        match = begin(setups[matches % len(setups)])
        if isinstance(match, Refusal):
            raise click.ClickException(f"{game.name} {rules}: {match.reason}")
        answers += play_on(match, rng).number
        matches += 1
    per_second = round(answers / spent)
    return Throughput(
        game.name,
        rules,
        matches,
        answers,
        round(spent, 2),
        round(matches / spent),
        per_second,
        round(per_second / sorts, 2),
    )


def _sorts_per_second(rng: Random) -> float:
    """Measure a yardstick: how often a second this Python sorts 36 shuffled words."""
    words = [f"{rng.random():.6f}" for _word in range(36)]
    start = process_time()
    for _time in range(20_000):
        sorted(words)
    return 20_000 / (process_time() - start)


def _odds_time(edition: str, seed: int) -> Chore:
    """Find the odds of many rounds of six, each as a player sees it; and with no card seen at all."""
    rng, house = Random(seed), GAMES["coyote"].settings[edition]
    seen = [rng.sample(expand_counts(DECKS[edition].counts), 5) for _round in range(200)]
    rounds = [partial(odds, house, 1, cards, ()) for cards in seen] + [partial(odds, house, 6, (), ())] * 5
    slowest = max(map(milliseconds, rounds))
    return Chore(f"odds of a round of six, {edition}: slowest of {len(rounds)}", round(slowest, 1))


def _import_time() -> Chore:
    """Import the referee with all its games in a new Python; take off what an empty Python needs."""
    loads = [
        milliseconds(lambda: _python("import referee.games.catalogue, referee.record")) for _time in range(5)
    ]
    empty = [milliseconds(lambda: _python("pass")) for _time in range(5)]
    return Chore("import of the referee with all games, median of 5", round(median(loads) - median(empty), 1))


def _python(program: str) -> None:
    subprocess.run([sys.executable, "-c", program], check=True)


def _table(rows: Iterable[Throughput], chores: Iterable[Chore]) -> Iterable[str]:
    yield f"{'game':12} {'rules':24} {'matches/s':>10} {'answers/s':>10} {'ratio':>7}"
    for row in rows:
        speeds = f"{row.matches_per_second:>10,} {row.answers_per_second:>10,}"
        yield f"{row.game:12} {row.rules:24} {speeds} {row.ratio:>7}"
    yield _("ratio: answers, to sorts of 36 words in the same run")
    yield ""
    for chore in chores:
        yield f"{chore.what}: {chore.milliseconds} ms"
