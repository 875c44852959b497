"""The moods of a moment: what lamps, tunes, screens and speech derive theirs from."""

from collections.abc import Mapping
from typing import Any

from referee.contract import Cue, Game, Mood, Ruling
from referee.match import Match

REVERSAL = Cue(Mood.REVERSAL, "")
OWN_CUES: Mapping[str, Cue] = {
    "taken-back": REVERSAL,
    "corrected": REVERSAL,
    "corrected-all": REVERSAL,
    "struck": REVERSAL,
}
"""Cues of the rulings that the match makes beside its game."""


def cue_for(game: Game, ruling: Ruling) -> Cue | None:
    """Find the cue of a ruling."""
    return game.feel.cues.get(ruling.key) or OWN_CUES.get(ruling.key)


def moods_of(match: Match) -> frozenset[Mood]:
    """List the moods of what was ruled last."""
    cues = (cue_for(match.setup.game, ruling) for ruling in match.rulings)
    return frozenset(cue.mood for cue in cues if cue is not None)


def moods_at(match: Match, seat: int) -> frozenset[Mood]:
    """List the moods of what was ruled last about one seat."""
    game = match.setup.game
    return frozenset(
        cue.mood
        for ruling in match.rulings
        if (cue := cue_for(game, ruling)) is not None and _is_about(ruling.values.get(cue.seat), seat)
    )


def _is_about(named: Any, seat: int) -> bool:
    return seat in named if isinstance(named, tuple) else named == seat
