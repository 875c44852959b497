"""A moment as it is told to a reader: all its sentences, made once, and kept while the moment stands; pure.

Whoever shows or says a moment arranges what is here, and asks nobody else for words about it. A reader is a
language and a seat, or none: to a seat its own player is "you". For the eye, long names may be cut.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec import Struct

from referee import telling
from referee.cells import value_counted
from referee.contract import Aside, Fact, Game, Grid, Outcome, Reveal, Standing, Weight, phrase
from referee.contract.asks import Answer, CountChange
from referee.contract.board import Board, CardRow, Headline, Mood, Question, Situation, Track
from referee.match import Match, Position, Step, people_of
from referee.seatings import Names, Seatings, seatings_of
from referee.showing import board_of, mood_of, questions_in
from referee.tallies import own_facts
from referee.telling import Language, Listener, ToldFact, ToldHeadline, ToldReveal
from referee.telling_rules import tell_changes
from referee.told_answers import Chooser, ToldAnswers, tell_answers
from referee.verdicts import beginning_of_scene, last_decision, may_be_of, reveal_of

KEPT = 32
"""Tellings that are kept, each with its match: those of a moment, for each language and seat."""
NEWS_KEPT = 64
TICKS = 20
GO_ON, ON_TO = phrase("Go on"), phrase("On to round {number}")
WEIGHTS = tuple(Weight)


class ToldCard(Struct, frozen=True):
    """A card of a row, or an empty place: what is said of it, and how it lies."""

    face: str
    name: str
    note: str = ""
    sign: str = ""  # what the note is about
    owner: str = ""
    is_own: bool = False  # whose it was, and whether that is the reader
    is_leading: bool = False
    is_struck: bool = False


class ToldRow(Struct, frozen=True):
    """A row of open cards: what it is called, whose it is, who only says to have it."""

    row: CardRow
    name: str
    cards: tuple[ToldCard, ...]
    places: tuple[ToldCard, ...]  # all places of the row, empty ones too
    owner: str
    claimed_by: str

    @property
    def key(self) -> str:
        return self.row.key

    @property
    def is_torn(self) -> bool:
        return bool(self.claimed_by and self.row.struck)


class Mark(Struct, frozen=True):
    """A place on a line of numbers, and what is said of it."""

    number: int
    text: str = ""
    kind: str = ""


class ToldLine(Struct, frozen=True):
    """A line of numbers."""

    name: str
    marks: tuple[Mark, ...]
    is_year: bool  # it counts steps of which one is now; else it compares numbers


class ToldQuestion(Struct, frozen=True):
    """A question: as it is asked after the others, without what it is about, and whole."""

    question: Question
    text: str
    bare: str
    whole: str


class ToldCount(Struct, frozen=True):
    """How much of something a player has: coins, marks, points."""

    key: str
    number: int
    text: str


class ToldPlayer(Struct, frozen=True):
    """A player, or a place of the board where no player sits: how they stand, and what lies open."""

    seat: int
    name: str
    place: int
    counts: tuple[ToldCount, ...]
    facts: tuple[ToldFact, ...]
    rows: tuple[ToldRow, ...]  # what lies open, the weightiest first, as the facts are
    is_out: bool
    is_asked: bool
    is_winner: bool
    has_turn: bool


class ToldChange(Struct, frozen=True):
    """What a player has of a count, before and after; or what it is about to become."""

    seat: int
    name: str
    count: str
    before: int
    after: int


class ToldRuling(Struct, frozen=True):
    """What the newest answer brought, and how it feels to the table."""

    key: str
    text: str
    mood: Mood | None = None


class ToldVerdict(Struct, frozen=True):
    """What was decided last, in one sentence, and the card that it is about."""

    text: str
    is_good: bool
    face: str = ""
    name: str = ""


class ToldAside(NamedTuple):
    """What a player could say of a scene, under the name."""

    seat: int
    text: str


class ToldScene(Struct, frozen=True):
    """A scene: who called whom, the cards, what they came to, the verdict, and how it goes on."""

    heading: ToldReveal
    rows: tuple[ToldRow, ...]
    headline: ToldHeadline | None
    line: ToldLine | None
    changes: tuple[ToldChange, ...]
    verdict: ToldVerdict
    goes_on: str
    won: tuple[int, ...]
    lost: tuple[int, ...]
    unowned: tuple[str, ...]
    """The cards whose owner isn't known, if the reader may have worn one of them."""
    asides: tuple[ToldAside, ...]
    held: tuple[str, ...]


