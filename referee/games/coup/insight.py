"""What everybody may know: the cards that can still be hidden; in the end, who bluffed and who doubted well."""

from referee.contract import Ruling, ruled
from referee.decks import without
from referee.games.coup.deck import COUP
from referee.games.coup.state import Over, State, opened


def insight(state: State) -> tuple[Ruling, ...]:
    """Count the characters that may still be hidden; after the match, the bluffs and the challenges."""
    if isinstance(state.stage, Over):
        return _tallies(state)
    cards = opened(state)
    if not cards:
        return ()
    left = without(COUP.counts, cards)
    gone = tuple(face for face, count in left.items() if not count)
    bluffs = (ruled("all-open", faces=gone),) if gone else ()
    return (ruled("still-hidden", **left), *bluffs)


def _tallies(state: State) -> tuple[Ruling, ...]:
    """Tell of each seat how often it claimed, was caught, challenged; a bluff nobody doubted stays secret."""
    return tuple(
        ruled(
            "tally",
            seat=seat,
            claims=tally.claims,
            doubted=tally.proven + tally.caught,
            caught=tally.caught,
            challenges=tally.challenges,
            right=tally.right,
        )
        for seat, tally in enumerate(state.tallies)
    )
