"""Spectators may see the table late: who has no right at it gets the same pages of a late table."""

from collections.abc import Callable, Iterable
from typing import Any, cast

from flask import Flask, Request
from msgspec.structs import replace

from firmware.parts.clips import ClipFiles
from firmware.parts.evidence import EvidenceFiles
from firmware.storage.match_history import History
from firmware.table.door import TableDoor
from firmware.table.table import Table
from webui.access.late_table import LateClips, LateDoor, LateEvidence, LateHistory, LateTable
from webui.access.viewers import evening_of, viewer_of

ENTRANCES = frozenset({"seat", "host", "screen", "join", "welcome", "certificate"})
"""Where people come in, by the first part of an address: of play, these tell a stranger nothing."""

WsgiApp = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def table_for_spectators(table: Table) -> LateTable:
    """Give the table as spectators see it: as late as the host has chosen for this evening."""
    return LateTable(table.door, lambda: evening_of(table).lateness)


def seen_late(table: Table, late: LateTable) -> Table:
    """Give the pages for spectators what they draw: all of it late, and nothing of a simulated table."""
    door = cast(TableDoor, LateDoor(table.door, late))
    return replace(
        table,
        door=door,
        history=cast(History, LateHistory(table.history, late)),
        evidence=cast(EvidenceFiles, LateEvidence(table.evidence, table.door, late)),
        clips=cast(ClipFiles, LateClips(table.clips, table.door, late)),
        twin=None,
    )


def show_late(app: Flask, late: Flask, sees_late: Callable[[Request], bool]) -> None:
    """Let some see the late pages instead."""
    at_once: WsgiApp = app.wsgi_app
    later: WsgiApp = late.wsgi_app

    def choose(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        return (later if sees_late(Request(environ)) else at_once)(environ, start)

    setattr(app, "wsgi_app", choose)  # noqa: B010 - it is a method, and Flask lets middleware take its place


def sees_late(table: Table, request: Request) -> bool:
    """Tell whether a request is a spectator's who has to wait."""
    if request.path.split("/")[1] in ENTRANCES or not evening_of(table).lateness:
        return False
    viewer = viewer_of(table, request)
    return viewer.seat is None and not viewer.is_host and not viewer.is_screen
