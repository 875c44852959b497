"""Encrypted pages: the certificate's fingerprint, and the way there for who comes in the clear."""

from flask import Blueprint, Request, Response, abort, request

from firmware.table.table import Table
from webui.access.origins import plain_address, read_address
from webui.access.viewers import onlooker
from webui.server.drawn_pages import Pages

STATIC = "static"
"""The endpoint of what has nothing secret: styles, scripts, the icon."""
UPGRADE_REQUIRED = 426


def certificate_blueprint(table: Table, pages: Pages) -> Blueprint:
    """Create the page with the certificate's fingerprint."""
    blueprint = Blueprint("certificate", __name__)

    @blueprint.get("/certificate")
    def show() -> str:
        if not table.address.fingerprint:
            abort(404)
        return _page(table, pages, "")

    return blueprint


def lead_to_encrypted(table: Table, pages: Pages) -> Response | None:
    """Show who comes in the clear the way to the encrypted pages; this machine itself may stay."""
    is_open = not table.address.fingerprint or request.is_secure or request.endpoint == STATIC
    if is_open or _is_this_machine(request):
        return None
    way = f"https://{request.host}{request.path if request.method == 'GET' else '/'}"
    response = Response(_page(table, pages, way), UPGRADE_REQUIRED)
    response.headers["Upgrade"] = "TLS/1.2, HTTP/1.1"
    return response


def _is_this_machine(asked: Request) -> bool:
    address = read_address(plain_address(asked.remote_addr or ""))
    return address is not None and address.is_loopback


def _page(table: Table, pages: Pages, way: str) -> str:
    values = {"fingerprint": table.address.fingerprint, "way": way}
    return pages.page("certificate", onlooker(table, request), values)
