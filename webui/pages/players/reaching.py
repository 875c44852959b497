"""Ways to reach the table: its own Wi-Fi, which the host confirms, and HTTPS with its certificate."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from flask import Request, Response, abort, request

from firmware.storage.access_point import is_in_own_wifi
from referee.contract.words import phrase
from webui.access.origins import comes_from_here
from webui.access.viewers import Viewer, onlooker
from webui.pages.page import Page, get, post
from webui.pages.players.entering import redirect_to
from webui.server.drawn_pages import Pages
from webui.views.words import Texts

if TYPE_CHECKING:
    from firmware.services.table import Table

UPGRADE_REQUIRED = 426


class ReachingPage(Page):
    """Shows the certificate's fingerprint, and lets the host confirm the table's own Wi-Fi."""

    @get("/certificate")
    def certificate(self) -> Response:
        if not self._table.address.fingerprint:
            abort(404)
        return Response(_page(self._table, self._pages, ""))

    @post("/host/wifi", "host")
    def keep(self, viewer: Viewer) -> Response:
        """Confirm the Wi-Fi, if the host is connected through it."""
        wifi = self._table.wifi
        if is_in_own_wifi(request.remote_addr or "") and wifi.keep():
            return redirect_to("/host")
        why = phrase("This Wi-Fi can't be kept from this device, or the time is up.")
        return self._draw("fault", viewer, {"why": why}, 409)

    def _turn_away(self) -> Response:
        return self._draw("fault", self._viewer(), {"why": Texts.stale_form}, 403)


def waiting_wifi(table: "Table", asked: Request) -> Mapping[str, int] | None:
    """Return the seconds until the Wi-Fi reverts, and whether this device uses it; None if none is pending."""
    seconds = table.wifi.seconds_left()
    if seconds is None:
        return None
    return {"seconds": seconds, "is_reached": is_in_own_wifi(asked.remote_addr or "")}


def lead_to_table(table: "Table", asked: Request) -> Response | None:
    """Redirect a phone's captive-portal check to the table."""
    if asked.method not in {"GET", "HEAD"}:
        return None
    own = table.wifi.portal(asked.host, asked.remote_addr or "")
    if own is None:
        return None
    port = str(asked.environ.get("SERVER_PORT", ""))
    there = f"http://{own}{'' if port == '80' else f':{port}'}/join"
    # fewer phones understand 303 than 302
    return Response(status=302, headers={"Location": there})


def lead_to_encrypted(table: "Table", pages: Pages) -> Response | None:
    """Answer plain HTTP with a page that links to the encrypted one; this machine is exempt."""
    # styles, scripts and the icon hold no secrets
    is_plain = request.endpoint == "static" or request.blueprint == "looks"
    if request.is_secure or is_plain or not _is_for_encrypted_only(table):
        return None
    way = f"https://{request.host}{request.path if request.method == 'GET' else '/'}"
    response = Response(_page(table, pages, way), UPGRADE_REQUIRED)
    response.headers["Upgrade"] = "TLS/1.2, HTTP/1.1"
    return response


def _is_for_encrypted_only(table: "Table") -> bool:
    """Return whether the table, or the port of this request, has encrypted pages only."""
    is_secure_port = request.environ.get("SERVER_PORT") == str(table.address.secure_port)
    return is_secure_port or (table.address.scheme == "https" and not comes_from_here(request))


def _page(table: "Table", pages: Pages, way: str) -> str:
    values = {"fingerprint": table.address.fingerprint, "way": way}
    return pages.page("certificate", onlooker(table, request), values)
