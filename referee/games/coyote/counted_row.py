"""The cards of a count in the order of their effects, each with what it does to the sum."""

from collections.abc import Iterator
from itertools import accumulate

from msgspec import Struct

from referee.contract import CardRow, Count, Fact, Weight, make_fact
from referee.games.coyote.deck import CAVE, FOX, LEADER, NIGHT, TURN
from referee.games.coyote.score import CountStep


class CountedCard(Struct, frozen=True, gc=False):
    """A card of a count, what it does, and whether it counts no more."""

    face: str
    note: Fact
    is_struck: bool = False


def counted_row(steps: tuple[CountStep, ...]) -> CardRow:
    """Show each card with its step."""
    cards = tuple(card for step in steps for card in _cards_of(step))
    struck = tuple(place for place, card in enumerate(cards) if card.is_struck)
    notes = tuple(card.note for card in cards)
    return CardRow("counted", tuple(card.face for card in cards), Weight.KEY, notes=notes, struck=struck)


def _cards_of(step: CountStep) -> Iterator[CountedCard]:
    """List the cards of a step; those that only change others stand before them."""
    match step.key:
        case "draw":
            yield CountedCard(CAVE, make_fact("step-cave"), is_struck=True)
        case "cancel" | "cancel-none":
            yield CountedCard(FOX, make_fact("step-fox"))
            yield from (CountedCard(face, make_fact("step-cancelled"), is_struck=True) for face in step.cards)
        case "turn" | "turn-none":
            yield CountedCard(TURN, make_fact("step-turn"))
        case "decoy":
            yield from (CountedCard(face, make_fact("step-decoy")) for face in step.cards)
        case "add":
            yield from _sums(step, step.cards)
        case "subtract":
            yield from _sums(step, tuple(f"-{face.lstrip('-')}" for face in step.cards))
        case "double-greens" | "double-total":
            yield CountedCard(LEADER, make_fact("step-double", start=Count(step.start), sum=Count(step.sum)))
        case "night":
            yield CountedCard(NIGHT, make_fact("step-night"))
        case _:
            pass


def _sums(step: CountStep, worth: tuple[str, ...]) -> Iterator[CountedCard]:
    """Let the sum run from card to card."""
    sums = tuple(accumulate(map(int, worth), initial=step.start))
    for face, start, total in zip(step.cards, sums, sums[1:], strict=False):
        key = "step-first" if not start else "step-add" if total > start else "step-subtract"
        yield CountedCard(
            face, make_fact(key, start=Count(start), worth=Count(abs(total - start)), sum=Count(total))
        )
