"""Whole matches on the twin's camera; what people are asked, and how long they wait."""

from collections.abc import Iterable, Iterator, Mapping

import click

from referee.games.catalogue import GAMES
from referee.match import Setup
from tests.bench.evening_figures import GameFigures, MatchRecord, Waits, figures_of, per_round
from tests.bench.evening_match import EveningPlan, play_match
from tests.bench.measured import json_option, print_figures

NAMES = ("Ana", "Bo", "Chloé", "Dan")


@click.command(
    help="Whole matches by camera, buttons and dial: what phones and the host had to do, how long people wait."
)
@click.option("--games", metavar="NAMES", help="Which games, with commas between them, instead of all.")
@click.option(
    "--matches", default=1, show_default=True, type=click.IntRange(1, 1000), help="How many of each game."
)
@click.option(
    "--seed", default=1, show_default=True, type=click.IntRange(0), help="Another number, another evening."
)
@click.option(
    "--mishaps",
    default=0.1,
    show_default=True,
    type=click.FloatRange(0, 1),
    help="At which share of the cards that are laid something goes wrong.",
)
@click.option(
    "--minutes",
    default=30.0,
    show_default=True,
    type=click.FloatRange(0.05, 600),
    help="How long a match may take.",
)
@json_option
def evening(
    games: str | None, matches: int, seed: int, mishaps: float, minutes: float, *, as_json: bool
) -> None:
    """Measure an evening."""
    plan = EveningPlan(mishaps, 60 * minutes)
    numbers = [(name, seed + number) for name in _games_named(games) for number in range(matches)]
    figures = figures_of(_play(name, number, plan) for name, number in numbers)
    print_figures("evening", {"mishaps": mishaps, "games": figures}, _table(figures), as_json=as_json)


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


# what is printed


def _table(rows: Iterable[GameFigures]) -> Iterator[str]:
    rows = list(rows)
    yield "for each round: answers by sense, and what should be rare; then the seconds waited, median and p95:"
    yield (
        f"{'':13}{'rounds':>7}{'camera':>8}{'button':>8}{'dial':>7}{'phone':>7}{'instead':>9}{'moves':>7}{'host':>6}{'waited':>8}"
        f"{'camera s':>10}{'p95':>7}{'button s':>10}{'p95':>7}{'dial s':>8}{'p95':>7}{'mishap s':>10}{'p95':>7}"
    )
    yield from map(_row, rows)
    yield "instead: a phone did the work of camera, button or dial; phone: only a phone can say it"
    yield "moves: people are asked to move or lay again a card; host: the host has to act; waited: seconds in all"
    for row in rows:
        yield from _details(row)


def _row(row: GameFigures) -> str:
    senses = (per_round(row.senses.get(name, 0), row) for name in ("camera", "button", "dial"))
    camera, button, dial = (f"{each:.2f}" for each in senses)
    phone, instead = per_round(row.only_phone, row), per_round(sum(row.instead.values()), row)
    moves = per_round(row.moves + row.moves_disturbed, row)
    host = per_round(sum(row.interventions.values()), row)
    seconds = zip((*row.waits_by.values(), row.waits_disturbed), (10, 10, 8, 10), strict=True)
    return (
        f"{row.game:13}{row.rounds:>7}{camera:>8}{button:>8}{dial:>7}{phone:>7.2f}"
        f"{instead:>9.2f}{moves:>7.2f}{host:>6.2f}{per_round(row.waited, row):>8.1f}"
        + "".join(_waits(*each) for each in seconds)
    )


def _waits(waits: Waits, width: int) -> str:
    """Show the median and the p95 in columns."""
    middle, p95 = ("-" if each is None else f"{each:.2f}" for each in (waits.median, waits.p95))
    return f"{middle:>{width}}{p95:>7}"


def _details(row: GameFigures) -> Iterator[str]:
    """Tell of a game how its matches ended, what went wrong, and what was said."""
    yield f"{row.game}:"
    counted: dict[str, Mapping[str, int]] = {
        "matches ended": row.ends,
        "mishaps": row.mishaps,
        "the host acted": row.interventions,
        "a phone did the work of": row.instead,
        "the table said": row.told,
    }
    for title, counts in counted.items():
        if counts:
            yield f"  {title}: " + ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
