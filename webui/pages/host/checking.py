"""Host's page for testing the table: health, buttons, lamps, camera, pause, and table against record."""

from collections.abc import Mapping
from concurrent.futures import Future
from typing import get_args

from flask import Response, request

from firmware.table.client import HostAction, Result
from firmware.table.effects import BlinkLamp
from firmware.table.hosting import trust_record, trust_table
from firmware.table.notices import PartName, is_grave, part_of, sentence_for
from referee.contract.words import Phrase, phrase
from referee.sentences import Listener
from webui.access.viewers import Viewer
from webui.pages.page import Page, get, post
from webui.pages.players.entering import Rejection, await_result, read_number, redirect_to, result_or_why
from webui.views.grids import grids_of
from webui.views.health import BROKEN, WELL, PartHealth, club_findings, health_of, health_values, results_of
from webui.views.words import Texts, page_text

SNAPSHOT_TIMEOUT = 3.0  # seconds to wait for a camera image


class CheckingPage(Page):
    """Pages on which the host tests the table."""

    @get("/host/picture.jpg")
    def picture(self) -> Response:
        if not self._viewer().is_host:
            return Response(status=403)
        if not self._table.view.cards(None).may_show:
            # a host plays, too
            return Response(status=503)
        shown = result_or_why(self._table.client.picture(), SNAPSHOT_TIMEOUT)
        if isinstance(shown, Phrase):
            return Response(status=503)
        return Response(shown.jpeg, 200, {"Content-Type": "image/jpeg"})

    @post("/host/check/lamp", "host")
    def light(self, viewer: Viewer) -> Response:
        text, seats = request.form.get("seat", ""), len(self._table.client.moment().setup.names)
        seat = read_number(text, 2)
        if text != "table" and (seat is None or seat >= seats):
            return self.show(viewer, self._say(viewer, Texts.not_understood), 400)
        await_result(self._table, viewer, self._table.client.do(BlinkLamp(seat)))
        return redirect_to("/host/check")

    @post("/host/pause", "host")
    def pause(self, viewer: Viewer) -> Response:
        return self._switch(viewer, self._table.client.pause())

    @post("/host/go-on", "host")
    def go_on(self, viewer: Viewer) -> Response:
        """Resume the table, and close any guide that is still open on a page."""
        self._table.finder.close()
        self._table.naming.end_rest()
        self._table.usb.stop()
        return self._switch(viewer, self._table.client.go_on())

    def _switch(self, viewer: Viewer, switched: "Future[Result]") -> Response:
        """Wait for the switch; the next page shows the result."""
        await_result(self._table, viewer, switched)
        return redirect_to("/host/check" if request.form.get("from") == "check" else "/host")

    @post("/host/table-is-right", "host")
    def trust_table(self, viewer: Viewer) -> Response:
        return self._put_right(viewer, trust_table)

    @post("/host/record-is-right", "host")
    def trust_record(self, viewer: Viewer) -> Response:
        return self._put_right(viewer, trust_record)

    def _put_right(self, viewer: Viewer, deed: HostAction) -> Response:
        result = await_result(self._table, viewer, self._table.client.host(deed))
        return self.show(viewer, result.why) if isinstance(result, Rejection) else redirect_to("/host")

    def _tell_host(self, viewer: Viewer, rejection: Rejection) -> Response:
        return self.show(viewer, rejection.why, rejection.code)

    @get("/host/check", "host")
    def show(self, viewer: Viewer, note: str = "", code: int = 200) -> Response:
        listener, client = self._listener(viewer), self._table.client
        troubles = client.troubles()
        health = health_of(
            troubles, is_saving=client.state().is_saving, has_buttons=self._table.board.has_buttons()
        )
        failing = sorted((each for each in health if each.lamp != WELL), key=lambda each: each.lamp != BROKEN)
        # show serious problems first
        told = sorted(troubles, key=lambda each: not is_grave(each))
        parts: tuple[PartName, ...] = get_args(PartName)
        wrong = {
            part: [sentence_for(each, listener) for each in told if part_of(each) == part] for part in parts
        }
        values = {
            "note": note,
            "is_paused": client.state().is_paused,
            "names": list(enumerate(listener.names)),
            "health": [*failing, *(each for each in health if each not in failing)],
            "wrong": wrong,
            "sentence": _headline(listener, failing, wrong),
            "is_alone": len(failing) == 1 and not wrong["other"],
            "has_grids": bool(grids_of(client.moment(), None)),
        }
        return self._draw("check", viewer, values, code)

    @get("/host/health", "host")
    def tell(self, viewer: Viewer) -> Response:
        listener, client = self._listener(viewer), self._table.client
        checked = (*self._table.checks(), *club_findings(self._table.club.status()))
        troubles, is_saving = client.troubles(), client.state().is_saving
        results = results_of(checked, troubles, listener, is_saving=is_saving)
        health = health_of(troubles, is_saving=is_saving, has_buttons=self._table.board.has_buttons())
        return self._draw("health", viewer, health_values(results, health, listener.language))


def _headline(listener: Listener, failing: list[PartHealth], wrong: Mapping[PartName, list[str]]) -> str:
    told = [*(sentence for each in failing for sentence in wrong[each.part]), *wrong["other"]]
    if told:
        return told[0]
    words = (failing[0].name, failing[0].word) if failing else (phrase("All is well."),)
    return " ".join(page_text(listener.language, each) for each in words)
