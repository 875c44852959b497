"""Answers to "Which card is this?": on phones of seats that may see the card, and on the host's page."""

import re
from collections.abc import Callable
from functools import partial

from flask import Response, request

from webui.access.viewers import Viewer, is_seated_in
from webui.pages.page import Page, get, post
from webui.pages.players.entering import read_number, redirect_to, stale_rejection

CARD = "/seat/card"
MAX_NUMBER_DIGITS = 10
HOST = re.compile(r"/host(/teach/[a-z0-9-]+)?")
"""Pages of the host from which a card can be named."""


class NamingPage(Page):
    """Pictures of the cards that are asked for, and the answers. A host without a seat names open cards."""

    home = "/seat"

    @get(f"{CARD}/<int:number>.jpg")
    def show_card(self, number: int) -> Response:
        return self._send(partial(self._table.naming.picture, number))

    @get(f"{CARD}/<int:number>/earlier.jpg")
    def show_earlier(self, number: int) -> Response:
        return self._send(partial(self._table.naming.earlier, number))

    @get(f"{CARD}/face/<face>.jpg")
    def show_face(self, face: str) -> Response:
        return self._send(partial(self._table.naming.face_picture, face))

    def _send(self, picture_for: Callable[[int | None], bytes | None]) -> Response:
        """Send a picture that no browser stores, because another player may use it next."""
        viewer = self._viewer()
        jpeg = picture_for(viewer.seat) if self._may_name(viewer) else None
        if jpeg is None:
            return Response(status=404)
        return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})

    def _may_name(self, viewer: Viewer) -> bool:
        """Return whether a viewer sits in this match; a host or a screen without a seat sees open cards."""
        if viewer.seat is None:
            return viewer.is_host or viewer.is_screen
        return is_seated_in(viewer, self._table.client.moment())

    @post(CARD, "player")
    def name(self, viewer: Viewer) -> Response:
        """Name a card; with an empty face it is no card, and without a face the viewer doesn't know it."""
        typed, face = request.form.get("number", ""), request.form.get("face")
        naming, match = self._table.naming, self._table.client.moment()
        number = read_number(typed, MAX_NUMBER_DIGITS)
        if number is None or not self._may_name(viewer):
            return self._explain(viewer, is_done=False)
        if face is None:
            return self._explain(viewer, is_done=naming.dont_know(number, viewer.seat))
        name = "" if viewer.seat is None else match.setup.names[viewer.seat]
        is_done = naming.name(number, face, viewer.seat, name)
        return self._explain(viewer, is_done=is_done)

    @post(f"{CARD}/undo", "player")
    def undo(self, viewer: Viewer) -> Response:
        number = read_number(request.form.get("last", ""), MAX_NUMBER_DIGITS)
        face = request.form.get("face", "")
        is_done = self._may_name(viewer) and self._table.naming.undo(number, face, viewer.seat)
        return self._explain(viewer, is_done=is_done)

    def _explain(self, viewer: Viewer, *, is_done: bool) -> Response:
        home = request.form.get("from", "")
        there = home if HOST.fullmatch(home) and viewer.is_host else "/seat"
        if is_done:
            return redirect_to(there)
        values = {"rejection": stale_rejection(self._table, viewer), "home": there}
        return self._draw("unsent", viewer, values)
