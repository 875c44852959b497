"""The best moment of a match: the challenge that cost the most cards."""

from referee.contract.finish import FinishRules, Highlight, HighlightCard, Story, StoryStep
from referee.kit.answers import cards_named, number_named, seat_named


def highlight(story: Story) -> Highlight | None:
    """Return the challenge after which the most cards were taken; of several, the latest."""
    proofs = tuple(step for step in story if step.rulings and step.rulings[0].key in {"lied", "honest"})
    return _proof(max(reversed(proofs), key=_cost)) if proofs else None


def _cost(step: StoryStep) -> int:
    return number_named(step.rulings[1], "count")


def _proof(step: StoryStep) -> Highlight:
    proof, seat = step.rulings[0], seat_named(step.rulings[0])
    values = {
        "seat": seat,
        "challenger": step.before.claim.challenger,
        "rank": proof.values["rank"],
        "count": _cost(step),
    }
    cards = tuple(HighlightCard(card, seat) for card in cards_named(proof))
    return Highlight("caught" if proof.key == "lied" else "honest", values, step.heard_at, cards)


FINISH = FinishRules(highlight=highlight)
