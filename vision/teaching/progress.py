"""Report the progress of slow steps: teaching a deck from many pictures, then its trials."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")
ReportProgress = Callable[[int, int], object]
"""Called after each step with the number of finished steps and the total."""


def ignore_progress(_done: int, _count: int) -> None:
    """Do nothing."""


def report_each(items: Iterable[Item], count: int, report: ReportProgress) -> Iterator[Item]:
    """Yield items and report each one as finished after it was processed."""
    for number, item in enumerate(items, 1):
        yield item
        report(number, count)
