"""Camera accuracy: the cards it read in matches, and the cards that people corrected. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import sqrt

from msgspec import UNSET, Struct

from referee.contract import Answer
from referee.match import Correct, Entry

Cards = tuple[str, ...]
Z_95 = 1.96  # z-score of a two-sided 95 % confidence interval


class CameraReadings(Struct, frozen=True, omit_defaults=True):
    """Number of cards the camera read by itself, and how many of them people corrected."""

    named: int = 0
    put_right: int = 0


def readings_in(entries: Sequence[Entry]) -> CameraReadings:
    read, right = dict(_camera_cards(entries)), dict(_cards_put_right(entries))
    changed = (
        (Counter(cards) - Counter(right[moment])).total() for moment, cards in read.items() if moment in right
    )
    return CameraReadings(sum(map(len, read.values())), sum(changed))


def add_readings(readings: Iterable[CameraReadings]) -> CameraReadings:
    named = put_right = 0
    for each in readings:
        named, put_right = named + each.named, put_right + each.put_right
    return CameraReadings(named, put_right)


def worst_share(readings: CameraReadings) -> float:
    """Return the upper bound of the share of corrected cards (Wilson score, 95 %)."""
    named, square = readings.named, Z_95**2
    seen = readings.put_right / named
    spread = Z_95 * sqrt((seen * (1 - seen) + square / (4 * named)) / named)
    return (seen + square / (2 * named) + spread) / (1 + square / named)


def _cards_of(entry: Entry) -> Cards | None:
    return entry.value if isinstance(entry, Answer) and isinstance(entry.value, tuple) else None


def _camera_cards(entries: Iterable[Entry]) -> Iterator[tuple[int, Cards]]:
    for moment, entry in enumerate(entries):
        cards = _cards_of(entry)
        if cards is not None and isinstance(entry, Answer) and entry.sense == "camera":
            yield moment, cards


def _cards_put_right(entries: Sequence[Entry]) -> Iterator[tuple[int, Cards]]:
    """Yield the corrected cards per answer; for a struck answer, the cards given in its place."""
    for moment, entry in enumerate(entries):
        if isinstance(entry, Correct):
            cards = _cards_instead(entries, entry, moment) if entry.value is UNSET else entry.value
            if isinstance(cards, tuple):
                yield entry.heard_at, cards


def _cards_instead(entries: Sequence[Entry], struck: Correct, moment: int) -> Cards | None:
    """Return the cards of the next answer if it answers the same ask as the struck one."""
    later = (entries[number] for number in range(moment + 1, len(entries)))
    anew = next((entry for entry in later if isinstance(entry, Answer)), None)
    return _cards_of(anew) if anew and _ask_of(anew) == _ask_of(entries[struck.heard_at]) else None


def _ask_of(entry: Entry) -> str | None:
    return entry.ask if isinstance(entry, Answer) else None
