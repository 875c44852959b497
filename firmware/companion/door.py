"""The door for phones and others in threads of their own: answers in, moments out, nobody waits for anybody."""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from threading import Condition, Lock

from msgspec import Struct

from firmware.companion.notices import Notice
from hardware.board.troubles import Trouble
from referee.contract import Refusal
from referee.match import Entry, Match
from vision.troubles import Problem

UNREAD = 16
"""Pieces of news that wait for a listener; of more, the oldest is left out."""

Result = Match | Refusal | Notice
"""What became of an entry: the next moment, why it isn't accepted, or that it couldn't be kept."""


News = Match | Notice | Problem | Trouble
"""What listeners are told: a new moment, or what people have to know beside it (`notices.told` words it)."""


class Submitted(Struct, frozen=True, eq=False):
    """An entry that somebody waits for."""

    entry: Entry
    future: "Future[Result]"


class Again(Struct, frozen=True):
    """Another match, with the same people and house rules, once this one is over."""


class Listening:
    """News for one listener, the newest last; to be closed when it goes."""

    def __init__(self, leave: Callable[["Listening"], None]) -> None:
        """Begin with nothing."""
        self._news: deque[News] = deque(maxlen=UNREAD)
        self._given = Condition()
        self._leave = leave

    def give(self, news: News) -> None:
        """Leave something."""
        with self._given:
            self._news.append(news)
            self._given.notify()

    def next(self, seconds: float | None = None) -> News | None:
        """Wait for what comes next; None if nothing comes in time."""
        with self._given:
            self._given.wait_for(lambda: self._news, seconds)
            return self._news.popleft() if self._news else None

    def close(self) -> None:
        """Listen no more."""
        self._leave(self)


class Door:
    """What any thread may call."""

    def __init__(self, put: Callable[[Submitted | Again], None], match: Match) -> None:
        """Take the loop's queue, and the moment that stands."""
        self._put, self._match = put, match
        self._wrong: tuple[Problem | Trouble, ...] = ()
        self._lock, self._listeners = Lock(), list[Listening]()

    def moment(self) -> Match:
        """Give the moment that stands."""
        return self._match

    def wrong(self) -> tuple[Problem | Trouble, ...]:
        """Give what is wrong now with the camera, the table or the board."""
        return self._wrong

    def submit(self, entry: Entry) -> "Future[Result]":
        """Enter something; the future holds what became of it."""
        submitted = Submitted(entry, Future())
        self._put(submitted)
        return submitted.future

    def again(self) -> None:
        """Ask for another match."""
        self._put(Again())

    def subscribe(self) -> Listening:
        """Listen to what is told, beginning with the moment that stands."""
        listening = Listening(self._left)
        with self._lock:
            listening.give(self._match)
            self._listeners.append(listening)
        return listening

    def tell(self, news: News) -> None:
        """Tell everybody; the loop does."""
        with self._lock:
            if news is self._match:
                return
            self._match = news if isinstance(news, Match) else self._match
            for listening in self._listeners:
                listening.give(news)

    def tell_wrong(self, wrong: tuple[Problem | Trouble, ...]) -> None:
        """Note what is wrong now; the loop does."""
        self._wrong = wrong

    def _left(self, listening: Listening) -> None:
        with self._lock:
            self._listeners.remove(listening)