class ToldMoment(Struct, frozen=True):
    """All that a reader may know of a moment, and all sentences about it."""

    match: Match
    listener: Listener
    seat: int | None
    board: Board
    grids: tuple[Grid, ...]
    title: str
    house: tuple[str, ...]
    about: Situation | None
    situation: str
    situation_to_all: str
    headline: ToldHeadline | None
    line: ToldLine | None
    facts: tuple[ToldFact, ...]
    rows: tuple[ToldRow, ...]
    changes: tuple[ToldChange, ...]
    questions: tuple[ToldQuestion, ...]
    answers: tuple[ToldAnswers, ...]
    players: tuple[ToldPlayer, ...]
    rulings: tuple[ToldRuling, ...]
    verdict: ToldVerdict | None
    scene: ToldScene | None

    @property
    def outcome(self) -> Outcome | None:
        return self.match.outcome

    @property
    def winners(self) -> tuple[str, ...]:
        return () if self.outcome is None else tuple(self.listener.names[seat] for seat in self.outcome.winners)

    @property
    def seated(self) -> tuple[ToldPlayer, ...]:
        return tuple(each for each in self.players if each.seat < len(self.match.setup.names))

    @property
    def key_rows(self) -> tuple[ToldRow, ...]:
        return tuple(row for row in self.rows if row.row.weight is Weight.KEY)

    @property
    def key_facts(self) -> tuple[ToldFact, ...]:
        return tuple(fact for fact in self.facts if fact.weight is Weight.KEY)

    def facts_of(self, seat: int | None) -> tuple[ToldFact, ...]:
        return _weightiest(each for each in self.facts if each.fact.seat == seat)

    def rows_of(self, seat: int | None) -> tuple[ToldRow, ...]:
        return _open_rows(self.rows, seat)

    def player(self, seat: int) -> ToldPlayer:
        return next(each for each in self.players if each.seat == seat)

    def name(self, seat: int) -> str:
        return telling.tell_player(self.listener, seat)

    def face(self, face: str) -> str:
        return telling.tell_face(self.listener, face) if face else ""


def tell_moment(
    match: Match, language: Language, seat: int | None = None, *, is_short: bool = False
) -> ToldMoment:
    """Tell a moment to a reader; what was told of it before is given again."""
    people = people_of(match) if match.setup.came else match.setup.names
    return _tell_moment(match, language, seat, is_short and telling.is_any_long(people))


@lru_cache(KEPT)
def _tell_moment(match: Match, language: Language, seat: int | None, is_short: bool) -> ToldMoment:
    seatings = seatings_of(match)
    if is_short:
        seatings = seatings.renamed(telling.short_name)
    listener, ruled = (
        telling.listener_when(match.setup, seatings, at, language) for at in (match.number, _ruled_at(match))
    )
    game, view = match.setup.game, match.setup.game.shown.view(match.state, seat)
    board, about = game.shown.board(view), None if match.is_ended else game.shown.situation(view)
    ended = telling.tell_ended_early(listener) if match.is_ended else ""
    facts = tuple(telling.tell_fact(listener, fact) for fact in own_facts(match, seatings, board.facts))
    rows = tuple(_tell_row(row, listener, seat) for row in board.cards)
    grids = game.table.grids(view)
    verdict = None if match.is_ended else _tell_verdict(match, seatings, listener, seat)
    chooser = Chooser(listener, game, match.state, seat, grids)
    asks = () if seat is None else (ask for ask in match.asks if not ask.seats or seat in ask.seats)
    questions = questions_in(game, match.state, match.asks, seat)
    told = zip(questions, telling.tell_questions(listener, questions, seat), strict=True)
    return ToldMoment(
        match=match,
        listener=listener,
        seat=seat,
        board=board,
        grids=grids,
        title=language.gettext(game.words.title),
        house=tuple(tell_changes(listener, game, match.setup.house)),
        about=about,
        situation=ended or ("" if about is None else telling.tell_situation(listener, about, seat)),
        situation_to_all=ended or ("" if about is None else telling.tell_situation(listener, about)),
        headline=_tell_headline(board.headline, listener),
        line=_tell_line(board.track, listener),
        facts=facts,
        rows=rows,
        changes=tuple(_tell_change(change, listener) for change in board.changes),
        questions=tuple(
            ToldQuestion(
                question,
                text,
                telling.tell_bare_question(listener, question, seat),
                telling.tell_question(listener, question, seat),
            )
            for question, text in told
        ),
        answers=tuple(tell_answers(chooser, ask) for ask in asks),
        players=tuple(
            _tell_player(match, board, each, facts, rows, listener) for each in _standings(match, board)
        ),
        rulings=tuple(
            ToldRuling(ruling.key, telling.tell(ruled, ruling), mood_of(match, ruling))
            for ruling in match.rulings
        ),
        verdict=verdict,
        scene=None if verdict is None else _tell_scene(match, seatings, verdict, listener, seat),
    )


