"""A game in which one player shows a card that the others may not see."""

from msgspec.structs import replace

from referee.contract import PROOF, Ask, Show, Zone
from referee.contract.cards import HAND_KIND
from referee.games.coup import COUP


def asks_in_secret(state: object) -> tuple[Ask, ...]:
    asks = COUP.rules.asks(state)
    return tuple(
        replace(ask, zone=Zone("looked", ask.seats[0])) if isinstance(ask, Show) and ask.zone == PROOF else ask
        for ask in asks
    )


PEEKING = replace(
    COUP,
    rules=replace(COUP.rules, asks=asks_in_secret),
    table=replace(COUP.table, zones={**COUP.table.zones, "looked": HAND_KIND}),
)
"""Coup, but a card that proves a claim is shown to its owner only."""
