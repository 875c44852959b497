"""First step to real cards: which camera sees the table."""

from collections.abc import Mapping
from concurrent.futures import CancelledError
from typing import TYPE_CHECKING

from flask import Request, Response, request

from referee.contract import Game
from referee.contract.words import phrase
from referee.games.catalogue import GAMES
from vision.table.camera_names import MAX_ADDRESS_LETTERS, PHONE, is_address, is_network, with_scheme
from webui.access.joining import enter_as_host
from webui.access.viewers import Viewer, is_own_computer, may_send
from webui.pages.page import Page, get, post
from webui.pages.players.entering import Rejection, redirect_to
from webui.server.drawn_pages import picture_of
from webui.views.guide_view import CAMERA, TABLE, strip_of
from webui.views.words import Texts

if TYPE_CHECKING:
    from firmware.services.table import Table

BROWSER = "/camera"
ORIGINS = frozenset({"table", "host"})
"""Pages besides the first one that lead here, as they call themselves."""
"""Page that makes a browser the camera."""
FRAME_TIMEOUT = 4.0  # seconds for the picture of the camera that the table uses


def may_lead(table: "Table", viewer: Viewer, asked: Request) -> bool:
    """Return whether the viewer is the host, or sits at the computer of a table that isn't a Raspberry Pi."""
    return viewer.is_host or (table.cards.is_led_here and is_own_computer(table, asked))


def _came_from() -> str:
    """Return which page leads here, so that *Cancel* goes back to it; empty for the first one."""
    name = request.values.get("from", "")
    return name if name in ORIGINS else ""


class RealCardsPage(Page):
    """Page of the camera."""

    @get(CAMERA)
    def show(self) -> Response:
        return self._camera_page() if self._may_choose(self._viewer()) else redirect_to("/host")

    @get(f"{CAMERA}/<int:number>.jpg")
    def show_picture(self, number: int) -> Response:
        """Send a picture of a connected camera; not cached."""
        cameras = self._table.cards.cameras()
        if not self._may_choose(self._viewer()) or number not in range(len(cameras)):
            return Response(status=404)
        jpeg = self._table.cards.picture(cameras[number].name) or self._own_picture(cameras[number].name)
        return Response(jpeg, mimetype="image/jpeg") if jpeg else Response(status=404)

    def _own_picture(self, name: str) -> bytes | None:
        if name != self._table.cards.camera:
            return None
        try:
            return self._table.client.picture().result(FRAME_TIMEOUT).jpeg
        except (TimeoutError, CancelledError):
            return None

    @post(CAMERA)
    def choose(self) -> Response:
        """Store the camera, and restart the table with real cards. The restart page leads to the next step."""
        viewer, name = self._viewer(), with_scheme(" ".join(request.form.get("camera", "").split()))
        if not self._may_choose(viewer):
            return redirect_to("/host")
        if not may_send(request, viewer):
            return self._camera_page(self._rejection(viewer, Texts.stale_form, 403))
        known = {camera.name for camera in self._table.cards.cameras()} | {PHONE, self._table.cards.camera}
        if not name or (name not in known and not is_address(name)):
            why = phrase("Write the address as http://, https:// or rtsp://, then host, port and path.")
            return self._camera_page(self._rejection(viewer, why, 400), typed=name)
        # an address that can't be opened is answered before anything restarts
        is_new = is_network(name) and name != self._table.cards.camera
        why_not = self._table.cards.why_not(name) if is_new else None
        why_not = why_not or self._table.cards.use_camera(name, self._game().name)
        if why_not is not None:
            told = why_not.told(self._language(viewer))
            return self._camera_page(Rejection(told, 409), typed=name)
        is_browser = name == PHONE
        there = (BROWSER if request.form.get("here") else CAMERA) if is_browser else TABLE
        response = self._restart(viewer, home=f"{there}{self._query()}")
        return response if viewer.is_host else enter_as_host(self._table, request, response)

    def _camera_page(self, rejection: Rejection | None = None, typed: str = "") -> Response:
        return self._draw_forms(lambda viewer: ("which_camera", self._camera_values(viewer, typed)), rejection)

    def _camera_values(self, viewer: Viewer, typed: str) -> Mapping[str, object]:
        cards = self._table.cards
        found, chosen = cards.cameras(), cards.camera
        first = chosen if chosen in {camera.name for camera in found} else next((c.name for c in found), "")
        return {
            "look": self._pages.book.look("", ""),
            "cameras": [
                {"name": each.name, "title": each.title, "number": number, "is_chosen": each.name == first}
                for number, each in enumerate(found)
            ],
            "game": self._game().name,
            "guide": strip_of(
                1, cards, self._language(viewer), self._game().name, is_whole=True, came_from=_came_from()
            ),
            "came_from": _came_from(),
            "typed": typed,
            "address": chosen if is_network(chosen) else "",
            "longest": MAX_ADDRESS_LETTERS,
            "is_browser": cards.is_seen_by_browser,
            "is_lost": any(each.key == "phone lost" for each in self._table.client.troubles()),
            "browser": BROWSER,
            "code": picture_of(f"{self._table.address.own().rstrip('/')}{BROWSER}"),
            "next": f"{TABLE}{self._query()}",
        }

    def _game(self) -> Game:
        """Return the game that was chosen on the first page; else the one on the table."""
        name = request.values.get("game", "") or self._table.cards.awaited_game
        return GAMES[name] if name in GAMES else self._table.client.moment().setup.game

    def _query(self) -> str:
        return f"?game={self._game().name}"

    def _may_choose(self, viewer: Viewer) -> bool:
        """Return whether the viewer may choose a camera; not if options named it at the start."""
        return may_lead(self._table, viewer, request) and not self._table.cards.is_fixed
