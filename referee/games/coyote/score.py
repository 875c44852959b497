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
    """Count the cards in the middle, and those that caves drew."""
    counted = cards + drawn
    greens, reds = _values(counted)
    greens, cancelled = _take_strongest(counted.count(FOX), greens)
    greens, turned = _take_strongest(counted.count(TURN), greens)
    steps = [CountStep("draw", drawn, 0, 0)] if drawn else []
    if FOX in counted:
        steps.append(CountStep("cancel" if cancelled else "cancel-none", cancelled, 0, 0))
    if TURN in counted:
        steps.append(CountStep("turn" if turned else "turn-none", turned, 0, 0))
    decoys = tuple([card for card in counted if card == DECOY])
    if decoys:
        steps.append(CountStep("decoy", decoys, 0, 0))
    total = _add_greens(steps, greens)
    factor = 2 ** counted.count(LEADER)
    total = _finish_total(steps, turned + reds, total, (factor, 1) if doubling == "greens" else (1, factor))
    reshuffle = NIGHT in counted
    if reshuffle:
        steps.append(CountStep("night", (NIGHT,), total, total))
    return Tally(total, reshuffle, tuple(steps))


def _values(counted: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Sort the cards with a value: greens from the strongest, then reds. A decoy has none."""
    numbers = sorted([card for card in counted if card in VALUE], key=VALUE.__getitem__, reverse=True)
    greens = tuple([card for card in numbers if VALUE[card] > 0])
    reds = tuple([card for card in numbers if VALUE[card] < 0])
    return greens, reds


def _take_strongest(count: int, greens: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Take out the strongest green for each special card; of equal ones only one."""
    return greens[count:], greens[:count]


def _add_greens(steps: list[CountStep], greens: tuple[str, ...]) -> int:
    total = sum([VALUE[card] for card in greens])
    steps.append(CountStep("add" if greens else "add-none", greens, 0, total))
    return total


def _finish_total(
    steps: list[CountStep], cards: tuple[str, ...], greens: int, doubling: tuple[int, int]
) -> int:
    """Double the greens, subtract what counts against them, double the rest; each step only if it applies."""
    before, after = doubling
    total = greens * before
    if before > 1:
        steps.append(CountStep("double-greens", (LEADER,), greens, total))
    if cards:
        start, total = total, total - sum([abs(VALUE[card]) for card in cards])
        steps.append(CountStep("subtract", cards, start, total))
    if after > 1:
        start, total = total, total * after
        steps.append(CountStep("double-total", (LEADER,), start, total))
    return total
