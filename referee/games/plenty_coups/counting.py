"""What of a match of Plenty Coups counts for statistics: raids, feats, horses, alliances, taunts."""

from collections.abc import Iterator

from referee.contract import Feat, Rate, Ruling, StatisticsRules, Stretch
from referee.kit.answers import seat_named

TOLD = {
    "raids": "raids",
    "comes-home": "raids-home",
    "takes-horse": "horses-taken",
    "repels": "repelled",
    "feat": "feats-scored",
    "breeds": "bred",
    "exchange": "gifts",
    "proposes": "proposals",
    "seals": "alliances",
    "neutral-ally": "neutral-alliances",
    "taunts": "taunts",
    "unproven": "unproven",
    "proves": "proved",
    "donates": "donations",
    "hunts": "hunts",
    "turn-over": "turns",
}
"""Rulings that count for the seat that they name, and as what."""
ALSO = {
    "takes-horse": ("target", "horses-lost"),
    "taunts": ("target", "taunted"),
    "seals": ("target", "sealed"),
}
"""Rulings that count for another seat, too."""


def ends(stretch: Stretch) -> bool:
    """Tell whether a round is over: another one begins, and it isn't the first."""
    return stretch.before.round > 0 and any(ruling.key == "round" for ruling in stretch.rulings)


def feats(stretch: Stretch) -> tuple[Feat, ...]:
    """List what the players did in a round; the neutral clan of two players has no player."""
    players = stretch.before.players
    return tuple(feat for ruling in stretch.rulings for feat in _feats(ruling) if feat.seat < players)


def _feats(ruling: Ruling) -> Iterator[Feat]:
    if ruling.key in TOLD:
        yield Feat(seat_named(ruling), TOLD[ruling.key])
    if ruling.key in ALSO:
        who, what = ALSO[ruling.key]
        yield Feat(seat_named(ruling, who), what)


COUNTING = StatisticsRules(
    ends=ends,
    feats=feats,
    rates=(
        Rate("rate-raids", "raids-home", "raids"),
        Rate("rate-proposals", "sealed", "proposals"),
        Rate("rate-taunts", "proved", "taunted"),
    ),
    begins=("elder", "seat"),
    score="renown",
)
