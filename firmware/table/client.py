"""The table's client for other threads: submits entries and publishes moments without blocking."""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from threading import Condition, Lock
from typing import Any, TypeVar

from msgspec import Struct

from firmware.language.speaking import _
from firmware.language.wall_clock import exact_timestamp
from firmware.table.cards import Cards
from firmware.table.effects import EntryRequest, NoteTrouble, Sitting, TableEffect
from firmware.table.naming import NameQuestion, UnknownOnTable
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import LastingTrouble, Notice
from firmware.table.state import TableState, TableStep, begin_again, hear_request
from firmware.table.systemd import AGAIN
from firmware.table.writer import JournalChange, Pause, SaveAgain
from referee.contract import Answer, Refusal, Span
from referee.match import Entry, Match
from referee.summaries import ForgottenPlayer
from vision.process.messages import DeckGrew, EyesOrder, SnapshotTaken, TakeSnapshot
from vision.troubles import Problem

QUEUE_LENGTH = 16  # news queued per subscription; beyond this, the oldest is dropped
T = TypeVar("T")
Result = Match | Refusal | Notice
"""Result of an entry: the next moment, a refusal, or a notice that it couldn't be stored."""
News = Match | Notice | Problem
"""News for subscribers: a new moment, or information beside it (worded by `sentence_for`)."""


HostAction = Callable[[TableState, int, float], TableStep]


class HostRequest(Struct, frozen=True, eq=False):
    """An action of the host, and the future that receives its result."""

    do: HostAction
    future: "Future[Result]"


class EyesRequest(Struct, frozen=True, eq=False):
    """An order to the eyes, the type of news that answers it, and the future that receives it."""

    order: EyesOrder
    kind: type[Any]
    future: "Future[Any]"


class Stop(Struct, frozen=True):
    """Stop the loop: code 0 ends the program, AGAIN restarts it."""

    code: int = 0


TableRequest = Pause | HostRequest | EyesRequest | NoteTrouble | JournalChange | SaveAgain | Stop


class TableSummary(Struct, frozen=True):
    """The table's state beside the match."""

    id: int | None = None  # the match's number in the journal, once it has one
    is_paused: bool = False
    auditing: Span | None = None
    ends: tuple[tuple[str, float], ...] = ()
    """Time at which the clock answers each ask with a deadline, in monotonic seconds."""
    is_saving: bool = True  # whether entries are written to the disk
    likely: tuple[Answer, ...] = ()
    """Answers that people may confirm, because one of their cards is uncertain."""
    taking: Answer | None = None
    """An answer with a likely card, which counts soon unless a player objects."""
    questions: tuple[NameQuestion, ...] = ()
    """Cards whose names the game waits for, while their deck is learnt."""
    cards: Cards = ()
    """The cards in view."""
    unknown: tuple[UnknownOnTable, ...] = ()
    """All cards without a sure name, while their deck is learnt."""


class Subscription:
    """A queue of news for one subscriber, who must close it."""

    def __init__(self, leave: Callable[["Subscription"], None], *, is_for_pages: bool = False) -> None:
        self.is_for_pages = is_for_pages
        self._news: deque[News] = deque(maxlen=QUEUE_LENGTH)
        self._given = Condition()
        self._leave = leave

    def give(self, news: News) -> None:
        with self._given:
            self._news.append(news)
            self._given.notify()

    def next(self, seconds: float | None = None) -> News | None:
        """Return the next news, or None after the timeout."""
        with self._given:
            self._given.wait_for(lambda: self._news, seconds)
            return self._news.popleft() if self._news else None

    def close(self) -> None:
        self._leave(self)


