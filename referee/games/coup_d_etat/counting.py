"""What counts for the statistics of Coup d'État: contracts, coups, deals, money."""

from collections.abc import Iterator

from referee.contract import Feat, Rate, Ruling, StatisticsRules, Stretch
from referee.games.coup_d_etat.state import CONTRACTS
from referee.kit.answers import seat_named

TOLD = {
    **{f"{name}-president": "contracts" for name in CONTRACTS},
    **{f"{name}-coup": "coups" for name in CONTRACTS},
    "coup-won": "coups-won",
    "revoke": "revokes",
    "revoke-said": "revokes",
    "false-pass": "revokes",
}
"""Rulings that count for the seat that they name, and what they count as."""
FLOWS = frozenset({"pays", "pays-bank", "takes-bank", "gives-back"})
"""Rulings of money won or lost in a deal; loans and repayments don't count."""


def ends(stretch: Stretch) -> bool:
    """Tell whether a deal is over and another begins, unless the cards were dealt wrongly."""
    keys = {ruling.key for ruling in stretch.rulings}
    return "deal" in keys and not keys & {"redeal", "drew"}


def feats(stretch: Stretch) -> Iterator[Feat]:
    """List what the seats did in a deal, what each won and lost, and whether the President's contract paid."""
    told = [Feat(seat_named(each), TOLD[each.key]) for each in stretch.rulings if each.key in TOLD]
    yield from told
    chooser = next((feat.seat for feat in told if feat.key == "contracts"), None)
    for seat in range(len(stretch.before.money)):
        gain = sum(_flow(each, seat) for each in stretch.rulings if each.key in FLOWS)
        yield Feat(seat, "deals")
        yield Feat(seat, "money-won", max(gain, 0))
        yield Feat(seat, "money-lost", max(-gain, 0))
        if gain > 0:
            yield Feat(seat, "deals-won")
        if gain > 0 and seat == chooser:
            yield Feat(seat, "contracts-made")


def _flow(ruling: Ruling, seat: int) -> int:
    """Give what a payment brings or costs a seat."""
    amount = ruling.values["amount"]
    if not isinstance(amount, int):
        raise TypeError(f"{ruling.key} has no amount")
    return amount * ((ruling.values["payee"] == seat) - (ruling.values["payer"] == seat))


COUNTING = StatisticsRules(
    ends=ends,
    opens=frozenset({"tour", "deal"}),
    feats=lambda stretch: tuple(feats(stretch)),
    rates=(
        Rate("rate-contracts", "contracts-made", "contracts"),
        Rate("rate-coups", "coups-won", "coups"),
        Rate("rate-deals", "deals-won", "deals"),
        Rate("mean-won", "money-won", "deals", is_share=False),
        Rate("mean-lost", "money-lost", "deals", is_share=False),
    ),
    begins=("tour", "president"),
    score="money",
)
