"""Welcome page: choose a game by its picture, then the players; no PIN at the table's own machine."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from flask import Response, request

from firmware.storage.people.evening import held_seats
from firmware.storage.people.links import computer_token, is_same
from firmware.table.notices import disabled_notice, sentence_for
from referee.contract import Game
from referee.games.catalogue import DISABLED, GAMES
from referee.match import Match, is_going_on, name_key
from webui.access.joining import enter_as_host
from webui.access.viewers import COMPUTER, Viewer, evening_of, may_send, viewer_language, with_right
from webui.pages.host.new_match import begin_match, may_sit_down, sit_down
from webui.pages.page import Page, get, post
from webui.pages.players.entering import Rejection, redirect_to
from webui.pages.players.playing_on import said_name
from webui.pages.twin.real_cards import may_lead
from webui.views.bots import BOT_NAMES, tempers_said
from webui.views.guide_view import CAMERA, NEW, WELCOME
from webui.views.last_time import LastTime, game_on_shelf
from webui.views.match_form import MatchForm, form_of_match
from webui.views.words import Texts

if TYPE_CHECKING:
    from firmware.services.table import Table

HERE = "/here"
AFTERWARDS = {"screen": "/screen#ask"}
"""Pages that a browser may ask for when it becomes this computer's own, instead of the welcome page."""


