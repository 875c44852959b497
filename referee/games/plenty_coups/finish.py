"""Plenty Coups' end: the strongest raid that brought a horse home, or that was repelled."""

from collections.abc import Iterator

from msgspec import Struct

from referee.contract.asks import Datum
from referee.contract.finish import FinishRules, Highlight, HighlightCard, Story, StoryStep
from referee.kit.answers import cards_named, number_named, seat_named


class Raid(Struct, frozen=True):
    """A raid that came home with a horse, or was repelled."""

    key: str
    seat: int
    target: int
    cards: tuple[str, ...]  # riders of the raider, or weapons of the raided player
    value: int
    step: StoryStep


def highlight(story: Story) -> Highlight | None:
    """Return the strongest raid that took a horse, else the strongest repelled one; of several, the latest."""
    raids = tuple(_raids(story))
    if not raids:
        return None
    best = max(reversed(raids), key=lambda each: (each.key == "raid", each.value))
    values: dict[str, Datum] = {
        "round": best.step.round,
        "seat": best.seat,
        "target": best.target,
        "value": best.value,
    }
    owner = best.seat if best.key == "raid" else best.target
    cards = tuple(HighlightCard(card, owner) for card in best.cards)
    return Highlight(best.key, values, best.step.heard_at, cards)


def _raids(story: Story) -> Iterator[Raid]:
    values = dict[tuple[int, int], int]()  # attack value of the raid between two seats
    for step in story:
        takers = {
            (each.values["seat"], each.values["target"]) for each in step.rulings if each.key == "takes-horse"
        }
        for ruling in step.rulings:
            match ruling.key:
                case "raids":
                    aim = seat_named(ruling), seat_named(ruling, "target")
                    values[aim] = number_named(ruling, "value")
                case "comes-home":
                    aim = seat_named(ruling), seat_named(ruling, "target")
                    if aim in takers:
                        yield Raid("raid", *aim, cards_named(ruling), values[aim], step)
                case "repels":
                    aim = seat_named(ruling, "raider"), seat_named(ruling)
                    yield Raid("repelled", *aim, cards_named(ruling, "weapons"), values[aim], step)


FINISH = FinishRules(highlight=highlight)