def _ruled_at(match: Match) -> int:
    """Return when the answer was heard on which the newest rulings were made."""
    if isinstance(match.entry, Answer):
        return match.number - 1
    return match.position.heard_at if isinstance(match.position, Step) else match.number


def _by_actors(listener: Listener, actors: Names, reader: int | None) -> tuple[Listener, int | None]:
    """Give the listener for what was done, and the reader, if it was the reader who did the seat's part."""
    told = Listener(listener.words, actors, listener.language)
    is_actor = reader is not None and actors[reader] == listener.names[reader]
    return told, reader if is_actor else None


def _tell_headline(headline: Headline | None, listener: Listener) -> ToldHeadline | None:
    return None if headline is None else telling.tell_headline(listener, headline)


def _tell_row(row: CardRow, listener: Listener, reader: int | None) -> ToldRow:
    count = max(row.places, row.offset + len(row.faces))
    return ToldRow(
        row,
        telling.tell_card_row(listener, row),
        tuple(_tell_card(row, number, listener, reader) for number in range(len(row.faces))),
        tuple(_tell_card(row, place - row.offset, listener, reader) for place in range(count)),
        _name_of(row.seat, listener),
        _name_of(row.claimed_by, listener),
    )


def _name_of(seat: int | None, listener: Listener) -> str:
    return "" if seat is None else telling.tell_player(listener, seat)


def _tell_card(row: CardRow, number: int, listener: Listener, reader: int | None) -> ToldCard:
    face = row.faces[number] if 0 <= number < len(row.faces) else ""
    note = row.notes[number] if 0 <= number < len(row.notes) else None
    owner = None if note is None else note.seat
    return ToldCard(
        face=face,
        name=telling.tell_face(listener, face) if face else "",
        note="" if note is None else telling.tell_fact(listener, note).text,
        sign="" if note is None else note.key,
        owner=_name_of(owner, listener),
        is_own=owner is not None and owner == reader,
        is_leading=row.leading == number,
        is_struck=number in row.struck,
    )


