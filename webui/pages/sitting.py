"""Beginning a match and sitting down at it: on the simulated table without a code, with bots around."""

from datetime import datetime

from flask import Request, Response, request

from firmware.storage.boxes import with_box_counts
from firmware.storage.people.evening import held_seats
from firmware.table.table import Table
from firmware.twin.table_view import BotStrength
from referee.contract import Game, Refusal
from referee.match import Match
from referee.telling import Listener, tell_refusal
from webui.access.joining import join_free_seat
from webui.access.viewers import SEAT, Viewer, evening_of, viewer_language, viewer_of, with_right
from webui.drawing.match_form import MatchForm, begin_agreed_match
from webui.pages.entering import Rejection, await_result, redirect_to
from webui.pages.twin import is_here


def may_sit_down(table: Table) -> bool:
    """Tell whether the request comes from the machine that simulates the table: no code is needed there."""
    return table.twin is not None and is_here(request)


def begin_match(table: Table, viewer: Viewer, game: Game, form: MatchForm) -> Match | Rejection:
    """Begin a match as it was agreed, or say what doesn't go together."""
    # microseconds, because the time identifies the match
    now = datetime.now().astimezone().isoformat(timespec="microseconds")
    match = begin_agreed_match(game, form, now, with_box_counts)
    if isinstance(match, Refusal):
        listener = Listener(game.words, form.names, viewer_language(table, viewer))
        return Rejection(tell_refusal(listener, match), 400)
    return await_result(table, viewer, table.door.sit(match))


def sit_down(
    table: Table, asked: Request, seat: int, *, has_bots: bool, strength: BotStrength | None
) -> Response:
    """Sit down at the simulated table; at the other seats that no person holds, bots play or stop."""
    twin, there = table.twin, redirect_to("/twin")
    token = None
    if viewer_of(table, asked).seat != seat:
        token = join_free_seat(table, asked, seat)
    held = held_seats(evening_of(table))
    if twin is not None and strength is not None:
        twin.let_bots_play_as(strength)
    for other in range(len(table.door.moment().setup.names)):
        if twin is not None and other not in held:
            (twin.play_for if has_bots else twin.leave)(other)
    return there if token is None else with_right(table, there, SEAT, token)
