"""The director's tables: inviting one, and lines of theirs that aren't believed."""

from flask import Blueprint, Response, request

from club.members import CODE_MINUTES, LONGEST_TITLE
from club.web.drawn_pages import pages
from club.web.forms import text_in
from club.web.pages.acting import by_director, for_director
from club.web.pages.screen import time_text
from club.web.words import DOUBTS
from referee.contract.words import phrase
from webui.pages.players.entering import redirect_to
from webui.server.drawn_pages import picture_of

TABLES = "/director/tables"
blueprint = Blueprint("tables", __name__)


@blueprint.get(TABLES)
@for_director
def show() -> Response:
    """Show the tables, and what isn't believed of them."""
    known = pages.services.tables
    doubtful = [(each, DOUBTS.get(each.why, each.why)) for each in known.doubtful_lines()]
    return pages.page(
        "tables", tables=known.tables(), doubtful=doubtful, minutes=CODE_MINUTES, time_of=time_text, here=""
    )


@blueprint.post(f"{TABLES}/invite")
@by_director
def invite() -> Response:
    """Show the link by which a table joins: a new one, or one that is known and has lost its own."""
    known, door = request.form.get("table", ""), pages.services.inviting
    invitation = door.invite_again(known) if known else door.invite(text_in(request.form, "title"))
    if invitation is None:
        why = phrase("Nothing was invited. A table's name has 1 to {most} letters.")
        return pages.refuse(pages.say(why, most=LONGEST_TITLE), TABLES)
    picture = picture_of(invitation.link)
    return pages.page("invited", invitation=invitation, picture=picture, minutes=CODE_MINUTES, here="")


@blueprint.post(f"{TABLES}/seen")
@by_director
def see_doubtful() -> Response:
    """Note that the director has seen the lines."""
    pages.services.tables.see_doubtful_lines()
    return redirect_to(TABLES)
