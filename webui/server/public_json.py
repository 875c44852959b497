"""What the table tells other programs: the current moment as JSON, alone or as a stream; docs/events.md."""

import msgspec
from flask import Blueprint, Response, request

from referee.match import Match
from referee.public_moment import public_moment
from referee.telling import Language, Listener
from webui.access.viewers import onlooker, viewer_language
from webui.doors.companion import Services


def public_blueprint(services: Services) -> Blueprint:
    """Create the address of the current moment."""
    blueprint = Blueprint("public", __name__)

    @blueprint.get("/table.json")
    def table() -> Response:
        language = viewer_language(services, onlooker(services, request))
        return Response(moment_json(services.door.moment(), language), mimetype="application/json")

    return blueprint


def moment_json(match: Match, language: Language) -> str:
    """Encode what everybody may know of a moment."""
    listener = Listener(match.setup.game.words, match.setup.names, language)
    return msgspec.json.encode(public_moment(match, listener)).decode()