class WelcomePage(Page):
    """Page for choosing a game."""

    @get(HERE)
    def bring_token(self) -> Response:
        return self._draw_forms(lambda _viewer: ("here", {"to": request.args.get("to", "")}))

    @post(HERE, "browser")
    def take_token(self, _viewer: Viewer) -> Response:
        """Make the browser this computer's own; with a wrong token, it remains an ordinary one."""
        token, to = request.form.get("token", ""), request.form.get("to", "")
        there = redirect_to(AFTERWARDS.get(to, WELCOME))
        is_ours = is_same(computer_token(evening_of(self._table).secret), token)
        return with_right(self._table, there, COMPUTER, token) if is_ours else there

    @get(WELCOME)
    def show(self) -> Response:
        return self._page(None) if self._may_begin(self._viewer()) else redirect_to("/host")

    @post(WELCOME)
    def choose(self) -> Response:
        viewer, game = self._viewer(), request.form.get("game", "")
        if not self._may_begin(viewer):
            return redirect_to("/host")
        if not may_send(request, viewer):
            return self._page(self._rejection(viewer, Texts.stale_form, 403))
        if game not in GAMES:
            return self._page(self._rejection(viewer, Texts.not_understood, 400))
        cards = request.form.get("cards")
        if cards is not None and not self._table.cards.is_fixed and cards != self._table.cards.kind:
            return self._change_cards(viewer, game, cards)
        if self._is_first_start() and not request.form.get("names"):
            return redirect_to(f"{WELCOME}/me?game={game}")
        names = self._ask_players(viewer, game)
        return names if viewer.is_host else enter_as_host(self._table, request, names)

    def _ask_players(self, viewer: Viewer, game: str) -> Response:
        me = f"&me={_likely_seat(self._table, viewer)}" if may_sit_down(self._table) else ""
        return redirect_to(f"{NEW}?game={game}{me}")

    def _change_cards(self, viewer: Viewer, game: str, cards: str) -> Response:
        """Lead to the choice of the camera, or restart with the simulated table."""
        if cards == "real":
            there = redirect_to(f"{CAMERA}?game={game}")
        elif cards == "simulated":
            why_not = self._table.cards.simulate()
            if why_not is not None:
                return self._page(Rejection(why_not.told(self._language(viewer)), 409))
            there = self._restart(viewer, home=f"{WELCOME}/me?game={game}")
        else:
            return self._page(self._rejection(viewer, Texts.not_understood, 400))
        return there if viewer.is_host else enter_as_host(self._table, request, there)

    def _is_first_start(self) -> bool:
        """Return whether nobody has used the simulated table yet; a newcomer plays first and chooses later."""
        is_new = not evening_of(self._table).people and not is_going_on(self._table.client.moment())
        return is_new and may_sit_down(self._table)

    @get(f"{WELCOME}/me")
    def ask_name(self) -> Response:
        viewer, game = self._viewer(), GAMES.get(request.args.get("game", ""))
        if game is None or not self._may_begin(viewer):
            return redirect_to(WELCOME)
        return self._ask_name(game) if self._is_first_start() else self._ask_players(viewer, game.name)

    def _ask_name(self, game: Game, rejection: Rejection | None = None) -> Response:
        traits = dict(tempers_said(game.play.traits))
        values = {
            "look": self._pages.book.look(game.name, game.table.deck(game.rules.house()).name),
            "game": game.name,
            "title": self._language(self._viewer()).gettext(game.words.title),
            "bots": [(name, traits.get(name, ())) for name in self._names_beside("", game)[1:]],
            "name": said_name(),
        }
        return self._draw_forms(lambda _viewer: ("me", values), rejection)

    def _names_beside(self, me: str, game: Game) -> tuple[str, ...]:
        """Return the newcomer's name, and enough bot names for the table's chairs."""
        seats = game.rules.seats(game.rules.house())
        count = min(max(len(self._table.client.moment().setup.names), seats.start), seats.stop - 1)
        return (me, *(name for name in BOT_NAMES if name_key(name) != name_key(me)))[:count]

    @post(f"{WELCOME}/me")
    def come(self) -> Response:
        """Seat the newcomer among bots, with the box's own rules; without a name, use the seat's."""
        viewer, game = self._viewer(), GAMES.get(request.form.get("game", ""))
        if game is None or not self._may_begin(viewer) or not self._is_first_start():
            return redirect_to(WELCOME)
        if not may_send(request, viewer):
            return self._ask_name(game, self._rejection(viewer, Texts.stale_form, 403))
        me = said_name() or self._table.client.moment().setup.names[0]
        result = begin_match(self._table, viewer, game, MatchForm(self._names_beside(me, game), {}))
        if isinstance(result, Rejection):
            return self._ask_name(game, result)
        there = sit_down(self._table, request, 0, has_bots=True, strength=None)
        return there if viewer.is_host else enter_as_host(self._table, request, there)

    @post(f"{WELCOME}/again")
    def begin_again(self) -> Response:
        """Start the last game again, with the same edition and house rules, and the selected players."""
        viewer, last = self._viewer(), self._last_time()
        if not self._may_begin(viewer):
            return redirect_to("/host")
        if not may_send(request, viewer):
            return self._page(self._rejection(viewer, Texts.stale_form, 403))
        reading = None if last is None else self._table.history.match(last.number)
        before = None if reading is None else reading.match
        if last is None or before is None or request.form.get("number") != str(last.number):
            return self._page(self._rejection(viewer, Texts.no_such_match, 404))
        here = set(request.form.getlist("name"))
        names = tuple(name for name in (*last.players, *last.others) if name in here)
        form = MatchForm(names, form_of_match(before).agreed)
        result = begin_match(self._table, viewer, before.setup.game, form)
        if not isinstance(result, Match):
            return self._page(result)
        return self._sit_again(viewer, names)

    def _sit_again(self, viewer: Viewer, names: Sequence[str]) -> Response:
        """Redirect to the host page, or at the simulated table to the person's seat."""
        if not may_sit_down(self._table):
            return redirect_to("/host")
        own = self._viewer().seat
        first = next((seat for seat, name in enumerate(names) if name not in BOT_NAMES), 0)
        there = sit_down(self._table, request, first if own is None else own, has_bots=True, strength=None)
        return there if viewer.is_host else enter_as_host(self._table, request, there)

    def _last_time(self) -> LastTime | None:
        """Return the last game and its players; None while a match is going on."""
        if is_going_on(self._table.client.moment()):
            return None
        last = self._pages.last_time(viewer_language(self._table, self._viewer()))
        # the simulated table's bots are no people at the real one
        return None if last is None or self._table.cards.is_of_other_table(last.begun) else last

    def _may_begin(self, viewer: Viewer) -> bool:
        """Return whether the viewer is the host, or at the computer of a table that isn't a Raspberry Pi."""
        return may_lead(self._table, viewer, request)

    def _page(self, rejection: Rejection | None) -> Response:
        return self._draw_forms(lambda viewer: ("welcome", self._values(viewer)), rejection)

    def _values(self, viewer: Viewer) -> Mapping[str, object]:
        language, match = self._language(viewer), self._table.client.moment()
        return {
            # several games are shown, so the page uses no game's colours
            "look": self._pages.book.look("", ""),
            "games": [
                game_on_shelf(self._pages.book, game, language, match.setup.game.name)
                for game in tuple(GAMES.values())
            ],
            "left_out": [
                sentence_for(disabled_notice(failure), self._listener(viewer))
                for failure in tuple(DISABLED.values())
            ],
            "open_game": language.gettext(match.setup.game.words.title) if is_going_on(match) else "",
            "names": ", ".join(match.setup.names),
            "is_first_start": self._is_first_start(),
            "last": self._last_time(),
            "animals": BOT_NAMES,
            "has_doors": not self._table.cards.is_fixed,
            "is_real": self._table.cards.is_real,
            "has_camera": self._table.cards.is_real or self._table.cards.is_camera_likely,
        }


def _likely_seat(table: "Table", viewer: Viewer) -> int:
    """Suggest the viewer's own seat, or the first free one."""
    if viewer.seat is not None:
        return viewer.seat
    held = held_seats(evening_of(table))
    return next((seat for seat in range(len(table.client.moment().setup.names)) if seat not in held), 0)
