"""The eyes' own thread: it opens them, carries what they tell to the loop, and what they are told to them.

Starting, killing or stopping a process takes time; only this thread waits for it.
"""

from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from threading import Thread
from traceback import format_exc
from typing import Any, Protocol

from msgspec import Struct

LOOK = 0.05
"""Seconds between looks at what the eyes tell."""
CLOSING = 10.0
"""Seconds that opening the eyes may take; the end comes after that."""


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


class EyesProcess(Protocol):
    """The eyes, as `vision.process.supervision` has them."""

    @property
    def starts(self) -> int:
        """Tell how often the process was started."""

    def news(self) -> list[Any]:
        """Give what came since the last call."""

    def tell(self, message: Any) -> None:
        """Tell them something."""

    def close(self) -> None:
        """End them."""


class Watcher:
    """The eyes for the loop: no call ever waits."""

    def __init__(
        self, opened: Callable[[], EyesProcess], put: Callable[[EyesNews | EyesStarted | EyesGone], None]
    ) -> None:
        """Begin to open them."""
        self._opened, self._put = opened, put
        self._orders: SimpleQueue[Any] = SimpleQueue()
        self._thread = Thread(target=self._run, name="eyes", daemon=True)
        self._thread.start()

    def tell(self, order: Any) -> None:
        """Tell the eyes something; None ends them."""
        self._orders.put(order)

    def close(self) -> None:
        """End them."""
        self._orders.put(None)
        self._thread.join(CLOSING)

    def _run(self) -> None:
        try:
            self._look_on()
        except Exception:  # noqa: BLE001 - whatever it is, the loop has to know
            self._put(EyesGone(format_exc()))

    def _look_on(self) -> None:
        eyes, starts = self._opened(), 0
        while True:
            if eyes.starts != starts:
                starts = eyes.starts
                self._put(EyesStarted(starts))
            for each in eyes.news():
                self._put(EyesNews(each))
            try:
                order = self._orders.get(timeout=LOOK)
            except Empty:
                continue
            if order is None:
                eyes.close()
                return
            for each in order.made() if isinstance(order, DeferredOrders) else (order,):
                eyes.tell(each)
