"""The best moment of a match: a shot moon, or the costliest trick."""

from hearts.rules import QUEEN, SEATS, trick_of
from referee.contract.finish import FinishRules, Highlight, HighlightCard, Story, StoryStep
from referee.kit.answers import cards_named, number_named, seat_named

MOON = (QUEEN, *(f"{rank}h" for rank in ("A", "K", "Q", "J", "10")))
"""Cards that stand for a shot moon."""


def highlight(story: Story) -> Highlight | None:
    """Return the last moon, or the trick with the most points; of several, the latest."""
    for step in reversed(story):
        for ruling in step.rulings:
            if ruling.key == "moon":
                values = {"round": step.round, "seat": seat_named(ruling)}
                return Highlight("moon", values, step.heard_at, tuple(map(HighlightCard, MOON)))
    tricks = tuple(step for step in story if _points(step))
    if not tricks:
        return None
    step = max(reversed(tricks), key=_points)
    laid, takes = (next(each for each in step.rulings if each.key == key) for key in ("lays", "takes"))
    cards = (*trick_of(step.before), *cards_named(laid, "card"))
    values = {"round": step.round, "seat": seat_named(takes), "points": _points(step)}
    owned = (HighlightCard(card, (step.before.leader + place) % SEATS) for place, card in enumerate(cards))
    return Highlight("trick", values, step.heard_at, tuple(owned))


def _points(step: StoryStep) -> int:
    """Return the points of the trick that an answer ended; 0 without one."""
    return sum(number_named(ruling, "points") for ruling in step.rulings if ruling.key == "takes")


FINISH = FinishRules(highlight=highlight)
