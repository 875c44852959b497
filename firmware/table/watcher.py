"""The eyes' thread: starts the eyes, passes their news to the loop and the loop's orders to them.

Starting, stopping or killing a process takes time; only this thread waits for it.
"""

from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from threading import Thread
from traceback import format_exc
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    # for annotations only; the loop loads no vision code
    from vision.process.supervision import SupervisedEyes

POLL_INTERVAL = 0.05  # seconds between polls of the eyes' news
CLOSE_TIMEOUT = 10.0  # seconds for the eyes to open before closing gives up


class EyesNews(Struct, frozen=True):
    """News of the eyes."""

    news: Any


class EyesStarted(Struct, frozen=True):
    """The eyes' process was started; `starts` counts all starts."""

    starts: int


class DeferredOrders(Struct, frozen=True, eq=False):
    """Orders that are prepared in the eyes' thread, because drawing a deck would block the loop."""

    made: Callable[[], Sequence[Any]]


class EyesGone(Struct, frozen=True):
    """The eyes' thread has failed; no more news will come."""

    trace: str


FromEyes = EyesNews | EyesStarted | EyesGone


class Watcher:
    """The eyes as the loop uses them; no call blocks."""

    def __init__(self, opened: Callable[[], "SupervisedEyes"], put: Callable[[FromEyes], None]) -> None:
        self._opened, self._put = opened, put
        self._orders: SimpleQueue[Any] = SimpleQueue()
        self._thread = Thread(target=self._run, name="eyes", daemon=True)
        self._thread.start()

    def tell(self, order: Any) -> None:
        self._orders.put(order)

    def close(self) -> None:
        self._orders.put(None)
        self._thread.join(CLOSE_TIMEOUT)

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


FIRST_NEWS_TIMEOUT = 150.0
"""Seconds of silence allowed after a start of the eyes, for four attempts; beyond that they are broken."""


class Eyesight(Struct, frozen=True):
    """Number of starts of the eyes, the time of the last one, and whether news has come since."""

    since: float
    starts: int = 0
    has_told: bool = False
    is_gone: bool = False  # whether the eyes' thread has failed


def with_starts(eyesight: Eyesight, starts: int, now: float) -> Eyesight:
    """Register a start; a process that crashes repeatedly doesn't reset the timer."""
    if starts == eyesight.starts:
        return eyesight
    return Eyesight(now if eyesight.has_told else eyesight.since, starts)


def with_news(eyesight: Eyesight) -> Eyesight:
    """Register news of the eyes: a sighting or a problem."""
    return replace(eyesight, has_told=True)


def is_fed(eyesight: Eyesight, now: float, slowness: float = 1.0) -> bool:
    """Return whether the eyes work, or may still be starting; slow machines get more time."""
    return not eyesight.is_gone and (eyesight.has_told or now < eyesight.since + slowness * FIRST_NEWS_TIMEOUT)
