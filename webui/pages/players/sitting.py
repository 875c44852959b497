"""Beginning a match and sitting down at it: on the simulated table without a code, with bots around."""

from datetime import datetime

from flask import Request, Response, request

from firmware.storage.decks import with_box_counts
from firmware.storage.people.evening import held_seats
from firmware.table.table import Table
from firmware.twin.table_view import BotStrength
from referee.contract import Game, Refusal
from referee.match import Match, hear_again
from referee.telling import Listener, listener_at, tell_refusal
from webui.access.joining import empty_seat, join_free_seat
from webui.access.viewers import SEAT, Viewer, evening_of, viewer_language, viewer_of, with_right
from webui.drawing.match_form import MatchForm, agreed_house, begin_agreed_match
from webui.pages.players.entering import Rejection, await_result, redirect_to
from webui.pages.twin.twin import is_here


def may_sit_down(table: Table) -> bool:
    """Tell whether the request comes from the machine that simulates the table: no code is needed there."""
    return table.twin is not None and is_here(request)


def begin_match(table: Table, viewer: Viewer, game: Game, form: MatchForm) -> Match | Rejection:
    """Begin a match as it was agreed, or say what doesn't go together."""
    match = begin_agreed_match(game, form, _now(), with_box_counts)
    return _sit_at(table, viewer, match, Listener(game.words, form.names, viewer_language(table, viewer)))


def go_on_by(table: Table, viewer: Viewer, form: MatchForm) -> Match | Rejection:
    """Go on with the match by other house rules, or say what doesn't go together."""
    match = table.door.moment()
    house = agreed_house(match.setup.game, form, with_box_counts)
    again = house if isinstance(house, Refusal) else hear_again(match, house, _now())
    return _sit_at(table, viewer, again, listener_at(match.setup, viewer_language(table, viewer)))


def _now() -> str:
    """Tell the time, which identifies a match: so with microseconds."""
    return datetime.now().astimezone().isoformat(timespec="microseconds")


def _sit_at(table: Table, viewer: Viewer, match: Match | Refusal, listener: Listener) -> Match | Rejection:
    if isinstance(match, Refusal):
        return Rejection(tell_refusal(listener, match), 400)
    return await_result(table, viewer, table.door.sit(match))


def sit_down(
    table: Table, asked: Request, seat: int, *, has_bots: bool, strength: BotStrength | None
) -> Response:
    """Sit down at the simulated table; at the other seats that no person holds, bots play or stop."""
    there, token = redirect_to("/twin"), None
    if viewer_of(table, asked).seat != seat:
        token = join_free_seat(table, asked, seat)
    _seat_bots(table, has_bots=has_bots, strength=strength)
    return there if token is None else with_right(table, there, SEAT, token)


def look_after(table: Table, asked: Request, *, has_bots: bool, strength: BotStrength | None) -> Response:
    """Lead the match without a seat of one's own; bots play or stop at the seats that no person holds."""
    own = viewer_of(table, asked).seat
    if own is not None:
        empty_seat(table, own)
    _seat_bots(table, has_bots=has_bots, strength=strength)
    return redirect_to("/host")


def _seat_bots(table: Table, *, has_bots: bool, strength: BotStrength | None) -> None:
    twin, held = table.twin, held_seats(evening_of(table))
    if twin is not None and strength is not None:
        twin.let_bots_play_as(strength)
    for other in range(len(table.door.moment().setup.names)):
        if twin is not None and other not in held:
            (twin.play_for if has_bots else twin.leave)(other)
