"""Table screen on a confirmed device: the score, and the codes of free seats."""

from typing import TYPE_CHECKING

from flask import Response, request

from firmware.services.attempt_limits import AttemptLimit
from firmware.storage.people.evening import Device, Evening, ask_screen, confirm_screen, find_device
from firmware.storage.people.links import draw_token
from webui.access.joining import kind_of
from webui.access.origins import is_local, network_of
from webui.access.viewers import SCREEN, Viewer, evening_of, onlooker, token_in, with_right
from webui.pages.host.people import screen_word
from webui.pages.page import Drawing, Page, get, post
from webui.pages.players import claiming
from webui.pages.players.entering import Rejection, redirect_to
from webui.server.broadcast import pack_page
from webui.server.drawn_pages import Pages
from webui.views.words import Texts

if TYPE_CHECKING:
    from firmware.services.table import Table


class ScreenPage(Page):
    """Page of the table's screen."""

    def __init__(self, table: "Table", pages: Pages) -> None:
        super().__init__(table, pages)
        self._asking = AttemptLimit()

    @post("/screen/ask", "browser")
    def ask(self, viewer: Viewer) -> Response:
        """Register a device that asks to be a screen; the host's own are confirmed at once."""
        # strangers' requests must not block the host's own screens
        if not viewer.is_host and not self._asking.may_try(network_of(request.remote_addr or "")):
            return self.show(self._rejection(viewer, Texts.too_often, 429))
        now = self._table.links.now()
        device = Device(draw_token(), kind_of(request), since=now)

        def change(evening: Evening) -> Evening:
            asked = ask_screen(evening, device)
            return confirm_screen(asked, device.token, now) if viewer.is_host else asked

        self._table.links.change(change)
        return with_right(self._table, redirect_to("/screen"), SCREEN, device.token)

    def _turn_away(self) -> Response:
        return self.show(self._rejection(self._viewer(), Texts.stale_form, 403))

    @get("/screen")
    def show(self, rejection: Rejection | None = None) -> Response:
        shown = claiming.shown_on_screen(self._table)

        def draw(viewer: Viewer) -> Drawing:
            if shown is not None and shown.is_first:
                return "claim_screen", claiming.claim_values(self._table, shown)
            if not viewer.is_screen:
                return self._asking_page(viewer)
            part = self._pages.part("screen", self._table.client.moment(), viewer)
            values = {"part": part, "live": "screen", "shows_number": claiming.may_show_number(self._table)}
            return "screen", {**values, **self._pages.join_values()}

        return self._draw_forms(draw, rejection)

    def _asking_page(self, viewer: Viewer) -> Drawing:
        table, evening = self._table, evening_of(self._table)
        device = find_device(evening.screens, token_in(evening, request.cookies, SCREEN))
        shown = claiming.shown_on_screen(table)
        return "ask_screen", {
            "word": "" if device is None else screen_word(device),
            "is_local": is_local(request),
            "number": "" if shown is None else claiming.number_told(shown, self._language(viewer)),
            "addresses": claiming.plain_addresses(table),
            "scene": self._pages.book.look_of(table.client.moment()).poster_scene(),
        }


class ScorePage(Page):
    """Pages for spectators."""

    @get("/")
    def score(self) -> Response:
        table, pages = self._table, self._pages
        if claiming.waits_for_host(table) and not table.client.moment().number:
            # there is no match to show yet, and the first phone should become host
            return redirect_to(claiming.CLAIM_PAGE)
        viewer = onlooker(table, request)
        part = pages.part("score", table.client.moment(), viewer)
        page = pages.page("score", viewer, {"part": part, "live": "score", **pages.join_values()})
        return pack_page(Response(page), request)

    @get("/join")
    def join(self) -> Response:
        values = {**self._pages.join_values(), "waits_for_host": claiming.waits_for_host(self._table)}
        return self._draw_forms(lambda _viewer: ("join", values))
