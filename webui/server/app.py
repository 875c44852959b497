"""The Flask app: blueprints by page; what holds for all of them is here."""

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

from webui.access.attempt_limits import Tries
from webui.access.viewers import onlooker
from webui.doors.companion import Handed
from webui.pages.auditing import auditing
from webui.pages.backups import backups
from webui.pages.checking import checking
from webui.pages.contests import Contests
from webui.pages.evidence import evidence
from webui.pages.finding import finding
from webui.pages.history import history
from webui.pages.host import hosting
from webui.pages.new_match import beginning
from webui.pages.photograph import photographing
from webui.pages.score import looking
from webui.pages.seat import sitting
from webui.pages.settings import settings
from webui.pages.teaching import teaching
from webui.pages.twin import twin
from webui.server.drawn_pages import Pages
from webui.server.events import events

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
    app = Flask("webui")
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
