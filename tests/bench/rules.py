"""Rule book coverage of random matches, and rulings without a rule."""

import click

from referee.games.catalogue import GAMES
from tests.bench.measured import Measured, amount, bench
from tests.referee.rule_coverage import houses_around
from tests.referee.rule_walk import cover_rules


@bench("Random matches under all house rules: how often each rule of the books is come upon.")
@click.option("--game", "name", type=click.Choice(list(GAMES)), help="Only this game.")
@amount("matches", 2, "How many are played under each house rule.", 1, 10_000)
def rules(name: str | None, matches: int, seed: int) -> Measured:
    games = [GAMES[name]] if name else [game for game in GAMES.values() if game.book.chapters]
    covered = [cover_rules(game, houses_around(game), matches, seed) for game in games]
    never = [f"{row.game} {row.rule}" for each in covered for row in each.rules if not row.is_reached]
    ratios = {
        each.game: f"{sum(row.is_reached for row in each.rules)} of {len(each.rules)}" for each in covered
    }
    strange = [f"{each.game}: {each.groundless}" for each in covered if each.groundless]
    notes = (f"never come upon: {', '.join(never) or '-'}", f"without a rule: {', '.join(strange) or '-'}")
    fault = "some rule is never come upon, or something has no rule behind it" if never or strange else ""
    return Measured(ratios, notes, fault)
