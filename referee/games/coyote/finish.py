"""Coyote's end: when and by how much each player left, and the closest call."""

from collections.abc import Iterator

from referee.contract.finish import FinishRules, Highlight, HighlightCard, PlaceReason, Story, make_reason
from referee.games.coyote.board import counted_row
from referee.games.coyote.hands import JUDGED
from referee.games.coyote.state import State
from referee.kit.answers import number_named, seat_named


def reasons(story: Story) -> tuple[PlaceReason, ...]:
    last: State = story[-1].after
    living = (make_reason(seat, "marks", marks=last.marks[seat], limit=last.house.limit) for seat in last.alive)
    return (*living, *_departures(story))


def _departures(story: Story) -> Iterator[PlaceReason]:
    for step in story:
        for seat in (seat_named(ruling) for ruling in step.rulings if ruling.key == "out"):
            judged = next((ruling for ruling in step.rulings if ruling.key in JUDGED), None)
            if judged is None:
                yield make_reason(seat, "out-guess", round=step.round)
                continue
            margin = abs(number_named(judged, "total") - number_named(judged, "number"))
            yield make_reason(seat, "out" if margin else "out-exact", round=step.round, margin=margin)


def highlight(story: Story) -> Highlight | None:
    """Return the duel with the smallest margin; of several, the latest."""
    duels = [step for step in story if any(ruling.key in JUDGED for ruling in step.rulings)]
    closest, least = None, None
    for step in duels:
        counted = step.after.revealed.duel
        margin = abs(counted.total - counted.number)
        if least is None or margin <= least:
            closest, least = step, margin
    if closest is None:
        return None
    revealed = closest.after.revealed
    row = counted_row(revealed, revealed.duel.steps)
    return Highlight(
        "closest",
        {
            "round": closest.round,
            "bidder": revealed.duel.bidder,
            "number": revealed.duel.number,
            "total": revealed.duel.total,
        },
        closest.heard_at,
        tuple(HighlightCard(face, note.seat) for face, note in zip(row.faces, row.notes, strict=True)),
        total=revealed.duel.total,
        missed=revealed.duel.number,
    )


FINISH = FinishRules(reasons=reasons, highlight=highlight)
