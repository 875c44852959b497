"""What the score page shows, drawn from what everybody may know: pure."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import islice
from math import ceil

from msgspec import Struct

from referee.contract import Answer, Ask, Board, CardRow, Deadline, Fact, Standing, Weight
from referee.contract.words import phrase
from referee.match import Correct, Match, moments
from referee.showing import questions_of
from referee.telling import (
    Language,
    Listener,
    listener_at,
    listener_then,
    tell_card_row,
    tell_count,
    tell_face,
    tell_fact,
    tell_player,
    tell_situation,
)
from referee.telling_rules import tell_changes
from webui.drawing.grids import Sheet, sheet_of
from webui.drawing.questions import QuestionText, question_texts
from webui.drawing.words import Texts, page_text, tell_again

MOMENTS = 8
"""Moments back to which sentences are shown; all of them stand in the history."""
PICTURED = 12
"""The most marks or coins that are drawn one by one."""
SHARED = 16
"""Moments and languages whose sentences are kept: they are the same for all who look."""
WEIGHTS = tuple(Weight)
"""The weights of facts, the heaviest first."""


class DrawnCount(Struct, frozen=True):
    """A count of what a player has: how often it is drawn (0: too many to draw), and in words."""

    key: str
    drawn: int
    text: str


class DrawnFact(Struct, frozen=True):
    """A fact of the board: its label, what it says, and how much it matters."""

    label: str
    text: str
    weight: str


class OpenCards(Struct, frozen=True):
    """Cards that lie open, and where."""

    where: str
    faces: tuple[str, ...]


class Player(Struct, frozen=True):
    """A player's line of the score."""

    name: str
    place: int
    counts: tuple[DrawnCount, ...]
    cards: tuple[OpenCards, ...]
    is_out: bool
    is_winner: bool
    has_turn: bool
    is_asked: bool
    is_you: bool
    facts: tuple[DrawnFact, ...] = ()


class Clock(Struct, frozen=True):
    """How many seconds an ask may stand; and when the clock answers it, while that runs."""

    seconds: int
    ends: float | None

    @staticmethod
    def of(deadline: Deadline, ends: float | None) -> "Clock":
        """Show a deadline."""
        return Clock(ceil(deadline.seconds), ends)


class AskLine(Struct, frozen=True):
    """A question that is asked now, and how long it may stand."""

    key: str
    question: QuestionText
    clock: Clock | None


class Score(Struct, frozen=True):
    """All of the score page."""

    title: str
    situation: str
    """What it is all about now, in one sentence."""
    facts: tuple[DrawnFact, ...]
    over: str
    asks: tuple[AskLine, ...]
    players: tuple[Player, ...]
    cards: tuple[OpenCards, ...]
    grids: tuple[Sheet, ...]
    told: tuple["MomentSentences", ...]
    """What the last moments brought, the newest moment first."""
    clocks: Mapping[str, Clock | None] = {}
    """How long what is asked may stand, by the ask's key."""
    house: tuple[str, ...] = ()
    """The house rules that aren't as printed."""
    as_recorded: str = ""
    """What to do where the table counts otherwise, in games of which the camera sees a part only."""


class MomentSentences(Struct, frozen=True):
    """Sentences of a moment, its number, and that of the answer whose picture they rest on."""

    sentences: tuple[str, ...]
    number: int
    why: int | None = None


def score_of(
    match: Match,
    seat: int | None,
    listener: Listener,
    pictured: frozenset[int] = frozenset(),
    ends: Mapping[str, float] = {},
) -> Score:
    """Draw the score for a person in a seat, or in none; `pictured` answers rest on a picture.

    `ends` says when the clock answers what has a deadline.
    """
    game = match.setup.game
    seen = game.shown.view(match.state, seat)
    board, situation = game.shown.board(seen), game.shown.situation(seen)
    clocks = _clocks(match.asks, ends)
    return Score(
        title=listener.language.gettext(game.words.title),
        situation="" if situation is None else tell_situation(listener, situation),
        facts=_facts(board, None, listener),
        over=_outcome_text(match, listener),
        asks=_ask_lines(match, seat, clocks, listener),
        clocks=clocks,
        players=tuple(_player(match, board, standing, seat, listener) for standing in _standings(match, board)),
        cards=_open_cards(board, None, listener),
        grids=tuple(sheet_of(grid, listener) for grid in game.table.grids(seen)),
        told=_newest_sentences(match, listener.language, pictured),
        house=tuple(tell_changes(listener, game, match.setup.house)),
        as_recorded=""
        if game.table.turns is None
        else page_text(
            listener.language,
            phrase(
                "This is what the record says. If the table shows something else, adjust "
                "horses and markers; if an answer was wrong, ask the host to correct it."
            ),
        ),
    )


