"""What of a match of Coup counts for statistics: claims, bluffs as far as they came out, challenges."""

from collections.abc import Iterator

from referee.contract import Feat, Rate, StatisticsRules, Stretch
from referee.games.coup.view import View
from referee.kit.answers import seat_named

TOLD = {"blocks": "blocks", "launches-coup": "coups", "loses": "lost"}
"""Rulings that count for the seat that they name, and as what."""


def ends(stretch: Stretch) -> bool:
    """Tell whether a turn is over: nothing of an action is left to be done."""
    return stretch.before.turn is not None and stretch.after.deed is None


def feats(stretch: Stretch) -> tuple[Feat, ...]:
    """List what the seats have done in a turn."""
    turn = tuple(Feat(seat, "turns") for seat in _in_turn(stretch))
    told = (Feat(seat_named(each), TOLD[each.key]) for each in stretch.rulings if each.key in TOLD)
    return (*turn, *told, *_claims(stretch.before, stretch.after))


def _in_turn(stretch: Stretch) -> tuple[int, ...]:
    """Say whose turn it was; before the first one that is told."""
    if stretch.before.turn is not None:
        return (stretch.before.turn,)
    return tuple(seat_named(ruling) for ruling in stretch.rulings if ruling.key == "begins")


def _claims(before: View, after: View) -> Iterator[Feat]:
    """Give what the public tallies have gained; a claim that isn't shown counts as disproved."""
    for seat, (was, now) in enumerate(zip(before.tallies, after.tallies, strict=True)):
        yield Feat(seat, "claims", now.claims - was.claims)
        yield Feat(seat, "proven", now.proven - was.proven)
        yield Feat(seat, "caught", now.caught - was.caught)
        yield Feat(seat, "doubted", now.proven + now.caught - was.proven - was.caught)
        yield Feat(seat, "challenges", now.challenges - was.challenges)
        yield Feat(seat, "challenges-right", now.right - was.right)


COUNTING = StatisticsRules(
    ends=ends,
    feats=feats,
    rates=(
        Rate("rate-bluffs", "caught", "doubted"),
        Rate("rate-caught", "caught", "claims"),
        Rate("rate-challenges", "challenges-right", "challenges"),
    ),
    begins=("begins", "seat"),
    score="influence",
)
