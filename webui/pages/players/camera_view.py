"""The camera's view: its picture for viewers who may see it, and the answers of the camera's row."""

from flask import Response, request

from firmware.table.naming import CardsInView
from vision.process.messages import FrameTable
from webui.access.viewers import Viewer, is_seated_in
from webui.pages.page import Page, get, post
from webui.pages.players.entering import redirect_to, stale_rejection
from webui.server.drawn_pages import match_id
from webui.views.camera_view import seen_picture

HOME = {"host": "/host", "view": "/view"}
"""Pages to return to, besides the seat's."""


class CameraViewPage(Page):
    """The live picture, with the cards in view. A host or a screen without a seat sees what all may see."""

    home = "/seat"

    @get("/view")
    def show(self) -> Response:
        return self._draw_forms(lambda viewer: ("view", self._values(viewer)))

    @get("/view/part")
    def show_part(self) -> Response:
        viewer = self._viewer()
        if not self._may_look(viewer):
            return Response(status=403)
        return Response(self._pages.page("view_part", viewer, self._values(viewer)))

    @get("/view.jpg")
    def picture(self) -> Response:
        """Send a picture that no browser stores, because another player may use it next."""
        viewer = self._viewer()
        if not self._may_look(viewer):
            return Response(status=403)
        jpeg = self._table.view.picture(_seat(viewer))
        if jpeg is None:
            return Response(status=404)
        return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})

    def _values(self, viewer: Viewer) -> dict[str, object]:
        match, listener = self._table.client.moment(), self._listener(viewer)
        seen = self._table.view.cards(_seat(viewer)) if (may_look := self._may_look(viewer)) else CardsInView()
        is_from_host = request.args.get("from") == "host"
        return {
            "back": "/host" if is_from_host else "/screen" if viewer.is_screen else self.home,
            "may_look": may_look,
            "address": "/view.jpg?screen" if _is_shared() else "/view.jpg",
            "match": match_id(match),
            "moment": match.number,
            "is_page": request.path == "/view" or "page" in request.args,
            "camera": self._pages.camera(viewer, "screen" if _is_shared() else "seat") if may_look else None,
            "picture": seen_picture(seen, match, listener) if seen.size[0] else None,
        }

    def _may_look(self, viewer: Viewer) -> bool:
        match = self._table.client.moment()
        return viewer.is_host or viewer.is_screen if viewer.seat is None else is_seated_in(viewer, match)

    @post("/view/moved", "player")
    def settle(self, viewer: Viewer) -> Response:
        moved = {"1": True, "0": False}.get(request.form.get("moved", ""))
        may_answer = moved is not None and self._may_look(viewer)
        return self._explain(viewer, is_done=may_answer and self._table.view.settle_move(moved=moved is True))

    @post("/view/undo", "player")
    def undo(self, viewer: Viewer) -> Response:
        return self._explain(viewer, is_done=self._may_look(viewer) and self._table.view.undo_move())

    @post("/view/brighten", "player")
    def brighten(self, viewer: Viewer) -> Response:
        """Let the camera measure the light again."""
        may_answer = self._may_look(viewer)
        if may_answer:
            self._table.client.do(FrameTable())
        return self._explain(viewer, is_done=may_answer)

    def _explain(self, viewer: Viewer, *, is_done: bool) -> Response:
        there = HOME.get(request.form.get("from", ""), self.home)
        if is_done:
            return redirect_to(there)
        return self._draw("unsent", viewer, {"rejection": stale_rejection(self._table, viewer), "home": there})


def _seat(viewer: Viewer) -> int | None:
    """Return the viewer's seat; None on a shared screen, even on a player's device."""
    return None if _is_shared() else viewer.seat


def _is_shared() -> bool:
    return "screen" in request.args
