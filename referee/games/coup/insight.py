"""What all may know: the cards that can still be hidden, and in the end each seat's bluffs and challenges."""

from referee.contract import Ruling, make_ruling
from referee.contract.cards import without
from referee.games.coup.deck import COUP
from referee.games.coup.state import Over, State, open_cards


def insight(state: State) -> tuple[Ruling, ...]:
    """Count the characters that may still be hidden; after the match, the bluffs and the challenges."""
    if isinstance(state.stage, Over):
        return _tallies(state)
    cards = open_cards(state)
    if not cards:
        return ()
    left = without(COUP.counts, cards)
    gone = tuple(face for face, count in left.items() if not count)
    bluffs = (make_ruling("all-open", "still-hidden", faces=gone),) if gone else ()
    return (Ruling("still-hidden", left, "still-hidden"), *bluffs)


def _tallies(state: State) -> tuple[Ruling, ...]:
    """Count each seat's claims, failed bluffs and challenges; unchallenged bluffs stay secret."""
    return tuple(
        make_ruling(
            "tally",
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
