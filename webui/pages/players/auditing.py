"""Compare cards with the record during a match, one row or group at a time."""

from functools import partial

from flask import Response, request

from firmware.table.client import HostAction
from firmware.table.hosting import compare_audit, finish_audit, start_audit
from referee.contract import Span
from referee.contract.words import phrase
from referee.sentences import labelled_text
from webui.access.viewers import Viewer
from webui.pages.page import Page, get, post
from webui.pages.players.entering import Rejection, await_result, redirect_to
from webui.views.grids import grids_of, sheet_of, span_text
from webui.views.words import Texts


class AuditingPage(Page):
    """Page for comparing cards with the record."""

    @get("/audit")
    def show(self) -> Response:
        viewer = self._viewer()
        return self._page(viewer) if _may_audit(viewer) else redirect_to("/")

    @post("/audit/begin", "player")
    def begin(self, viewer: Viewer) -> Response:
        found: dict[str, Span] = {}
        for grid in grids_of(self._table.client.moment(), viewer.seat):
            sheet = sheet_of(grid, self._listener(viewer))
            found |= {_span_name(held.span): held.span for held in (*sheet.groups, *sheet.rows)}
        span = found.get(request.form.get("span", ""))
        if span is None:
            why = phrase("These cards have moved since. Choose again.")
            return self._page(viewer, self._rejection(viewer, why, 409))
        return self._carry_out(viewer, partial(start_audit, span))

    @post("/audit/compare", "player")
    def compare(self, viewer: Viewer) -> Response:
        return self._carry_out(viewer, compare_audit)

    @post("/audit/end", "player")
    def end(self, viewer: Viewer) -> Response:
        return self._carry_out(viewer, finish_audit)

    def _carry_out(self, viewer: Viewer, deed: HostAction) -> Response:
        result = await_result(self._table, viewer, self._table.client.host(deed))
        return self._page(viewer, result if isinstance(result, Rejection) else None, 200)

    def _turn_away(self) -> Response:
        viewer = self._viewer()
        if _may_audit(viewer):
            return self._page(viewer, self._rejection(viewer, Texts.stale_form, 403))
        return Response(self._say(viewer, Texts.seat_gone), 403, mimetype="text/plain")

    def _page(self, viewer: Viewer, told: Rejection | None = None, code: int | None = None) -> Response:
        listener, now = self._listener(viewer), self._table.client.state().auditing
        grids = grids_of(self._table.client.moment(), viewer.seat)
        sheets = [sheet_of(grid, listener) for grid in grids]
        grid = None if now is None else next(grid for grid in grids if grid.seat == now.seat)
        where = "" if now is None or grid is None else span_text(grid, now, listener)
        values = {
            "note": "" if told is None else told.why,
            "now": "" if now is None else labelled_text(listener.language, listener.names[now.seat], where),
            "sheets": [
                (sheet, [(_span_name(held.span), held.text) for held in (*sheet.groups, *sheet.rows)])
                for sheet in sheets
            ],
        }
        return Response(self._pages.page("audit", viewer, values), code or (200 if told is None else told.code))


def _may_audit(viewer: Viewer) -> bool:
    return viewer.is_host or viewer.seat is not None


def _span_name(span: Span) -> str:
    return f"{span.seat}-{span.cell[0]}-{span.cell[1]}-{span.length}"
