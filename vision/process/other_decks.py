"""Cards that clearly aren't of the deck that is read, and clearly are of another one: the rule for all eyes."""

from collections.abc import Callable, Iterable

from vision.process.places import lies_on
from vision.sightings import Reading, Sighting

SEVERAL = 2
"""Cards without a name that lie on a table before anybody asks which deck they are of."""
LIKE_A_CARD = (0.6, 1.6)
"""The least and the most size of a thing that may be a card of another deck, in cards."""


def named_cards(seen: Reading) -> list[Sighting]:
    """List the cards whose face is known."""
    return [card for card in seen.cards if card.sure and card.face is not None]


def count_unnamed(seen: Reading) -> int:
    """Count what lies there like a card, face up, and has no name."""
    least, most = LIKE_A_CARD
    unsure = sum(not card.sure and card.facing == "up" for card in seen.cards)
    return unsure + sum(least <= thing.area <= most for thing in seen.unexplained)


def are_strangers(seen: Reading) -> bool:
    """Tell whether most cards have no name, or nothing at all was read.

    Without a card that tells how the table lies, those of another deck aren't even seen as things.
    """
    return count_unnamed(seen) > len(named_cards(seen)) or not any(card.sure for card in seen.cards)


def strangers_among(seen: Reading) -> tuple[int, int] | None:
    """Count the cards with a name and those without, if the latter are several and more; else None."""
    named, unnamed = len(named_cards(seen)), count_unnamed(seen)
    return (named, unnamed) if unnamed >= SEVERAL and unnamed > named else None


def likely_deck(seen: Reading, others: Iterable[tuple[str, Callable[[], Reading]]]) -> str | None:
    """Name the other deck of which most cards are read where this one names none, if those are enough."""
    if not are_strangers(seen):
        return None
    ours = named_cards(seen)
    wanted = max(len(ours) + 1, SEVERAL if count_unnamed(seen) >= SEVERAL else 1)
    best, most = None, wanted - 1
    for name, read in others:
        strangers = [card for card in named_cards(read()) if not any(lies_on(card, each) for each in ours)]
        if len(strangers) > most:
            best, most = name, len(strangers)
    return best
