"""What the director's pages share: who may act, and what becomes of an act."""

from collections.abc import Callable
from functools import wraps

from flask import Response, request

from club.views import Act, NotDone
from club.web.access import club_viewer, may_send
from club.web.drawn_pages import ClubPages
from referee.contract.words import phrase
from webui.drawing.words import Texts
from webui.pages.players.entering import redirect_to

Page = Callable[..., Response]


def for_director(pages: ClubPages, page: Page) -> Page:
    """Show a page to the director alone; anybody else is asked for the PIN."""

    @wraps(page)
    def guarded_page(**values: str) -> Response:
        viewer = club_viewer(pages.services, request)
        return page(**values) if viewer.is_director else redirect_to("/director")

    return guarded_page


def by_director(pages: ClubPages, act: Page) -> Page:
    """Let the director alone act, with a form that was drawn for the director's own browser."""

    @wraps(act)
    def guarded_act(**values: str) -> Response:
        viewer = club_viewer(pages.services, request)
        if not viewer.is_director:
            return redirect_to("/director")
        if not may_send(request, viewer):
            return pages.page("fault", {"why": Texts.stale_form}, 403)
        return act(**values)

    return guarded_act


def act_on(pages: ClubPages, what: Act, then: str) -> Response:
    """Do something with the tournament that stands, and show the page after it; or say why not."""
    current = pages.services.tournaments.current()
    viewer = club_viewer(pages.services, request)
    if current is None:
        return pages.page(
            "refused",
            {"why": pages.say(viewer, phrase("There is no tournament. Begin one under “More”.")), "back": then},
            409,
        )
    done = pages.services.tournaments.act(current.id, what, pages.say(viewer, phrase("Director")))
    if isinstance(done, NotDone):
        return pages.page("refused", {"why": pages.problem(viewer, done), "back": then}, 409)
    return redirect_to(then)
