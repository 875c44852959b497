"""Where a match turned: the moments at which the lead went from one player to another. Pure."""

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from referee.match import Match

Kept = Literal["", "to the end", "at the end"]


class LeadChange(Struct, frozen=True):
    """From this moment on another player is alone in the lead; while some share it, no player has it."""

    number: int
    seat: int
    before: int
    kept: Kept = ""
    """Whether it was the lead that won, or the win itself."""


def lead_changes(story: Iterable[Match]) -> tuple[LeadChange, ...]:
    """List where the lead changed hands; one who wins alone takes it at the end at the latest."""
    changes, ahead, over = list[LeadChange](), None, False
    for moment in story:
        leader = leader_of(moment)
        # a win that is shared keeps no lead
        over = leader is not None and moment.outcome is not None
        if leader is None:
            continue
        if ahead is not None and leader != ahead:
            changes.append(LeadChange(moment.number, leader, ahead, "at the end" if over else ""))
        ahead = leader
    if over and changes and changes[-1].seat == ahead and not changes[-1].kept:
        changes[-1] = replace(changes[-1], kept="to the end")
    return tuple(changes)


def leader_of(match: Match) -> int | None:
    """Name who is alone in the lead, or has won alone; None where no player is."""
    outcome = match.outcome
    if outcome is not None:
        first = list(outcome.winners)
    else:
        first = [each.seat for each in match.setup.game.rules.standings(match.state) if each.place == 1]
    return first[0] if len(first) == 1 else None
