"""Host's page for a new match: game, seats and house rules."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from flask import Request, Response, request

from firmware.storage.decks import with_box_counts
from firmware.storage.people.evening import held_seats, seat_named_in
from firmware.twin.simulated_table import BotStrength, is_bot_strength, strengths_offered
from referee.contract import Game, Refusal
from referee.contract.words import phrase
from referee.games.catalogue import GAMES
from referee.match import Match, is_going_on, replay_with_rules
from referee.sentences import Language, Listener, listener_at, refusal_text
from webui.access.joining import empty_seat, join_free_seat
from webui.access.viewers import (
    SEAT,
    Viewer,
    evening_of,
    is_own_computer,
    viewer_language,
    viewer_of,
    with_right,
)
from webui.pages.page import Page, get, post
from webui.pages.players.entering import Rejection, await_result, redirect_to
from webui.server.drawn_pages import match_id
from webui.views import match_form
from webui.views.bots import tempers_said
from webui.views.card_choice import boxes_for, choose_box
from webui.views.guide_view import CAMERA, TABLE, strip_of
from webui.views.last_time import poster_faces
from webui.views.words import Texts, match_title

if TYPE_CHECKING:
    from firmware.services.table import Table


class NewMatchPage(Page):
    """Page for starting a match."""

    @get("/host/new", "host")
    def show(self, viewer: Viewer) -> Response:
        game, club = GAMES.get(request.args.get("game", "")), self._table.club.status()
        if club.seats and club.note.game in GAMES and (game is None or game.name == club.note.game):
            return self._page(viewer, GAMES[club.note.game], match_form.MatchForm(club.seats, club.note.rules))
        if (awaited := self._table.cards.awaited(game)) is not None:
            return self._page(viewer, game or self._game(), match_form.MatchForm(*awaited))
        now = match_form.form_of_match(self._table.client.moment())
        is_same = game is None or game is self._table.client.moment().setup.game
        return self._page(viewer, game or self._game(), now if is_same else match_form.MatchForm(now.names, {}))

    @post("/host/new", "host")
    def begin(self, viewer: Viewer) -> Response:
        game = GAMES.get(request.form.get("game", ""))
        if game is None:
            return self._tell_host(viewer, self._rejection(viewer, Texts.not_understood, 400))
        form = match_form.read_form(game, _form_values())
        if request.form.get("cards") == "real" and self._has_doors():
            self._table.cards.await_players(form.names, form.agreed)
            return redirect_to(f"{CAMERA}?game={game.name}")
        # the form can claim a seat only where no code is needed
        seat = match_form.own_seat(_form_values()) if may_sit_down(self._table) else None
        wrong = None
        if seat is not None and self._is_anothers(viewer, form.names[seat : seat + 1]):
            why = phrase("Another phone has that seat. Choose another one, or remove that phone first.")
            wrong = self._rejection(viewer, why, 409)
        result = wrong or self._choose_box(viewer, game) or begin_match(self._table, viewer, game, form)
        if not isinstance(result, Match):
            return self._page(viewer, game, form, result)
        if not may_sit_down(self._table):
            return redirect_to(TABLE if self._table.finder.is_measured else "/host")
        said = request.form.get("strength", "")
        strength = said if is_bot_strength(said) else None
        return sit_down(self._table, request, seat, has_bots=bool(request.form.get("bots")), strength=strength)

    @post("/host/seated", "host")
    def seat_them(self, viewer: Viewer) -> Response:
        club = self._table.club.status()
        game = GAMES.get(club.note.game)
        if game is None or not club.seats or is_going_on(self._table.client.moment()):
            return redirect_to("/host/new")
        form = match_form.MatchForm(club.seats, club.note.rules)
        result = begin_match(self._table, viewer, game, form)
        return redirect_to("/host") if isinstance(result, Match) else self._page(viewer, game, form, result)

    @get("/host/rules", "host")
    def show_rules(self, viewer: Viewer) -> Response:
        return self._rules_page(viewer, match_form.form_of_match(self._table.client.moment()))

    @post("/host/rules", "host")
    def change_rules(self, viewer: Viewer) -> Response:
        match = self._table.client.moment()
        if match_id(match) != request.form.get("match"):
            return self._turn_away()
        form = match_form.read_form(match.setup.game, _form_values())
        house = match_form.agreed_house(match.setup.game, form, with_box_counts)
        again = house if isinstance(house, Refusal) else replay_with_rules(match, house, _now())
        result = _sit_at(self._table, viewer, again, self._listener(viewer))
        return redirect_to("/host") if isinstance(result, Match) else self._rules_page(viewer, form, result)

    def _choose_box(self, viewer: Viewer, game: Game) -> Rejection | None:
        """Store which cards are on the table. Returns why that is impossible."""
        box, language = request.form.get("box"), self._language(viewer)
        why_not = None if box is None else choose_box(self._table.cards, game, box, language)
        return None if why_not is None else Rejection(why_not.told(language), 409)

    def _has_doors(self) -> bool:
        """Return whether the players chosen at the simulated table may play with real cards."""
        return not self._table.cards.is_fixed and not self._table.cards.is_real

    def _rules_page(
        self, viewer: Viewer, form: match_form.MatchForm, rejection: Rejection | None = None
    ) -> Response:
        match, language = self._table.client.moment(), self._language(viewer)
        game = match.setup.game
        values = {
            "rejection": rejection,
            "mends": match_id(match),
            "game": game.name,
            "title": match_title(match, language),
            "fields": match_form.fields_of(game, listener_at(match.setup, language), form.agreed),
            "is_boxed": self._is_boxed(game),
            "guide": None,
            "boxes": (),
        }
        return self._draw("new", viewer, values)

    def _is_anothers(self, viewer: Viewer, names: Sequence[str]) -> bool:
        evening = evening_of(self._table)
        now = () if evening.match is None else evening.match.names
        held = held_seats(evening) - {viewer.seat}
        return any(seat_named_in(now, name) in held for name in names)

    @post("/host/go-on-with/<int:number>", "host")
    def go_on_with(self, viewer: Viewer, number: int) -> Response:
        """Resume an unfinished match; a damaged one continues under a new number."""
        reading = self._table.history.match(number)
        match = None if reading is None else reading.match
        if reading is None or match is None or match.outcome is not None:
            return self._tell_host(viewer, self._rejection(viewer, Texts.no_such_match, 404))
        seated = self._table.client.sit(match, number if reading.fault is None else None)
        result = await_result(self._table, viewer, seated)
        return redirect_to("/host") if isinstance(result, Match) else self._tell_host(viewer, result)

    def _is_boxed(self, game: Game) -> bool:
        """Return whether the taught box has different card counts from the rule book."""
        return with_box_counts(game, game.rules.house()) != game.rules.house()

    def _game(self) -> Game:
        return self._table.client.moment().setup.game

    def _tell_host(self, viewer: Viewer, rejection: Rejection) -> Response:
        return self._page(
            viewer, self._game(), match_form.form_of_match(self._table.client.moment()), rejection
        )

    def _page(
        self, viewer: Viewer, game: Game, form: match_form.MatchForm, rejection: Rejection | None = None
    ) -> Response:
        language = self._language(viewer)
        listener = Listener(game.words, form.names, language)
        most = match_form.most_seats(game)
        names = (*form.names, *("" for _seat in range(most)))[:most]
        values = {
            "rejection": rejection,
            "game": game.name,
            "names": [(str(seat), f"{match_form.SEAT_FIELD}{seat}", name) for seat, name in enumerate(names)],
            "title": language.gettext(game.words.title),
            "look": self._pages.book.look(game.name, game.table.deck(game.rules.house()).name),
            "fields": match_form.fields_of(game, listener, form.agreed),
            "me": request.values.get("me") if may_sit_down(self._table) else None,
            "has_bots": request.method == "GET" or bool(request.form.get("bots")),
            "strengths": strengths_offered(game),
            "tempers": tempers_said(game.play.traits),
            "strength": request.form.get("strength", "plain"),
            "is_boxed": self._is_boxed(game),
            "stays_open": is_going_on(self._table.client.moment()),
            "mends": "",
        }
        return self._draw("new", viewer, {**values, **self._real_values(game, language)})

    def _real_values(self, game: Game, language: Language) -> Mapping[str, object]:
        """Return the choice of cards at a real table, and the guide's strip while that is open."""
        cards, deck = self._table.cards, game.table.deck(game.rules.house())
        look = self._pages.book.look(game.name, deck.name)
        is_guided = self._table.finder.is_measured
        return {
            "guide": strip_of(3, cards, language, game.name, is_whole=True) if is_guided else None,
            "boxes": boxes_for(cards, game, language, self._table.finder.seen_deck)
            if cards.is_real and not cards.is_fixed
            else (),
            "samples": tuple(poster_faces(look, tuple(deck.counts)))[:2],
            "has_doors": self._has_doors(),
        }


