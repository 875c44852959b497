"""What a seat's page shows around the question: its strip, the fact in the window, who is waited for; pure."""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from referee.contract import Ask, Board, Choice, CountChange, Deadline, Standing
from referee.contract.words import phrase
from referee.match import Match, moments
from referee.showing import questions_of
from referee.telling import (
    Listener,
    tell_card_row,
    tell_count,
    tell_fact,
    tell_headline,
    tell_player,
    tell_questions,
    tell_situation,
    with_short_names,
)
from webui.drawing.reveals import ShownCard, cards_of, key_facts, key_rows, places_of
from webui.drawing.score_board import Clock
from webui.drawing.words import page_text

SLOTS = 6
"""The most of a count that is shown as slots to fill."""
PILED = 10
"""The most coins, or the like, that are drawn one by one."""
SHOWN = 12
"""The most cards that the window shows."""
LINE = 5
"""Places of a row from which its empty ones are drawn, too."""
NAMED = 2
"""The most players who think and are named, where each stands in the window anyway."""


class StripCount(Struct, frozen=True):
    """A count of one's own: how many, of how many there can be, and in words."""

    key: str
    number: int
    slots: int
    text: str


class CountPile(Struct, frozen=True):
    """A count as a pile, and how many are missing for what it buys."""

    key: str
    number: int
    missing: int


class WindowRow(Struct, frozen=True):
    """Cards in the window; a claim has the name of the player who makes it, or "you"."""

    key: str
    label: str
    cards: tuple[ShownCard, ...]
    claimed_by: str = ""


class ChangeLine(Struct, frozen=True):
    """What a player's count would become."""

    name: str
    count: str
    before: int
    after: int


class Heard(Struct, frozen=True):
    """A player who is asked, and whether an answer has come."""

    name: str
    is_done: bool


class Other(Struct, frozen=True):
    """Another player in the line about the others."""

    name: str
    is_out: bool
    counts: tuple[StripCount, ...] = ()


class FactLine(Struct, frozen=True):
    """A fact that decides: its label, and what it says."""

    label: str
    text: str


class SeatWindow(Struct, frozen=True):
    """The decisive fact of a moment."""

    figure: str
    """A number to be read at a glance; none where cards say it."""
    above: str
    below: str
    situation: str
    facts: tuple[FactLine, ...]
    rows: tuple[WindowRow, ...]
    changes: tuple[ChangeLine, ...]
    pile: CountPile | None
    clock: Clock | None


class SeatView(Struct, frozen=True):
    """All around a seat's question."""

    name: str
    lamp: str
    is_out: bool
    """Nothing is asked of this seat any more in this match."""
    counts: tuple[StripCount, ...]
    window: SeatWindow
    heard: tuple[Heard, ...]
    thinks: str
    """Who is waited for, as a sentence."""
    may_say: str
    """What the one who claims may say meanwhile."""
    others: tuple[Other, ...]
    """The others in the order of the table, from the next one on."""


def seat_view(match: Match, seat: int, listener: Listener, ends: Mapping[str, float]) -> SeatView:
    """Draw what a seat sees around its question."""
    game = match.setup.game
    view = game.shown.view(match.state, seat)
    board, standings = game.shown.board(view), {each.seat: each for each in game.rules.standings(match.state)}
    situation = game.shown.situation(view)
    told = "" if situation is None else tell_situation(listener, situation, seat)
    own = standings.get(seat)
    heard = tuple(_heard(match, seat, listener))
    return SeatView(
        name=tell_player(listener, seat),
        lamp=_lamp(match, board, seat),
        is_out=own is not None and own.out,
        counts=() if own is None else _counts(own, board, listener),
        window=_window(_Scope(match, board, seat, listener), told, own, ends),
        heard=heard,
        thinks=_thinks(match, seat, heard, listener),
        may_say=_may_say(match, board, seat, listener),
        others=tuple(_others(match, seat, standings, board, listener)),
    )


def _lamp(match: Match, board: Board, seat: int) -> str:
    """Say how the seat's lamp glows: go in one's own turn, wait while others may speak, too."""
    is_asked = any(seat in ask.seats for ask in match.asks)
    if not is_asked:
        return ""
    return "green" if board.turn == seat or board.turn is None else "amber"


def _counts(standing: Standing, board: Board, listener: Listener) -> tuple[StripCount, ...]:
    return tuple(
        StripCount(key, number, _slots(board.limits.get(key, 0)), tell_count(listener, key, number))
        for key, number in standing.counts.items()
    )


def _slots(limit: int) -> int:
    return limit if limit <= SLOTS else 0


class _Scope(Struct, frozen=True):
    """Whose window it is, and in which words."""

    match: Match
    board: Board
    seat: int
    listener: Listener


