"""What of a match of Ogallala counts for statistics: cards drawn and lost, canoes, attacks."""

from collections.abc import Iterator

from referee.contract import Feat, Rate, Ruling, StatisticsRules, Stretch
from referee.games.ogallala.board import turn_of
from referee.kit.answers import seat_named

TOLD = {
    "drawn": "draws",
    "taken": "draws",
    "double": "doubles",
    "discarded": "discards",
    "stops": "stops",
    "completes": "canoes-completed",
    "ropes": "roped",
    "shoots": "shot",
    "sinks": "canoes-sunk",
    "attacks": "attacks",
    "spares": "spared",
}
"""Rulings that count for the seat that they name, and as what."""
SUFFERED = {"attacks": "attacked", "ropes": "cards-roped", "shoots": "cards-shot"}
"""Rulings that count for the seat that they are aimed at, and as what."""


def ends(stretch: Stretch) -> bool:
    """Tell whether a turn is over."""
    return any(ruling.key == "next" for ruling in stretch.rulings)


def feats(stretch: Stretch) -> tuple[Feat, ...]:
    """List what the seats have done in a turn."""
    seat = turn_of(stretch.before)
    turn = () if seat is None else (Feat(seat, "turns"),)
    return (*turn, *(feat for ruling in stretch.rulings for feat in _feats(ruling)))


def _feats(ruling: Ruling) -> Iterator[Feat]:
    if ruling.key in TOLD:
        yield Feat(seat_named(ruling), TOLD[ruling.key])
    if ruling.key in SUFFERED:
        yield Feat(seat_named(ruling, "target"), SUFFERED[ruling.key])
    cards = ruling.values.get("cards")
    if ruling.key == "captures" and isinstance(cards, tuple):
        yield Feat(seat_named(ruling), "captured", len(cards))


COUNTING = StatisticsRules(
    ends=ends,
    feats=feats,
    rates=(
        Rate("mean-draws", "draws", "turns", is_share=False),
        Rate("rate-discards", "discards", "draws"),
        Rate("rate-attacks", "attacks", "canoes-completed"),
        Rate("mean-captured", "captured", "attacks", is_share=False),
    ),
    begins=("begins", "seat"),
    score="points",
)
