"""What the table tells other programs: the current moment as JSON, alone or as a stream; docs/events.md."""

from flask import Blueprint, Response, request

from firmware.table.table import Table
from referee.public_moment import encode_moment
from webui.access.viewers import onlooker, viewer_language


def public_blueprint(services: Table) -> Blueprint:
    """Create the address of the current moment."""
    blueprint = Blueprint("public", __name__)

    @blueprint.get("/table.json")
    def table() -> Response:
        language = viewer_language(services, onlooker(services, request))
        return Response(encode_moment(services.door.moment(), language), mimetype="application/json")

    return blueprint
