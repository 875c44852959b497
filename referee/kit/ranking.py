"""Ranking the seats by one number."""

from collections.abc import Sequence

from referee.contract import Standing


def rank_by(key: str, points: Sequence[int], *, is_most_best: bool = True) -> tuple[Standing, ...]:
    """Rank the seats, the most or the fewest first; seats with as much share a place."""
    order = sorted(range(len(points)), key=lambda seat: -points[seat] if is_most_best else points[seat])
    best = [points[seat] for seat in order]
    return tuple(Standing(seat, best.index(points[seat]) + 1, {key: points[seat]}) for seat in order)
