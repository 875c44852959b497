"""Standings: ranking seats by a number, and adding to one seat's count."""

from collections.abc import Sequence

from referee.contract import Standing


def rank_by(
    key: str,
    points: Sequence[int],
    *,
    is_most_best: bool = True,
    out: Sequence[int] = (),
    **beside: Sequence[int],
) -> tuple[Standing, ...]:
    """Rank the seats by points; ties share a place.

    Seats in `out` come last, the latest to leave first. Keyword arguments add further counts to the standings.
    """

    def rank(seat: int) -> tuple[int, int]:
        worth = -points[seat] if is_most_best else points[seat]
        return (1, -out.index(seat)) if seat in out else (0, worth)

    order = sorted(range(len(points)), key=rank)
    ranks, counted = [rank(seat) for seat in order], {key: points, **beside}
    counts = [{name: of[seat] for name, of in counted.items()} for seat in range(len(points))]
    return tuple(Standing(seat, ranks.index(rank(seat)) + 1, counts[seat], seat in out) for seat in order)


def with_more(counts: Sequence[int], seat: int, more: int = 1) -> tuple[int, ...]:
    return tuple([count + more * (other == seat) for other, count in enumerate(counts)])