def _form_values() -> Mapping[str, list[str]]:
    return {name: request.form.getlist(name) for name in request.form}


def may_sit_down(table: "Table") -> bool:
    """Return whether the request comes from the simulated table's own machine, where no code is needed."""
    return table.twin.is_there and is_own_computer(table, request)


def begin_match(table: "Table", viewer: Viewer, game: Game, form: match_form.MatchForm) -> Match | Rejection:
    match = match_form.begin_agreed_match(game, form, _now(), with_box_counts)
    return _sit_at(table, viewer, match, Listener(game.words, form.names, viewer_language(table, viewer)))


def _now() -> str:
    """Return the current time with microseconds, because it identifies a match."""
    return datetime.now().astimezone().isoformat(timespec="microseconds")


def _sit_at(table: "Table", viewer: Viewer, match: Match | Refusal, listener: Listener) -> Match | Rejection:
    if isinstance(match, Refusal):
        return Rejection(refusal_text(listener, match), 400)
    return await_result(table, viewer, table.client.sit(match))


def sit_down(
    table: "Table", asked: Request, seat: int | None, *, has_bots: bool, strength: BotStrength | None
) -> Response:
    """Claim a seat at the simulated table, or lead the match without one.

    Bots start or stop playing at all seats that no person holds.
    """
    own, token = viewer_of(table, asked).seat, None
    if seat is None and own is not None:
        empty_seat(table, own)
    elif seat is not None and seat != own:
        token = join_free_seat(table, asked, seat)
    twin, held = table.twin, held_seats(evening_of(table))
    if strength is not None:
        twin.bots.play_as(strength)
    for other in range(len(table.client.moment().setup.names)):
        if other not in held:
            (twin.bots.play_for if has_bots else twin.leave)(other)
    there = redirect_to("/host" if seat is None else "/twin")
    return there if token is None else with_right(table, there, SEAT, token)
