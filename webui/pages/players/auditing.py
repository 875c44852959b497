"""Comparing cards with the record during a match: a row or a group, pushed to the middle."""

from collections.abc import Callable
from concurrent.futures import Future

from flask import Blueprint, Response, request

from firmware.table.door import Result
from firmware.table.table import Table
from referee.contract import Grid, Span
from referee.contract.words import phrase
from referee.telling import Listener, tell_labelled
from webui.access.viewers import Viewer, may_send
from webui.drawing.grids import grids_of, sheet_of, span_text
from webui.drawing.words import Texts
from webui.pages.page import Page
from webui.pages.players.entering import Rejection, await_result, redirect_to
from webui.server.drawn_pages import Pages


def audit_blueprint(table: Table, pages: Pages) -> Blueprint:
    """Create the page on which cards are compared with the record."""
    blueprint, page = Blueprint("auditing", __name__), AuditingPage(table, pages)
    blueprint.get("/audit")(page.show)
    blueprint.post("/audit/begin")(page.begin)
    blueprint.post("/audit/compare")(page.compare)
    blueprint.post("/audit/end")(page.end)
    return blueprint


class AuditingPage(Page):
    """Handles the page on which cards are compared with the record."""

    def show(self) -> Response:
        """Show what can be compared; spectators are sent to the score."""
        viewer = self._viewer()
        return self._page(viewer) if _may_audit(viewer) else redirect_to("/")

    def begin(self) -> Response:
        """Start comparing a row or a group of cards."""
        viewer = self._viewer()
        chosen = [span for name, span in self._spans(viewer).items() if name == request.form.get("span")]
        if not chosen and _may_audit(viewer) and may_send(request, viewer):
            return self._page(
                viewer, self._rejection(viewer, phrase("These cards have moved since. Choose again."), 409)
            )
        return self._carry_out(lambda: self._table.door.audit(chosen[0]))

    def compare(self) -> Response:
        """Compare the cards in the middle with the record."""
        return self._carry_out(self._table.door.compare)

    def end(self) -> Response:
        """Stop comparing."""
        return self._carry_out(self._table.door.end_audit)

    def _carry_out(self, action: Callable[[], "Future[Result]"]) -> Response:
        viewer = self._viewer()
        if not _may_audit(viewer) or not may_send(request, viewer):
            why = Texts.stale_form if _may_audit(viewer) else Texts.seat_gone
            told = self._rejection(viewer, why, 403)
            return (
                self._page(viewer, told)
                if _may_audit(viewer)
                else Response(told.why, 403, mimetype="text/plain")
            )
        result = await_result(self._table, viewer, action())
        return self._page(viewer, result if isinstance(result, Rejection) else None, 200)

    def _spans(self, viewer: Viewer) -> dict[str, Span]:
        """Map the names that forms send to what can be compared now."""
        found: dict[str, Span] = {}
        for grid in grids_of(self._table.door.moment(), viewer.seat):
            sheet = sheet_of(grid, self._listener(viewer))
            found |= {_span_name(held.span): held.span for held in (*sheet.groups, *sheet.rows)}
        return found

    def _page(self, viewer: Viewer, told: Rejection | None = None, code: int | None = None) -> Response:
        listener, now = self._listener(viewer), self._table.door.state().auditing
        grids = grids_of(self._table.door.moment(), viewer.seat)
        sheets = [sheet_of(grid, listener) for grid in grids]
        values = {
            "note": "" if told is None else told.why,
            "now": "" if now is None else _span_sentence(grids, now, listener),
            "sheets": [
                (sheet, [(_span_name(held.span), held.text) for held in (*sheet.groups, *sheet.rows)])
                for sheet in sheets
            ],
        }
        return Response(self._pages.page("audit", viewer, values), code or (200 if told is None else told.code))


def _span_sentence(grids: tuple[Grid, ...], span: Span, listener: Listener) -> str:
    """Name a stretch of a grid, and whose it is."""
    grid = next(grid for grid in grids if grid.seat == span.seat)
    return tell_labelled(listener.language, listener.names[span.seat], span_text(grid, span, listener))


def _may_audit(viewer: Viewer) -> bool:
    return viewer.is_host or viewer.seat is not None


def _span_name(span: Span) -> str:
    return f"{span.seat}-{span.cell[0]}-{span.cell[1]}-{span.length}"
