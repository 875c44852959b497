"""The table as spectators see it: some minutes late, so that no player at the table learns anything from them.

Each moment is stamped with the clock that only goes on, when it comes. Nothing that isn't old enough is given:
not the moment, not its pictures, not its match in the history. After a start, what came before counts as new.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from threading import Event, Lock
from time import monotonic
from typing import Any, cast

from flask import Flask, Request
from msgspec import Struct
from msgspec.structs import replace

from firmware.parts.photographs import EvidenceFiles, KeepPhotograph, KeptPicture
from firmware.parts.table import Table
from firmware.storage.match_history import History
from firmware.table.door import News, TableDoor, TableSummary
from firmware.table.notices import LastingTrouble
from firmware.twin.simulated_table import NoTwin
from referee.match import Match, beginning_of
from referee.record import ParsedRecord
from referee.summaries import JournalMatch
from webui.access.viewers import evening_of, viewer_of

LOOK = 0.25  # seconds between two looks whether a moment is old enough
MINUTE = 60.0
LONGEST = 10.0  # seconds for which something goes on after its moment, at most


class StampedMoment(Struct, frozen=True, eq=False):
    """A moment, when it came, and the number of its match in the journal."""

    came: float
    match: Match
    number: int | None


class LateTable:
    """Keeps the moments of the last minutes, and gives the newest that is old enough."""

    def __init__(
        self, door: TableDoor, minutes: Callable[[], int], clock: Callable[[], float] = monotonic
    ) -> None:
        """Begin to keep moments; `look` has to be called once in a while."""
        self._door, self.minutes, self._clock = door, minutes, clock
        self._lock, self._feed = Lock(), door.subscribe()
        self._kept = deque[StampedMoment]()
        self.look()

    def look(self) -> None:
        """Stamp what has come, and let go of what is older than what is shown."""
        with self._lock:
            self._stamp_news()

    def shown(self) -> StampedMoment:
        """Give the newest moment that is old enough; if there is none, the beginning of its match."""
        with self._lock:
            edge, oldest = self._stamp_news(), self._kept[0]
            old = [each for each in self._kept if each.came <= edge]
        return old[-1] if old else replace(oldest, match=beginning_of(oldest.match))

    def young_matches(self) -> frozenset[int | None]:
        """List the matches of which something isn't old enough."""
        with self._lock:
            edge = self._stamp_news()
            young = frozenset(each.number for each in self._kept if each.came > edge)
        return young | {self._door.state().id} if young else young

    def _stamp_news(self) -> float:
        """Stamp what has come; give the time after which everything is too young."""
        while (news := self._feed.next(0)) is not None:
            if isinstance(news, Match):
                self._kept.append(StampedMoment(self._clock(), news, self._door.state().id))
        edge = self._clock() - MINUTE * self.minutes()
        while len(self._kept) > 1 and self._kept[1].came <= edge - LONGEST:
            self._kept.popleft()
        return edge


class LateFeed:
    """The moments for one spectator, each when it is old enough; messages of the table aren't told."""

    def __init__(self, table: LateTable) -> None:
        self._table, self._closed = table, Event()
        self._given: Match | None = None

    def next(self, seconds: float | None = None) -> News | None:
        """Wait for the next moment; None if none is old enough in time."""
        rest = float("inf") if seconds is None else seconds
        while (match := self._table.shown().match) is self._given and rest > 0:
            self._closed.wait(min(LOOK, rest))
            rest -= LOOK
        is_new = match is not self._given
        self._given = match
        return match if is_new else None

    def close(self) -> None:
        self._closed.set()


class LateDoor:
    """A door through which the table is seen late; those who may act come by another one."""

    def __init__(self, door: TableDoor, table: LateTable) -> None:
        self._door, self._table = door, table

    def __getattr__(self, act: str) -> Any:
        """Pass all other calls to the table's own door: the pages check who may act."""
        return getattr(self._door, act)

    def moment(self) -> Match:
        return self._table.shown().match

    def troubles(self) -> Sequence[LastingTrouble]:
        """Return no trouble: trouble is of now."""
        return ()

    def state(self) -> TableSummary:
        """Give the number of the match that is shown: of now, there is no clock, no pause, no unsure card."""
        return TableSummary(self._table.shown().number, is_saving=self._door.state().is_saving)

    def lateness(self) -> int:
        return self._table.minutes()

    def subscribe(self) -> LateFeed:
        return LateFeed(self._table)


class LateHistory:
    """The matches of which all is old enough."""

    def __init__(self, history: History, table: LateTable) -> None:
        self._history, self._table = history, table

    def entries(self, first: int = 0, last: int = 0) -> Sequence[JournalMatch]:
        young = self._table.young_matches()
        listed = self._history.entries(first, last + len(young) if last else 0)
        return [entry for entry in listed if entry.number not in young]

    def names(self) -> Sequence[str]:
        """List all players: who plays isn't hidden."""
        return self._history.names()

    def match(self, number: int) -> ParsedRecord | None:
        return None if number in self._table.young_matches() else self._history.match(number)

    def lines(self, number: int) -> Sequence[str]:
        return () if number in self._table.young_matches() else self._history.lines(number)


class LateEvidence:
    """The pictures of answers that are shown."""

    def __init__(self, evidence: EvidenceFiles, door: TableDoor, table: LateTable) -> None:
        self._evidence, self._door, self._table = evidence, door, table

    def now(self) -> Mapping[int, KeptPicture]:
        """Give what those answers of the match that is played rest on that are old enough."""
        kept = self._evidence.now()
        return {number: kept[number] for number in self._shown_among(frozenset(kept))}

    def of(self, match: int) -> Mapping[int, KeptPicture]:
        return {} if match in self._table.young_matches() else self._evidence.of(match)

    def photographed_answers(self) -> frozenset[int]:
        return self._shown_among(self._evidence.photographed_answers())

    def expect_photograph(self, number: int) -> AbstractContextManager[KeepPhotograph]:
        return self._evidence.expect_photograph(number)

    def _shown_among(self, answers: frozenset[int]) -> frozenset[int]:
        shown = self._table.shown()
        if shown.number != self._door.state().id:
            return frozenset()
        return frozenset(heard_at for heard_at in answers if heard_at < shown.match.number)


ENTRANCES = frozenset({"seat", "host", "screen", "join", "welcome", "certificate"})
"""Where people come in, by the first part of an address: of play, these tell a stranger nothing."""

WsgiApp = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def table_for_spectators(table: Table) -> LateTable:
    return LateTable(table.door, lambda: evening_of(table).lateness)


def seen_late(table: Table, late: LateTable) -> Table:
    """Give the pages for spectators what they draw: all of it late, and nothing of a simulated table."""
    door = cast(TableDoor, LateDoor(table.door, late))
    return replace(
        table,
        door=door,
        history=cast(History, LateHistory(table.history, late)),
        evidence=cast(EvidenceFiles, LateEvidence(table.evidence, table.door, late)),
        twin=NoTwin(),
    )


def show_late(app: Flask, late: Flask, sees_late: Callable[[Request], bool]) -> None:
    at_once: WsgiApp = app.wsgi_app
    later: WsgiApp = late.wsgi_app

    def choose(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        return (later if sees_late(Request(environ)) else at_once)(environ, start)

    setattr(app, "wsgi_app", choose)  # noqa: B010 - it is a method, and Flask lets middleware take its place


def sees_late(table: Table, request: Request) -> bool:
    if request.path.split("/")[1] in ENTRANCES or not evening_of(table).lateness:
        return False
    viewer = viewer_of(table, request)
    return viewer.seat is None and not viewer.is_host and not viewer.is_screen
