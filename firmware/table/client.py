"""The client for phones and others in threads of their own: submit answers, receive moments; none waits."""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from threading import Condition, Lock
from typing import Any, TypeVar

from msgspec import Struct

from firmware.language.speaking import _
from firmware.language.wall_clock import exact_timestamp
from firmware.table.effects import EntryRequest, NoteTrouble, Sitting, TableEffect
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import LastingTrouble, Notice
from firmware.table.state import TableState, TableStep, begin_again, hear_request
from firmware.table.systemd import AGAIN
from firmware.table.writer import JournalChange, Pause, SaveAgain
from hardware.board.board import Trouble
from referee.contract import Answer, Refusal, Span
from referee.match import Entry, Match
from referee.summaries import ForgottenPlayer
from vision.process.messages import EyesOrder, SnapshotTaken, TakeSnapshot
from vision.troubles import Problem

UNREAD = 16  # pieces of news that wait for a listener; of more, the oldest is left out
T = TypeVar("T")
Result = Match | Refusal | Notice
"""What became of an entry: the next moment, why it isn't accepted, or that it couldn't be kept."""
News = Match | Notice | Problem | Trouble
"""What listeners are told: a new moment, or what people have to know beside it (`sentence_for` words it)."""


HostAction = Callable[[TableState, int, float], TableStep]


class HostRequest(Struct, frozen=True, eq=False):
    """What the host does to the table, and the future by which the host learns the result."""

    do: HostAction
    future: "Future[Result]"


class EyesRequest(Struct, frozen=True, eq=False):
    """An order to the eyes, the kind of news that answers it, and the future that receives this news."""

    order: EyesOrder
    kind: type[Any]
    future: "Future[Any]"


class Stop(Struct, frozen=True):
    """End: with 0 on request, with AGAIN to be started again, as with other settings."""

    code: int = 0


TableRequest = Pause | HostRequest | EyesRequest | NoteTrouble | JournalChange | SaveAgain | Stop


class TableSummary(Struct, frozen=True):
    """How the table is kept: what there is of it beside the match."""

    id: int | None = None  # the number of the match in the journal, once it has one
    is_paused: bool = False
    auditing: Span | None = None
    ends: tuple[tuple[str, float], ...] = ()
    """When the clock answers each ask that has a deadline, by the clock that only goes on."""
    is_saving: bool = True  # whether what is kept outlasts the machine
    likely: tuple[Answer, ...] = ()
    """Answers that cards on the table could make, if people say so: one of the cards isn't certain."""
    taking: Answer | None = None
    """An answer that counts soon unless a player says no: one of its cards is only likely."""


class Subscription:
    """News for one listener, the newest last; to be closed when it goes."""

    def __init__(self, leave: Callable[["Subscription"], None]) -> None:
        self._news: deque[News] = deque(maxlen=UNREAD)
        self._given = Condition()
        self._leave = leave

    def give(self, news: News) -> None:
        with self._given:
            self._news.append(news)
            self._given.notify()

    def next(self, seconds: float | None = None) -> News | None:
        """Wait for what comes next; None if nothing comes in time."""
        with self._given:
            self._given.wait_for(lambda: self._news, seconds)
            return self._news.popleft() if self._news else None

    def close(self) -> None:
        self._leave(self)


class TableClient:
    """What any thread may call."""

    def __init__(self, put: Callable[[TableRequest], None], match: Match) -> None:
        self._put, self._match = put, match
        # the loop tells these
        self.lasting: tuple[LastingTrouble, ...] = ()
        self.summary = TableSummary()
        self._lock, self._listeners = Lock(), list[Subscription]()

    def moment(self) -> Match:
        return self._match

    def troubles(self) -> tuple[LastingTrouble, ...]:
        return self.lasting

    def state(self) -> TableSummary:
        return self.summary

    def host(self, do: HostAction) -> "Future[Result]":
        """Have something done to the table; the future holds what became of it."""
        return self._ask(HostRequest(do, Future()))

    def submit(self, entry: Entry, begun: str | None = None) -> "Future[Result]":
        """Enter something, for the match that began then; None is the one that stands."""
        return self.host(
            lambda table, ticket, now: hear_request(table, EntryRequest(entry, ticket, begun=begun), now)
        )

    def ask_rematch(self) -> None:
        self.host(partial(begin_again, exact_timestamp()))

    def sit(self, match: Match, number: int | None = None) -> "Future[Result]":
        """Sit down at another match: a new one, or one that the journal has under a number."""
        return self.host(lambda table, ticket, now: hear_request(table, Sitting(match, number, ticket), now))

    def do(self, effect: TableEffect) -> "Future[Result]":
        """Have something told or shown, or the eyes do something, that changes nothing of the table."""
        return self.host(lambda table, _ticket, _now: (table, (effect,)))

    def say(self, notice: Notice) -> "Future[Result]":
        return self.do(notice)

    def pause(self) -> "Future[Result]":
        """Let nothing count until it goes on, after a new start too."""
        return self._ask(Pause(is_paused=True, future=Future()))

    def go_on(self) -> "Future[Result]":
        return self._ask(Pause(is_paused=False, future=Future()))

    def save_again(self) -> "Future[bool]":
        """Try to write to the disk what memory has; the future holds whether all is saved."""
        return self._ask(SaveAgain(Future()))

    def picture(self) -> "Future[SnapshotTaken]":
        """Take a small picture of what the camera sees, with what is known to lie there."""
        return self.show(TakeSnapshot(), SnapshotTaken)

    def show(self, order: EyesOrder, kind: type[T]) -> "Future[T]":
        """Order the eyes, and return news of a kind once it comes."""
        return self._ask(EyesRequest(order, kind, Future()))

    def forget(self, name: str) -> "Future[ForgottenPlayer | Notice]":
        """Replace a player's name by a neutral one in all matches; refused while they play the open match."""
        return self._ask(
            JournalChange(
                lambda journal: journal.forget(name, _("Player {number}")),
                NoticeKey.DELETION_FAILED,
                Future(),
                name,
            )
        )

    def say_missing(self, match_id: int, number: int, entry: Entry) -> "Future[Notice | None]":
        """Keep what the host says of an answer that a match has lost."""
        self.report(NoticeKey.ANSWER_LOST, None)
        return self._ask(
            JournalChange(
                lambda journal: journal.append(match_id, number, entry), NoticeKey.CHANGE_FAILED, Future()
            )
        )

    def _ask(self, request: Pause | HostRequest | EyesRequest | JournalChange | SaveAgain) -> "Future[Any]":
        self._put(request)
        return request.future

    def report(self, name: object, wrong: Notice | Trouble | None) -> None:
        """Report that something is wrong from now on, or well again."""
        self._put(NoteTrouble(name, wrong))

    def restart(self) -> None:
        """Start the table again; the match goes on."""
        self._put(Stop(AGAIN))

    def subscribe(self) -> Subscription:
        """Listen to what is told, beginning with the moment that stands."""
        listening = Subscription(self._unsubscribe)
        with self._lock:
            listening.give(self._match)
            self._listeners.append(listening)
        return listening

    def tell(self, news: News) -> None:
        """Give news to all listeners; the loop does."""
        with self._lock:
            if news is self._match:
                return
            self._match = news if isinstance(news, Match) else self._match
            for listening in self._listeners:
                listening.give(news)

    def _unsubscribe(self, listening: Subscription) -> None:
        with self._lock:
            self._listeners.remove(listening)
