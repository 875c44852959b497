"""A second count of a round of Coyote: cards are moved around the table one by one.

Written from the three rule books alone; it shares nothing with the referee's count.
"""

from dataclasses import dataclass, field
from typing import Literal

Edition = Literal["kidult", "gigamic", "oliphante"]
Doubles = Literal["greens", "total"]

EDITIONS: tuple[Edition, ...] = ("kidult", "gigamic", "oliphante")

DOUBLES: dict[Edition, Doubles] = {"kidult": "greens", "gigamic": "total", "oliphante": "greens"}
"""What each edition doubles: all Indians, the final total, or the greens that haven't turned red."""

KIDULT_INDIANS = "20 15 15 10 10 10 5 5 5 5 4 4 4 4 3 3 3 3 2 2 2 2 1 1 1 1"
KIDULT_OTHERS = "0 0 0 -5 -5 -10 ? max0 x2 night"
GREENS = "20 15 10 10 9 9 8 8 7 7 6 6 5 5 4 4 3 3 2 2 1 1"
REDS_AND_BLUES = "-5 -5 -10 ? max0 max- x2 night"

FEATHERS = (*GREENS.split(), *REDS_AND_BLUES.split())
CARDS: dict[Edition, tuple[str, ...]] = {
    "kidult": (*KIDULT_INDIANS.split(), *KIDULT_OTHERS.split()),
    "gigamic": FEATHERS,
    "oliphante": FEATHERS,
}
"""Every card of each edition, one by one."""


@dataclass
class Middle:
    """The middle of the table: unsorted cards, greens, reds, and cards out of the count."""

    lying: list[str]
    greens: list[int] = field(default_factory=list)
    reds: list[int] = field(default_factory=list)
    out: list[str] = field(default_factory=list)
    shuffle: bool = False

    def holds(self, face: str) -> bool:
        """Remove a special card if present; each is handled once."""
        if face not in self.lying:
            return False
        self.lying.remove(face)
        self.out.append(face)
        return True

    def sort(self) -> None:
        """Move cards with a value to the heap of their colour, and remove the others."""
        while self.lying:
            card = self.lying.pop()
            if card.startswith("-"):
                self.reds.append(int(card[1:]))
            elif card.isdigit() and int(card) > 0:
                self.greens.append(int(card))
            else:
                self.out.append(card)

    def take_strongest(self) -> int | None:
        """Remove and return one of the strongest greens, by pairwise comparison."""
        best: int | None = None
        for green in self.greens:
            if best is None or green > best:
                best = green
        if best is not None:
            self.greens.remove(best)
        return best


def count(
    edition: Edition, cards: tuple[str, ...], drawn: str | None = None, doubles: Doubles | None = None
) -> tuple[int, bool]:
    """Count the cards by the edition's rules; return the total, and whether the deck is shuffled afterwards.

    `drawn` is the card that "?" drew from the pile, if any was left.
    """
    middle = Middle(list(cards))
    if middle.holds("?") and drawn is not None:
        middle.lying.append(drawn)
    fox, turn, leader = middle.holds("max0"), middle.holds("max-"), middle.holds("x2")
    middle.shuffle = middle.holds("night")
    middle.sort()
    if fox:
        _cancel(edition, middle)
    if turn and (strongest := middle.take_strongest()) is not None:
        middle.reds.append(strongest)
    return _sum(middle, (doubles or DOUBLES[edition]) if leader else None), middle.shuffle


def _cancel(edition: Edition, middle: Middle) -> None:
    """Kidult: the strongest Indian counts 0 in place. Other editions: it is removed."""
    strongest = middle.take_strongest()
    if strongest is not None and edition == "kidult":
        middle.greens.append(0)


def _sum(middle: Middle, doubles: Doubles | None) -> int:
    """Add the greens, then subtract the reds; a doubled card or sum counts twice."""
    points = 0
    for green in middle.greens:
        points += green
        if doubles == "greens":
            points += green
    for red in middle.reds:
        points -= red
    return points + points if doubles == "total" else points
