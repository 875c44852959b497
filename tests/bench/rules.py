"""Rule book coverage of random matches, and rulings without a rule."""

from referee.games.catalogue import GAMES
from tests.bench.measured import Measured
from tests.referee.rule_coverage import houses_around
from tests.referee.rule_walk import cover_rules


def rules(game: str = "", matches: int = 2, seed: int = 1) -> Measured:
    """Random matches under all house rules: how often each rule of the books is come upon."""
    games = [GAMES[game]] if game else [each for each in GAMES.values() if each.book.chapters]
    covered = [cover_rules(each, houses_around(each), matches, seed) for each in games]
    never = [f"{row.game} {row.rule}" for each in covered for row in each.rules if not row.is_reached]
    ratios = {
        each.game: f"{sum(row.is_reached for row in each.rules)} of {len(each.rules)}" for each in covered
    }
    strange = [f"{each.game}: {each.groundless}" for each in covered if each.groundless]
    notes = (f"never come upon: {', '.join(never) or '-'}", f"without a rule: {', '.join(strange) or '-'}")
    fault = "some rule is never come upon, or something has no rule behind it" if never or strange else ""
    return Measured(ratios, notes, fault)
