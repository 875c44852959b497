"""The eyes' own thread: it opens them, carries what they tell to the loop, and what they are told to them.

Starting, killing or stopping a process takes time; only this thread waits for it.
"""

from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from threading import Thread
from traceback import format_exc
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    # the thread names what it opens, and loads none of it
    from vision.process.supervision import SupervisedEyes

POLL_INTERVAL = 0.05  # seconds between looks at what the eyes tell
CLOSING = 10.0  # seconds that opening the eyes may take; the end comes after that


class EyesNews(Struct, frozen=True):
    """What the eyes tell."""

    news: Any


class EyesStarted(Struct, frozen=True):
    """The process of the eyes was started, so many times by now."""

    starts: int


class DeferredOrders(Struct, frozen=True, eq=False):
    """What the eyes are to be told once it is made: a deck that is drawn takes longer than the loop may."""

    made: Callable[[], Sequence[Any]]


class EyesGone(Struct, frozen=True):
    """The eyes' thread has ended with an error: nothing will be told any more."""

    trace: str


FromEyes = EyesNews | EyesStarted | EyesGone


class Watcher:
    """The eyes for the loop: no call ever waits."""

    def __init__(self, opened: Callable[[], "SupervisedEyes"], put: Callable[[FromEyes], None]) -> None:
        self._opened, self._put = opened, put
        self._orders: SimpleQueue[Any] = SimpleQueue()
        self._thread = Thread(target=self._run, name="eyes", daemon=True)
        self._thread.start()

    def tell(self, order: Any) -> None:
        self._orders.put(order)

    def close(self) -> None:
        self._orders.put(None)
        self._thread.join(CLOSING)

    def _run(self) -> None:
        try:
            eyes, starts = self._opened(), 0
            while True:
                if eyes.starts != starts:
                    starts = eyes.starts
                    self._put(EyesStarted(starts))
                for each in eyes.news():
                    self._put(EyesNews(each))
                try:
                    order = self._orders.get(timeout=POLL_INTERVAL)
                except Empty:
                    continue
                if order is None:
                    eyes.close()
                    return
                for each in order.made() if isinstance(order, DeferredOrders) else (order,):
                    eyes.tell(each)
        except Exception:  # noqa: BLE001 - whatever it is, the loop has to know
            self._put(EyesGone(format_exc()))


BLIND = 60.0
"""Seconds that the eyes may be silent after a start; beyond that, something is wrong that they can't tell."""


class Eyesight(Struct, frozen=True):
    """How often the eyes were started, when last, and whether they have told anything since."""

    since: float
    starts: int = 0
    has_told: bool = False
    is_gone: bool = False  # whether the thread that looks after them has ended


def with_starts(eyesight: Eyesight, starts: int, now: float) -> Eyesight:
    """Note how often they were started: a process that dies again and again tells nothing."""
    if starts == eyesight.starts:
        return eyesight
    return Eyesight(now if eyesight.has_told else eyesight.since, starts)


def with_news(eyesight: Eyesight) -> Eyesight:
    """Note that they tell: what they see, or why they don't."""
    return replace(eyesight, has_told=True)


def is_fed(eyesight: Eyesight, now: float, slowness: float = 1.0) -> bool:
    """Return whether all is well enough to go on; a slower machine opens its eyes more slowly."""
    return not eyesight.is_gone and (eyesight.has_told or now < eyesight.since + slowness * BLIND)
