"""Bots of each strength against each other, game by game, and what their tempers do."""

from itertools import combinations
from math import sqrt
from random import Random

import click
from msgspec import Struct

from hardware.twin.dealer import deal_match
from hardware.twin.playouts import answer_by_bots, next_table, shares_of
from hardware.twin.strengths import STRENGTHS, Strength
from referee.contract import Game, Refusal
from referee.games.catalogue import GAMES
from referee.match import Match, Setup, begin
from tests.bench.measured import amount, json_option, print_figures, seed_option
from tests.bench.tempers import measure_tempers

NAMES = ("Ana", "Bo", "Chloé", "Dan")
MOST_ANSWERS = 3000
"""Answers of a match; one that isn't over then counts for the leaders."""
SURE = 1.96
"""Standard errors on each side within which the true share lies in nineteen cases of twenty."""


class Duel(Struct, frozen=True):
    """How two strengths fared against each other, two seats each."""

    game: str
    better: Strength
    other: Strength
    matches: int
    share: float
    """The share of wins of the first one's two seats; one of two is even."""
    give_or_take: float


@click.command(help="Bots of each strength against each other: two seats each, which change after each match.")
@click.option("--game", "name", type=click.Choice(list(GAMES)), help="Only this game.")
@amount("matches", 100, "How many each.", 2, 100_000)
@seed_option()
@json_option
def bots(name: str | None, matches: int, seed: int, *, as_json: bool) -> None:
    games = [game for game in GAMES.values() if game.play.bot and name in {None, game.name}]
    duels = [
        duel(game, better, other, matches, seed)
        for game in games
        for other, better in combinations(strengths_in(game), 2)
    ]
    tempers = [shown for game in games if game.play.traits for shown in measure_tempers(game, matches, seed)]
    told = (
        "share: wins of the better one's two seats, of four; half is even",
        "tempers: how often plain bots bluffed, challenged or risked something, of the times they could",
    )
    print_figures("bots", {"duels": duels, "tempers": tempers}, *told, as_json=as_json)


def strengths_in(game: Game) -> tuple[Strength, ...]:
    """List the strengths that a game's bots have."""
    return tuple(strength for strength in STRENGTHS if strength != "strong" or game.play.strong_bot)


def duel(game: Game, better: Strength, other: Strength, matches: int, seed: int) -> Duel:
    """Let two strengths play against each other; in every second match the seats change."""
    won = [_share_won(game, better, other, number, seed) for number in range(matches)]
    mean = sum(won) / matches
    spread = sum((share - mean) ** 2 for share in won) / (matches - 1)
    return Duel(game.name, better, other, matches, round(mean, 4), round(SURE * sqrt(spread / matches), 4))


def _share_won(game: Game, better: Strength, other: Strength, number: int, seed: int) -> float:
    rng = Random(f"{seed} {game.name} {better} {other} {number}")
    pair = (better, other) if number % 2 else (other, better)
    table = deal_match(_new_match(game), rng)
    while table.match.asks and table.match.number < MOST_ANSWERS:
        table = next_table(table, *answer_by_bots(table, rng, pair * 2), rng)
    shares = shares_of(table.match)
    return sum(share for share, strength in zip(shares, pair * 2, strict=True) if strength == better)


def _new_match(game: Game) -> Match:
    match = begin(Setup(game, next(iter(game.rules.settings.values())), NAMES))
    if isinstance(match, Refusal):
        raise click.ClickException(f"{game.name}: {match.reason}")
    return match
