"""Simulated time that jumps to the next event, and the loop's queue in that time."""

from collections import deque
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from queue import Empty

from firmware.table.loop_parts import Item
from tests.given import Clock

NEVER = float("inf")


class SteppedTime(Clock):
    """A schedule of events; time advances only to the next one."""

    def __init__(self, seconds: float = 100.0) -> None:
        super().__init__(seconds)
        self._numbers = count()
        self._coming: list[tuple[float, int, Callable[[], object]]] = []

    def at(self, at: float, do: Callable[[], object]) -> None:
        heappush(self._coming, (at, next(self._numbers), do))

    def later(self, seconds: float, do: Callable[[], object]) -> None:
        self.at(self.seconds + seconds, do)

    def next_at(self) -> float:
        return self._coming[0][0] if self._coming else NEVER

    def step(self) -> None:
        at, _number, do = heappop(self._coming)
        self.seconds = max(self.seconds, at)
        do()

    def spend(self, seconds: float) -> None:
        until = self.seconds + seconds
        while self.next_at() <= until:
            self.step()
        self.seconds = max(self.seconds, until)


class Actor:
    """A repeated action, starting now."""

    def __init__(self, time: SteppedTime, act: Callable[[], float]) -> None:
        """Create an actor; `act` returns the time of its next call."""
        self._time, self._act = time, act
        self.wait_until(time.seconds)

    def wait_until(self, due: float) -> None:
        self.due = due
        self._time.at(due, lambda: self._go_on(due))

    def _go_on(self, due: float) -> None:
        # it may have been rescheduled
        if due == self.due:
            self.wait_until(self._act())


class SteppedQueue:
    """The loop's queue: waiting for an item advances time, and may return late."""

    def __init__(self, time: SteppedTime) -> None:
        self._time, self._items = time, deque[Item]()
        self.late: Callable[[], float] = lambda: 0.0
        self.most = 0

    def put(self, item: Item) -> None:
        self._items.append(item)
        self.most = max(self.most, len(self._items))

    def empty(self) -> bool:
        return not self._items

    def get_nowait(self) -> Item:
        if not self._items:
            raise Empty
        return self._items.popleft()

    def get(self, timeout: float) -> Item:
        if self._items:
            return self._items.popleft()
        until = self._time.seconds + timeout
        while not self._items:
            if self._time.next_at() > until:
                self._time.seconds = until
                raise Empty
            self._time.step()
        if late := self.late():
            self._time.spend(late)
        return self._items.popleft()
