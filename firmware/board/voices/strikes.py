"""What pages strike before a tune, and a buzzer can't: a gavel, a drum, a coin; pages make these themselves."""

from collections.abc import Mapping

from referee.contract import Mood
from referee.match import Match
from referee.showing import moods_of

Strike = tuple[str, float]
"""A sound by its name, and after how many seconds what follows begins."""
GAVEL, DRUM, COIN = ("gavel", 0.34), ("drum", 0.45), ("coin", 0.3)

MOODS: Mapping[Mood, Strike] = {Mood.TRUTH: GAVEL, Mood.LIE: GAVEL, Mood.COUNTER: DRUM, Mood.CLAIM: DRUM}
"""Moods that are struck: a verdict, or a claim that waits for one; of several the first of these."""
COINS = "coins"
"""How games call what a coin sounds for, among the counts of a standing."""


def strike(match: Match) -> tuple[Strike, ...]:
    """Choose what is struck at a moment; mostly nothing."""
    moods = moods_of(match)
    struck = next((struck for mood, struck in MOODS.items() if mood in moods), None)
    if struck is None and match.before is not None and _coins(match) != _coins(match.before):
        struck = COIN
    return () if struck is None else (struck,)


def _coins(match: Match) -> tuple[int, ...]:
    standings = match.setup.game.rules.standings(match.state)
    return tuple(standing.counts.get(COINS, 0) for standing in sorted(standings, key=lambda each: each.seat))
