"""The best moment of a match: the guess or the duel that revealed the highest card."""

from collections.abc import Iterator

from love_letter.rules import VALUE
from referee.contract.asks import Datum
from referee.contract.finish import FinishRules, Highlight, HighlightCard, Story, StoryStep
from referee.kit.answers import seat_named


def highlight(story: Story) -> Highlight | None:
    """Return the hit guess with the highest card, or the duel with the highest loser; the latest of several."""
    for key, stage in (("guessed", "guesses"), ("compared", "falls")):
        found = tuple(_outs(story, stage))
        if found:
            step, card = max(reversed(found), key=lambda each: VALUE[each[1]])
            loser = seat_named(step.rulings[0])
            values: dict[str, Datum] = {"seat": loser, "by": step.before.turn, "card": card}
            return Highlight(key, values, step.heard_at, (HighlightCard(card, loser),))
    return None


def _outs(story: Story, stage: str) -> Iterator[tuple[StoryStep, str]]:
    """Yield the answers by which a player in a stage laid a card and was out."""
    for step in story:
        if step.before.stage == stage and any(ruling.key == "out" for ruling in step.rulings):
            yield step, str(step.rulings[0].values["card"])


FINISH = FinishRules(highlight=highlight)
