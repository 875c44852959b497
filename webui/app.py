"""The Flask app: blueprints by page; what holds for all of them is here."""

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from webui.events import events
from webui.handed import Handed
from webui.hosting import hosting
from webui.looking import looking
from webui.pages import Pages
from webui.sitting import sitting
from webui.tries import Tries
from webui.viewers import onlooker

LONGEST = 16 * 1024
"""Bytes of a request's body: no form of ours is longer."""
FIELDS = 100
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
WHYS = {404: "not found", 405: "not found", 413: "too big", 500: "fault"}
"""What is said of a fault, by its code; of any other, that it makes no sense."""


def create_app(handed: Handed, tries: Tries | None = None) -> Flask:
    """Make the app."""
    app = Flask(__name__)
    app.config.update(MAX_CONTENT_LENGTH=LONGEST, MAX_FORM_MEMORY_SIZE=LONGEST, MAX_FORM_PARTS=FIELDS)
    pages, tries = Pages(handed), tries or Tries()
    for blueprint in (
        looking(handed, pages),
        sitting(handed, pages, tries),
        hosting(handed, pages, tries),
        events(handed, pages),
    ):
        app.register_blueprint(blueprint)

    @app.after_request
    def guarded(response: Response) -> Response:
        response.headers.update(HEADERS)
        if request.endpoint != "static":
            response.headers["Cache-Control"] = "no-store"
        return response

    @app.errorhandler(HTTPException)
    def told(error: HTTPException) -> tuple[str, int]:
        code = error.code or 500
        why = WHYS.get(code, "refused")
        return pages.page("fault", onlooker(handed, request), {"why": why}), code

    return app
