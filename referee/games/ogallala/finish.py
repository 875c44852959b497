"""Ogallala's end: the attack that captured the most booty, or the strongest canoe."""

from collections.abc import Iterator

from referee.contract.asks import Datum, Ruling
from referee.contract.finish import FinishRules, Highlight, HighlightCard, Story, StoryStep
from referee.kit.answers import cards_named, number_named, seat_named

Found = tuple[StoryStep, Ruling]


def highlight(story: Story) -> Highlight | None:
    """Return the attack with the most captured cards, else the strongest canoe; of several, the latest."""
    captures = tuple(_rulings(story, "captures"))
    if captures:
        return _attack(*max(reversed(captures), key=lambda each: len(cards_named(each[1]))))
    canoes = tuple(_rulings(story, "completes"))
    return (
        _canoe(*max(reversed(canoes), key=lambda each: number_named(each[1], "strength"))) if canoes else None
    )


def _rulings(story: Story, key: str) -> Iterator[Found]:
    return ((step, ruling) for step in story for ruling in step.rulings if ruling.key == key)


def _attack(step: StoryStep, captures: Ruling) -> Highlight:
    attack, cards = next(each for each in step.rulings if each.key == "attacks"), cards_named(captures)
    values: dict[str, Datum] = {**attack.values, "turn": step.round, "count": len(cards)}
    return Highlight("captures", values, step.heard_at, tuple(map(HighlightCard, cards)))


def _canoe(step: StoryStep, completes: Ruling) -> Highlight:
    seat, strength = seat_named(completes), number_named(completes, "strength")
    values: dict[str, Datum] = {"turn": step.round, "seat": seat, "strength": strength}
    return Highlight("completes", values, step.heard_at, tuple(map(HighlightCard, cards_named(completes))))


FINISH = FinishRules(highlight=highlight)