def _window(scope: _Scope, situation: str, own: Standing | None, ends: Mapping[str, float]) -> SeatWindow:
    board, seat, listener = scope.board, scope.seat, scope.listener
    headline = None if board.headline is None else tell_headline(listener, board.headline)
    above, figure, below = ("", "", "") if headline is None else headline
    return SeatWindow(
        figure=figure,
        above=above,
        below=below,
        situation=situation,
        facts=tuple(_fact_lines(board, listener)),
        rows=tuple(_rows(board, seat, listener)),
        changes=tuple(_change_line(change, seat, listener) for change in board.changes),
        pile=pile_of(board, own) if board.turn == seat else None,
        clock=_clock(scope.match, ends),
    )


def _fact_lines(board: Board, listener: Listener) -> Iterator[FactLine]:
    for fact in key_facts(board):
        yield FactLine(*tell_fact(listener, fact))


def _rows(board: Board, seat: int, listener: Listener) -> Iterator[WindowRow]:
    """Show the open cards that decide now, and what is claimed."""
    short = with_short_names(listener)
    for row in key_rows(board):
        if row.faces or row.places:
            yield WindowRow(
                row.key,
                tell_card_row(listener, row),
                ((places_of if row.places >= LINE else cards_of)(row, listener)[:SHOWN]),
                "" if row.claimed_by is None else _player_or_you(row.claimed_by, seat, short),
            )


def _player_or_you(other: int, seat: int, listener: Listener) -> str:
    return page_text(listener.language, phrase("you")) if other == seat else tell_player(listener, other)


def _change_line(change: CountChange, seat: int, listener: Listener) -> ChangeLine:
    return ChangeLine(_player_or_you(change.seat, seat, listener), change.count, change.before, change.after)


def pile_of(board: Board, own: Standing | None) -> CountPile | None:
    """Pile up what buys something in a turn."""
    for key, goal in board.goals.items() if own is not None else ():
        number = 0 if own is None else own.counts.get(key, 0)
        if max(number, goal) <= PILED:
            return CountPile(key, number, max(0, goal - number))
    return None


def _clock(match: Match, ends: Mapping[str, float]) -> Clock | None:
    """Find the clock that runs, of whatever is asked."""
    for ask in match.asks:
        deadline: Deadline | None = ask.deadline
        if deadline is not None:
            return Clock.of(deadline, ends.get(ask.key))
    return None


# who is waited for


def _thinks(match: Match, seat: int, heard: tuple[Heard, ...], listener: Listener) -> str:
    """Say who is waited for; how many, where they are many and stand in the window by their names."""
    asked = tuple(dict.fromkeys(other for ask in match.asks for other in ask.seats if other != seat))
    if not asked:
        return ""
    waiting = sum(not player.is_done for player in heard)
    if waiting > NAMED:
        return page_text(
            listener.language, phrase("{count} of {all} are thinking."), count=waiting, all=len(heard)
        )
    names = ", ".join(tell_player(listener, other) for other in asked)
    text = phrase("{names} is thinking.") if len(asked) == 1 else phrase("{names} are thinking.")
    return page_text(listener.language, text, names=names)


def _may_say(match: Match, board: Board, seat: int, listener: Listener) -> str:
    """Word for the others what the one who acts or claims may say: "any objections?", and the clock runs."""
    claimants = {row.claimed_by for row in key_rows(board)} - {None}
    if not claimants and not board.changes and _in_window(match.asks, seat) is None:
        return ""
    speakers, questions = {*claimants, board.turn} - {seat}, questions_of(match)
    told = tell_questions(with_short_names(listener), questions, seat)
    later = zip(questions[1:], told[1:], strict=True)
    return next((text for each, text in later if each.seats and speakers.issuperset(each.seats)), "")


def _heard(match: Match, seat: int, listener: Listener) -> Iterator[Heard]:
    """List who is asked beside each other, and who has answered: to a seat that waits for them."""
    now = _in_window(match.asks, seat)
    if now is None or seat in now[1]:
        return
    number, waiting = now
    asked = set(waiting)
    for moment in moments(match):
        before = _in_window(moment.asks, seat)
        if before is None or before[0] != number:
            break
        asked |= before[1]
    for other in sorted(asked - {seat}):
        yield Heard(tell_player(listener, other), other not in waiting)


def _in_window(asks: Iterable[Ask], seat: int) -> tuple[int, frozenset[int]] | None:
    """Find the window that is open beside what a seat alone is asked, and who is asked in it."""
    windows = [ask for ask in asks if isinstance(ask, Choice) and ask.seats != (seat,)]
    number = next((ask.window for ask in windows if ask.window is not None), None)
    if number is None:
        return None
    return number, frozenset(other for ask in windows if ask.window == number for other in ask.seats)


def _others(
    match: Match, seat: int, standings: Mapping[int, Standing], board: Board, listener: Listener
) -> Iterator[Other]:
    """Return the others in the order of the table, from the next one on."""
    count = len(match.setup.names)
    for step in range(1, count):
        other = (seat + step) % count
        standing = standings.get(other)
        counts = () if standing is None or standing.out else _counts(standing, board, listener)
        yield Other(tell_player(listener, other), standing is not None and standing.out, counts)
