"""Rows of the hub's database, typed: one struct a table, its fields called as the columns."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from msgspec import Struct

TableState = Literal["never", "online", "offline"]
CallState = Literal["open", "coming", "done"]


class TableRow(Struct, frozen=True):
    """A table of the club."""

    name: str
    title: str
    key_number: int
    key_hash: bytes
    state: TableState
    last_seen: datetime | None
    told: Mapping[str, Any]
    added: datetime
    removed: datetime | None
    shut_out: str | None
    """The call by which the director was told that the table flooded; None for one that may come in."""
    late: int
    """By how many minutes spectators see it late."""


class MatchRow(Struct, frozen=True):
    """A match of a table, and how it stands after `told` of its lines."""

    table_name: str
    epoch: str
    match: int
    lines: int
    told: int
    branch: int
    game: str
    edition: str
    names: list[str]
    begun: str
    is_over: bool
    reason: str
    winners: list[int]
    standings: list[Mapping[str, Any]]
    situation: Mapping[str, Any] | None
    fault: str
    first_heard: datetime
    updated: datetime


class LineRow(Struct, frozen=True):
    """A line of a match, as the table's journal has it."""

    table_name: str
    epoch: str
    match: int
    number: int
    branch: int
    hash: bytes
    body: str
    received: datetime


class QuarantinedRow(Struct, frozen=True):
    """A line that isn't believed, and why."""

    id: int
    table_name: str
    epoch: str
    match: int
    number: int
    hash: bytes
    body: str
    why: str
    received: datetime
    seen: datetime | None


class CallRow(Struct, frozen=True):
    """The director is asked to a table."""

    table_name: str
    id: str
    who: str
    why: str
    begun: str
    moment: int
    evidence: bytes | None
    state: CallState
    answer: str
    asked: datetime
    updated: datetime
