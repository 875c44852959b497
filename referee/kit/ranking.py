"""Ranking the seats by one number."""

from collections.abc import Sequence

from referee.contract import Standing


def rank_by(key: str, points: Sequence[int]) -> tuple[Standing, ...]:
    """Rank the seats, the most first; seats with as much share a place."""
    order = sorted(range(len(points)), key=lambda seat: -points[seat])
    best = [points[seat] for seat in order]
    return tuple(Standing(seat, best.index(points[seat]) + 1, {key: points[seat]}) for seat in order)
