"""Whole matches on the twin's camera; what people are asked, and how long they wait."""

import click

from referee.games.catalogue import GAMES
from referee.match import Setup
from tests.bench.evening_figures import MatchRecord, figures_of, round_figures
from tests.bench.evening_match import EveningPlan, play_match
from tests.bench.measured import amount, json_option, print_figures, seed_option

NAMES = ("Ana", "Bo", "Chloé", "Dan")


@click.command(help="Whole matches by camera, buttons and dial: what phones and the host had to do; the waits.")
@click.option("--games", metavar="NAMES", help="Which games, with commas between them, instead of all.")
@amount("matches", 1, "How many of each game.", 1, 1000)
@seed_option()
@amount("mishaps", 0.1, "At which share of the cards that are laid something goes wrong.", 0, 1)
@amount("minutes", 30.0, "How long a match may take.", 0.05, 600)
@json_option
def evening(
    games: str | None, matches: int, seed: int, mishaps: float, minutes: float, *, as_json: bool
) -> None:
    plan = EveningPlan(mishaps, 60 * minutes)
    numbers = [(name, seed + number) for name in _games_named(games) for number in range(matches)]
    figures = figures_of(_play(name, number, plan) for name, number in numbers)
    shown = {"each round": [round_figures(row) for row in figures], **{row.game: row for row in figures}}
    told = (
        "instead: a phone did the work of camera, button or dial; phone: only a phone can say it",
        "moves: people are asked to move or lay again a card; host: the host has to act; waited: seconds",
    )
    print_figures(
        "evening", {"mishaps": mishaps, "games": figures} if as_json else shown, *told, as_json=as_json
    )


def _games_named(games: str | None) -> list[str]:
    names = [name.strip() for name in games.split(",")] if games else list(GAMES)
    strange = next((name for name in names if name not in GAMES), None)
    if strange is not None:
        known = ", ".join(GAMES)
        raise click.BadParameter(f"no game is called {strange}; there are {known}.")
    return names


def _play(name: str, number: int, plan: EveningPlan) -> MatchRecord:
    game = GAMES[name]
    return play_match(Setup(game, game.rules.house(), NAMES, begun=f"evening {number}"), plan, number)
