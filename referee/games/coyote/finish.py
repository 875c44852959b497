"""Coyote's end: when and by how much each player left, and the closest call."""

from collections.abc import Iterator

from referee.contract.finish import (
    FinishRules,
    Highlight,
    HighlightCard,
    PlaceReason,
    Story,
    StoryStep,
    make_reason,
)
from referee.games.coyote.board import counted_row
from referee.games.coyote.hands import JUDGED
from referee.games.coyote.state import CountedDuel, State
from referee.kit.answers import seat_named


def reasons(story: Story) -> tuple[PlaceReason, ...]:
    last: State = story[-1].after
    living = (make_reason(seat, "marks", marks=last.marks[seat], limit=last.house.limit) for seat in last.alive)
    return (*living, *_departures(story))


def _departures(story: Story) -> Iterator[PlaceReason]:
    for step in story:
        for seat in (seat_named(ruling) for ruling in step.rulings if ruling.key == "out"):
            duel = _duel(step)
            if duel is None:
                yield make_reason(seat, "out-guess", round=step.round)
            else:
                margin = _margin(duel)
                yield make_reason(seat, "out" if margin else "out-exact", round=step.round, margin=margin)


def highlight(story: Story) -> Highlight | None:
    """Return the duel with the smallest margin; of several, the latest."""
    duels = [(step, duel) for step in story if (duel := _duel(step)) is not None]
    if not duels:
        return None
    step, duel = min(reversed(duels), key=lambda each: _margin(each[1]))
    row = counted_row(step.after.revealed, duel.steps)
    return Highlight(
        "closest",
        {"round": step.round, "bidder": duel.bidder, "number": duel.number, "total": duel.total},
        step.heard_at,
        tuple(HighlightCard(face, note.seat) for face, note in zip(row.faces, row.notes, strict=True)),
        total=duel.total,
        missed=duel.number if duel.number > duel.total else None,
    )


def _duel(step: StoryStep) -> CountedDuel | None:
    """Return the duel that an answer decided, if any."""
    if not any(ruling.key in JUDGED for ruling in step.rulings):
        return None
    after: State = step.after
    return None if after.revealed is None else after.revealed.duel


def _margin(duel: CountedDuel) -> int:
    return abs(duel.total - duel.number)


FINISH = FinishRules(reasons=reasons, highlight=highlight)
