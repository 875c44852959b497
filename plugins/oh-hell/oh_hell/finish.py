"""The best moment of a match: the highest bid that was taken exactly, with the cards that took its tricks."""

from collections.abc import Iterator

from msgspec import Struct

from oh_hell.rules import BONUS, bid_of, size, trick_of
from referee.contract.finish import FinishRules, Highlight, HighlightCard, Story, StoryStep
from referee.kit.answers import cards_named, seat_named


class Exact(Struct, frozen=True):
    """A bid of one trick or more that was taken exactly, at the end of its deal."""

    bid: int
    seat: int
    end: StoryStep


def highlight(story: Story) -> Highlight | None:
    """Return the highest bid that was taken exactly; of several, the latest."""
    exact = tuple(each for step in story for each in _exact(step))
    if not exact:
        return None
    best = max(reversed(exact), key=lambda each: each.bid)
    before = best.end.before
    took = (
        HighlightCard(_card_of(step, best.seat), key="took")
        for step in story
        if step.before.deal == before.deal and _taker(step) == best.seat
    )
    values = {"round": before.deal, "seat": best.seat, "count": best.bid, "size": size(before)}
    return Highlight("exact", values, best.end.heard_at, (HighlightCard(before.trump, key="trump"), *took))


def _exact(step: StoryStep) -> Iterator[Exact]:
    for ruling in step.rulings:
        counts = ruling.values.get("counts")
        if ruling.key == "scored" and isinstance(counts, tuple):
            for seat, points in enumerate(counts):
                bid = bid_of(step.before, seat)
                if bid and points == BONUS + bid:
                    yield Exact(bid, seat, step)


def _taker(step: StoryStep) -> int | None:
    return next((seat_named(ruling) for ruling in step.rulings if ruling.key == "takes"), None)


def _card_of(step: StoryStep, seat: int) -> str:
    """Return a seat's card of the trick that an answer ended."""
    laid = next(ruling for ruling in step.rulings if ruling.key == "lays")
    trick: tuple[str, ...] = (*trick_of(step.before), *cards_named(laid, "card"))
    return trick[(seat - step.before.leader) % len(trick)]


FINISH = FinishRules(highlight=highlight)
