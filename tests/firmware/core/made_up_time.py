"""A world in which time goes on only while the loop waits: its queue, and pins whose edges have its stamps."""

from collections import deque
from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from itertools import count
from queue import Empty

from gpiozero.pins.mock import MockFactory, MockPin  # type: ignore[import-untyped]

from firmware.core.loop import Item
from hardware.board.bounce import Flip


class World:
    """What happens when; nothing else makes time go on."""

    def __init__(self) -> None:
        """Begin at a time that is none of the clock's."""
        self.now = 1000.0
        self._numbers = count()
        self._events: list[tuple[float, int, Callable[[], None]]] = []

    def at(self, at: float, do: Callable[[], None]) -> None:
        """Have something done."""
        heappush(self._events, (at, next(self._numbers), do))

    def next_at(self) -> float:
        """Tell when the next thing happens."""
        return self._events[0][0] if self._events else float("inf")

    def step(self) -> None:
        """Let the next thing happen."""
        at, _number, do = heappop(self._events)
        self.now = max(self.now, at)
        do()

    def spend(self, seconds: float) -> None:
        """Be busy while things happen."""
        until = self.now + seconds
        while self.next_at() <= until:
            self.step()
        self.now = max(self.now, until)

    def drive(self, pin: MockPin, moves: Iterator[Flip]) -> None:
        """Move a wire, edge by edge."""
        flip = next(moves, None)
        if flip is None:
            return

        def turn() -> None:
            (pin.drive_low if flip.is_down else pin.drive_high)()
            self.drive(pin, moves)

        self.at(flip.at, turn)


class Waits:
    """The loop's queue: who waits for it lets time go on; how late it wakes up is drawn by lot."""

    def __init__(self, world: World) -> None:
        """Begin with nothing in it."""
        self._world, self._items = world, deque[Item]()
        self.late: Callable[[], float] = lambda: 0.0
        self.most = 0

    def put(self, item: Item) -> None:
        """Leave something."""
        self._items.append(item)
        self.most = max(self.most, len(self._items))

    def empty(self) -> bool:
        """Tell whether all was taken."""
        return not self._items

    def get_nowait(self) -> Item:
        """Take what is there."""
        if not self._items:
            raise Empty
        return self._items.popleft()

    def get(self, timeout: float) -> Item:
        """Wait for something, for so long."""
        world, until = self._world, self._world.now + timeout
        if self._items:
            return self._items.popleft()
        while not self._items:
            if world.next_at() > until:
                world.now = until
                raise Empty
            world.step()
        world.spend(self.late())
        return self._items.popleft()


class Wire(MockPin):  # type: ignore[misc]
    """A pin whose edges have the world's stamps, and are heard when the world says so."""

    def _change_state(self, value: bool) -> bool:
        header: Header = self.factory
        if self._state == value:
            return False
        self._state, self._last_change = value, header.world.now
        return True

    def _call_when_changed(self) -> None:
        header: Header = self.factory
        stamp, level = self._last_change, self._state
        heard_at = self._heard_at = max(getattr(self, "_heard_at", 0.0), stamp + header.late())
        told = super(MockPin, self)._call_when_changed
        if heard_at <= header.world.now:
            told(stamp, level)
        else:
            header.world.at(heard_at, lambda: told(stamp, level))


class Header(MockFactory):  # type: ignore[misc]
    """The pins; callbacks of different wires come late, and in any order."""

    def __init__(self, world: World) -> None:
        """Begin with callbacks that come at once."""
        super().__init__(pin_class=Wire)
        self.world = world
        self.late: Callable[[], float] = lambda: 0.0
