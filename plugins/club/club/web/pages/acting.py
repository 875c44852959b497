"""What the director's pages share: who may act, and what becomes of an act."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import wraps

from flask import Response, request

from club.tournament.values import NotPossible
from club.tournaments import Change
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


def act_on(pages: ClubPages, how: Change, then: str) -> Response:
    """Change the tournament that stands, and show the page after it; or say why not."""
    current = pages.services.tournaments.current()
    if current is None:
        viewer = club_viewer(pages.services, request)
        why = pages.say(viewer, phrase("There is no tournament. Begin one under “More”."))
        return pages.page("refused", {"why": why, "back": then}, 409)
    try:
        pages.services.tournaments.change(current.id, how)
    except NotPossible as why_not:
        return refuse(pages, why_not, then)
    return redirect_to(then)


def refuse(pages: ClubPages, why: NotPossible, back: str) -> Response:
    """Say why something can't be done."""
    viewer = club_viewer(pages.services, request)
    return pages.page("refused", {"why": pages.problem(viewer, why), "back": back}, 409)


def by_and_at(pages: ClubPages, now: float) -> tuple[str, str]:
    """Write down who does it, and when."""
    by = pages.say(club_viewer(pages.services, request), phrase("Director"))
    return by, datetime.fromtimestamp(now, UTC).isoformat(timespec="seconds")
