"""Which rules of their books random matches come upon, and what has no rule behind it."""

import click

from referee.games.catalogue import GAMES
from tests.bench.measured import amount, bench, print_figures
from tests.referee.rule_coverage import houses_around
from tests.referee.rule_walk import cover_rules


@bench("Random matches under all house rules: how often each rule of the books is come upon.")
@click.option("--game", "name", type=click.Choice(list(GAMES)), help="Only this game.")
@amount("matches", 2, "How many are played under each house rule.", 1, 10_000)
@click.pass_context
def rules(context: click.Context, name: str | None, matches: int, seed: int, *, as_json: bool) -> None:
    games = [GAMES[name]] if name else [game for game in GAMES.values() if game.book.chapters]
    covered = [cover_rules(game, houses_around(game), matches, seed) for game in games]
    never = [f"{row.game} {row.rule}" for each in covered for row in each.rules if not row.is_reached]
    tables = {each.game: each.rules for each in covered}
    told = {"never come upon": never, "without a rule": {each.game: each.groundless for each in covered}}
    print_figures("rules", {"games": covered} if as_json else {**tables, **told}, as_json=as_json)
    if never or any(each.groundless for each in covered):
        context.exit(1)
