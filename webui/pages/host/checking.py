"""Testing the table, for the host: pause, buttons, lamps, camera, and whether table or record is right."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as TooSlow
from typing import get_args

from flask import Blueprint, Response, request

from firmware.table.door import Result
from firmware.table.notices import sentence_for
from firmware.table.table import Table
from firmware.table.troubles import Concern, PartName, concern_of
from referee.contract.words import Phrase, phrase
from referee.telling import Listener
from webui.access.viewers import Viewer, host_sending, listener_of, viewer_of
from webui.drawing.grids import grids_of
from webui.drawing.health import BROKEN, WELL, PartHealth, health_of
from webui.drawing.words import Texts, page_text
from webui.pages.players.entering import Rejection, await_result, redirect_to, redirect_to_host, rejection_for
from webui.server.drawn_pages import Pages

PATIENCE = 3.0
"""Seconds to wait for a picture."""

HostAction = Callable[[], "Future[Result]"]


def check_blueprint(table: Table, pages: Pages) -> Blueprint:
    """Create the pages on which the host tests the table."""
    blueprint, page = Blueprint("checking", __name__), CheckingPage(table, pages)
    blueprint.get("/host/check")(page.show)
    blueprint.get("/host/picture.jpg")(page.picture)
    blueprint.post("/host/check/lamp")(page.light)
    blueprint.post("/host/pause")(page.pause)
    blueprint.post("/host/go-on")(page.go_on)
    blueprint.post("/host/table-is-right")(page.table_is_right)
    blueprint.post("/host/record-is-right")(page.record_is_right)
    return blueprint


class CheckingPage:
    """Handles the pages on which the host tests the table."""

    def __init__(self, table: Table, pages: Pages) -> None:
        """Remember the table and the pages."""
        self._table, self._pages = table, pages

    def show(self) -> Response:
        """Show the page."""
        viewer = viewer_of(self._table, request)
        return self._page(viewer) if viewer.is_host else redirect_to_host()

    def picture(self) -> Response:
        """Send a small picture of what the camera sees."""
        if not viewer_of(self._table, request).is_host:
            return Response(status=403)
        try:
            shown = self._table.door.picture().result(PATIENCE)
        except (TooSlow, CancelledError):
            return Response(status=503)
        return Response(shown.jpeg, 200, {"Content-Type": "image/jpeg"})

    def light(self) -> Response:
        """Blink a lamp."""
        text = request.form.get("seat", "")
        seats = len(self._table.door.moment().setup.names)
        seat = int(text) if text.isascii() and text.isdecimal() and len(text) < 3 else None
        if text != "table" and (seat is None or seat >= seats):
            return self._carry_out(None, "/host/check")
        return self._carry_out(lambda: self._table.door.try_lamp(seat), "/host/check")

    def pause(self) -> Response:
        """Pause the table."""
        return self._carry_out(self._table.door.pause, self._came_from())

    def go_on(self) -> Response:
        """End the pause."""
        return self._carry_out(self._table.door.go_on, self._came_from())

    def table_is_right(self) -> Response:
        """Take the cards on the table for true."""
        return self._carry_out_and_tell(self._table.door.table_is_right)

    def record_is_right(self) -> Response:
        """Take the record for true."""
        return self._carry_out_and_tell(self._table.door.record_is_right)

    def _came_from(self) -> str:
        return "/host/check" if request.form.get("from") == "check" else "/host"

    def _carry_out(self, action: HostAction | None, then: str) -> Response:
        """Carry an action of the host out; the next page shows the result."""
        viewer = host_sending(self._table, request)
        if viewer is None or action is None:
            return self._turn_away(Texts.stale_form if viewer is None else Texts.not_understood)
        await_result(self._table, viewer, action())
        return redirect_to(then)

    def _carry_out_and_tell(self, action: HostAction) -> Response:
        """Carry an action of the host out, and show the table's reply."""
        viewer = host_sending(self._table, request)
        if viewer is None:
            return self._turn_away(Texts.stale_form)
        result = await_result(self._table, viewer, action())
        return self._page(viewer, result.why) if isinstance(result, Rejection) else redirect_to_host()

    def _turn_away(self, text: Phrase) -> Response:
        viewer = viewer_of(self._table, request)
        rejection = rejection_for(self._table, viewer, text, 403 if text == Texts.stale_form else 400)
        if not viewer.is_host:
            return Response(self._pages.page("pin", viewer, {"rejection": rejection}), rejection.code)
        return self._page(viewer, rejection.why, rejection.code)

    def _page(self, viewer: Viewer, note: str = "", code: int = 200) -> Response:
        listener, door = listener_of(self._table, viewer), self._table.door
        told = [(concern_of(each), sentence_for(each, listener)) for each in door.troubles()]
        health = health_of((each for each, _ in told), is_saving=door.state().is_saving)
        failing, wrong = [each for each in health if each.lamp != WELL], group_sentences(told)
        failing.sort(key=lambda each: each.lamp != BROKEN)
        values = {
            "note": note,
            "wireless": self._table.wireless,
            "is_paused": door.state().is_paused,
            "names": list(enumerate(listener.names)),
            "health": [*failing, *(each for each in health if each not in failing)],
            "wrong": wrong,
            "sentence": _headline(listener, failing, wrong),
            "is_alone": len(failing) == 1 and not wrong["other"],
            "has_grids": bool(grids_of(door.moment(), None)),
        }
        return Response(self._pages.page("check", viewer, values), code)


def _headline(
    listener: Listener, failing: Sequence[PartHealth], wrong: Mapping[PartName, Sequence[str]]
) -> str:
    """Say how the table is: what is worst first, if anything is wrong."""
    told = [*(sentence for each in failing for sentence in wrong[each.part]), *wrong["other"]]
    if told:
        return told[0]
    words = (failing[0].name, failing[0].word) if failing else (phrase("All is well."),)
    return " ".join(page_text(listener.language, each) for each in words)


def group_sentences(told: Iterable[tuple[Concern, str]]) -> Mapping[PartName, tuple[str, ...]]:
    """Give what is wrong with each part, what is grave first."""
    worst_first = sorted(told, key=lambda each: not each[0].is_grave)
    return {
        part: tuple(sentence for concern, sentence in worst_first if concern.part == part)
        for part in get_args(PartName)
    }