class TableClient:
    """The table's interface for all threads."""

    def __init__(self, put: Callable[[TableRequest], None], match: Match) -> None:
        self._put, self._match = put, match
        # set by the loop
        self.lasting: tuple[LastingTrouble, ...] = ()
        self.deck: DeckGrew | None = None
        """The newest news of the deck that is learnt."""
        self.picture_size = (0, 0)
        """Width and height of the camera's picture; zero before the first one."""
        self.is_looking = False
        """Whether the camera process still looks at a change."""
        self.summary = TableSummary()
        self._lock, self._listeners = Lock(), list[Subscription]()

    def moment(self) -> Match:
        return self._match

    def troubles(self) -> tuple[LastingTrouble, ...]:
        return self.lasting

    def state(self) -> TableSummary:
        return self.summary

    def host(self, do: HostAction) -> "Future[Result]":
        """Run an action on the table; the future receives its result."""
        return self._ask(HostRequest(do, Future()))

    def submit(self, entry: Entry, begun: str | None = None) -> "Future[Result]":
        """Submit an entry for the match that began at `begun`; None is the current match."""
        return self.host(
            lambda table, ticket, now: hear_request(table, EntryRequest(entry, ticket, begun=begun), now)
        )

    def ask_rematch(self) -> None:
        self.host(partial(begin_again, exact_timestamp()))

    def sit(self, match: Match, number: int | None = None) -> "Future[Result]":
        """Switch to another match: a new one, or the numbered one from the journal."""
        return self.host(lambda table, ticket, now: hear_request(table, Sitting(match, number, ticket), now))

    def do(self, effect: TableEffect) -> "Future[Result]":
        """Run an effect that doesn't change the table's state."""
        return self.host(lambda table, _ticket, _now: (table, (effect,)))

    def say(self, notice: Notice) -> "Future[Result]":
        return self.do(notice)

    def pause(self) -> "Future[Result]":
        """Pause the table; answers don't count until it resumes, even after a restart."""
        return self._ask(Pause(is_paused=True, future=Future()))

    def go_on(self) -> "Future[Result]":
        return self._ask(Pause(is_paused=False, future=Future()))

    def save_again(self) -> "Future[bool]":
        """Try to write the lines in memory to the disk; the future receives whether all are saved."""
        return self._ask(SaveAgain(Future()))

    def picture(self) -> "Future[SnapshotTaken]":
        """Take a small annotated picture of the camera's view."""
        return self.show(TakeSnapshot(), SnapshotTaken)

    def show(self, order: EyesOrder, kind: type[T]) -> "Future[T]":
        """Send an order to the eyes; the future receives the first news of a type."""
        return self._ask(EyesRequest(order, kind, Future()))

    def forget(self, name: str) -> "Future[ForgottenPlayer | Notice]":
        """Replace a player's name by a neutral one in all matches; refused during the player's open match."""
        return self._ask(
            JournalChange(
                lambda journal: journal.forget(name, _("Player {number}")),
                NoticeKey.DELETION_FAILED,
                Future(),
                name,
            )
        )

    def say_missing(self, match_id: int, number: int, entry: Entry) -> "Future[Notice | None]":
        """Add the host's entry for an answer that the journal has lost."""
        self.report(NoticeKey.ANSWER_LOST, None)
        return self._ask(
            JournalChange(
                lambda journal: journal.append(match_id, number, entry), NoticeKey.CHANGE_FAILED, Future()
            )
        )

    def _ask(self, request: Pause | HostRequest | EyesRequest | JournalChange | SaveAgain) -> "Future[Any]":
        self._put(request)
        return request.future

    def report(self, name: object, wrong: LastingTrouble | None) -> None:
        """Report a problem by its name, or with None its end."""
        self._put(NoteTrouble(name, wrong))

    def restart(self) -> None:
        """Restart the table; the match continues."""
        self._put(Stop(AGAIN))

    def subscribe(self) -> Subscription:
        """Subscribe to news, starting with the current moment."""
        return self._subscribe(Subscription(self._unsubscribe))

    def subscribe_pages(self) -> Subscription:
        """Subscribe pages: they get the moment again when what they show beside it has changed."""
        return self._subscribe(Subscription(self._unsubscribe, is_for_pages=True))

    def _subscribe(self, listening: Subscription) -> Subscription:
        with self._lock:
            listening.give(self._match)
            self._listeners.append(listening)
        return listening

    def redraw(self) -> None:
        """Let pages draw the moment again; from any thread."""
        with self._lock:
            for listening in self._listeners:
                if listening.is_for_pages:
                    listening.give(self._match)

    def tell(self, news: News) -> None:
        """Publish news to all subscribers; called by the loop."""
        with self._lock:
            if news is self._match:
                return
            self._match = news if isinstance(news, Match) else self._match
            for listening in self._listeners:
                listening.give(news)

    def _unsubscribe(self, listening: Subscription) -> None:
        with self._lock:
            self._listeners.remove(listening)
