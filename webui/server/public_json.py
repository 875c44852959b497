"""What the table tells other programs: the current moment as JSON, alone or as a stream; docs/events.md."""

from flask import Blueprint, Response, request

from firmware.table.table import Table
from referee.public_moment import encode_moment
from webui.access.viewers import onlooker, viewer_language


def public_blueprint(table: Table) -> Blueprint:
    """Create the address of the current moment."""
    blueprint = Blueprint("public", __name__)

    @blueprint.get("/table.json")
    def show() -> Response:
        language = viewer_language(table, onlooker(table, request))
        return Response(encode_moment(table.door.moment(), language), mimetype="application/json")

    return blueprint
