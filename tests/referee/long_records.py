"""Legal records of maximum length, line by line."""

from collections.abc import Callable, Iterator, Mapping
from itertools import count, islice

from msgspec import UNSET

from referee.contract import Answer, Option
from referee.games.coyote import COYOTE
from referee.match import Correct, Entry, Setup, TakeBack
from referee.record import entry_line, head_line

NAMES = ("Ana", "Bo", "Chloé")
OPENER = Answer(0, "opener", Option("opens", seat=0))


def bid(moment: int, number: int) -> Answer:
    return Answer(moment, "announce", number, (number - 1) % len(NAMES))


def rising() -> Iterator[Entry]:
    yield OPENER
    for moment in count(1):
        yield bid(moment, moment)


def corrected(bids: int = 1000) -> Iterator[Entry]:
    """Bid repeatedly, then correct the first bid forever; each correction replays all later answers."""
    yield from islice(rising(), bids + 1)
    for moment in count(bids + 1):
        yield Correct(moment, 1, 1)


def corrected_late() -> Iterator[Entry]:
    yield OPENER
    for number in count(1):
        yield bid(2 * number - 1, number)
        yield Correct(2 * number, 2 * number - 1, number)


def taken_back() -> Iterator[Entry]:
    yield OPENER
    for moment in count(1, 2):
        yield bid(moment, 1)
        yield TakeBack(moment + 1, 0)


def struck(bids: int = 1000) -> Iterator[Entry]:
    yield OPENER
    moment = 1
    while True:
        for number in range(1, bids + 1):
            yield bid(moment, number)
            moment += 1
        yield Correct(moment, moment - bids, UNSET)
        moment += 1


SHAPES: Mapping[str, Callable[[], Iterator[Entry]]] = {
    "numbers that rise": rising,
    "1,000 numbers, the first one corrected": corrected,
    "each number corrected at once": corrected_late,
    "each number taken back": taken_back,
    "1,000 numbers struck at once": struck,
}


def record_of(entries: Iterator[Entry]) -> Iterator[str]:
    yield head_line(Setup(COYOTE, COYOTE.rules.house(), NAMES))
    yield from map(entry_line, entries)
