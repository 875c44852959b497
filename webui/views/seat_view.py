"""Seat page around the question: strip, fact in the window, awaited players; pure functions."""

from collections.abc import Iterable, Mapping
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import Answer, Ask, Board, Choice
from referee.contract.words import phrase
from referee.match import Match, moments
from referee.moment_view import MomentView, PlayerView, QuestionView, RowView
from webui.views.glance import glance_of
from webui.views.looks import Look
from webui.views.score_board import MOMENTS, Clock
from webui.views.words import page_text

PILED = 10  # most coins or similar items drawn individually
SHOWN = 12
LINE = 5  # rows with at least this many places show empty ones, too
NAMED = 3  # most awaited players listed by name, if the window shows their names anyway


class Heard(Struct, frozen=True):
    """An asked player, and whether the answer has arrived."""

    seat: int
    name: str
    is_done: bool


def seat_view(
    told: MomentView, seat: int, ends: Mapping[str, float], look: Look, *, is_waiting: bool
) -> Mapping[str, object]:
    """Return the values around a seat's question; other seats follow in table order from the next one."""
    match, board, count = told.match, told.board, len(told.match.setup.names)
    short, you, starting = told.short, told.player(seat), _clock_question(told.short, seat)
    starters = frozenset() if starting is None else frozenset(starting.question.seats)
    answers = _answers(match, seat, starters)
    heard = tuple(
        Heard(other, told.name(other), is_done) for other, is_done in answers.items() if other != seat
    )
    rows = told.table_rows if is_waiting else told.key_rows
    return {
        "you": you,
        "lamp": _lamp(match, board, seat),
        "since": _last_own_moment(match, seat),
        "waits": is_waiting,
        "glance": glance_of(short, seat, look, answers),
        # if the window shows the situation, the question leaves it out
        "is_told": any(row.claimed_by for row in told.key_rows)
        or bool(told.changes)
        or not (told.headline or told.key_facts),
        "rows": [_row(row, short) for row in rows if row.row.faces or row.row.places],
        "changes": [replace(each, name=_name_or_you(each.seat, told)) for each in told.changes],
        "pile": pile_of(board, you) if board.turn == seat else None,
        "clock": first_clock(told, ends),
        "heard": heard,
        "thinks": _thinks(told, seat, heard, starters),
        "may_say": "" if starting is None else starting.text,
        "others": [told.player((seat + step) % count) for step in range(1, count)],
    }


def _lamp(match: Match, board: Board, seat: int) -> str:
    """Return the seat's lamp: green on its own turn, amber while others may answer, too."""
    is_asked = any(seat in ask.seats for ask in match.asks)
    if not is_asked:
        return ""
    return "green" if board.turn == seat or board.turn is None else "amber"


def _last_own_moment(match: Match, seat: int) -> int:
    """Return the number of the moment that a seat's last answer led to; 0 if that isn't recent."""
    for moment in islice(moments(match), MOMENTS):
        if isinstance(moment.entry, Answer) and moment.entry.seat == seat:
            return moment.number
    return 0


def _row(told: RowView, short: MomentView) -> Mapping[str, object]:
    """Return the cards in the window; a claim has the claimant's name, or "you"."""
    row = told.row
    cards = told.places if row.places >= LINE else told.cards
    claimed_by = "" if row.claimed_by is None else _name_or_you(row.claimed_by, short)
    return {"key": row.key, "label": told.name, "cards": cards[:SHOWN], "claimed_by": claimed_by}


def _name_or_you(other: int, told: MomentView) -> str:
    return page_text(told.listener.language, phrase("you")) if other == told.seat else told.name(other)


def pile_of(board: Board, player: PlayerView) -> Mapping[str, object] | None:
    """Return a player's pile towards a goal of the turn, and how many are missing."""
    counts = {count.key: count.number for count in player.counts}
    for key, goal in board.goals.items():
        number = counts.get(key, 0)
        if max(number, goal) <= PILED:
            return {"key": key, "number": number, "missing": max(0, goal - number)}
    return None


def first_clock(told: MomentView, ends: Mapping[str, float]) -> Clock | None:
    return next(filter(None, (Clock.of(ask, ends) for ask in told.match.asks)), None)


def _thinks(told: MomentView, seat: int, heard: tuple[Heard, ...], starters: frozenset[int]) -> str:
    """Name the awaited players, or give their number if the window already shows many names."""
    language = told.listener.language
    seats = dict.fromkeys(other for ask in told.match.asks for other in ask.seats if other != seat)
    # a player who may only start the clock isn't awaited, unless nobody else is
    asked = tuple(other for other in seats if other not in starters) or tuple(seats)
    if not asked:
        return ""
    waiting = sum(not player.is_done for player in heard)
    if waiting > NAMED:
        return page_text(language, phrase("{count} of {all} are thinking."), count=waiting, all=len(heard))
    *first, last = map(told.name, asked)
    if not first:
        return page_text(language, phrase("{names} is thinking."), names=last)
    return page_text(language, phrase("{names} and {last} are thinking."), names=", ".join(first), last=last)


def _clock_question(short: MomentView, seat: int) -> QuestionView | None:
    """Return the question with which another player, who made a claim, may start the clock."""
    claimants = {row.row.claimed_by for row in short.key_rows} - {None}
    if not claimants and not short.changes and _in_window(short.match.asks, seat) is None:
        return None
    speakers, later = {*claimants, short.board.turn} - {seat}, short.questions[1:]
    may_say = (each for each in later if each.question.seats and speakers.issuperset(each.question.seats))
    return next(may_say, None)


def _answers(match: Match, seat: int, starters: frozenset[int]) -> Mapping[int, bool]:
    """Return the players asked at the same time, and whether each has answered, for a seat that waits."""
    now = _in_window(match.asks, seat)
    if now is None or seat in now[1]:
        return {}
    number, waiting = now
    asked = set(waiting)
    for moment in moments(match):
        before = _in_window(moment.asks, seat)
        if before is None or before[0] != number:
            break
        asked |= before[1]
    return {other: other not in waiting for other in sorted(asked - starters)}


def _in_window(asks: Iterable[Ask], seat: int) -> tuple[int, frozenset[int]] | None:
    """Return the open answer window and its asked seats, apart from asks to one seat alone."""
    windows = [ask for ask in asks if isinstance(ask, Choice) and ask.seats != (seat,)]
    number = next((ask.window for ask in windows if ask.window is not None), None)
    if number is None:
        return None
    return number, frozenset(other for ask in windows if ask.window == number for other in ask.seats)
