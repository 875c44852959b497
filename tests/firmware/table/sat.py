"""A table that is told one thing after another, and what it did about the last one."""

from collections.abc import Callable
from typing import TypeVar

from msgspec.structs import replace

from firmware.table.effects import EntryRequest, OrderEyes, Reply, SayNotice, TableEffect, Write
from firmware.table.notices import Notice
from firmware.table.state import (
    TableState,
    TableStep,
    at_start,
    handle_kept,
    handle_not_kept,
    handle_sighting,
    hear_request,
    pass_time,
)
from referee.contract import Answer, Sense, Value
from referee.match import Entry, Match
from tests.firmware.table.placed import see_table
from vision.process.messages import CardChanged, TableRead
from vision.table.zones import PlacedCard

Kind = TypeVar("Kind", bound=TableEffect)


class Sat:
    """People have sat down; deeds are those of the last thing that was told."""

    def __init__(self, match: Match, number: int | None = 1, now: float = 0.0) -> None:
        """Sit down."""
        self.table: TableState = at_start(match, number, now)[0]
        self.deeds: tuple[TableEffect, ...] = ()

    @property
    def match(self) -> Match:
        """Give the moment that stands."""
        return self.table.match

    def do(self, step: TableStep) -> "Sat":
        """Take a step."""
        self.table, self.deeds = step
        return self

    def change(self, how: Callable[..., TableStep], now: float) -> "Sat":
        """Let the host do something."""
        return self.do(how(self.table, 0, now))

    def enter(self, entry: Entry, now: float = 1.0, ticket: int | None = None) -> "Sat":
        """Enter something."""
        return self.do(hear_request(self.table, EntryRequest(entry, ticket), now))

    def say(
        self, ask: str, value: Value, seat: int | None = None, now: float = 1.0, sense: Sense = "button"
    ) -> "Sat":
        """Answer."""
        return self.enter(Answer(self.match.number, ask, value, seat, sense), now)

    def see(self, *there: PlacedCard, asked: str = "", reading: int = 1, now: float = 1.0) -> "Sat":
        """Let the eyes tell all that lies there."""
        return self.hear(see_table(*there, asked=asked, reading=reading), now)

    def hear(self, news: TableRead | CardChanged, now: float = 1.0) -> "Sat":
        """Let the eyes tell something."""
        return self.do(handle_sighting(self.table, news, now))

    def keep(self, now: float = 1.0, number: int = 1) -> "Sat":
        """Let the disk keep what is written."""
        return self.do(handle_kept(self.table, number, now))

    def fail(self, why: str = "no room", now: float = 1.0) -> "Sat":
        """Let the disk not keep it."""
        return self.do(handle_not_kept(self.table, why, now))

    def wait(self, now: float) -> "Sat":
        """Let time go on until then."""
        return self.do(pass_time(self.table, now))

    def the(self, kind: type[Kind]) -> Kind:
        """Give the one deed of a kind."""
        (deed,) = [deed for deed in self.deeds if isinstance(deed, kind)]
        return deed

    @property
    def written(self) -> Entry | None:
        """Give what is to be kept, if anything."""
        entries = [deed.after.entry for deed in self.deeds if isinstance(deed, Write)]
        return replace(entries[0], at="") if entries and entries[0] is not None else None

    @property
    def answered(self) -> Value | None:
        """Give the value of the answer that is to be kept."""
        return self.written.value if isinstance(self.written, Answer) else None

    @property
    def orders(self) -> list[object]:
        """List what the eyes are told."""
        return [deed.order for deed in self.deeds if isinstance(deed, OrderEyes)]

    @property
    def replies(self) -> list[object]:
        """List what those are told who entered something."""
        return [deed.result for deed in self.deeds if isinstance(deed, Reply)]

    @property
    def notices(self) -> list[Notice]:
        """List what is said beside the game."""
        return [deed.notice for deed in self.deeds if isinstance(deed, SayNotice)]  # type: ignore[misc]
