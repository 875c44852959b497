"""The count of a reveal, in the order of the rule book, step by step."""

from msgspec import Struct

from referee.games.coyote.house import DECOY, FOX, LEADER, NIGHT, TURN, VALUE, Doubling


class CountStep(Struct, frozen=True, gc=False):
    """One step of the count: its effect, its cards, and the sum before and after it."""

    key: str
    cards: tuple[str, ...]
    start: int
    sum: int


class Tally(Struct, frozen=True, gc=False):
    """The total of a reveal, and whether the deck is shuffled before the next round."""

    total: int
    reshuffle: bool
    steps: tuple[CountStep, ...]


def tally(cards: tuple[str, ...], drawn: tuple[str, ...], doubling: Doubling) -> Tally:
    """Count the cards in the middle, and those that caves drew; a fox or a turn takes one of equal ones."""
    counted = cards + drawn
    numbers = sorted([card for card in counted if card in VALUE], key=VALUE.__getitem__, reverse=True)
    greens = tuple([card for card in numbers if VALUE[card] > 0])
    foxes, taken = counted.count(FOX), counted.count(FOX) + counted.count(TURN)
    cancelled, turned, greens = greens[:foxes], greens[foxes:taken], greens[taken:]
    against = turned + tuple([card for card in numbers if VALUE[card] < 0])
    decoys = (DECOY,) * counted.count(DECOY)
    factor = 2 ** counted.count(LEADER)
    before, after = (factor, 1) if doubling == "greens" else (1, factor)
    added = sum([VALUE[card] for card in greens])
    doubled = added * before
    left = doubled - sum([abs(VALUE[card]) for card in against])
    total = left * after
    steps = (
        (bool(drawn), CountStep("draw", drawn, 0, 0)),
        (FOX in counted, CountStep("cancel" if cancelled else "cancel-none", cancelled, 0, 0)),
        (TURN in counted, CountStep("turn" if turned else "turn-none", turned, 0, 0)),
        (bool(decoys), CountStep("decoy", decoys, 0, 0)),
        (True, CountStep("add" if greens else "add-none", greens, 0, added)),
        (before > 1, CountStep("double-greens", (LEADER,), added, doubled)),
        (bool(against), CountStep("subtract", against, doubled, left)),
        (after > 1, CountStep("double-total", (LEADER,), left, total)),
        (NIGHT in counted, CountStep("night", (NIGHT,), total, total)),
    )
    return Tally(total, NIGHT in counted, tuple([step for applies, step in steps if applies]))
