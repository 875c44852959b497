"""A new match for the host: the game, the seats and the house rules."""

from collections.abc import Mapping, Sequence

from flask import Blueprint, Response, request

from firmware.storage.decks import with_box_counts
from firmware.storage.people.evening import held_seats, seat_named_in
from firmware.table.table import Table
from firmware.twin.table_view import is_bot_strength, strengths_offered
from referee.contract import Game
from referee.contract.words import phrase
from referee.games.catalogue import GAMES
from referee.match import Match, is_going_on
from referee.telling import Listener, listener_at
from webui.access.viewers import (
    Viewer,
    evening_of,
    host_sending,
    viewer_language,
    viewer_of,
)
from webui.drawing.bots import tempers_said
from webui.drawing.match_form import (
    SEAT,
    MatchForm,
    fields_of,
    form_of_match,
    most_seats,
    own_seat,
    read_form,
)
from webui.drawing.words import Texts
from webui.pages.host.host import match_title
from webui.pages.players.entering import Rejection, await_result, redirect_to, rejection_for
from webui.pages.players.sitting import begin_match, go_on_by, look_after, may_sit_down, sit_down
from webui.server.drawn_pages import Pages, match_id


def new_match_blueprint(table: Table, pages: Pages) -> Blueprint:
    """Create the page of a new match."""
    blueprint, page = Blueprint("beginning", __name__), NewMatchPage(table, pages)
    blueprint.get("/host/new")(page.show)
    blueprint.post("/host/new")(page.begin)
    blueprint.get("/host/rules")(page.show_rules)
    blueprint.post("/host/rules")(page.change_rules)
    blueprint.post("/host/go-on-with/<int:number>")(page.go_on_with)
    return blueprint


