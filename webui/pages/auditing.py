"""Comparing cards with the record in mid-game: a row, or cards that belong together, pushed into the middle."""

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, request

from referee.contract import Span
from webui.access.viewers import Viewer, listener_of, may_send, viewer_of
from webui.doors.companion import Services
from webui.drawing.grids import grids_of, sheet_of, span_text
from webui.pages.entering import Rejection, await_result, redirect_to, rejection_for
from webui.server.drawn_pages import Pages


def audit_blueprint(handed: Services, pages: Pages) -> Blueprint:
    """Make the page on which cards are compared with the record."""
    blueprint, page = Blueprint("auditing", __name__), AuditingPage(handed, pages)
    blueprint.get("/audit")(page.show)
    blueprint.post("/audit/begin")(page.begin)
    blueprint.post("/audit/compare")(page.compare)
    blueprint.post("/audit/end")(page.end)
    return blueprint


class AuditingPage:
    """What can be asked of the page."""

    def __init__(self, handed: Services, pages: Pages) -> None:
        """Take what it is drawn with."""
        self._handed, self._pages = handed, pages

    def show(self) -> Response:
        """Show what can be compared; whoever only looks on goes to the score."""
        viewer = viewer_of(self._handed, request)
        return self._page(viewer) if _may_audit(viewer) else redirect_to("/")

    def begin(self) -> Response:
        """Begin to compare a row, or cards that belong together."""
        viewer = viewer_of(self._handed, request)
        chosen = [span for name, span in self._spans(viewer).items() if name == request.form.get("span")]
        if not chosen and _may_audit(viewer) and may_send(request, viewer):
            return self._page(viewer, rejection_for(self._handed, viewer, "moved since", 409))
        return self._carry_out(lambda: self._handed.door.audit(chosen[0]))

    def compare(self) -> Response:
        """Tell whether the cards in the middle are those of the record."""
        return self._carry_out(self._handed.door.compare)

    def end(self) -> Response:
        """Ask for cards again."""
        return self._carry_out(self._handed.door.end_audit)

    def _carry_out(self, wish: Callable[[], Any]) -> Response:
        """Do what somebody wants, and tell what the table says to it."""
        viewer = viewer_of(self._handed, request)
        if not _may_audit(viewer) or not may_send(request, viewer):
            key = "form" if _may_audit(viewer) else "gone"
            told = rejection_for(self._handed, viewer, key, 403)
            return (
                self._page(viewer, told)
                if _may_audit(viewer)
                else Response(told.why, 403, mimetype="text/plain")
            )
        result = await_result(self._handed, viewer, wish())
        return self._page(viewer, result if isinstance(result, Rejection) else None, 200)

    def _spans(self, viewer: Viewer) -> dict[str, Span]:
        """List what can be compared now, by the name that a form sends."""
        found: dict[str, Span] = {}
        for grid in grids_of(self._handed.door.moment(), viewer.seat):
            sheet = sheet_of(grid, listener_of(self._handed, viewer))
            found |= {_span_name(held.span): held.span for held in (*sheet.groups, *sheet.rows)}
        return found

    def _page(self, viewer: Viewer, told: Rejection | None = None, code: int | None = None) -> Response:
        listener, now = listener_of(self._handed, viewer), self._handed.door.state().auditing
        sheets = [sheet_of(grid, listener) for grid in grids_of(self._handed.door.moment(), viewer.seat)]
        values = {
            "note": "" if told is None else told.why,
            "now": "" if now is None else f"{listener.names[now.seat]}: {span_text(now, listener)}",
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
