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
        step, ruling = max(reversed(captures), key=lambda each: len(cards_named(each[1])))
        attack, cards = next(each for each in step.rulings if each.key == "attacks"), cards_named(ruling)
        values: dict[str, Datum] = {**attack.values, "turn": step.round, "count": len(cards)}
        return Highlight("captures", values, step.heard_at, tuple(map(HighlightCard, cards)))
    canoes = tuple(_rulings(story, "completes"))
    if not canoes:
        return None
    step, ruling = max(reversed(canoes), key=lambda each: number_named(each[1], "strength"))
    values = {"turn": step.round, "seat": seat_named(ruling), "strength": number_named(ruling, "strength")}
    return Highlight("completes", values, step.heard_at, tuple(map(HighlightCard, cards_named(ruling))))


def _rulings(story: Story, key: str) -> Iterator[Found]:
    return ((step, ruling) for step in story for ruling in step.rulings if ruling.key == key)


FINISH = FinishRules(highlight=highlight)