class NewMatchPage:
    """Handles the page of a new match."""

    def __init__(self, table: Table, pages: Pages) -> None:
        """Remember the table and the pages."""
        self._table, self._pages = table, pages

    def show(self) -> Response:
        """Show the form for a game, filled in from the current match."""
        viewer, game = viewer_of(self._table, request), GAMES.get(request.args.get("game", ""))
        if not viewer.is_host:
            return redirect_to("/host")
        now = form_of_match(self._table.door.moment())
        is_same = game is None or game is self._table.door.moment().setup.game
        return self._page(viewer, game or self._game(), now if is_same else MatchForm(now.names, {}))

    def begin(self) -> Response:
        """Begin the match, or say what doesn't go together without losing what was typed."""
        viewer, game = host_sending(self._table, request), GAMES.get(request.form.get("game", ""))
        if viewer is None:
            return self._page_or_host(
                rejection_for(self._table, viewer_of(self._table, request), Texts.stale_form, 403)
            )
        if game is None:
            return self._page_or_host(rejection_for(self._table, viewer, Texts.not_understood, 400))
        form, seat = read_form(game, _form_values()), self._own_seat()
        if seat is not None and self._is_anothers(viewer, form.names[seat : seat + 1]):
            return self._page(
                viewer,
                game,
                form,
                rejection_for(
                    self._table,
                    viewer,
                    phrase("Somebody's phone sits there: choose another seat, or let that phone leave it."),
                    409,
                ),
            )
        result = begin_match(self._table, viewer, game, form)
        if not isinstance(result, Match):
            return self._page(viewer, game, form, result)
        return self._sit(seat) if may_sit_down(self._table) else redirect_to("/host")

    def show_rules(self) -> Response:
        """Show the house rules of the match that goes on, to put one right."""
        viewer = viewer_of(self._table, request)
        now = self._table.door.moment()
        return self._rules_page(viewer, form_of_match(now)) if viewer.is_host else redirect_to("/host")

    def change_rules(self) -> Response:
        """Go on by other house rules, or say what doesn't go together without losing what was chosen."""
        viewer, match = host_sending(self._table, request), self._table.door.moment()
        if viewer is None or match_id(match) != request.form.get("match"):
            return self._page_or_host(
                rejection_for(self._table, viewer_of(self._table, request), Texts.stale_form, 403)
            )
        form = read_form(match.setup.game, _form_values())
        result = go_on_by(self._table, viewer, form)
        return redirect_to("/host") if isinstance(result, Match) else self._rules_page(viewer, form, result)

    def _rules_page(self, viewer: Viewer, form: MatchForm, rejection: Rejection | None = None) -> Response:
        match, language = self._table.door.moment(), viewer_language(self._table, viewer)
        game = match.setup.game
        values = {
            "rejection": rejection,
            "mends": match_id(match),
            "game": game.name,
            "title": match_title(match, language),
            "fields": fields_of(game, listener_at(match.setup, language), form.agreed),
            "is_boxed": self._is_boxed(game),
        }
        page = self._pages.page("new", viewer, values)
        return Response(page, 200 if rejection is None else rejection.code)

    def _own_seat(self) -> int | None:
        """Read at which seat the person sits who begins the match; None where codes are needed to sit down."""
        return own_seat(_form_values()) if may_sit_down(self._table) else None

    def _is_anothers(self, viewer: Viewer, names: Sequence[str]) -> bool:
        """Tell whether another phone holds the seat of one of these names."""
        evening = evening_of(self._table)
        now = () if evening.match is None else evening.match.names
        held = held_seats(evening) - {viewer.seat}
        return any(seat_named_in(now, name) in held for name in names)

    def _sit(self, seat: int | None) -> Response:
        """Sit down at the simulated table, or only look after it; bots play for others if that was asked."""
        strength, has_bots = request.form.get("strength", ""), bool(request.form.get("bots"))
        wished = strength if is_bot_strength(strength) else None
        if seat is None:
            return look_after(self._table, request, has_bots=has_bots, strength=wished)
        return sit_down(self._table, request, seat, has_bots=has_bots, strength=wished)

    def go_on_with(self, number: int) -> Response:
        """Resume an unfinished match; a damaged one continues under a new number."""
        viewer = host_sending(self._table, request)
        if viewer is None:
            return self._page_or_host(
                rejection_for(self._table, viewer_of(self._table, request), Texts.stale_form, 403)
            )
        reading = self._table.history.match(number)
        match = None if reading is None else reading.match
        if reading is None or match is None or match.outcome is not None:
            return self._page_or_host(rejection_for(self._table, viewer, Texts.no_such_match, 404))
        seated = self._table.door.sit(match, number if reading.fault is None else None)
        result = await_result(self._table, viewer, seated)
        return redirect_to("/host") if isinstance(result, Match) else self._page_or_host(result)

    def _is_boxed(self, game: Game) -> bool:
        """Tell whether the box that was taught has other counts than the rule book."""
        return with_box_counts(game, game.rules.house()) != game.rules.house()

    def _game(self) -> Game:
        return self._table.door.moment().setup.game

    def _page_or_host(self, rejection: Rejection) -> Response:
        viewer = viewer_of(self._table, request)
        if not viewer.is_host:
            return Response(self._pages.page("pin", viewer, {"rejection": rejection}), rejection.code)
        return self._page(viewer, self._game(), form_of_match(self._table.door.moment()), rejection)

    def _page(
        self, viewer: Viewer, game: Game, form: MatchForm, rejection: Rejection | None = None
    ) -> Response:
        language = viewer_language(self._table, viewer)
        listener = Listener(game.words, form.names, language)
        most = most_seats(game)
        names = (*form.names, *("" for _seat in range(most)))[:most]
        values = {
            "rejection": rejection,
            "game": game.name,
            "names": [(str(seat), f"{SEAT}{seat}", name) for seat, name in enumerate(names)],
            "title": language.gettext(game.words.title),
            "look": self._pages.book.look(game.name, game.table.deck(game.rules.house()).name),
            "fields": fields_of(game, listener, form.agreed),
            "me": request.values.get("me") if may_sit_down(self._table) else None,
            "has_bots": request.method == "GET" or bool(request.form.get("bots")),
            "strengths": strengths_offered(game),
            "tempers": tempers_said(game.play.traits),
            "strength": request.form.get("strength", "plain"),
            "is_boxed": self._is_boxed(game),
            "stays_open": is_going_on(self._table.door.moment()),
            "mends": "",
        }
        return Response(self._pages.page("new", viewer, values), 200 if rejection is None else rejection.code)


def _form_values() -> Mapping[str, list[str]]:
    return {name: request.form.getlist(name) for name in request.form}