def _standings(match: Match, board: Board) -> tuple[Standing, ...]:
    """List the standings, and after them the places of the board where no player sits."""
    seats = len(match.setup.names)
    shown: tuple[Fact | CardRow, ...] = (*board.facts, *board.cards)
    unseated = sorted({row.seat for row in shown if row.seat is not None and row.seat >= seats})
    return (*match.setup.game.rules.standings(match.state), *(Standing(seat, 0, {}) for seat in unseated))


def _clocks(asks: Iterable[Ask], ends: Mapping[str, float]) -> Mapping[str, Clock | None]:
    return {ask.key: _clock(ask, ends) for ask in asks}


def _clock(ask: Ask, ends: Mapping[str, float]) -> Clock | None:
    return None if ask.deadline is None else Clock.of(ask.deadline, ends.get(ask.key))


def _ask_lines(
    match: Match, seat: int | None, clocks: Mapping[str, Clock | None], listener: Listener
) -> tuple[AskLine, ...]:
    """List the questions of all seats, the one that stops play first, each with its first clock."""
    questions = questions_of(match, seat)
    return tuple(
        AskLine(question.key, text, next(filter(None, (clocks[key] for key in question.asks)), None))
        for question, text in zip(questions, question_texts(questions, listener, seat), strict=True)
    )


def _facts(board: Board, seat: int | None, listener: Listener) -> tuple[DrawnFact, ...]:
    """Draw the facts of a seat, or of the table: the weightiest first."""
    facts = sorted((fact for fact in board.facts if fact.seat == seat), key=_weight)
    return tuple(_fact(fact, listener) for fact in facts)


def _weight(row: Fact | CardRow) -> int:
    return WEIGHTS.index(row.weight)


def _fact(fact: Fact, listener: Listener) -> DrawnFact:
    told = tell_fact(listener, fact)
    return DrawnFact(told.label, told.text, fact.weight.value)


def _outcome_text(match: Match, listener: Listener) -> str:
    outcome = match.outcome
    if outcome is None:
        return ""
    names = ", ".join(listener.names[seat] for seat in outcome.winners)
    won = (
        page_text(listener.language, Texts.wins, names=names)
        if names
        else page_text(listener.language, Texts.no_winner)
    )
    return f"{page_text(listener.language, Texts.over)} {won}"


def _player(match: Match, board: Board, standing: Standing, viewer: int | None, listener: Listener) -> Player:
    seat, outcome = standing.seat, match.outcome
    return Player(
        name=tell_player(listener, seat),
        place=standing.place,
        counts=tuple(_count(listener, key, number) for key, number in standing.counts.items()),
        cards=_open_cards(board, seat, listener),
        is_out=standing.out,
        is_winner=outcome is not None and seat in outcome.winners,
        has_turn=outcome is None and board.turn == seat,
        is_asked=any(seat in ask.seats for ask in match.asks),
        is_you=seat == viewer,
        facts=_facts(board, seat, listener),
    )


def _count(listener: Listener, key: str, number: int) -> DrawnCount:
    drawn = number if 0 <= number <= PICTURED else 0
    return DrawnCount(key, drawn, tell_count(listener, key, number))


def _open_cards(board: Board, seat: int | None, listener: Listener) -> tuple[OpenCards, ...]:
    """Draw the open cards of a seat, or those of the table: the weightiest first."""
    rows = sorted((row for row in board.cards if row.seat == seat and row.faces), key=_weight)
    return tuple(_cards(row, listener) for row in rows)


def _cards(row: CardRow, listener: Listener) -> OpenCards:
    return OpenCards(tell_card_row(listener, row), tuple(tell_face(listener, face) for face in row.faces))


@lru_cache(SHARED)
def _newest_sentences(
    match: Match, language: Language, pictured: frozenset[int]
) -> tuple[MomentSentences, ...]:
    """Word what the newest moments brought, once for all who look at one in one language."""
    told = _moment_sentences(match, listener_at(match.setup, language), pictured)
    return tuple(each for each in islice(told, MOMENTS) if each.sentences)


def _moment_sentences(match: Match, listener: Listener, pictured: frozenset[int]) -> Iterable[MomentSentences]:
    """Word what each moment brought, the newest first; after a reveal, what can be said about the round."""
    insight = match.setup.game.shown.insight
    for moment in moments(match):
        before = moment.before
        known = insight(moment.state)
        fresh = known if before is None or known != insight(before.state) else ()
        then = listener_then(listener, moment)
        sentences = tuple(tell_again(then, ruling) for ruling in (*moment.rulings, *fresh))
        answer = _answer_of(moment)
        yield MomentSentences(sentences, moment.number, answer if answer in pictured else None)


def _answer_of(moment: Match) -> int | None:
    """Give the number of the answer that a moment ruled on."""
    match moment.entry:
        case Answer():
            return moment.number - 1
        case Correct(heard_at=heard_at):
            return heard_at
        case _:
            return None