def _tell_line(track: Track | None, listener: Listener) -> ToldLine | None:
    """Tell a line of numbers: each step of a year, or as many dots as make a scale."""
    if track is None:
        return None
    told = {number: telling.tell_fact(listener, fact).text for number, fact in track.marks}
    step = max(1, -(-(track.last - track.first) // TICKS))
    numbers = sorted({*range(track.first, track.last + 1, step), *told})
    firsts = list(told)
    marks = (Mark(number, told.get(number, ""), _kind(track, number, firsts)) for number in numbers)
    return ToldLine(telling.tell_track(listener, track), tuple(marks), track.now is not None)


def _kind(track: Track, number: int, told: list[int]) -> str:
    if number in told:
        return f"mark mark{told.index(number)}"
    now = track.now
    passed = "" if now is None else " now" if number == now else " done" if number < now else ""
    return (passed + (" special" if number in track.special else "")).strip()


def _tell_change(change: CountChange, listener: Listener) -> ToldChange:
    name = telling.tell_player(listener, change.seat)
    return ToldChange(change.seat, name, change.count, change.before, change.after)


def _standings(match: Match, board: Board) -> tuple[Standing, ...]:
    """List the standings, and after them the places of the board where no player sits."""
    seats = len(match.setup.names)
    shown: tuple[Fact | CardRow, ...] = (*board.facts, *board.cards)
    unseated = sorted({row.seat for row in shown if row.seat is not None and row.seat >= seats})
    return (*match.setup.game.rules.standings(match.state), *(Standing(seat, 0, {}) for seat in unseated))


def _tell_player(
    match: Match,
    board: Board,
    standing: Standing,
    facts: tuple[ToldFact, ...],
    rows: tuple[ToldRow, ...],
    listener: Listener,
) -> ToldPlayer:
    seat, outcome = standing.seat, match.outcome
    return ToldPlayer(
        seat=seat,
        name=telling.tell_player(listener, seat),
        place=standing.place,
        counts=tuple(
            ToldCount(key, count, telling.tell_count(listener, key, count))
            for key, count in standing.counts.items()
        ),
        facts=_weightiest(each for each in facts if each.fact.seat == seat),
        rows=_open_rows(rows, seat),
        is_out=standing.out,
        is_asked=any(seat in ask.seats for ask in match.asks),
        is_winner=outcome is not None and seat in outcome.winners,
        has_turn=outcome is None and board.turn == seat,
    )


def _weightiest(facts: Iterable[ToldFact]) -> tuple[ToldFact, ...]:
    return tuple(sorted(facts, key=lambda each: WEIGHTS.index(each.weight)))


def _open_rows(rows: Iterable[ToldRow], seat: int | None) -> tuple[ToldRow, ...]:
    open_rows = (each for each in rows if each.row.seat == seat and each.cards)
    return tuple(sorted(open_rows, key=lambda each: WEIGHTS.index(each.row.weight)))


# what was ruled, decided, and brought to light


@lru_cache(NEWS_KEPT)
def tell_rulings(match: Match, language: Language) -> tuple[str, ...]:
    """Word what a moment brought, by the names of who sat there then."""
    listener = _listener_ruled(match, language)
    return tuple(telling.tell(listener, ruling) for ruling in match.rulings)


def tell_step(match: Match, step: Step, language: Language) -> tuple[str, ...]:
    """Word what was ruled on an answer that stands, by the names of who sat there then."""
    listener = telling.listener_when(match.setup, seatings_of(match), step.heard_at, language)
    return tuple(telling.tell(listener, ruling) for ruling in step.rulings)


def _listener_ruled(match: Match, language: Language) -> Listener:
    return telling.listener_when(match.setup, seatings_of(match), _ruled_at(match), language)


@lru_cache(NEWS_KEPT)
def tell_news(match: Match, language: Language) -> tuple[str, ...]:
    """Word what a moment brought; after a reveal, what can be said about the round, too."""
    insight, before = match.setup.game.shown.insight, match.before
    known = insight(match.state)
    fresh = known if before is None or known != insight(before.state) else ()
    listener = _listener_ruled(match, language)
    return (*tell_rulings(match, language), *(telling.tell(listener, ruling) for ruling in fresh))


def tell_ask(listener: Listener, game: Game, before: Position, key: str, reader: int | None = None) -> str:
    questions = questions_in(game, before.state, before.asks, reader)
    return telling.tell_question(listener, next(each for each in questions if key in each.asks), reader)


def tell_answer(listener: Listener, game: Game, state: Any, answer: Answer) -> str:
    told, seat = telling.tell_value(listener, value_counted(game, state, answer)), answer.seat
    return told if seat is None else telling.tell_labelled(listener.language, listener.names[seat], told)


def _tell_verdict(
    match: Match, seatings: Seatings, listener: Listener, reader: int | None
) -> ToldVerdict | None:
    decision = last_decision(match)
    if decision is None:
        return None
    verdict, actors = decision.verdict, seatings.actors(decision.heard_at)
    by, you = _by_actors(listener, actors, reader)
    name = telling.tell_face(listener, verdict.face) if verdict.face else ""
    return ToldVerdict(telling.tell_verdict(by, verdict, you), verdict.is_good, verdict.face, name)


def _tell_scene(
    match: Match, seatings: Seatings, verdict: ToldVerdict, listener: Listener, reader: int | None
) -> ToldScene | None:
    reveal, since = reveal_of(match), beginning_of_scene(match)
    if reveal is None:
        return None
    by, you = _by_actors(listener, seatings.actors(match.number, since), reader)
    return ToldScene(
        heading=telling.tell_reveal(by, reveal, you),
        rows=tuple(_tell_row(row, by, you) for row in reveal.rows),
        headline=_tell_headline(reveal.headline, by),
        line=_tell_line(reveal.track, by),
        changes=tuple(_tell_change(each, listener) for each in _changes(match)),
        verdict=verdict,
        goes_on=_goes_on(reveal, listener.language),
        won=reveal.won,
        lost=reveal.lost,
        unowned=() if reader is None else may_be_of(match, reader),
        asides=tuple(_tell_aside(each, by) for each in reveal.asides),
        held=tuple(telling.tell_aside(by, each) for each in reveal.held),
    )


def _tell_aside(aside: Aside, listener: Listener) -> ToldAside:
    name, told = telling.tell_player(listener, aside.seat), telling.tell_aside(listener, aside)
    return ToldAside(aside.seat, telling.tell_labelled(listener.language, name, told))


def _changes(match: Match) -> tuple[CountChange, ...]:
    """List what the answer has moved; where it has moved nothing, what is still at stake."""
    standings, before = match.setup.game.rules.standings, match.before
    held = {} if before is None else {each.seat: each.counts for each in standings(before.state)}
    moved = tuple(
        CountChange(now.seat, key, held[now.seat][key], number)
        for now in sorted(standings(match.state), key=lambda each: each.seat)
        for key, number in now.counts.items()
        if held.get(now.seat, {}).get(key, number) != number
    )
    return moved or board_of(match).changes


def _goes_on(reveal: Reveal, language: Language) -> str:
    if reveal.round is None:
        return telling.tell_text(language, GO_ON.one, {})
    return telling.tell_text(language, ON_TO.one, {"number": reveal.round})
