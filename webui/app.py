"""The Flask app: blueprints by page; what holds for all of them is here."""

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from webui.auditing import auditing
from webui.backups import backups
from webui.beginning import beginning
from webui.checking import checking
from webui.contests import Contests
from webui.events import events
from webui.evidence import evidence
from webui.finding import finding
from webui.handed import Handed
from webui.history import history
from webui.hosting import hosting
from webui.looking import looking
from webui.pages import Pages
from webui.photographing import photographing
from webui.settings import settings
from webui.sitting import sitting
from webui.teaching import teaching
from webui.tries import Tries
from webui.twin import twin
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
    pages, tries, contests = Pages(handed), tries or Tries(), Contests()
    for blueprint in (
        looking(handed, pages),
        sitting(handed, pages, tries),
        hosting(handed, pages, tries, contests),
        evidence(handed, pages, contests),
        photographing(handed, pages),
        beginning(handed, pages),
        checking(handed, pages),
        auditing(handed, pages),
        history(handed, pages),
        settings(handed, pages),
        backups(handed, pages),
        events(handed, pages),
        twin(handed, pages),
    ):
        app.register_blueprint(blueprint)
    if handed.guides is not None:
        app.register_blueprint(finding(handed, pages, handed.guides.table))
        app.register_blueprint(teaching(handed, pages, handed.guides.teaching))

    @app.after_request
    def guarded(response: Response) -> Response:
        response.headers.update(HEADERS)
        if request.endpoint != "static":
            response.headers.setdefault("Cache-Control", "no-store")
        return response

    @app.errorhandler(HTTPException)
    def told(error: HTTPException) -> tuple[str, int]:
        code = error.code or 500
        why = WHYS.get(code, "refused")
        return pages.page("fault", onlooker(handed, request), {"why": why}), code

    return app
