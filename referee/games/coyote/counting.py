"""What counts for Coyote's statistics: bids, calls, marks."""

from collections.abc import Iterator, Mapping

from referee.contract import Feat, Rate, Ruling, StatisticsRules, Stretch
from referee.kit.answers import seat_named

JUDGED = ("enough", "short")
"""Rulings that give the total."""


def ends(stretch: Stretch) -> bool:
    """Tell whether a round is over and another one began."""
    before, after = stretch.before, stretch.after
    return bool(0 < before.round < after.round)


def points(stretch: Stretch) -> Mapping[str, int]:
    """Give the contested number and the total; empty in a round without a valid reveal."""
    for ruling in stretch.rulings:
        if ruling.key in JUDGED:
            return {"number": _count(ruling, "number"), "total": _count(ruling, "total")}
    return {}


def feats(stretch: Stretch) -> tuple[Feat, ...]:
    """List what the seats did in a round."""
    at_table = (seat for seat, worn in enumerate(stretch.before.marks) if worn < stretch.before.limit)
    told = (feat for ruling in stretch.rulings for feat in _feats(ruling))
    return (*(Feat(seat, "rounds") for seat in at_table), *told, *_numbers(stretch))


def _feats(ruling: Ruling) -> Iterator[Feat]:
    """List the feats of one ruling."""
    match ruling.key:
        case "called" | "called-double":
            yield Feat(seat_named(ruling), "calls")
            yield Feat(seat_named(ruling, "bidder"), "contested")
        case "short":
            yield Feat(seat_named(ruling, "contester"), "calls-right")
        case "enough":
            yield Feat(seat_named(ruling, "bidder"), "stood")
        case "doubled":
            yield Feat(seat_named(ruling), "doubles")
        case "guess-right" | "guess-right-open":
            yield Feat(seat_named(ruling), "guesses")
            yield Feat(seat_named(ruling), "guesses-right")
        case "guess-wrong":
            yield Feat(seat_named(ruling), "guesses")
        case "mark":
            yield Feat(seat_named(ruling), "marks", _count(ruling, "taken"))


def _numbers(stretch: Stretch) -> Iterator[Feat]:
    """Compare each number that stands with the total of its round."""
    total = points(stretch).get("total")
    if total is None:
        return
    for seat, number in _bids(stretch.rulings):
        yield Feat(seat, "numbers")
        yield Feat(seat, "announced", number)
        yield Feat(seat, "totals", total)


def _bids(rulings: tuple[Ruling, ...]) -> list[tuple[int, int]]:
    """List the numbers of a round that stand, and their seats."""
    bids: list[tuple[int, int]] = []
    for ruling in rulings:
        if ruling.key in ("announced", "approved"):
            bids.append((seat_named(ruling), _count(ruling, "number")))
        elif ruling.key == "restarted":
            bids.pop()
    return bids


def _count(ruling: Ruling, key: str) -> int:
    value = ruling.values[key]
    if not isinstance(value, int):
        raise TypeError(f"{key} of {ruling.key} is no number")
    return value


COUNTING = StatisticsRules(
    ends=ends,
    opens=frozenset({"round"}),
    feats=feats,
    points=points,
    rates=(
        Rate("rate-calls", "calls-right", "calls"),
        Rate("rate-stood", "stood", "contested"),
        Rate("mean-number", "announced", "numbers", is_share=False),
        Rate("mean-total", "totals", "numbers", is_share=False),
        Rate("mean-marks", "marks", "rounds", is_share=False),
    ),
    begins=("round", "opener"),
    score="marks",
    is_most_best=False,
)
