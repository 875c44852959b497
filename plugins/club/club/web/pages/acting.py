"""Shared by the director's pages: permissions and the results of actions."""

from collections.abc import Callable
from functools import wraps

from flask import Blueprint, Response, request

from club.tournament.values import NotPossible
from club.tournaments import Change
from club.web.access import may_send
from club.web.drawn_pages import pages
from club.web.forms import number_in
from referee.contract.words import phrase
from webui.pages.players.entering import redirect_to
from webui.views.words import Texts

Page = Callable[..., Response]


def for_director(page: Page) -> Page:
    """Restrict a page to the director; anybody else is asked for the PIN."""

    @wraps(page)
    def guarded_page(**values: str) -> Response:
        return page(**values) if pages.viewer.is_director else redirect_to("/director")

    return guarded_page


def by_director(act: Page) -> Page:
    """Restrict an action to the director, with a form rendered for the director's own browser."""

    @for_director
    @wraps(act)
    def guarded_act(**values: str) -> Response:
        if not may_send(request, pages.viewer):
            return pages.page("fault", 403, why=Texts.stale_form)
        return act(**values)

    return guarded_act


def ask_first(question: str, yes: str) -> Response | None:
    """Ask for confirmation of a rare action; confirming sends the same form again."""
    if "sure" in request.form:
        return None
    fields = [*request.form.items(multi=True), ("sure", "1")]
    return pages.page("sure", 409, question=question, yes=yes, fields=fields, here="")


def changing(blueprint: Blueprint, address: str, then: str) -> Callable[[Change], Change]:
    """Register a form that changes the current tournament; `then` is the page after it."""

    def register(how: Change) -> Change:
        def act() -> Response:
            return change_tournament(how, then.format(round=number_in(request.form, "round")))

        blueprint.add_url_rule(address, how.__name__, by_director(act), methods=["POST"])
        return how

    return register


def change_tournament(how: Change, after: str) -> Response:
    current = pages.current
    if current is None:
        return pages.refuse(pages.say(phrase("There is no tournament. Start one under “More”.")), after)
    try:
        pages.services.tournaments.change(current.id, how)
    except NotPossible as why:
        return pages.refuse(pages.problem(why), after)
    return redirect_to(after)
